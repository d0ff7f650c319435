"""Reductions by functions of one's own: tuples, conditions, what they start from, and what schedules make of them."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.analysis.block_reductions import reduction_of, starts_from_identity
from tilewright.dialects import loop
from tilewright.semantics import evaluate
from xdsl.dialects import arith
from xdsl.dialects.builtin import FloatAttr, IntegerAttr, ModuleOp, f32, i32, i64

from .running import expect


def first_of(better):
    """Return a function that keeps the index and the value that is `better` than all others, the first of equal
    ones."""

    def combine(x, y):
        keep = te.any(better(x[1], y[1]), te.all(x[1] == y[1], x[0] <= y[0]))
        return te.Select(keep, x[0], y[0]), te.Select(keep, x[1], y[1])

    return combine


ARGMAX = te.comm_reducer(
    first_of(lambda a, b: a > b), lambda t0, t1: (te.max_value(t0), te.min_value(t1)), name="argmax"
)
ARGMIN = te.comm_reducer(first_of(lambda a, b: a < b), lambda t0, t1: (te.max_value(t0), te.max_value(t1)))


def data(shape, dtype: str = "float32") -> np.ndarray:
    rng = np.random.default_rng(3)
    return rng.integers(-9 if dtype != "uint8" else 0, 9, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "int8", "uint8", "int32"])
@pytest.mark.parametrize("n", [1, 7])
def test_argmax_and_argmin(dtype: str, n: int) -> None:
    rows, columns = te.var("rows"), te.var("columns")
    a = te.placeholder((rows, columns), dtype, name="A")
    k, r = te.reduce_axis((0, columns), "k"), te.reduce_axis((0, rows), "r")
    largest = te.compute((rows,), lambda i: ARGMAX((k.astype("int32"), a[i, k]), axis=k), name="largest")
    smallest = te.compute((columns,), lambda j: ARGMIN((r, a[r, j]), axis=r), name="smallest")
    x = data((5, n), dtype)
    expect(
        [a, *largest, *smallest], [x],
        x.argmax(1).astype("int32"), x.max(1), x.argmin(0), x.min(0),
    )  # fmt: skip


def test_three_values_over_two_axes() -> None:
    a = te.placeholder((3, 4, 5), name="A")
    p, q = te.reduce_axis((0, 4), "p"), te.reduce_axis((1, 5), "q")
    statistics = te.comm_reducer(
        lambda x, y: (x[0] + y[0], x[1] + y[1], te.maximum(x[2], y[2])),
        lambda *types: (0, 0, te.min_value(types[2])),
        name="statistics",
    )
    count, total, largest = te.compute(
        (3,), lambda i: statistics((te.const(1), a[i, p, q], a[i, p, q]), axis=[p, q]), name="S"
    )
    x = data((3, 4, 5))
    part = x[:, :, 1:]
    expect([a, count, total, largest], [x], np.full(3, 16, np.int32), part.sum((1, 2)), part.max((1, 2)))


def test_a_function_of_two_scalars() -> None:
    a = te.placeholder((6, 9), "int32", name="A")
    k = te.reduce_axis((0, 9), "k")
    bitwise_or = te.comm_reducer(lambda x, y: x | y, lambda t: te.const(0, t))
    x = data((6, 9), "int32")
    expect([a, te.compute((6,), lambda i: bitwise_or(a[i, k], axis=k))], [x], np.bitwise_or.reduce(x, axis=1))


@pytest.mark.parametrize(("reduce", "of"), [(te.sum, np.sum), (te.prod, np.prod), (te.max, np.max), (te.min, np.min)])
def test_only_where_a_condition_holds(reduce, of) -> None:
    a, k = te.placeholder((6, 6), name="A"), te.reduce_axis((0, 6), "k")
    triangle = te.compute((6,), lambda i: reduce(a[i, k], axis=k, where=k <= i), name="triangle")
    x = data((6, 6))
    expect([a, triangle], [x], np.array([of(x[i, : i + 1]) for i in range(6)]))


def test_a_condition_keeps_reads_inside() -> None:
    a, k, j = te.placeholder((5,), name="A"), te.reduce_axis((-1, 2), "k"), te.reduce_axis((-1, 2), "j")
    inside = lambda i: te.all(i >= 0, i < 5)  # noqa: E731
    window = te.compute((5,), lambda i: te.max(a[i + k], axis=k, where=inside(i + k)), name="window")
    where = te.compute((5,), lambda i: ARGMAX((i + j, a[i + j]), axis=j, where=inside(i + j)), name="where")
    x = data(5)
    best = [max(range(max(i - 1, 0), min(i + 2, 5)), key=lambda p: (x[p], -p)) for i in range(5)]
    expect([a, window, *where], [x], x[best], np.array(best), x[best])


def test_nothing_to_reduce_gives_what_it_starts_from() -> None:
    n = te.var("n")
    a = te.placeholder((3, n), name="A")
    k, l, r = (te.reduce_axis((0, n), name) for name in "klr")  # noqa: E741
    total = te.compute((3,), lambda i: te.sum(a[i, k], axis=k, init=7.0), name="total")
    largest = te.compute((3,), lambda i: te.max(a[i, l], axis=l), name="largest")
    index, value = te.compute((3,), lambda i: ARGMAX((r.astype("int32"), a[i, r]), axis=r), name="T")
    module = te.to_module([a, te.compute((3,), lambda i: total[i] * 2, name="twice"), largest, index, value])
    x = np.zeros((3, 0), np.float32)
    for twice, peak, first_index, least in (evaluate(module, x), tilewright.compile(module)(x)):
        assert (twice.tolist(), peak.tolist()) == ([14.0] * 3, [-np.inf] * 3)
        assert (first_index.tolist(), least.tolist()) == ([2**31 - 1] * 3, [float(np.finfo(np.float32).min)] * 3)


def test_reductions_that_start_from_something_else() -> None:
    a, bias = te.placeholder((4, 6), name="A"), te.placeholder((4,), name="bias")
    k, r = te.reduce_axis((0, 6), "k"), te.reduce_axis((0, 6), "r")
    shifted = te.compute((4,), lambda i: bias[i] * 2, name="shifted")
    biased = te.compute((4,), lambda i: te.sum(a[i, k], axis=k, init=shifted[i] + 1), name="biased")
    argmax = te.compute((4,), lambda i: ARGMAX((r, a[i, r]), axis=r, init=(-1, bias[i])), name="argmax")
    x, y = data((4, 6)), np.array([-20, 3, 8, 20], np.float32)
    all_values = np.concatenate([y[:, None], x], axis=1)
    expect([a, bias, biased, *argmax], [x, y], x.sum(1) + 2 * y + 1, all_values.argmax(1) - 1, all_values.max(1))


def blocks_of(module: ModuleOp) -> list[loop.BlockOp]:
    return [op for op in module.walk() if isinstance(op, loop.BlockOp)]


def argmax_function():
    a, k = te.placeholder((6, 10), name="A"), te.reduce_axis((0, 10), "k")
    largest = te.compute((6,), lambda i: ARGMAX((k.astype("int32"), a[i, k]), axis=k), name="T")
    return te.create_prim_func([a, *largest])


def test_what_analyses_know_of_a_reduction() -> None:
    function = argmax_function()
    (block,) = [op for op in function.walk() if isinstance(op, loop.BlockOp)]
    reduction = reduction_of(block)
    assert reduction is not None
    assert not reduction.is_single
    assert [a.buffer.name_hint for a in reduction.accumulators] == ["T_v0", "T_v1"]
    assert [v.type for v in reduction.values] == [i32, f32]
    assert reduction.identities == (IntegerAttr(2**31 - 1, i32), FloatAttr(-3.4028234663852886e38, f32))
    assert starts_from_identity(block, reduction)
    again = reduction.combining([reduction.values[0], reduction.values[1]], [load.res for load in reduction.loads])
    assert isinstance(again, loop.CombineOp)
    assert list(again.added) == [load.res for load in reduction.loads]
    again.verify()


def test_what_analyses_know_of_a_sum() -> None:
    a, k = te.placeholder((6, 10), "int64", name="A"), te.reduce_axis((0, 10), "k")
    function = te.create_prim_func([a, te.compute((6,), lambda i: te.sum(a[i, k], axis=k, init=3), name="S")])
    (block,) = [op for op in function.walk() if isinstance(op, loop.BlockOp)]
    reduction = reduction_of(block)
    assert reduction is not None
    assert reduction.is_single
    assert reduction.identities == (IntegerAttr(0, i64),)
    assert not starts_from_identity(block, reduction)
    assert isinstance(reduction.combining([reduction.values[0]], [reduction.load.res]), arith.AddiOp)


def schedules():
    def columns_first(s, block, i, k):
        s.reorder(k, i)

    def split_and_reordered(s, block, i, k):
        outer, inner = s.split(k, [None, 4])
        s.reorder(outer, i, inner)
        s.unroll(inner)

    def init_alone(s, block, i, k):
        s.parallel(i)
        s.decompose_reduction(block, k)

    def vectors(s, block, i, k):
        outer, inner = s.split(i, [None, 4])
        s.reorder(outer, k, inner)
        s.vectorize(inner)

    def tiles(s, block, i, k):
        outer, inner = s.split(i, [None, 4])
        s.reorder(outer, k, inner)
        s.decompose_reduction(block, k)
        s.vectorize(inner)
        s.parallel(outer)

    return [columns_first, split_and_reordered, init_alone, vectors, tiles]


@pytest.mark.parametrize("schedule", schedules(), ids=lambda s: s.__name__)
def test_schedules_keep_the_values(schedule) -> None:
    function = argmax_function()
    s = tilewright.Schedule(function)
    block = s.get_block("T")
    schedule(s, block, *s.get_loops(block))
    x = data((6, 10))
    module = s.mod.op
    module.verify()
    index, value = evaluate(module, x)
    np.testing.assert_array_equal(index, x.argmax(1))
    compiled = tilewright.compile(module)(x)
    np.testing.assert_array_equal(compiled[0], x.argmax(1))
    np.testing.assert_array_equal(compiled[1], value)


def test_the_default_schedule_keeps_the_values() -> None:
    a, k = te.placeholder((33, 50), name="A"), te.reduce_axis((0, 50), "k")
    bits = te.comm_reducer(lambda x, y: x * y + x + y, lambda t: te.const(0, t))
    r = te.reduce_axis((0, 50), "r")
    largest = te.compute((33,), lambda i: ARGMAX((k, a[i, k]), axis=k), name="T")
    mixed = te.compute((33,), lambda i: bits(a[i, r], axis=r), name="mixed")
    x = data((33, 50)) / 100
    index, value, product = tilewright.compile(te.to_module([a, *largest, mixed]))(x)
    np.testing.assert_array_equal(index, x.argmax(1))
    np.testing.assert_array_equal(value, x.max(1))
    np.testing.assert_allclose(product, (1 + x.astype(np.float64)).prod(1) - 1, rtol=1e-4)


@pytest.mark.parametrize("dtype", ["uint8", "uint32"])
def test_reductions_of_unsigned_numbers_can_be_rearranged(dtype: str) -> None:
    a, k, r = te.placeholder((20, 40), dtype, name="A"), te.reduce_axis((0, 40), "k"), te.reduce_axis((0, 40), "r")
    total = te.compute((20,), lambda i: te.sum(a[i, k], axis=k), name="total")
    least = te.compute((20,), lambda i: te.min(a[i, r], axis=r), name="least")
    function = te.create_prim_func([a, total, least])
    for op in function.walk():
        if isinstance(op, loop.BlockOp):
            reduction = reduction_of(op)
            assert reduction is not None
            assert starts_from_identity(op, reduction)
    s = tilewright.Schedule(function)
    rows, columns = s.get_loops(s.get_block("least"))
    outer, inner = s.split(columns, [None, 7])
    s.reorder(outer, inner, rows)
    x = np.random.default_rng(1).integers(0, np.iinfo(dtype).max, (20, 40), dtype=dtype, endpoint=True)
    for module in (te.to_module([a, total, least]), s.mod.op):
        sums, minima = tilewright.compile(module)(x)
        np.testing.assert_array_equal(sums, x.sum(1, dtype=dtype))
        np.testing.assert_array_equal(minima, x.min(1))
