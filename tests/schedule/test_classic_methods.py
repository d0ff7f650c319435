"""Schedules by the names and keywords that classic programs use, and the methods that are refused."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.classic.reasons import HAS_NO_MEANING
from tilewright.script import tir as T
from tilewright.tir import schedule as names
from tilewright.tir.schedule import state as classic_state
from tilewright.tir.schedule.testing import verify_trace_roundtrip


def two_stages(dtype: str = "float32") -> tilewright.IRModule:
    A = te.placeholder((8, 16), dtype, name="A")
    B = te.compute((8, 16), lambda i, j: A[i, j] * 2, name="B")
    C = te.compute((8, 16), lambda i, j: B[i, j] + 1, name="C")
    return tilewright.IRModule({"main": te.create_prim_func([A, C])})


def run(schedule: tir.Schedule, a: np.ndarray) -> np.ndarray:
    return np.asarray(tilewright.build(schedule.mod)(a))


ROWS = np.arange(128, dtype=np.float32).reshape(8, 16)


def test_classic_keywords_name_the_same_arguments() -> None:
    first, second = (tir.Schedule(two_stages()) for _ in range(2))
    first.cache_read(first.get_block("C"), read_buffer_index=0, storage_scope="local")
    first.annotate(block_or_loop=first.get_block("C"), ann_key="note", ann_val=[1, 2])
    first.storage_align(first.get_block("B"), buffer_index=0, axis=0, factor=8, offset=4)
    second.cache_read(second.get_block("C"), 0, "local")
    second.annotate(second.get_block("C"), "note", [1, 2])
    second.storage_align(second.get_block("B"), 0, 0, 8, 4)
    assert first.mod.script() == second.mod.script()
    assert "note = [1 : i64, 2 : i64]" in first.mod.script()
    np.testing.assert_array_equal(run(first, ROWS), ROWS * 2 + 1)


def test_copies_at_a_loop_keep_values() -> None:
    sch = tir.Schedule(two_stages())
    block = sch.get_block("C")
    row = sch.get_loops(block)[0]
    sch.write_at(row, block, write_buffer_index=0, storage_scope="local")
    copy = sch.read_at(row, block, read_buffer_index=0, storage_scope="local")
    assert sch.get_loops(copy)[0] is not row
    assert [each.name_hint for each in map(sch.get, sch.get_child_blocks(row))] == ["B_read", "C", "C_write"]
    np.testing.assert_array_equal(run(sch, ROWS), ROWS * 2 + 1)


def test_read_at_a_loop_that_does_not_hold_the_block_changes_nothing() -> None:
    sch = tir.Schedule(two_stages())
    before = sch.mod.script()
    loop = sch.get_loops(sch.get_block("B"))[0]
    with pytest.raises(TilewrightError) as refused:
        sch.read_at(loop, sch.get_block("C"), 0, "local")
    assert refused.value.code == "TW0406"
    assert sch.mod.script() == before


def test_another_type_rounds_what_is_stored() -> None:
    sch = tir.Schedule(two_stages())
    sch.unsafe_set_dtype(sch.get_block("B"), 0, "float16")
    values = np.linspace(-3, 3, 128, dtype=np.float32).reshape(8, 16) + np.float32(1e-4)
    expected = (values * 2).astype(np.float16).astype(np.float32) + 1
    assert (expected != values * 2 + 1).any()
    np.testing.assert_array_equal(run(sch, values), expected)


@pytest.mark.parametrize(("buffer", "dtype", "code"), [("C", "float16", "TW0420"), ("B", "bool", "TW0403")])
def test_another_type_is_refused(buffer: str, dtype: str, code: str) -> None:
    sch = tir.Schedule(two_stages())
    with pytest.raises(TilewrightError) as refused:
        sch.unsafe_set_dtype(sch.get_block(buffer), buffer, dtype)
    assert refused.value.code == code


def test_a_copy_in_another_layout() -> None:
    sch = tir.Schedule(two_stages())
    sch.reindex_cache_read("C", 0, "local", lambda i, j: (j, i))
    sch.reindex_cache_write(
        block="B", write_buffer_index=0, storage_scope="global", index_map=lambda i, j: (i // 4, j, i % 4)
    )
    text = sch.mod.script()
    assert 'memref<16x8xf32, "local">' in text and "memref<2x16x4xf32>" in text
    np.testing.assert_array_equal(run(sch, ROWS), ROWS * 2 + 1)


def sums() -> tilewright.IRModule:
    A = te.placeholder((8, 16), name="A")
    k = te.reduce_axis((0, 16), "k")
    return tilewright.IRModule(
        {"main": te.create_prim_func([A, te.compute((8,), lambda i: te.sum(A[i, k], axis=k), name="S")])}
    )


@pytest.mark.parametrize(
    ("side", "index_map", "code", "text"),
    [
        ("write", "(i, k) -> (k, i)", "TW0418", "uses 'k'"),
        ("write", "(i) -> (i)", "TW0418", "an index map of 2 parameters"),
        ("read", "(i, k) -> (i)", "TW0418", "an injective map"),
        ("read", "(i, k) -> (i, k)", None, ""),
        ("write", "(i, k) -> (7 - i)", None, ""),
    ],
)
def test_maps_of_iteration_variables(side: str, index_map: str, code: str | None, text: str) -> None:
    sch = tir.Schedule(sums())
    before = sch.mod.script()
    if code is None:
        getattr(sch, f"reindex_cache_{side}")("S", 0, "global", index_map)
        np.testing.assert_allclose(run(sch, ROWS), ROWS.sum(axis=1))
        return
    with pytest.raises(TilewrightError) as refused:
        getattr(sch, f"reindex_cache_{side}")("S", 0, "global", index_map)
    assert refused.value.code == code and text in refused.value.message
    assert sch.mod.script() == before


def test_what_a_block_only_reads_is_no_write_of_it() -> None:
    sch = tir.Schedule(sums())
    with pytest.raises(TilewrightError, match="should write %A") as refused:
        sch.reindex_cache_write("S", "A", "global", lambda i, k: (i, k))
    assert refused.value.code == "TW0406"


@T.prim_func
def in_place(A: T.Buffer((4, 8), "float32")):
    for i, j in T.grid(4, 8):
        with T.block("twice"):
            vi, vj = T.axis.remap("SS", [i, j])
            A[vi, vj] = A[vi, vj] * T.float32(2)


def test_a_copy_for_what_is_updated() -> None:
    sch = tir.Schedule(in_place)
    first, second = sch.cache_inplace("twice", read_buffer_index=0, storage_scope="local")
    assert [sch.get(b).name_hint for b in (first, second)] == ["A_read", "A_write"]
    x = np.arange(32, dtype=np.float32).reshape(4, 8)
    out = x.copy()
    tilewright.build(sch.mod)(out)
    np.testing.assert_array_equal(out, x * 2)


def test_copies_onto_themselves_are_refused() -> None:
    sch = tir.Schedule(two_stages())
    with pytest.raises(TilewrightError, match="should read and write %B") as refused:
        sch.cache_inplace("C", 0, "local")
    assert refused.value.code == "TW0406"


@T.prim_func
def resize(A: T.Buffer((3, 4, 4), "float32"), B: T.Buffer((3, 8, 8), "float32")):
    for c, i, j in T.grid(3, 8, 8):
        with T.block("B"):
            vc, vi, vj = T.axis.remap("SSS", [c, i, j])
            B[vc, vi, vj] = A[vc, vi // 4 + vj // 4, vj // 2]


@pytest.mark.parametrize(("threshold", "count"), [(0, 2), (1, 2), (2, 0)])
def test_indices_from_memory(threshold: int, count: int) -> None:
    sch = tir.Schedule(resize)
    blocks = sch.cache_index("B", "global", threshold)
    assert [sch.get(block).name_hint for block in blocks] == [f"index_{k}" for k in range(count)]
    x = np.random.default_rng(0).random((3, 4, 4), np.float32)
    i, j = np.arange(8)[:, None], np.arange(8)[None, :]
    np.testing.assert_array_equal(run(sch, x), x[:, i // 4 + j // 4, j // 2])


def test_buffers_become_flat_in_one_dimension() -> None:
    sch = tir.Schedule(two_stages())
    before = sch.mod.script()
    sch.set_axis_separator("B", ("write", 0), [])
    sch.set_axis_separator("B", 0)
    with pytest.raises(TilewrightError, match="several dimensions") as refused:
        sch.set_axis_separator("B", 0, axis_separators=[1])
    assert refused.value.code == "TW0406" and sch.mod.script() == before


def test_the_trace_states_where_a_schedule_is_finished() -> None:
    sch = tir.Schedule(two_stages())
    sch.enter_postproc()
    assert [step.method for step in sch.trace.instructions] == ["enter_postproc"]
    assert sch.func_working_on == "main"


def test_padding_can_be_asked_for() -> None:
    A = te.placeholder((8,), name="A")
    P = te.compute((10,), lambda i: tir.if_then_else(tir.all(i >= 1, i < 9), A[i - 1], 0.0), name="P")
    sch = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([A, P])}))
    block = sch.get_block("P")
    before = sch.mod.script()
    assert sch.can_decompose_padding(block, sch.get_loops(block)[0])
    assert sch.mod.script() == before
    other = tir.Schedule(two_stages())
    assert not other.can_decompose_padding(other.get_block("B"), other.get_loops(other.get_block("B"))[0])


def test_classic_keywords_of_a_schedule() -> None:
    module = two_stages()
    sch = tir.Schedule(mod=module, seed=1, debug_mask="all", error_render_level="fast", enable_check=True)
    sch.cache_read("C", 0, "local")  # blocks by name
    i, _ = sch.get_loops("C")
    sch.parallel(i)
    assert sch.trace.as_python().startswith("b0 = sch.get_block('C')\nb1 = sch.cache_read(b0, 0, 'local')\n")
    again = verify_trace_roundtrip(sch, module)
    assert str(again.mod) == str(sch.mod)
    assert sch.get(sch.get_block("C", func_name="main")).name_hint == "C"
    with pytest.raises(TilewrightError) as refused:
        sch.get_block("C", func_name="other")
    assert refused.value.code == "TW0407"
    with pytest.raises(TypeError, match="a module or a function to transform"):
        tir.Schedule()
    with pytest.raises(tir.ScheduleError):
        sch.compute_inline("D")


@pytest.mark.parametrize("name", sorted(names.HAS_NO_MEANING))
def test_names_of_the_classic_module_without_a_meaning(name: str) -> None:
    found = getattr(names, name)
    for use in (found, lambda: found.get):
        with pytest.raises(TilewrightError, match=f"tir.schedule has no '{name}': ") as refused:
            use()
        assert refused.value.code == "TW0477"


def test_the_classic_module_of_schedules() -> None:
    assert names.BlockRV is tir.BlockRV and names.Schedule is tir.Schedule and names.ScheduleError is TilewrightError
    assert classic_state.ScheduleState
    with pytest.raises(TilewrightError) as refused:
        names.Scedule  # noqa: B018
    assert refused.value.code == "TW0225" and "Schedule" in refused.value.message


@pytest.mark.parametrize("name", sorted(HAS_NO_MEANING))
def test_methods_without_a_meaning_say_why(name: str) -> None:
    sch = tir.Schedule(two_stages())
    assert not hasattr(sch, name)
    with pytest.raises(TilewrightError, match=f"no '{name}': ") as refused:
        getattr(sch, name)
    assert refused.value.code == "TW0477"
    assert HAS_NO_MEANING[name] in refused.value.message
