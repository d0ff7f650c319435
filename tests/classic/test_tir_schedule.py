"""Schedules as classic programs use them: names, handles, traces, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, tir
from tilewright.script import tir as T
from tilewright.tir.schedule import BlockRV, LoopRV, Trace


@T.prim_func
def double_then_add(A: T.Buffer((8, 12), "float32"), C: T.Buffer((8, 12), "float32")):
    B = T.alloc_buffer((8, 12))
    for i, j in T.grid(8, 12):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 12):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


@T.prim_func
def with_aligned_rows(A: T.Buffer((8, 12), "float32"), C: T.Buffer((8, 12), "float32")):
    B = T.alloc_buffer((8, 12))
    for i, j in T.grid(8, 12):
        with T.block("B"):
            T.block_attr({"buffer_dim_align": [[0, 0, 16, 3]]})
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = A[vi, vj] * T.float32(2)
    for i, j in T.grid(8, 12):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = B[vi, vj] + T.float32(1)


def test_operations_behind_handles_answer_classic_names() -> None:
    sch = tir.Schedule(double_then_add)
    block = sch.get_block("C")
    i, j = sch.get_loops(block)
    assert [sch.get(each).loop_var.name for each in (i, j)] == ["i", "j"]
    assert [int(sch.get(each).extent) for each in (i, j)] == [8, 12]
    assert sch.get(i).extent == 8 and sch.get(i).min == 0 and isinstance(sch.get(j).extent, tir.IntImm)
    assert sch.get(block).name_hint == "C" and sch.get(block).same_as(sch.get(sch.get_block("C")))
    assert not sch.get(block).same_as(sch.get(sch.get_block("B")))
    assert sch.mod["main"].same_as(sch.mod["main"]) and not sch.mod["main"].same_as(double_then_add)


def test_storage_align_and_its_annotation_in_a_script_are_the_same() -> None:
    sch = tir.Schedule(double_then_add)
    sch.storage_align("B", 0, axis=0, factor=16, offset=3)
    tvm.ir.assert_structural_equal(sch.mod["main"], with_aligned_rows)
    assert not tvm.ir.structural_equal(double_then_add, with_aligned_rows)


_STRIDES = ((39, 40, 40), (39, 1, 40), (31, 32, 32), (32, 8, 40), (32, 72, 40), (7, 8, 36), (8, 8, 32), (8, -3, 37))
"""Factor and offset, and the stride that rows of 32 elements get."""


def _aligned(way: str, factor: int, offset: int) -> object:
    """Return a program whose intermediate rows are aligned by a stage, by a schedule, or by the annotation of a
    script."""
    a = te.placeholder((64, 32), name="A")
    b = te.compute((64, 32), lambda i, j: a[i, j] * 2, name="B")
    c = te.compute((64, 32), lambda i, j: b[i, j] + 1, name="C")
    if way == "stage":
        s = te.create_schedule(c.op)
        s[b].storage_align(b.op.axis[0], factor, offset)
        return tvm.lower(s, [a, c])
    sch = tir.Schedule(te.create_prim_func([a, c]))
    if way == "schedule":
        sch.storage_align("B", 0, 0, factor, offset)
        return tvm.lower(sch.mod)
    text = sch.mod["main"].script("tvmscript")
    first = "vi, vj = T.axis.remap"
    row = f"T.block_attr({{'buffer_dim_align': [[0, 0, {factor}, {offset}]]}})\n            "
    return tvm.lower(tvm.script.from_source(text.replace(first, row + first, 1)))


def test_offsets_of_alignments_are_taken_modulo_the_factor() -> None:
    """`storage_align(axis, n - 1, n)` is how schedules of tensor cores ask for rows of n elements."""
    x = np.arange(64 * 32, dtype=np.float32).reshape(64, 32)
    wrong = []
    for way in ("stage", "schedule", "script"):
        for factor, offset, stride in _STRIDES:
            lowered = _aligned(way, factor, offset)
            result = np.zeros_like(x)
            tvm.build(lowered)(x, result)
            if f"memref<{64 * stride * 4}xi8>" not in str(lowered) or not np.array_equal(result, x * 2 + 1):
                wrong.append((way, factor, offset, stride))
    assert wrong == []


@pytest.mark.parametrize("rows", ["[[1, 0, 16, 3]]", "[[0, 2, 16, 3]]", "[[0, 0, 16]]", "[3]", "[[0, 0, 0, 3]]"])
def test_annotations_of_alignment_that_do_not_fit_are_refused(rows: str) -> None:
    source = with_aligned_rows.script("tvmscript")
    first = "vi, vj = T.axis.remap"
    position = source.index(first)
    indent = position - source.rindex("\n", 0, position) - 1
    text = f"{source[:position]}T.block_attr({{'buffer_dim_align': {rows}}})\n{' ' * indent}{source[position:]}"
    sch = tir.Schedule(tvm.script.from_source(text))
    with pytest.raises(TilewrightError, match="'buffer_dim_align' is no list of rows of a buffer") as refused:
        sch.storage_align("B", 0, axis=0, factor=16, offset=3)
    assert refused.value.code == "TW0420"


def test_a_block_that_nothing_reads_is_inlined_away() -> None:
    sch = tir.Schedule(double_then_add)
    sch.compute_inline("B")
    assert [sch.get(each).name_hint for each in sch.get_child_blocks("root")] == ["C"]
    with_dead_code = tir.Schedule(double_then_add)
    cached = with_dead_code.cache_read("C", 0, "local")
    with_dead_code.compute_inline(cached)
    tvm.ir.assert_structural_equal(with_dead_code.mod["main"], double_then_add)


def test_handles_that_programs_make_stand_for_nothing() -> None:
    sch = tir.Schedule(double_then_add)
    for call, handle in ((sch.compute_inline, BlockRV()), (sch.parallel, LoopRV())):
        with pytest.raises(TilewrightError, match="expected a handle of this schedule") as refused:
            call(handle)
        assert refused.value.code == "TW0407"


def test_a_handle_that_was_removed_is_gone() -> None:
    sch = tir.Schedule(double_then_add)
    block = sch.get_block("B")
    sch.remove_rv(block)
    with pytest.raises(IndexError, match="<block 'B'> is gone: it was removed by an earlier primitive") as refused:
        sch.get(block)
    assert isinstance(refused.value, TilewrightError) and refused.value.code == "TW0404"
    assert sch.get(sch.get_block("B")).name_hint == "B"


def test_traces_are_lists_of_instructions() -> None:
    sch = tir.Schedule(double_then_add)
    sch.compute_inline(sch.get_block("B"))
    trace = Trace([], {})
    assert str(trace) == "" and trace.pop() is None
    for step in sch.trace.insts:
        trace.append(step)
    again = tir.Schedule(double_then_add)
    trace.apply_to(again)
    tvm.ir.assert_structural_equal(again.mod["main"], sch.mod["main"])
    last = trace.pop()
    assert last is not None and last.method == "compute_inline" and len(trace.insts) == 1
    with pytest.raises(TilewrightError) as refused:
        Trace(sch.trace.insts, {sch.trace.insts[0]: 1})
    assert refused.value.code == "TW0408"


def test_arguments_as_the_last_classic_version_gives_them() -> None:
    sch = tir.Schedule(double_then_add)
    i, j = sch.get_loops("B")
    inner = sch.split(j, factors=[tir.IntImm("int64", 3), None])[1]
    assert int(sch.get(inner).extent) == 4
    sch.blockize(inner, preserve_unit_iters=False)
    sch.transform_layout("C", ("read", 0), lambda x, y: (y, x), assume_injective_transform=True)
    assert "memref<12x8xf32>" in sch.mod.script()
    sch.set_scope("B_o", 0, "local")
    assert 'memref<12x8xf32, "local">' in sch.mod.script()
    assert sch.trace.as_python().splitlines()[2] == "l2, l3 = sch.split(l1, factors=[3, None])"
