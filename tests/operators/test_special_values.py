"""Operators on NaN, infinities, limits of types and no elements, by the whole pipeline and by topi."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te, topi
from tilewright.operators import get_operator

from .cases import module_of

NAN, INF = np.nan, np.inf


def expect(operator: str, *arrays: np.ndarray, wanted: np.ndarray, **values: Any) -> None:
    """The operator's result in a program of one graph operation and in one of topi."""
    result = tilewright.compile(module_of(operator, arrays, values))(*arrays)
    operands = [te.placeholder(a.shape, a.dtype.name, f"x{k}") for k, a in enumerate(arrays)]
    (expression,) = get_operator(operator).express(*operands, **values)
    for actual in (result, tilewright.build([*operands, expression])(*arrays)):
        assert (actual.dtype, actual.shape) == (wanted.dtype, wanted.shape)
        np.testing.assert_array_equal(actual, wanted)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_questions(dtype: str) -> None:
    x = np.array([NAN, INF, -INF, 0.0, -0.0, 3.5], dtype)
    expect("isnan", x, wanted=np.isnan(x))
    expect("isfinite", x, wanted=np.isfinite(x))
    for negative, positive in ((1, 1), (0, 1), (1, 0), (0, 0)):
        wanted = np.isneginf(x) & bool(negative) | np.isposinf(x) & bool(positive)
        expect("isinf", x, wanted=wanted, detect_negative=negative, detect_positive=positive)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_bits(dtype: str) -> None:
    info, bits = np.iinfo(dtype), np.iinfo(dtype).bits
    x = np.array([info.min, info.max, 5, 1, 0, info.min // 2], dtype)[:, None]
    counts = np.array([0, 1, bits - 1, bits, bits + 1, min(200, info.max)], dtype)
    if info.min < 0:
        counts = np.append(counts, np.array([-1, info.min], dtype))
    expect("left_shift", x, counts, wanted=np.left_shift(x, counts))
    expect("right_shift", x, counts, wanted=np.right_shift(x, counts))
    expect("bitwise_xor", x, counts, wanted=x ^ counts)
    expect("bitwise_not", x, wanted=~x)


def test_remainders() -> None:
    a = np.array([-7, 7, -7, 7, 0, -6], np.int32)
    b = np.array([3, -3, -3, 3, 5, 3], np.int32)
    expect("mod", a, b, wanted=np.fmod(a, b))
    expect("floor_mod", a, b, wanted=np.mod(a, b))
    x, y = np.array([5.5, -5.5, INF, NAN, 4.0, 1.0], "f"), np.array([-2.0, 2.0, 2.0, 1.0, INF, 0.0], "f")
    with np.errstate(invalid="ignore"):
        expect("mod", x, y, wanted=np.fmod(x, y))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_powers_of_integers(dtype: str) -> None:
    a = np.array([[-3], [-1], [0], [1], [2], [10]], dtype)
    b = np.array([0, 1, 2, 5, 31, 63, 64], dtype)
    expect("pow", a, b, wanted=np.power(a, b))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 5, 3)])
def test_triangles(shape: tuple[int, ...]) -> None:
    x = np.full(shape, NAN, "f")
    for k in (-2, 0, 4):
        expect("trilu", x, wanted=np.triu(x, k), upper=True, k=k)
        expect("trilu", x, wanted=np.tril(x, k), upper=False, k=k)


def test_the_greatest_may_be_no_number_or_come_twice() -> None:
    x = np.array([[1, 3, 3], [NAN, 2, NAN], [-INF, -INF, -INF]], "f")
    expect("hardmax", x, wanted=np.array([[0, 1, 0], [1, 0, 0], [1, 0, 0]], "f"), axis=1)


def test_of_no_elements() -> None:
    nothing = np.zeros((2, 0), bool)
    expect("reduce_all", nothing, wanted=np.ones(2, bool), axes=(1,), keepdims=False)
    expect("reduce_any", nothing, wanted=np.zeros(2, bool), axes=(1,), keepdims=False)
    x = np.zeros((2, 0), "f")
    expect("cumprod", x, wanted=x, axis=1, exclusive=False, reverse=False)
    expect("einsum", x, x, wanted=np.zeros((2, 2), "f"), equation="ik,jk->ij")


def test_running_products() -> None:
    x = np.array([[2, 3, 0, 4], [INF, -1, 0.5, NAN]], "f")
    expect("cumprod", x, wanted=np.cumprod(x, 1), axis=1, exclusive=False, reverse=False)
    backwards = np.flip(np.cumprod(np.flip(x, 1), 1), 1)
    expect("cumprod", x, wanted=backwards, axis=-1, exclusive=False, reverse=True)


def test_an_equation_of_topi_with_an_ellipsis() -> None:
    a, b = te.placeholder((2, 1, 3, 4), "int32", "a"), te.placeholder((5, 4, 3), "int32", "b")
    x, y = np.arange(24, dtype="i4").reshape(2, 1, 3, 4), np.arange(60, dtype="i4").reshape(5, 4, 3)
    product = topi.einsum("...ij,...jk->...ik", a, b)
    np.testing.assert_array_equal(tilewright.build([a, b, product])(x, y), np.matmul(x, y))
