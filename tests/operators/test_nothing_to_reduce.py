"""Least and greatest of no elements: the identity of the element type, compiled, interpreted and by the reference."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright.dialects import context
from tilewright.operators import get_operator
from xdsl.parser import Parser

DTYPES = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
    "i8": np.int8, "i64": np.int64, "ui8": np.uint8, "ui64": np.uint64,
}  # fmt: skip


def bounds(dtype: type[np.generic]) -> tuple[object, object]:
    if np.issubdtype(dtype, np.integer):
        return np.iinfo(dtype).max, np.iinfo(dtype).min
    return np.inf, -np.inf


@pytest.mark.parametrize("target", ["cpu", "interpreter"])
@pytest.mark.parametrize("element", DTYPES)
def test_extremes_of_nothing(element: str, target: str) -> None:
    module = Parser(
        context(),
        f"""
        func.func @main(%x: tensor<2x0x{element}>) -> (tensor<2x{element}>, tensor<1x1x{element}>) {{
          %least = graph.reduce_min %x axes [1] : tensor<2x{element}>
          %greatest = graph.reduce_max %x axes [0, -1] keepdims : tensor<1x1x{element}>
          func.return %least, %greatest : tensor<2x{element}>, tensor<1x1x{element}>
        }}""",
    ).parse_module()
    dtype = DTYPES[element]
    least, greatest = tilewright.compile(module, target=target)(np.zeros((2, 0), dtype))
    most, smallest = bounds(dtype)
    np.testing.assert_array_equal(least, np.full(2, most, dtype))
    np.testing.assert_array_equal(greatest, np.full((1, 1), smallest, dtype))


@pytest.mark.parametrize("element", DTYPES)
def test_extremes_of_something_are_numpys(element: str) -> None:
    x = np.random.default_rng(0).uniform(0, 100, (3, 4, 5)).astype(DTYPES[element])
    for name, function in (("reduce_min", np.min), ("reduce_max", np.max)):
        found = get_operator(name).reference(x, axes=(0, 2), keepdims=True)
        np.testing.assert_array_equal(found, function(x, axis=(0, 2), keepdims=True))
        assert found.dtype == x.dtype
