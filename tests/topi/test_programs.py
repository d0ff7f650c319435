"""Operators as parts of programs: scheduled by hand, fused with what a user writes, one function for every size."""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te, topi


def _real(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def test_a_sum_is_scheduled_like_any_other_tensor() -> None:
    n, m = te.var("n"), te.var("m")
    A = te.placeholder((n, m), name="A")
    C = topi.sum(A, axis=1)
    s = te.create_schedule(C.op)
    outer, inner = s[C].split(C.op.axis[0], factor=4)
    s[C].reorder(outer, C.op.reduce_axis[0], inner)
    assert "reduce_sum" in str(tvm.lower(s, [A, C], simple_mode=True))
    program = tvm.build(s, [A, C], "cpu")
    a = _real(5, 7)
    np.testing.assert_allclose(program(a), a.sum(1), rtol=1e-5)


def test_broadcasting_operators_share_a_program() -> None:
    x, y = 100, 10
    a = te.placeholder((x, y, y), name="a")
    b = te.placeholder((y, y), name="b")
    c, d = a + b, a * b
    e = topi.elemwise_sum([c, d])
    f = e / 2.0
    g = topi.sum(f)
    s = te.create_schedule(g.op)
    program = tvm.build(s, [a, b, g], "cpu")
    given = _real(x, y, y), _real(y, y)
    wanted = ((given[0] + given[1]) + given[0] * given[1]).astype(np.float64).sum() / 2
    np.testing.assert_allclose(program(*given), wanted, rtol=1e-3)


def test_an_operator_reads_a_compute_and_is_read_by_one() -> None:
    A = te.placeholder((6, 8), name="A")
    doubled = te.compute((6, 8), lambda i, j: A[i, j] * 2, name="doubled")
    soft = topi.nn.softmax(doubled)
    B = te.compute((6,), lambda i: soft[i, i], name="B")
    a = _real(6, 8)
    powers = np.exp(2 * a - (2 * a).max(1, keepdims=True))
    np.testing.assert_allclose(
        tvm.build([A, B], target="cpu")(a), np.diagonal(powers / powers.sum(1, keepdims=True)), rtol=1e-5
    )


def test_convolution_and_activation_in_one_program() -> None:
    X = te.placeholder((1, 3, 6, 6), name="X")
    W = te.placeholder((4, 3, 3, 3), name="W")
    Y = topi.nn.relu(topi.nn.conv2d(X, W, 1, 1))
    x, w = _real(1, 3, 6, 6), _real(4, 3, 3, 3)
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    wanted = np.maximum(np.einsum("nchwrs,ocrs->nohw", windows, w), 0)
    np.testing.assert_allclose(tvm.build([X, W, Y], target="cpu")(x, w), wanted, rtol=1e-4, atol=1e-5)


def test_softmax_divides_once_for_each_row() -> None:
    a = te.placeholder((8, 1024), name="A")
    y = topi.nn.softmax(a)
    text = tvm.build([a, y], [a, y], "cpu").get_source("mlir")
    (division,) = (line for line in text.splitlines() if "arith.divf" in line)
    assert division.endswith(": f32")
