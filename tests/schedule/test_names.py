"""The index of labels and names that a schedule keeps has what the function has; freed names are given again."""

from __future__ import annotations

import pytest
import tilewright
from tilewright import TilewrightError, te
from tilewright.analysis.access import blocks_in
from tilewright.schedule import Schedule, engine
from tilewright.schedule.loop_rewriting import unique_label
from tilewright.schedule.unique_names import NameIndex, buffers_of, keep_names, names_kept, names_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from .random_schedules.trial import TRIALS, run


def summed(stages: int = 1) -> Schedule:
    a = t = te.placeholder((8, 8), name="A")
    for number in range(stages):
        k = te.reduce_axis((0, 8), "k")
        t = te.compute((8, 8), lambda i, j, t=t, k=k: te.sum(t[i, k] + t[k, j], axis=k), name=f"S{number}")
    return Schedule(tilewright.IRModule({"main": te.create_prim_func([a, t])}))


def buffer_names(function: FuncOp) -> list[str | None]:
    return [buffer.name_hint for buffer in buffers_of(function)]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("kind", TRIALS)
def test_random_schedules_keep_it_in_step(kind: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[NameIndex] = []

    def noted(function: FuncOp) -> NameIndex:
        kept.append(keep_names(function))
        return kept[-1]

    monkeypatch.setattr(engine, "keep_names", noted)
    run(kind, 11, number)
    assert kept
    for names in kept:
        assert all(names.has_label(block.label) for block in blocks_in(names.function))
        assert all(names.buffer(hint) is not None for hint in buffer_names(names.function) if hint)


def test_names_are_given_once() -> None:
    s = summed(3)
    for number in range(3):
        block = s.get_block(f"S{number}")
        s.cache_write(block, 0, "local")
        s.cache_write(block, 0, "local")
        s.decompose_reduction(block, s.get_loops(block)[0])
    labels, hints = [block.label for block in blocks_in(s.func)], buffer_names(s.func)
    assert len(set(labels)) == len(labels) == 12
    assert len(set(hints)) == len(hints) == 4 + 6


def test_a_label_that_was_freed_is_free() -> None:
    s = summed()
    block = s.rename_block(s.get_block("S0"), "other")
    init = s.rename_block(s.decompose_reduction(block, s.get_loops(block)[0]), "S0")
    with pytest.raises(TilewrightError, match="a block 'other' exists already"):
        s.rename_block(init, "other")
    s.rename_block(s.get_block("other"), "another")
    assert [b.label for b in blocks_in(s.func)] == ["S0", "another"]
    assert [unique_label(s.func, wanted) for wanted in ("other", "other_init", "S0")] == ["other", "other_init", "S02"]


def test_the_label_of_a_block_that_is_gone_is_free() -> None:
    a = te.placeholder((8,), name="A")
    b = te.compute((8,), lambda i: a[i] + 1, name="B")
    c = te.compute((8,), lambda i: b[i] * 2, name="C")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, c])}))
    s.compute_inline(s.get_block("B"))
    s.rename_block(s.get_block("C"), "B")
    assert [block.label for block in blocks_in(s.func)] == ["B"]


def test_without_a_schedule_nothing_is_remembered() -> None:
    s = summed()
    module = s.mod.op.clone()
    assert isinstance(module, ModuleOp)
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    with names_kept(module):
        assert names_of(function) is names_of(function)
        assert (unique_label(function, "new"), unique_label(function, "new")) == ("new", "new")
    assert names_of(function) is not names_of(function)
