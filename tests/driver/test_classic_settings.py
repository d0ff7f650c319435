"""Keys of classic programs in `PassContext(config=...)`: what they change, and those that change nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import PassContext, TilewrightError, te
from tilewright.classic.pass_settings import DISABLES, SAME_AS, WITHOUT_MEANING
from tilewright.passes import collect_remarks
from tilewright.passes.framework.config import SETTINGS
from tilewright.passes.framework.registry import get_pass


def lowered(schedule: Any, arguments: list[te.Tensor], **config: Any) -> str:
    with PassContext(config=config):
        return tilewright.lower(schedule, arguments).script()


def doubled(n: int) -> tuple[Any, list[te.Tensor]]:
    A = te.placeholder((n,), name="A")
    B = te.compute((n,), lambda i: A[i] * 2, name="B")
    return te.create_schedule(B.op), [A, B]


def refused(config: dict[str, Any]) -> str:
    with pytest.raises(TilewrightError) as caught:
        PassContext(config=config)
    return str(caught.value)


def test_vectorized_loops_stay_loops() -> None:
    def vectorized() -> tuple[Any, list[te.Tensor]]:
        schedule, (A, B) = doubled(64)
        _, inner = schedule[B].split(B.op.axis[0], factor=8)
        schedule[B].vectorize(inner)
        return schedule, [A, B]

    assert "vector<8xf32>" in lowered(*vectorized())
    config = {"tir.disable_vectorize": True}
    assert "vector<" not in lowered(*vectorized(), **config)
    schedule, (A, B) = vectorized()
    with PassContext(config=config):
        program = tilewright.build(schedule, [A, B])
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    program(x, y)
    np.testing.assert_array_equal(y, 2 * x)


def test_why_a_loop_is_not_vectorised_is_reported() -> None:
    schedule, (A, B) = doubled(64)
    schedule[B].vectorize(B.op.axis[0])
    with PassContext(config={"tir.disable_vectorize": True}), collect_remarks() as remarks:
        tilewright.lower(schedule, [A, B])
    assert any(r.code == "TW0510" and "the setting `tir.disable_vectorize` is on" in r.message for r in remarks)


def test_loops_of_constant_extent_can_keep_their_conditions() -> None:
    def guarded() -> tuple[Any, list[te.Tensor]]:
        schedule, (A, B) = doubled(101)
        schedule[B].split(B.op.axis[0], factor=8)
        return schedule, [A, B]

    whole = lowered(*guarded(), **{"tir.LoopPartition": {"partition_const_loop": False}})
    split = lowered(*guarded(), **{"tir.LoopPartition": {"partition_const_loop": True}})
    assert split == lowered(*guarded())
    assert whole.count("loop.store") == 1 < split.count("loop.store")


def test_nests_are_unrolled_up_to_a_number_of_steps() -> None:
    def is_unrolled(n: int, **setting: int) -> bool:
        schedule, (A, B) = doubled(n)
        return "kind unrolled" in lowered(schedule, [A, B], **{"tir.UnrollLoop": setting})

    assert not is_unrolled(12) and not is_unrolled(12, auto_max_step=11)
    assert is_unrolled(12, auto_max_step=12)
    assert is_unrolled(12, auto_max_extent=12)
    assert is_unrolled(3)  # the default of the pass
    assert not is_unrolled(3, auto_max_step=0)


def test_names_for_settings_of_this_compiler() -> None:
    with PassContext(config={"tir.instrument_bound_checkers": True}) as context:
        assert context.value("check_bounds", bool)
    with PassContext(config={"tir.disable_assert": True}) as context:
        assert context.is_unchecked
    with PassContext(config={"tir.disable_storage_rewrite": True, "tir.disable_cse_tir": False}) as context:
        assert context.disabled_pass == {"reuse-storage"}
    assert set(SAME_AS.values()) <= set(SETTINGS)
    assert all(get_pass(name) for name in DISABLES.values())


def test_bounds_are_checked_under_the_classic_name() -> None:
    A, at = te.placeholder((8,), name="A"), te.placeholder((4,), "int32", name="at")
    B = te.compute((4,), lambda i: A[at[i]], name="B")
    unchecked = {"tir.disable_assert": True}
    with PassContext(config=unchecked):
        assert "loop.assert" not in tilewright.lower([A, at, B]).script()
    with PassContext(config={**unchecked, "tir.instrument_bound_checkers": True}):
        program = tilewright.build([A, at, B])
    with pytest.raises(TilewrightError, match="TW0730"):
        program(np.zeros(8, np.float32), np.array([0, 1, 8, 2], np.int32), np.zeros(4, np.float32))


def test_keys_that_change_nothing_are_reported_once() -> None:
    with PassContext(config={"tir.noalias": True, "tir.is_entry_func": True}), collect_remarks() as remarks:
        first, second = (tilewright.lower(*doubled(8)).script() for _ in range(2))
    assert first == second == tilewright.lower(*doubled(8)).script()
    messages = [r.message for r in remarks if r.code == "TW0260"]
    assert messages == [
        f"configuration key '{key}' changes nothing: {WITHOUT_MEANING[key]}"
        for key in ("tir.noalias", "tir.is_entry_func")
    ]


def test_bad_values_are_refused() -> None:
    assert "TW0208" in refused({"tir.disable_vectorize": 3})
    assert "configuration key 'tir.disable_assert': expected bool, but got 1" in refused({"tir.disable_assert": 1})
    assert "TW0208" in refused({"tir.UnrollLoop": 3})
    message = refused({"tir.UnrollLoop": {"auto_max_steps": 3}})
    assert "TW0207" in message and "did you mean 'auto_max_step'" in message
    message = refused({"tir.LoopPartition": {"partition_const_loop": 1}})
    assert "entry 'partition_const_loop' of configuration key 'tir.LoopPartition': expected bool, but got 1" in message


@pytest.mark.parametrize("value", ['{"auto_max_extent": 12}', "12", "{"])
def test_a_dictionary_in_the_environment(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TILEWRIGHT_TIR_UNROLLLOOP", value)
    if value.endswith("}"):
        assert "kind unrolled" in tilewright.lower(*doubled(12)).script()
    else:
        with pytest.raises(TilewrightError, match="TW0208.*TILEWRIGHT_TIR_UNROLLLOOP: expected a dictionary in JSON"):
            tilewright.lower(*doubled(12))
