"""Operators on NaN, infinities, limits of types and no elements, by the whole pipeline and by topi."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from operator_case import module_of
from tilewright import te, topi
from tilewright.dialects.dtypes import element_type, numpy_dtype
from tilewright.operators import get_operator

NAN, INF = np.nan, np.inf


def expect(operator: str, *arrays: np.ndarray, wanted: np.ndarray, **values: Any) -> None:
    """Check the operator's result in a program of one graph operation and in one of topi."""
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
    for name in ("softmax", "log_softmax"):
        expect(name, x, wanted=x, axis=1)


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


def test_order_of_equals_and_of_no_numbers() -> None:
    x = np.array([[2, NAN, 2, -INF, NAN, 1], [0.0, -0.0, 0.0, INF, INF, 0.0]], "f")
    expect("argsort", x, wanted=np.argsort(x, 1, kind="stable"), axis=1, descending=False)
    expect("argsort", x, wanted=np.array([[1, 4, 0, 2, 5, 3], [3, 4, 0, 1, 2, 5]]), axis=1, descending=True)
    nothing = np.zeros((0, 3), "f")
    expect("argsort", nothing, wanted=np.zeros((0, 3), np.int64), axis=0, descending=False)
    expect("argsort", np.ones((3, 1), "f"), wanted=np.zeros((3, 1), np.int64), axis=-1, descending=True)


def test_the_last_of_several_updates_stays() -> None:
    x, indices = np.zeros(3, "f"), np.array([1, -2, 1, 0], np.int64)
    updates = np.array([1, 2, 3, NAN], "f")
    expect("scatter_elements", x, indices, updates, wanted=np.array([NAN, 3, 0], "f"), axis=0, reduction="none")
    points = indices[:, None].astype(np.int32)
    expect("scatter_nd", x, points, updates, wanted=np.array([NAN, 6, 0], "f"), reduction="add")
    none = np.zeros(0, np.int64)
    expect("scatter_elements", x, none, np.zeros(0, "f"), wanted=x, axis=0, reduction="mul")
    expect("scatter_nd", x, np.zeros((2, 0), np.int32), np.ones((2, 3), "f"), wanted=x + 2, reduction="add")


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "uint16", "int64", "float16", "float64"])
def test_updates_of_all_types(dtype: str) -> None:
    x, updates = np.array([1, 0, 1, 1], dtype), np.array([0, 1, 1], dtype)
    indices = np.array([3, 1, 3], np.int64)
    wanted = x.copy()
    wanted[indices] = updates
    expect("scatter_elements", x, indices, updates, wanted=wanted, axis=0, reduction="none")


def test_an_index_out_of_range_ends_the_call() -> None:
    x, updates = np.zeros(3, "f"), np.ones(1, "f")
    values = {"axis": 0, "reduction": "none"}
    for index in (3, -4):
        indices = np.array([index], np.int64)
        with pytest.raises(tilewright.TilewrightError, match="TW0730"):
            tilewright.compile(module_of("scatter_elements", [x, indices, updates], values))(x, indices, updates)


def test_indices_of_the_greatest_are_inside() -> None:
    x = np.array([[[[-INF, -INF], [NAN, 3]]]], "f")
    window = {"strides": (1, 1), "padding": (1, 1, 0, 0), "dilations": (1, 1), "ceil_mode": False}
    wanted = np.array([[[[0, 0], [2, 2]]]])
    expect("max_places2d", x, wanted=wanted, kernel=(2, 2), columns_first=False, **window)


@pytest.mark.parametrize("right", [False, True])
def test_indices_among_sorted_elements(right: bool) -> None:
    x, values = np.array([1, 2, 2, 4, INF], "f"), np.array([[0, 1, 2], [3, INF, -INF]], "f")
    wanted = np.searchsorted(x, values, "right" if right else "left")
    expect("searchsorted", x, values, wanted=wanted, right=right)


