"""Tensors whose elements are vectors: their lanes are the last dimension of what is stored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir
from tilewright.diagnostics import TilewrightError

RNG = np.random.default_rng(3)


def run(
    outputs: Any, args: list[Any], *arrays: np.ndarray[Any, Any], schedule: Any = None, target: str = "llvm"
) -> Any:
    plan = schedule or te.create_schedule(outputs.op)
    function = tvm.build(plan, [*args, outputs], target)
    return function(*arrays)


@pytest.mark.parametrize("lanes", [2, 3, 4, 8])
@pytest.mark.parametrize("dtype", ["float32", "int8", "float64", "bfloat16"])
def test_elements_are_computed_lane_by_lane(dtype: str, lanes: int) -> None:
    n = te.var("n")
    a = te.placeholder((n,), dtype=f"{dtype}x{lanes}", name="a")
    b = te.compute((n,), lambda i: a[i] + tir.const(1, a.dtype), name="b")
    assert (a.dtype, b.dtype, b.shape, b.ndim) == (f"{dtype}x{lanes}", f"{dtype}x{lanes}", (n,), 1)
    given = tvm.nd.empty((5,), a.dtype).copyfrom(RNG.integers(0, 100, (5, lanes)))
    result = tvm.nd.empty((5,), b.dtype)
    tvm.build(te.create_schedule(b.op), [a, b], "llvm")(given, result)
    np.testing.assert_array_equal(result.astype("float64"), given.astype("float64") + 1)


def test_a_schedule_of_vectors() -> None:
    """The axis of the lanes is the innermost, and may be left out."""
    a = te.placeholder((6, 8), dtype="float32x4", name="a")
    b = te.compute((6, 8), lambda i, j: a[i, j] * 2.0, name="b")
    c = te.compute((6, 8), lambda i, j: b(i, j) - a[i, 7 - j], name="c")
    schedule = te.create_schedule(c.op)
    copy = schedule.cache_read(a, "local", [b])
    local = schedule.cache_write(c, "local")
    i, j = schedule[c].op.axis[:2]
    outer, _ = schedule[c].split(j, factor=4)
    schedule[local].compute_at(schedule[c], outer)
    schedule[copy].compute_at(schedule[b], schedule[b].op.axis[0])
    schedule[b].compute_at(schedule[c], i)
    schedule[c].vectorize(schedule[c].op.axis[2])
    assert b in schedule and schedule[b] is schedule[b.op]
    given = RNG.standard_normal((6, 8, 4), dtype="float32")
    result = run(c, [a], given, schedule=schedule)
    np.testing.assert_allclose(result, given * 2 - given[:, ::-1], rtol=1e-6)


def test_lanes_may_be_summed_chosen_and_counted() -> None:
    a = te.placeholder((5, 7), dtype="float32x4", name="a")
    k = te.reduce_axis((0, 7), name="k")
    given = RNG.standard_normal((5, 7, 4), dtype="float32")
    total = te.compute((5,), lambda i: te.sum(a[i, k], axis=k), name="total")
    np.testing.assert_allclose(run(total, [a], given), given.sum(1), rtol=1e-5)
    chosen = te.compute((5, 7), lambda i, j: te.if_then_else(j < 3, a[i, j], tir.Broadcast(te.const(0.5), 4)), name="c")
    np.testing.assert_array_equal(run(chosen, [a], given), np.where(np.arange(7)[:, None] < 3, given, np.float32(0.5)))
    counted = te.compute((5,), lambda i: tir.Ramp(i, 3, 4), name="counted")
    np.testing.assert_array_equal(run(counted, []), np.arange(5)[:, None] + 3 * np.arange(4))
    two = te.compute((5, 7), lambda i, j: (a[i, j], te.exp(a[i, j])), name="two")
    assert [t.dtype for t in two] == ["float32x4", "float32x4"]
    first, second = tvm.build(te.create_schedule(two[0].op), [a, *two], "llvm")(given)
    np.testing.assert_array_equal(first, given)
    np.testing.assert_allclose(second, np.exp(given), rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "code", "message"),
    [
        (lambda a, b: a[0, 0], "TW0455", "expected 1 indices of tensor 'a', but got 2"),
        (lambda a, b: te.compute((4,), lambda i: a[i] + b[i]), "TW0450", r"one length .* got lanes \[2, 4\]"),
        (
            lambda a, b: te.compute((4,), lambda i: te.call_pure_extern("float32", "dot", a[i])),
            "TW0450",
            "expected scalars as arguments of 'dot'",
        ),
        (lambda a, b: te.placeholder((4,), dtype="float31x4"), "TW0450", "expected an element type, but got 'float31'"),
        (lambda a, b: tvm.nd.empty((4,), "quad"), "TW0450", "expected an element type, but got 'quad'"),
        (lambda a, b: te.var("x", "float32x4"), "TW0450", "expected an element type, but got 'float32x4'"),
    ],
)
def test_vectors_that_make_no_sense(make: Any, code: str, message: str) -> None:
    a = te.placeholder((4,), dtype="float32x4", name="a")
    b = te.placeholder((4,), dtype="float32x2", name="b")
    with pytest.raises(TilewrightError, match=rf"(?s){code}.*{message}"):
        make(a, b)
