"""lower-cross-thread-reduction: reductions whose loops are bound to threads, down to kernels without a race."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.loop import BarrierOp, BlockOp
from tilewright.driver import lower_module
from tilewright.driver.programs import as_module
from tilewright.passes.framework.base import level_of
from tilewright.passes.framework.context import PassContext
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import default_pipeline
from tilewright.semantics.program import Program
from xdsl.rewriter import InsertPoint, Rewriter

ROWS, COLUMNS = 6, 37
X = np.random.default_rng(0).integers(-8, 9, (ROWS, COLUMNS)).astype(np.float32)

Stages = tuple[Any, Any, list[Any]]


def check(schedule: Any, arguments: Sequence[Any], *expected: np.ndarray) -> list[BarrierOp]:
    """Check that the program gives the same numbers as scheduled and as threads at once, and return its barriers."""
    scheduled = as_module(schedule, list(arguments), "main")
    barriers: list[BarrierOp] = []
    for last_phase in (None, 3):
        module = scheduled.clone()
        if last_phase is not None:
            PassManager(default_pipeline(level_of(module), last_phase)).run(context(), module)
        for finds_races in (False, True) if last_phase == 3 else (False,):
            for actual, wanted in zip(
                Program(module, finds_races=finds_races).evaluate("main", X), expected, strict=True
            ):
                np.testing.assert_array_equal(actual, wanted)
        barriers = [op for op in module.walk() if isinstance(op, BarrierOp)]
    return barriers


def row_sums() -> Stages:
    a = te.placeholder((ROWS, COLUMNS), name="A")
    k = te.reduce_axis((0, COLUMNS), name="k")
    b = te.compute((ROWS,), lambda i: te.sum(a[i, k], axis=k), name="B")
    return te.create_schedule(b.op), b, [a, b]


def all_columns(s: Any, b: Any) -> None:
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(b.op.reduce_axis[0], te.thread_axis("threadIdx.x"))


def strides(s: Any, b: Any) -> None:
    """Let each thread add every eighth term; the last of them have one less."""
    _, ki = s[b].split(b.op.reduce_axis[0], factor=8)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(ki, te.thread_axis("threadIdx.x"))


def pieces(s: Any, b: Any) -> None:
    """Let each thread add terms in a row; the last ones of the last thread do not exist."""
    ko, _ = s[b].split(b.op.reduce_axis[0], nparts=7)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(ko, te.thread_axis("threadIdx.x"))


def rows_beside(s: Any, b: Any) -> None:
    _, ki = s[b].split(b.op.reduce_axis[0], factor=5)
    xo, xi = s[b].split(b.op.axis[0], factor=4)
    s[b].bind(xo, te.thread_axis("blockIdx.x"))
    s[b].bind(xi, te.thread_axis("threadIdx.y"))
    s[b].bind(ki, te.thread_axis("threadIdx.x"))


def rows_inside(s: Any, b: Any) -> None:
    ko, ki = s[b].split(b.op.reduce_axis[0], factor=5)
    xo, xi = s[b].split(b.op.axis[0], factor=4)
    s[b].reorder(xo, ko, ki, xi)
    s[b].bind(xo, te.thread_axis("blockIdx.x"))
    s[b].bind(xi, te.thread_axis("threadIdx.y"))
    s[b].bind(ki, te.thread_axis("threadIdx.x"))


def rows_of_a_thread(s: Any, b: Any) -> None:
    ko, ki = s[b].split(b.op.reduce_axis[0], factor=5)
    xo, xi = s[b].split(b.op.axis[0], factor=4)
    s[b].reorder(xo, ko, ki, xi)
    s[b].bind(xo, te.thread_axis("blockIdx.x"))
    s[b].bind(ki, te.thread_axis("threadIdx.x"))


def two_axes(s: Any, b: Any) -> None:
    _, ki = s[b].split(b.op.reduce_axis[0], factor=8)
    k1, k2 = s[b].split(ki, factor=3)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(k1, te.thread_axis("threadIdx.y"))
    s[b].bind(k2, te.thread_axis("threadIdx.x"))


def separate_axes(s: Any, b: Any) -> None:
    """Put a serial loop over the reduction between those of two axes."""
    ko, ki = s[b].split(b.op.reduce_axis[0], factor=12)
    _, k2 = s[b].split(ki, factor=3)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].bind(ko, te.thread_axis("threadIdx.y"))
    s[b].bind(k2, te.thread_axis("threadIdx.x"))


def factored(s: Any, b: Any) -> None:
    """Schedule partial sums, and their sum by the threads that have them."""
    _, ki = s[b].split(b.op.reduce_axis[0], factor=16)
    partial = s.rfactor(b, ki)
    xo, xi = s[b].split(s[b].op.axis[0], factor=4)
    s[b].bind(xo, te.thread_axis("blockIdx.x"))
    s[b].bind(xi, te.thread_axis("threadIdx.y"))
    s[b].bind(s[b].op.reduce_axis[0], te.thread_axis("threadIdx.x"))
    s[partial].compute_at(s[b], s[b].op.reduce_axis[0])


@pytest.mark.parametrize(
    "arrange",
    [all_columns, strides, pieces, rows_beside, rows_inside, rows_of_a_thread, two_axes, separate_axes, factored],
)
def test_sums_of_rows(arrange: Callable[[Any, Any], None]) -> None:
    s, b, arguments = row_sums()
    arrange(s, b)
    assert check(s, arguments, X.sum(axis=1))
    assert "barrier(CLK_LOCAL_MEM_FENCE);" in tilewright.build(s, arguments, "opencl").get_source("cl")


@pytest.mark.parametrize("case", ["init", "where", "of data"])
def test_what_a_sum_starts_from_and_leaves_out(case: str) -> None:
    a = te.placeholder((ROWS, COLUMNS), name="A")
    k = te.reduce_axis((0, COLUMNS), name="k")
    options: dict[str, Callable[[Any], dict[str, Any]]] = {
        "init": lambda i: {"init": 10.0},
        "where": lambda i: {"where": k < 20},
        "of data": lambda i: {"where": a[i, k] > 0.0},
    }
    expected = {"init": X.sum(axis=1) + 10, "where": X[:, :20].sum(axis=1), "of data": X.clip(min=0).sum(axis=1)}
    b = te.compute((ROWS,), lambda i: te.sum(a[i, k], axis=k, **options[case](i)), name="B")
    s = te.create_schedule(b.op)
    strides(s, b)
    check(s, [a, b], expected[case])


def test_a_reducer_of_pairs() -> None:
    """The greatest element of each row and where it is first; ties go to the lesser position in any order."""
    a = te.placeholder((ROWS, COLUMNS), name="A")
    k = te.reduce_axis((0, COLUMNS), name="k")

    def combine(x: Any, y: Any) -> Any:
        wins = te.any(y[1] > x[1], te.all(y[1] == x[1], y[0] < x[0]))
        return te.if_then_else(wins, y[0], x[0]), te.if_then_else(wins, y[1], x[1])

    greatest = te.comm_reducer(combine, lambda i, v: (te.max_value(i), te.min_value(v)), name="greatest")
    where, value = te.compute((ROWS,), lambda i: greatest((k, a[i, k]), axis=k), name="G")
    s = te.create_schedule(where.op)
    _, ki = s[where].split(where.op.reduce_axis[0], factor=8)
    s[where].bind(where.op.axis[0], te.thread_axis("blockIdx.x"))
    s[where].bind(ki, te.thread_axis("threadIdx.x"))
    check(s, [a, where, value], X.argmax(axis=1), X.max(axis=1))


@pytest.mark.parametrize("rows", [1, 4])
def test_all_threads_read_the_result(rows: int) -> None:
    """A row without its greatest element: threads of the row share both the search and the subtraction."""
    a = te.placeholder((ROWS, COLUMNS), name="A")
    k = te.reduce_axis((0, COLUMNS), name="k")
    m = te.compute((ROWS,), lambda i: te.max(a[i, k], axis=k), name="M")
    c = te.compute((ROWS, COLUMNS), lambda i, j: a[i, j] - m[i], name="C")
    s = te.create_schedule(c.op)
    io, ii = s[c].split(c.op.axis[0], factor=rows)
    _, ji = s[c].split(c.op.axis[1], factor=8)
    s[c].bind(io, te.thread_axis("blockIdx.x"))
    s[c].bind(ii, te.thread_axis("threadIdx.y"))
    s[c].bind(ji, te.thread_axis("threadIdx.x"))
    s[m].compute_at(s[c], ii)
    _, ki = s[m].split(m.op.reduce_axis[0], factor=8)
    s[m].bind(ki, te.thread_axis("threadIdx.x"))
    check(s, [a, c], X - X.max(axis=1, keepdims=True))


def test_a_sum_that_is_read_before_it_is_complete() -> None:
    """The reader stands in the loop over the threads that add to it."""
    a = te.placeholder((ROWS, COLUMNS), name="A")
    k = te.reduce_axis((0, COLUMNS), name="k")
    b = te.compute((ROWS,), lambda i: te.sum(a[i, k], axis=k), name="B")
    c = te.compute((ROWS,), lambda i: b[i] * 2.0, name="C")
    s = te.create_schedule(c.op)
    s[c].bind(c.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].compute_at(s[c], c.op.axis[0])
    s[b].bind(b.op.reduce_axis[0], te.thread_axis("threadIdx.x"))
    module = as_module(s, [a, c], "main")
    (reduction,) = (op for op in module.walk() if isinstance(op, BlockOp) and op.label == "B")
    (reader,) = (op for op in module.walk() if isinstance(op, BlockOp) and op.label == "C")
    reader.detach()
    Rewriter.insert_op(reader, InsertPoint.after(reduction))
    with pytest.raises(TilewrightError, match="%B is accessed elsewhere inside the loops over its reduction") as raised:
        PassManager(default_pipeline(level_of(module), 1)).run(context(), module)
    assert raised.value.code == "TW0538"


def sums_of_planes(n: Any, planes: int) -> tuple[te.Tensor, te.Tensor]:
    """Return the sum of n x 3 terms for each of two rows and some planes."""
    a = te.placeholder((2, planes, n, 3), name="A")
    k, m = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, 3), name="m")
    return a, te.compute((2, planes), lambda i, j: te.sum(a[i, j, k, m], axis=[k, m]), name="B")


@pytest.mark.parametrize("inverted", [False, True])
@pytest.mark.parametrize("terms", ["n", 5])
def test_a_loop_over_results_and_terms_is_not_shared(terms: str | int, inverted: bool) -> None:
    """Whatever size takes the parts of the fused loop: each of its iterations would begin the sum again."""
    a, b = sums_of_planes(te.var(terms) if isinstance(terms, str) else terms, 4)
    s = tilewright.Schedule(te.create_prim_func([a, b]))
    i, j, k, m = s.get_loops(s.get_block("B"))
    s.bind(i, "blockIdx.x")
    s.bind(m, "threadIdx.x")
    if inverted:
        s.reorder(k, j)
        j, k = k, j
    s.fuse(j, k)
    with pytest.raises(TilewrightError, match="runs over the reduction and over the result at once") as raised:
        tilewright.build(s, target="cuda", device="simulator")
    assert raised.value.code == "TW0538"


def test_threads_share_terms_of_fused_sizes() -> None:
    """A part of the fused loop is bound, which nothing but loop.delinearize ties to the terms."""
    n = te.var("n")
    a = te.placeholder((2, n, n), name="A")
    k, m = te.reduce_axis((0, n), name="k"), te.reduce_axis((0, n), name="m")
    b = te.compute((2,), lambda i: te.sum(a[i, k, m], axis=[k, m]), name="B")
    s = tilewright.Schedule(te.create_prim_func([a, b]))
    i, *terms = s.get_loops(s.get_block("B"))
    outer, inner = s.split(s.fuse(*terms), factors=[None, 4])
    s.reorder(inner, outer, assert_legal=True)
    s.bind(i, "blockIdx.x")
    s.bind(inner, "threadIdx.x", assert_legal=True)
    module = tilewright.build(s, target="cuda", device="simulator")
    for size in (0, 1, 2, 3, 5):
        x = np.arange(2 * size * size, dtype=np.float32).reshape(2, size, size)
        np.testing.assert_array_equal(module(x), x.sum(axis=(1, 2)))


def test_threads_add_in_another_order_as_declared() -> None:
    """Float sums round differently in a tree: validation accepts that of a pass that says so."""
    s, b, arguments = row_sums()
    all_columns(s, b)
    with PassContext(validate=True):
        lowered = lower_module(as_module(s, arguments, "main"))
    assert any(isinstance(op, BarrierOp) for op in lowered.walk())


def parts_of_rows() -> tuple[Any, Any, list[Any], list[Any]]:
    """Return sums of rows, whose number is known only in a call, in five parts; what the axes are then."""
    n = te.var("n")
    a = te.placeholder((n, 8), name="A")
    k = te.reduce_axis((0, 8), name="k")
    b = te.compute((n,), lambda i: te.sum(a[i, k], axis=k), name="B")
    s = te.create_schedule(b.op)
    io, ii = s[b].split(b.op.axis[0], nparts=5)
    ko, ki = s[b].split(b.op.reduce_axis[0], nparts=4)
    s[b].bind(io, te.thread_axis("blockIdx.x"))
    s[b].bind(ko, te.thread_axis("threadIdx.x"))
    return s, b, [a, b], [io, ii, ko, ki]


@pytest.mark.parametrize("rows", [1, 4, 5, 23])
def test_results_in_parts_of_a_size_that_a_call_brings(rows: int) -> None:
    """The loops over terms and the combination of their results both use the start of a part."""
    s, b, arguments, (io, ii, ko, ki) = parts_of_rows()
    s[b].reorder(io, ii, ko, ki)
    program = tilewright.build(s, arguments, "cuda", device="simulator")
    x = np.random.default_rng(rows).integers(-8, 9, (rows, 8)).astype(np.float32)
    np.testing.assert_array_equal(program(x), x.sum(axis=1))


def test_parts_of_results_inside_of_the_loop_over_threads_are_refused() -> None:
    s, b, arguments, (io, ii, ko, ki) = parts_of_rows()
    iio, iii = s[b].split(ii, nparts=2)
    s[b].reorder(io, ko, iio, iii, ki)
    with pytest.raises(TilewrightError, match="%ii_first, where its results begin") as refused:
        tilewright.build(s, arguments, "cuda", device="simulator")
    assert refused.value.code == "TW0538"