def test_sorting_by_topi() -> None:
    x = np.random.default_rng(3).permutation(42).reshape(6, 7).astype("f")
    a = te.placeholder(x.shape, "float32", "a")
    np.testing.assert_array_equal(tilewright.build([a, topi.sort(a, axis=0)])(x), np.sort(x, 0))
    indices = tilewright.build([a, topi.argsort(a, is_ascend=False, dtype="int32")])(x)
    np.testing.assert_array_equal(indices, np.argsort(-x, 1).astype("i4"))
    values, chosen = topi.topk(a, 3, axis=1)
    best, where = tilewright.build([a, values, chosen])(x)
    np.testing.assert_array_equal(best, -np.sort(-x, 1)[:, :3])
    np.testing.assert_array_equal(np.take_along_axis(x, where, 1), best)
    for call in (lambda: topi.topk(a, 9), lambda: topi.argsort(a, valid_count=a), lambda: topi.topk(a, ret_type="all")):
        with pytest.raises(tilewright.TilewrightError):
            call()


def test_updates_by_topi() -> None:
    x, u, i = np.zeros((4, 3), "f"), np.arange(6, dtype="f").reshape(2, 3), np.array([[0, 3, 0], [0, -1, 2]], "i4")
    operands = [te.placeholder(v.shape, v.dtype.name, name) for v, name in ((x, "x"), (i, "i"), (u, "u"))]
    added = x.copy()
    np.add.at(added, (i, np.arange(3)[None, :]), u)
    np.testing.assert_array_equal(tilewright.build([*operands, topi.scatter_add(*operands, axis=0)])(x, i, u), added)
    points = np.array([[1, 1]], "i4")
    rows = te.placeholder(points.shape, "int32", "rows")
    summed = topi.scatter_nd(operands[0], rows, operands[2], mode="add")
    result = tilewright.build([operands[0], rows, operands[2], summed])(x, points, u)
    np.testing.assert_array_equal(result, np.array([[0, 0, 0], [3, 5, 7], [0, 0, 0], [0, 0, 0]], "f"))


@pytest.mark.each("dtype", ["bfloat16", "float16", "float8_e4m3fn", "float8_e5m2"])
def test_nan_of_few_bits_is_the_greatest_in_references_too(dtype: str) -> None:
    """numpy's order of types that are not its own has NaNs anywhere."""
    x = np.array([NAN, 0, -1, NAN, 2, -3, NAN, -4], numpy_dtype(element_type(dtype)))
    reference = {name: get_operator(name).reference for name in ("argsort", "topk", "unique")}
    np.testing.assert_array_equal(reference["argsort"](x, axis=0, descending=False), [7, 5, 2, 1, 4, 0, 3, 6])
    np.testing.assert_array_equal(reference["argsort"](x, axis=0, descending=True), [0, 3, 6, 4, 1, 2, 5, 7])
    values, positions = reference["topk"](x, k=3, axis=0, smallest=True)
    assert values.dtype == x.dtype and positions.tolist() == [7, 5, 2]
    values, *_, count = reference["unique"](x, by_appearance=False)
    np.testing.assert_array_equal(values[: int(count[0])].astype(np.float32), np.float32([-4, -3, -1, 0, 2, NAN]))


def test_blocked_convolutions_without_channels_have_references() -> None:
    """Of no blocks, of blocks of no channels, and of each channel alone where there is none."""
    window = {"strides": (1, 1), "padding": (1, 1, 1, 1), "dilations": (1, 1), "groups": 1}
    reference = get_operator("blocked_conv2d").reference
    for x, weight in (
        ((1, 2, 4, 4, 8), (0, 2, 3, 3, 8, 4)),
        ((1, 0, 4, 4, 8), (2, 0, 3, 3, 8, 4)),
        ((1, 2, 4, 4, 8), (3, 2, 3, 3, 8, 0)),
        ((1, 0, 4, 4, 8), (0, 3, 3, 8)),
        ((1, 3, 4, 4), (0, 3, 3, 3, 8)),
    ):
        result = reference(np.ones(x, np.float32), np.ones(weight, np.float32), **window)
        np.testing.assert_array_equal(result, np.zeros((1, weight[0], 4, 4, weight[-1]), np.float32))
    of_nothing = get_operator("winograd_conv2d").reference
    result = of_nothing(np.ones((1, 2, 4, 4, 8), np.float32), np.ones((4, 4, 3, 2, 8, 0), np.float32), padding=(1,) * 4)
    assert result.shape == (1, 3, 4, 4, 0)
