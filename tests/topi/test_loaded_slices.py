"""Slices whose bounds are arguments of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi
from tilewright.diagnostics import TilewrightError

X = np.arange(36, dtype="float32").reshape(3, 4, 3)
BOUNDS = [
    ([0, 0, 0], [4, -5, 4], [1, -1, 2]),
    ([1, 1, 0], [4, 4, 3], [2, 1, 1]),
    ([1, -1, 0], [4, -5, 3], [2, -1, 1]),
    ([-2, 3, 2], [3, 0, 0], [1, -2, -1]),
    ([0, 9, -9], [9, -9, 9], [2, -3, 2]),
    ([1, 2], [3, 3], [1, 1]),
    ([2, 2, 1], [2, 3, 3], [1, 1, 1]),
]


def sliced(begin: list[int], end: list[int], step: list[int]) -> tuple[slice, ...]:
    return tuple(slice(*each) for each in zip(begin, end, step, strict=True))


def vectors(count: int, dtype: str = "int64") -> list[Any]:
    return [te.placeholder((count,), dtype, name) for name in ("begin", "end", "strides")]


@pytest.mark.parametrize("target", ["llvm", "interpreter"])
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_slice(bounds: tuple[list[int], ...], target: str) -> None:
    x, given = te.placeholder(X.shape, name="x"), vectors(len(bounds[0]))
    out = topi.strided_slice(x, *given)
    program = tvm.build(te.create_schedule(out.op), [x, *given, out], target)
    expected = X[sliced(*bounds)]
    result = np.zeros(expected.shape, "float32")
    program(X, *(np.array(each, "int64") for each in bounds), result)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_set(bounds: tuple[list[int], ...]) -> None:
    expected = X.copy()
    expected[sliced(*bounds)] = -1 - np.arange(expected[sliced(*bounds)].size).reshape(expected[sliced(*bounds)].shape)
    values = expected[sliced(*bounds)]
    x, v, given = te.placeholder(X.shape), te.placeholder(values.shape, name="v"), vectors(len(bounds[0]), "int32")
    out = topi.strided_set(x, v, *given)
    program = tvm.build(te.create_schedule(out.op), [x, v, *given, out])
    result = np.zeros(X.shape, "float32")
    program(X, values, *(np.array(each, "int32") for each in bounds), result)
    np.testing.assert_array_equal(result, expected)


def test_steps_may_be_left_out() -> None:
    x, (begin, end, _) = te.placeholder(X.shape), vectors(2)
    out = topi.strided_slice(x, begin, end)
    program = tvm.build(te.create_schedule(out.op), [x, begin, end, out])
    result = np.zeros((2, 3, 3), "float32")
    program(X, np.array([1, -3]), np.array([3, 4]), result)
    np.testing.assert_array_equal(result, X[1:3, -3:4])


def test_a_result_that_is_too_large_is_refused() -> None:
    x, given = te.placeholder(X.shape), vectors(3)
    out = topi.strided_slice(x, *given)
    program = tvm.build(te.create_schedule(out.op), [x, *given, out])
    with pytest.raises(TilewrightError) as caught:
        program(X, np.array([0, 2, 0]), np.array([3, 4, 3]), np.array([1, 1, 1]), np.zeros((3, 3, 3), "float32"))
    assert caught.value.code == "TW0730"


REFUSED = {
    "axes": (lambda x, b: topi.strided_slice(x, b, b, axes=[0, 1, 2]), "bounds that are tensors for the first axes"),
    "sizes": (lambda x, b: topi.strided_slice(x, b, b, slice_mode="size"), "ends instead of sizes"),
    "too many": (
        lambda x, b: topi.strided_slice(x, te.placeholder((4,), "int64"), b),
        "bounds for at most 3 axes, but got 4",
    ),
    "unknown": (
        lambda x, b: topi.strided_slice(x, te.placeholder((te.var("n"),), "int64"), b),
        "a known number of bounds of a slice, but got n",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    call, message = REFUSED[name]
    with pytest.raises(TilewrightError) as caught:
        call(te.placeholder(X.shape), te.placeholder((3,), "int64"))
    assert caught.value.code == "TW0446"
    assert message in str(caught.value)
