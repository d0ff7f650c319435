"""Prefetches from a schedule to the code: no pass drops them, whatever becomes of the loops around."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import te, tir

KINDS = ("plain", "vectorized", "parallel", "split", "unrolled")


def scheduled(kind: str, rows: int | None, ahead: int):
    """Schedule B = A * 2 + 1, whose rows are asked for some iterations ahead."""
    a = te.placeholder((te.var("n") if rows is None else rows, 40), name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j] * 2.0 + 1.0, name="B")
    s = te.create_schedule(b.op)
    i, j = b.op.axis
    if kind == "vectorized":
        s[b].vectorize(j)
    elif kind == "parallel":
        s[b].parallel(i)
    elif kind == "unrolled":
        s[b].unroll(j)
    elif kind == "split":
        i, inner = s[b].split(i, factor=8)
        s[b].reorder(i, j, inner)
        s[b].vectorize(inner)
    s[b].prefetch(a, i, ahead)
    return s, [a, b]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [23, None])
def test_prefetches_reach_the_code(kind: str, rows: int | None) -> None:
    s, tensors = scheduled(kind, rows, 2)
    x = np.random.default_rng(0).integers(-4, 5, (23, 40)).astype(np.float32)
    compiled = tilewright.build(s, tensors, "cpu")
    assert "call void @llvm.prefetch.p0(" in compiled.get_source("ll")
    in_c = tilewright.build(s, tensors, "c")
    assert "TW_PREFETCH(&A[" in in_c.get_source("c")
    for program in (compiled, in_c, tilewright.build(s, tensors, "interpreter")):
        np.testing.assert_array_equal(program(x), x * 2 + 1)


@settings(max_examples=4, deadline=None)
@given(st.sampled_from(KINDS), st.integers(9, 20), st.integers(1, 5), st.booleans())
def test_what_lies_beyond_the_buffer_may_be_asked_for(kind: str, rows: int, ahead: int, is_symbolic: bool) -> None:
    s, tensors = scheduled(kind, None if is_symbolic else rows, ahead)
    x = np.random.default_rng(rows).integers(-4, 5, (rows, 40)).astype(np.float32)
    np.testing.assert_array_equal(tilewright.build(s, tensors, "cpu")(x), x * 2 + 1)


def test_opencl_has_a_function_for_global_memory_alone() -> None:
    a = te.placeholder((8, 64), name="A")
    b = te.compute((8, 64), lambda i, j: a[i, j] + 1.0, name="B")
    s = te.create_schedule(b.op)
    i, j = b.op.axis
    rows, row = s[b].split(i, factor=4)
    s[b].bind(rows, te.thread_axis("blockIdx.x"))
    s[b].reorder(rows, j, row)
    s[b].bind(j, te.thread_axis("threadIdx.x"))
    s[b].prefetch(a, row, 1)
    source = tilewright.build(s, [a, b], "opencl").get_source("cl")
    assert "prefetch(&A[" in source
    assert "TW_PREFETCH" not in source


@pytest.mark.parametrize(("cache", "locality"), [(1, 3), (2, 2)])
def test_the_code_says_which_cache(cache: int, locality: int) -> None:
    a = te.placeholder((23, 40), name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j] * 2.0 + 1.0, name="B")
    s = tir.Schedule(tilewright.IRModule({"main": te.create_prim_func([a, b])}))
    i, j = s.get_loops(s.get_block("B"))
    s.prefetch("A", i, 1, within=j, cache=cache)
    assert s.mod is not None
    x = np.random.default_rng(0).integers(-4, 5, (23, 40)).astype(np.float32)
    for target, kind, call in [("cpu", "ll", f", i32 0, i32 {locality}, i32 1)"), ("c", "c", f"], {locality});")]:
        program = tilewright.compile(s.mod, target)
        lines = [line for line in program.get_source(kind).splitlines() if "refetch" in line.lower()]
        assert any(line.rstrip().endswith(call) for line in lines), lines
        np.testing.assert_array_equal(program(x), x * 2 + 1)


def test_a_prefetched_copy_is_still_planned() -> None:
    """A buffer that is asked for ahead keeps its place and its size: what is ahead lies beyond one iteration."""
    a = te.placeholder((16, 40), name="A")
    b = te.compute((16, 40), lambda i, j: a[i, j] * 2.0, name="B")
    c = te.compute((16, 40), lambda i, j: b[i, j] + 1.0, name="C")
    s = te.create_schedule(c.op)
    s[c].prefetch(b, c.op.axis[0], 1)
    x = np.random.default_rng(1).integers(-4, 5, (16, 40)).astype(np.float32)
    program = tilewright.build(s, [a, c], "cpu")
    assert "@llvm.prefetch" in program.get_source("ll")
    np.testing.assert_array_equal(program(x), x * 2 + 1)


@pytest.mark.parametrize("shape", [(6, 0, 4), (6, 4, 0)])
def test_of_a_buffer_without_elements_nothing_is_asked_for(shape: tuple[int, ...]) -> None:
    a = te.placeholder(shape, name="A")
    b = te.compute(shape, lambda i, j, k: a[i, j, k] + 1.0, name="B")
    s = tilewright.Schedule(te.create_prim_func([a, b]))
    i, j, _ = s.get_loops(s.get_block("B"))
    s.prefetch("A", i, 1, within=j)
    for target in ("interpreter", "cpu"):
        assert tilewright.build(s, target=target)(np.zeros(shape, np.float32)).shape == shape
