"""Reductions: of one value, of two at once, by a user combiner, and over several axes.

python examples/reductions.py
"""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, topi


def largest_and_where() -> None:
    """Find the largest value of each row and its first position: a reduction of pairs."""
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")

    def better(x, y):
        wins = te.any(x[1] > y[1], te.all(x[1] == y[1], x[0] < y[0]))
        return te.Select(wins, x[0], y[0]), te.Select(wins, x[1], y[1])

    argmax = te.comm_reducer(
        better, lambda position, value: (te.max_value(position), te.min_value(value)), name="argmax"
    )
    position, value = te.compute((n,), lambda i: argmax((k.astype("int32"), a[i, k]), axis=k), name="best")
    s = te.create_schedule(position.op)
    s[position].parallel(position.op.axis[0])
    print(tvm.lower(s, [a, position, value], simple_mode=True))
    x = np.random.default_rng(0).integers(0, 20, (33, 17)).astype(np.float32)
    found, values = tvm.build(s, [a, position, value])(x)
    np.testing.assert_array_equal(found, x.argmax(axis=1))
    np.testing.assert_array_equal(values, x.max(axis=1))


def product_of_rows() -> None:
    """Reduce by a user's combiner, on integers that wrap."""
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), "int32", name="A")
    multiply = te.comm_reducer(lambda x, y: x * y, lambda dtype: te.const(1, dtype), name="product")
    k = te.reduce_axis((0, m), "k")
    b = te.compute((n,), lambda i: multiply(a[i, k], axis=k), name="B")
    x = np.random.default_rng(1).integers(-3, 4, (9, 11)).astype(np.int32)
    np.testing.assert_array_equal(tvm.build([a, b], [a, b])(x), x.prod(axis=1, dtype=np.int32))


def blocked_product() -> None:
    """Compute a matrix product in two levels of blocks; the axes that an operation declares stay unchanged."""
    n = 128
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    mo, mi = s[c].split(c.op.axis[0], factor=32)
    no, ni = s[c].split(c.op.axis[1], factor=32)
    ko, ki = s[c].split(s[c].op.reduce_axis[0], factor=32)
    mio, mii = s[c].split(mi, factor=8)
    nio, nii = s[c].split(ni, factor=8)
    kio, kii = s[c].split(ki, factor=8)
    s[c].reorder(mo, no, ko, mio, nio, kio, mii, kii, nii)
    s[c].vectorize(nii)
    assert [axis.name for axis in s[c].op.axis] == ["i", "j"]
    x, y = (np.random.default_rng(seed).integers(-4, 5, (n, n)).astype(np.float32) for seed in range(2))
    np.testing.assert_array_equal(tvm.build(s, [a, b, c])(x, y), x @ y)
    try:
        s[c].reorder(mi, ni)
    except tvm.TilewrightError as error:
        print(error)
    else:
        raise AssertionError("expected axes that are split to be refused")


def by_name() -> None:
    """Compute the same sums by operators on whole tensors, which come with their schedules."""
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m), name="A")
    x = np.random.default_rng(2).standard_normal((40, 50)).astype(np.float32)
    total, soft = topi.sum(a, axis=1), topi.nn.softmax(a)
    np.testing.assert_allclose(tvm.build([a, total], [a, total])(x), x.sum(axis=1), rtol=1e-5, atol=1e-5)
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(
        tvm.build([a, soft], [a, soft])(x), powers / powers.sum(axis=1, keepdims=True), rtol=1e-5
    )


if __name__ == "__main__":
    largest_and_where()
    product_of_rows()
    blocked_product()
    by_name()
