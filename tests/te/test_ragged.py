"""Reductions whose bounds depend on an outer axis or on data: on the processor, interpreted, and in the simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate

N = te.var("n")
X = te.placeholder((N,), name="X")
x = np.random.default_rng(0).random(11, np.float32)


def refused(code: str, match: str) -> Any:
    return pytest.raises(TilewrightError, match=rf"(?s)error\[{code}\].*{match}")


def everywhere(args: list[Any], arrays: list[Any]) -> list[Any]:
    """Return the result interpreted, compiled with the default schedule and in plain loops, and in the simulator."""
    (result,) = (t for t in args if not isinstance(t.op, te.Placeholder))
    schedule = te.create_schedule(result.op)
    programs = [tvm.build(args, args), tvm.build(schedule, args), tvm.build(args, args, "cuda", device="simulator")]
    return [evaluate(te.to_module(args), *arrays)[0], *(program(*arrays) for program in programs)]


def test_a_triangle() -> None:
    def prefix(i: Any) -> Any:
        k = te.reduce_axis((0, i + 1), "k")
        return te.sum(X[k], axis=k)

    Y = te.compute((N,), prefix, name="Y")
    for found in everywhere([X, Y], [x]):
        np.testing.assert_allclose(found, np.cumsum(x), rtol=1e-5)
    s = te.create_schedule(Y.op)
    outer, _ = s[Y].split(Y.op.axis[0], factor=4)
    s[Y].parallel(outer)
    np.testing.assert_allclose(tvm.build(s, [X, Y])(x), np.cumsum(x), rtol=1e-5)


def test_bounds_of_one_axis_by_another_and_empty_ranges() -> None:
    def body(i: Any) -> Any:
        k = te.reduce_axis((2, 5), "k")
        j = te.reduce_axis((k, i), "j")
        return te.max(X[j] * k, axis=[k, j], init=-1.0)

    Y = te.compute((11,), body, name="Y")
    expected = [max([x[j] * k for k in range(2, 5) for j in range(k, i)], default=-1) for i in range(11)]
    for found in everywhere([X, Y], [x]):
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_reducers_of_several_values() -> None:
    argmax = te.comm_reducer(
        lambda a, b: (te.Select(a[1] >= b[1], a[0], b[0]), te.Select(a[1] >= b[1], a[1], b[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    )

    def body(i: Any) -> Any:
        k = te.reduce_axis((i // 2, i + 1), "k")
        return argmax((k.astype("int32"), X[k]), axis=k)

    T0, T1 = te.compute((N,), body, name="T")
    indices, values = tvm.build([X, T0, T1], [X, T0, T1])(x)
    np.testing.assert_array_equal(indices, [i // 2 + x[i // 2 : i + 1].argmax() for i in range(11)])
    np.testing.assert_array_equal(values, [x[i // 2 : i + 1].max() for i in range(11)])


def sparse() -> tuple[list[Any], list[Any], Any]:
    """Return a sparse matrix by rows times a dense one: the arguments, arrays for them, and the product."""
    rows, count, columns = te.var("rows"), te.var("count"), te.var("columns")
    data, column_of = te.placeholder((count,), name="data"), te.placeholder((count,), "int32", name="column_of")
    first, bias = te.placeholder((rows + 1,), "int32", name="first"), te.placeholder((rows,), name="bias")
    W = te.placeholder((columns, 4), name="W")

    def row(i: Any, j: Any) -> Any:
        k = te.reduce_axis((0, first[i + 1] - first[i]), "k")
        return te.sum(data[first[i] + k] * W[column_of[first[i] + k], j], axis=k, init=bias[i])

    R = te.compute((rows, 4), row, name="R")
    rng = np.random.default_rng(1)
    dense = np.where(rng.random((5, 6)) < 0.4, rng.random((5, 6)), 0).astype(np.float32)
    dense[2] = 0
    r, c = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(r, minlength=5))]).astype(np.int32)
    w, b = rng.random((6, 4), np.float32), rng.random(5, np.float32)
    arrays = [dense[r, c], c.astype(np.int32), starts, w, b]
    return [data, column_of, first, W, bias, R], arrays, dense @ w + b[:, None]


def test_rows_of_a_sparse_matrix() -> None:
    args, arrays, expected = sparse()
    for found in everywhere(args, arrays):
        np.testing.assert_allclose(found, expected, rtol=1e-5)
    R = args[-1]
    s = te.create_schedule(R.op)
    s[R].bind(R.op.axis[0], te.thread_axis("blockIdx.x"))
    s[R].bind(R.op.axis[1], te.thread_axis("threadIdx.x"))
    np.testing.assert_allclose(tvm.build(s, args, "cuda", device="simulator")(*arrays), expected, rtol=1e-5)


def test_rows_that_reach_beyond_the_data_are_an_error_of_the_call() -> None:
    args, arrays, _ = sparse()
    arrays[2] = np.int32([0, 1, 2, 3, 4, 99])
    with refused("TW0730", "data.* is read"):
        tvm.build(args, args)(*arrays)


def test_what_schedules_leave_alone() -> None:
    args, _, _ = sparse()
    R = args[-1]
    S = te.compute(R.shape, lambda i, j: R[i, j] * 2, name="S")
    s = te.create_schedule(S.op)
    (k,) = R.op.reduce_axis
    for call in (
        lambda: s[R].split(k, factor=4),
        lambda: s[R].unroll(k),
        lambda: s.rfactor(R, k),
        lambda: s.cache_write(R, "local"),
        lambda: s[S].compute_at(s[R], k),
    ):
        with refused("TW0487", "reduces over 'k', whose bounds its elements decide"):
            call()
    with refused("TW0489", "'R' is a reduction"):
        s[R].compute_inline()


def test_axes_of_other_computes_are_no_bounds() -> None:
    other = te.compute((4,), lambda i: i, name="other").op.axis[0]
    with refused("TW0456", "axis 'i' belongs to another compute"):
        te.compute((4,), lambda j: te.sum(X[j], axis=te.reduce_axis((0, other), "k")))
