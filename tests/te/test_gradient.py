"""te.gradient against differences of the function itself, and against known derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import TilewrightError, te, topi

F64 = "float64"
STEP = 1e-6


def compiled(args: Sequence[te.Tensor], arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    result = tvm.compile(te.to_module(list(args)))(*arrays)
    return list(result) if isinstance(result, (tuple, list)) else [result]


def values(tensors: Sequence[te.Tensor], low: float, high: float) -> list[np.ndarray]:
    random = np.random.default_rng(5)
    shapes = [tuple(int(n) for n in t.shape) for t in tensors]
    return [
        random.uniform(low, high, s) if t.dtype == F64 else random.integers(0, 4, s).astype(t.dtype)
        for t, s in zip(tensors, shapes, strict=True)
    ]


def check(
    output: te.Tensor, inputs: Sequence[te.Tensor], others: Sequence[te.Tensor] = (), low: float = -2, high: float = 2
) -> None:
    """Check that the derivatives of a weighted sum of the output's elements are its differences, divided by the
    step."""
    tensors = [*inputs, *others]
    arrays = values(tensors, low, high)
    head = te.placeholder(output.shape, output.dtype, "head")
    (weights,) = values([head], -1, 1)
    got = compiled([*tensors, head, *te.gradient(output, list(inputs), head)], [*arrays, weights])
    forward = tvm.compile(te.to_module([*tensors, output]))
    for position, found in enumerate(got):
        want = np.zeros_like(arrays[position])
        for index in np.ndindex(*want.shape):
            sums = []
            for sign in (1, -1):
                moved = [a.copy() for a in arrays]
                moved[position][index] += sign * STEP
                sums.append((forward(*moved) * weights).sum())
            want[index] = (sums[0] - sums[1]) / (2 * STEP)
        np.testing.assert_allclose(found, want, rtol=1e-4, atol=1e-5)


def matrix(name: str = "A", n: int = 4, m: int = 4) -> te.Tensor:
    return te.placeholder((n, m), F64, name)


def axis(n: int = 4) -> te.Axis:
    return te.reduce_axis((0, n), "k")


def test_elements() -> None:
    a, b = matrix(), matrix("B")
    check(te.compute((4, 4), lambda i, j: a[i, j] + a[j, i] * b[i, j] - b[3 - i, j] / (3 + a[i, j])), [a, b])


FUNCTIONS: list[tuple[Any, float, float]] = [
    (lambda x, y: te.exp(x) + te.exp2(x) * te.expm1(y), -2, 2),
    (lambda x, y: te.log(x) * te.log2(y) + te.log10(x) * te.log1p(y), 0.5, 2),
    (lambda x, y: te.sqrt(x) * te.rsqrt(y) + te.pow(x, y) + te.pow(x, 3.0) + te.pow(y, 1.0), 0.5, 2),
    (lambda x, y: te.sin(x) * te.cos(y) + te.tan(x / 3) + te.atan2(x, y + 3) + te.erf(y), -2, 2),
    (lambda x, y: te.asin(x) * te.acos(y) + te.atan(x) + te.atanh(y), -0.9, 0.9),
    (lambda x, y: te.sinh(x) * te.cosh(y) + te.tanh(x * y) + te.asinh(x) + te.sigmoid(y), -2, 2),
    (lambda x, y: te.acosh(x + 1) + te.fmod(y * 3, x) + te.abs(x - y), 0.5, 2),
    (lambda x, y: te.maximum(x, y) * te.minimum(x, 2 * y) + te.Select(x < y, x * x, y), -2, 2),
    (lambda x, y: te.if_then_else(te.all(x > y, y > -1), te.log(x + 4), x * y) + x.astype("float64"), -2, 2),
]


@pytest.mark.parametrize("case", range(len(FUNCTIONS)))
def test_functions(case: int) -> None:
    function, low, high = FUNCTIONS[case]
    a, b = te.placeholder((7,), F64, "A"), te.placeholder((7,), F64, "B")
    check(te.compute((7,), lambda i: function(a[i], b[i])), [a, b], low=low, high=high)


def test_steps_are_flat() -> None:
    a = te.placeholder((6,), F64, "A")
    steps = te.compute((6,), lambda i: te.floor(a[i]) + te.ceil(a[i]) + te.round(a[i]) + te.trunc(a[i]))
    integers = te.compute((6,), lambda i: a[i].astype("int32").astype(F64) * 2)
    for output in (steps, integers):
        head = te.placeholder((6,), F64, "head")
        found = te.gradient(output, a, head)
        (got,) = compiled([a, head, *found], values([a, head], -2, 2)) if len(found[0].op.inputs) else (np.zeros(6),)
        np.testing.assert_array_equal(got, np.zeros(6))


def test_sums_and_maxima() -> None:
    a = matrix()
    k = axis()
    check(te.compute((4,), lambda i: te.sum(a[i, k] * a[k, i], axis=k)), [a])
    k = axis()
    check(te.compute((4, 4), lambda i, j: te.max(a[i, k] * a[k, j] + 5, axis=k)), [a])
    k = axis()
    check(te.compute((4, 4), lambda i, j: te.sum(a[k, k] - a[te.min(j + k, 3), j] * a[i, k], axis=k)), [a])
    k = te.reduce_axis((1, 4), "k")
    check(te.compute((4,), lambda i: te.min(a[i, k], axis=k, where=k < i + 2, init=0.5)), [a])
    k = axis()
    b = te.placeholder((4,), F64, "B")
    check(te.compute((4,), lambda i: te.sum(a[i, k], axis=k, where=k > 0, init=b[i] * b[i])), [a, b])


def test_other_reductions() -> None:
    a = matrix()
    k = axis()
    check(te.compute((4, 4), lambda i, j: te.prod(a[i, k] + a[k, j], axis=k)), [a])
    norm = te.comm_reducer(lambda x, y: te.sqrt(x * x + y * y), lambda t: te.const(0, t), "norm")
    k = axis()
    check(te.compute((4,), lambda i: norm(a[i, k], axis=k)), [a])
    argmax = te.comm_reducer(
        lambda x, y: (te.Select(x[1] >= y[1], x[0], y[0]), te.Select(x[1] >= y[1], x[1], y[1])),
        lambda t0, t1: (te.const(-1, t0), te.min_value(t1)),
    )
    k = axis()
    _, greatest = te.compute((4,), lambda i: argmax((k, a[i, k] * 2), axis=k))
    check(greatest, [a])


def test_products_with_zeros() -> None:
    a = te.placeholder((2, 3), F64, "A")
    k = axis(3)
    product = te.compute((2,), lambda i: te.prod(a[i, k], axis=k))
    head = te.placeholder((2,), F64, "head")
    x = np.array([[0, 2, 3], [0, 0, 5]], F64)
    (got,) = compiled([a, head, *te.gradient(product, a, head)], [x, np.ones(2)])
    np.testing.assert_array_equal(got, [[6, 0, 0], [0, 0, 0]])


def test_of_equal_maxima_the_first_counts() -> None:
    a = te.placeholder((2, 3), F64, "A")
    k = axis(3)
    greatest = te.compute((2,), lambda i: te.max(a[i, k], axis=k))
    head = te.placeholder((2,), F64, "head")
    (got,) = compiled([a, head, *te.gradient(greatest, a, head)], [np.array([[1, 2, 2], [0, 0, 0]], F64), np.ones(2)])
    np.testing.assert_array_equal(got, [[0, 1, 0], [1, 0, 0]])


def test_jacobians_and_heads() -> None:
    a, b = matrix("A", 2, 3), te.placeholder((3,), F64, "B")
    k = axis(3)
    product = te.compute((2,), lambda i: te.sum(a[i, k] * b[k], axis=k), name="product")
    by_a, by_b = te.gradient(product, [a, b])
    assert (by_a.shape, by_b.shape) == ((2, 2, 3), (2, 3))
    x, y = values([a, b], -1, 1)
    (got,) = compiled([a, by_b], [x])
    np.testing.assert_array_equal(got, x)
    (got,) = compiled([b, by_a], [y])
    np.testing.assert_array_equal(got, np.einsum("ij,k->ijk", np.eye(2), y))
    head = te.placeholder((5, 2), F64, "head")
    (by_b,) = te.gradient(product, b, head)
    assert by_b.shape == (5, 3)
    h = values([head], -1, 1)[0]
    np.testing.assert_allclose(compiled([a, head, by_b], [x, h])[0], h @ x, rtol=1e-12)


def test_placeholders_are_the_default_and_others_give_zeros() -> None:
    a, b = matrix("A", 2, 3), matrix("B", 2, 3)
    index = te.placeholder((2, 3), "int32", "I")
    double = te.compute((2, 3), lambda i, j: a[i, j] * 2 + index[i, j], name="double")
    square = te.compute((2, 3), lambda i, j: double[i, j] * double[i, j], name="square")
    head = te.placeholder((2, 3), F64, "head")
    (found,) = te.gradient(square, head=head)
    x, h, i = np.arange(6.0).reshape(2, 3), np.ones((2, 3)), np.ones((2, 3), "int32")
    np.testing.assert_array_equal(compiled([a, index, head, found], [x, i, h])[0], 4 * (2 * x + 1))
    (middle,) = te.gradient(square, double, head)
    np.testing.assert_array_equal(compiled([a, index, head, middle], [x, i, h])[0], 2 * (2 * x + 1))
    (zero,) = te.gradient(square, b, head)
    assert zero.shape == (2, 3)
    assert not zero.op.inputs


def test_symbolic_sizes() -> None:
    n, m = te.var("n"), te.var("m")
    a, b = te.placeholder((n, m), F64, "A"), te.placeholder((m, n), F64, "B")
    k = te.reduce_axis((0, m), "k")
    product = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="product")
    head = te.placeholder((n, n), F64, "head")
    by_a, by_b = te.gradient(product, [a, b], head)
    assert "where" not in str(te.to_module([a, b, head, by_a, by_b]))
    random = np.random.default_rng(1)
    x, y, h = random.random((3, 5)), random.random((5, 3)), random.random((3, 3))
    got = compiled([a, b, head, by_a, by_b], [x, y, h])
    np.testing.assert_allclose(got[0], h @ y.T, rtol=1e-12)
    np.testing.assert_allclose(got[1], x.T @ h, rtol=1e-12)


@pytest.mark.parametrize(("strides", "padding", "dilation"), [(1, 1, 1), (2, 1, 1), (3, 0, 2)])
def test_convolutions(strides: int, padding: int, dilation: int) -> None:
    x, w = te.placeholder((1, 2, 5, 5), F64, "X"), te.placeholder((2, 2, 2, 3), F64, "W")
    check(topi.nn.conv2d(x, w, strides, padding, dilation), [x, w])


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pooling(kind: str) -> None:
    x = te.placeholder((1, 1, 5, 5), F64, "X")
    check(topi.nn.pool2d(x, (3, 2), (2, 1), (1, 1), (1, 1, 1, 1), kind), [x])


def test_networks() -> None:
    x, w = te.placeholder((4, 5), F64, "X"), te.placeholder((5, 5), F64, "W")
    powers = topi.exp(topi.nn.dense(x, w))
    check(powers / topi.sum(powers, axis=-1, keepdims=True), [x, w], low=-1, high=1)
    check(topi.nn.log_softmax(topi.nn.relu(topi.reshape(x, (2, 10)))), [x])


def test_movement() -> None:
    x, y = te.placeholder((1, 2, 3, 4), F64, "X"), te.placeholder((1, 2, 2, 4), F64, "Y")
    index = te.placeholder((5,), "int32", "I")
    joined = topi.concatenate((x, y), 2)
    moved = topi.transpose(topi.reshape(joined, (5, 2, 4)), (2, 0, 1))
    check(topi.flip(topi.strided_slice(moved, [0, 0, 0], [4, 5, 2], [2, 3, 1]), 1), [x, y])
    first, second = topi.split(x, 2, 3)
    check(topi.concatenate((second, first), 3), [x])
    check(topi.take(topi.reshape(x, (4, 6)), index, axis=0), [x], [index])
    one = te.placeholder((1,), F64, "V")
    check(topi.broadcast_to(one, (2, 3)), [one])


def test_a_reshape_needs_no_sum() -> None:
    x = te.placeholder((1, 2, 5, 5), F64, "X")
    head = te.placeholder((1, 50), F64, "head")
    (found,) = te.gradient(topi.reshape(x, (1, 50)), x, head)
    assert not found.op.reduce_axis
    (got,) = compiled([head, found], [np.arange(50.0).reshape(1, 50)])
    np.testing.assert_array_equal(got, np.arange(50.0).reshape(1, 2, 5, 5))


def test_the_same_text_every_time() -> None:
    x, w = te.placeholder((1, 2, 8, 8), F64, "X"), te.placeholder((3, 2, 1, 1), F64, "W")
    output = topi.nn.conv2d(x, w, 2, 0, 1)
    texts = {str(te.to_module([w, g])) for _ in range(3) for g in te.gradient(output, x, topi.full_like(output, 1.0))}
    assert len(texts) == 1


def failure(*args: Any) -> str:
    with pytest.raises(TilewrightError) as caught:
        te.gradient(*args)
    assert caught.value.code == "TW0467"
    return caught.value.message


def test_mistakes() -> None:
    a, i = te.placeholder((4,), F64, "A"), te.placeholder((4,), "int32", "I")
    double = te.compute((4,), lambda k: a[k] * 2 + i[k], name="double")
    assert failure(double, i) == "expected floating-point tensors, but 'I' has type int32"
    assert failure(double, a, te.placeholder((3,), F64)) == (
        "expected a head of float64 whose shape ends with (4,), but got float64 of shape (3,)"
    )
    assert failure(3, a) == "expected a tensor to differentiate, but got 3"
    assert failure(double, [a, 3]) == "expected tensors to differentiate by, but got 3"
    roots = te.compute((4,), lambda k: te.call_pure_extern(F64, "cbrt", a[k]), name="roots")
    assert failure(roots, a) == "expected functions whose derivative is known, but got `cbrt(A[k])`"
    outside = te.extern((4,), [a], lambda ins, outs: te.call_extern("int32", "f", outs[0], ins[0]), name="outside")
    after = te.compute((4,), lambda k: outside[k] * 2, name="after")
    assert failure(after, a) == (
        "expected computes between 'after' and what it is differentiated by, but got `outside = extern(A)`"
    )
    k = te.reduce_axis((0, 4), "k")
    product = te.compute((1,), lambda _: te.prod(a[k], axis=k, init=2.0), name="product")
    assert failure(product, a).startswith("expected a sum, maximum or minimum, or a reduction from its identity")
