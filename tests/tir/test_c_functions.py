"""Functions of the C library under their classic names, against numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir

INF = np.inf
LEFT = np.array([0.0, -0.0, 1.0, -2.5, 3e38, 1e-40, INF, -INF, np.nan, 0.1, 7.0], np.float64)
RIGHT = np.array([-1.0, 1.0, -0.0, 4.0, 3e38, -1.0, 1.0, INF, 1.0, np.nan, 7.0], np.float64)

BINARY: dict[str, tuple[Any, Any]] = {
    "hypot": (tir.hypot, np.hypot),
    "copysign": (tir.copysign, np.copysign),
    "nextafter": (tir.nextafter, np.nextafter),
}


def built(function: Callable[..., Any], target: str, *dtypes: str) -> Any:
    n = te.var("n")
    operands = [te.placeholder((n,), dtype, f"x{i}") for i, dtype in enumerate(dtypes)]
    result = te.compute((n,), lambda i: function(*(x[i] for x in operands)), name="y")
    return tvm.build(te.create_schedule(result.op), [*operands, result], target)


@pytest.mark.parametrize("target", ["llvm", "c", "interpreter"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name: str, dtype: str, target: str) -> None:
    ours, reference = BINARY[name]
    with np.errstate(all="ignore"):
        x, y = LEFT.astype(dtype), RIGHT.astype(dtype)
        expected = reference(x, y)
    result = built(ours, target, dtype, dtype)(x, y)
    assert result.dtype == dtype
    if name == "hypot":
        np.testing.assert_allclose(result, expected, rtol=1e-6)
    else:
        np.testing.assert_array_equal(result, expected)
        np.testing.assert_array_equal(np.signbit(result), np.signbit(expected))


@pytest.mark.parametrize("target", ["llvm", "c", "interpreter"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_product_by_a_power_of_two(dtype: str, target: str) -> None:
    x = np.array([1.5, -1.25, 0.75, 1.0, 1.0, INF, 3.0], dtype)
    n = np.array([3, -4, 0, -1074, 2000, 5, -140], np.int32)
    with np.errstate(all="ignore"):
        expected = np.ldexp(x, n)
    np.testing.assert_array_equal(built(tir.ldexp, target, dtype, "int32")(x, n), expected)


def test_powers_of_ten() -> None:
    x = np.linspace(-30, 30, 61).astype(np.float32)
    np.testing.assert_allclose(built(tir.exp10, "llvm", "float32")(x), 10.0 ** x.astype(np.float64), rtol=1e-5)
    np.testing.assert_allclose(built(tir.exp10, "llvm", "int32")(np.arange(5, dtype=np.int32)), [1, 10, 1e2, 1e3, 1e4])


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8"])
def test_leading_zeros_are_int32(dtype: str) -> None:
    x = np.array([0, 1, 2, 3, 100, np.iinfo(dtype).max], dtype)
    result = built(tir.clz, "llvm", dtype)(x)
    assert result.dtype == np.int32
    np.testing.assert_array_equal(result, [8 * x.itemsize - int(v).bit_length() for v in x])


def test_rounding_leaves_integers_and_bools() -> None:
    i = te.var("i", "int32")
    for round in (te.floor, te.ceil, te.round, te.trunc, tir.nearbyint):
        assert round(i) is i
        assert round(te.const(True, "bool")).value is True


def test_other_types_are_refused() -> None:
    half = te.placeholder((4,), "float16")[0]
    for function in (tir.hypot, tir.copysign, tir.nextafter):
        with pytest.raises(tvm.TilewrightError, match="TW0451.*float32 or float64 as operand"):
            function(half, half)
    with pytest.raises(tvm.TilewrightError, match="TW0451.*an integer as power of `ldexp`"):
        tir.ldexp(te.const(1.0), 0.5)
