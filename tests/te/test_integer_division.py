"""Quotients and remainders of integers by every kind of divisor, 0 and -1 among them: one value on every path."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.dialects.graph import DivOp, FloorModOp, ModOp
from tilewright.operators import get_operator
from tilewright.script import tir as T

N = 19
DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
OPERATORS = {"truncdiv": te.truncdiv, "truncmod": te.truncmod, "floordiv": te.floordiv, "floormod": te.floormod}


def _value(operator: str, a: int, b: int) -> int:
    if b == 0:
        return 0
    if operator.startswith("floor"):
        return a // b if operator == "floordiv" else a % b
    sign = 1 if (a < 0) == (b < 0) else -1
    return abs(a) // abs(b) * sign if operator == "truncdiv" else abs(a) % abs(b) * (-1 if a < 0 else 1)


def expected(operator: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the results in integers without a width, wrapped to the type."""
    exact = [_value(operator, *pair) for pair in zip(a.tolist(), b.tolist(), strict=True)]
    return np.array([value % (1 << 8 * a.itemsize) for value in exact], f"u{a.itemsize}").view(a.dtype)


def operands(dtype: str) -> tuple[np.ndarray, np.ndarray]:
    """Return dividends with the least and the greatest number, divisors of which many are 0 and -1."""
    rng, limits = np.random.default_rng(0), np.iinfo(dtype)
    a = rng.integers(limits.min, limits.max, N, dtype=dtype, endpoint=True)
    b = rng.integers(max(limits.min, -3), 3, N, dtype=dtype, endpoint=True)
    a[:8] = [limits.min, limits.min, limits.min, limits.max, 0, 5, 7, limits.max]
    b[:8] = [0, limits.max if limits.min == 0 else -1, 1, 0, 0, 0, 3, limits.max]
    return a, b


def _differences(target: str, dtype: str, **options: Any) -> list[str]:
    """Return the operators that are wrong for divisors that are data, constants of 0, and constants of -1."""
    a, b = operands(dtype)
    x, y = (te.placeholder((N,), name=name, dtype=dtype) for name in "XY")
    divisors: dict[str, tuple[Any, np.ndarray]] = {"": (None, b), "_by_zero": (te.const(0, dtype), np.zeros_like(b))}
    if dtype.startswith("int"):
        divisors["_by_minus_one"] = te.const(-1, dtype), np.full_like(b, -1)
    results, wanted = list[te.Tensor](), dict[str, np.ndarray]()
    for suffix, (constant, array) in divisors.items():
        for name, function in OPERATORS.items():
            divide = lambda i, f=function, c=constant: f(x[i], y[i] if c is None else c)  # noqa: E731
            results.append(te.compute((N,), divide, name=name + suffix))
            wanted[name + suffix] = expected(name, a, array)
    found = tvm.build([x, y, *results], target=target, **options)(a, b)
    pairs = zip(wanted.items(), found, strict=True)
    return [f"{name} of {dtype}: {each}" for (name, value), each in pairs if not np.array_equal(each, value)]


@pytest.mark.parametrize("target", ["cpu", "c", "interpreter", "cuda"])
def test_division_by_zero_has_one_value(target: str) -> None:
    options = {"device": "simulator"} if target == "cuda" else {}
    wrong = [text for dtype in DTYPES for text in _differences(target, dtype, **options)]
    assert not wrong, "\n".join(wrong)


def test_folded_constants_have_the_same_values() -> None:
    meanings = {"div": "truncdiv", "mod": "truncmod", "floor_mod": "floormod", "floor_div": "floordiv"}
    wrong: list[str] = []
    for dtype in DTYPES:
        a, b = operands(dtype)
        for name, meaning in meanings.items():
            with np.errstate(all="ignore"):
                found = get_operator(name).reference(a, b)
            if not np.array_equal(found, expected(meaning, a, b)):
                wrong.append(f"{name} of {dtype}: {found}")
    assert not wrong, "\n".join(wrong)


def test_graphs_compute_what_folding_gives() -> None:
    a, b = operands("int32")
    for operation, meaning in ((DivOp, "truncdiv"), (ModOp, "truncmod"), (FloorModOp, "floormod")):
        text = f"""func.func @main(%x: tensor<{N}xi32>, %y: tensor<{N}xi32>) -> tensor<{N}xi32> {{
          %z = {operation.name} %x, %y : tensor<{N}xi32>
          func.return %z : tensor<{N}xi32>
        }}"""
        np.testing.assert_array_equal(tvm.compile(text.encode())(a, b), expected(meaning, a, b), operation.name)


def test_lanes_of_a_vector_are_divided_one_by_one() -> None:
    @T.prim_func
    def remainders(x: T.handle, y: T.handle, z: T.handle) -> None:
        A = T.match_buffer(x, (16,), "int32")
        B = T.match_buffer(y, (16,), "int32")
        C = T.match_buffer(z, (16,), "int32")
        for i in range(2):
            C[T.ramp(i * 8, 1, 8)] = T.floormod(A[T.ramp(i * 8, 1, 8)], B[T.ramp(i * 8, 1, 8)])

    a, b = (array[:16] for array in operands("int32"))
    for target in ("cpu", "c", "interpreter"):
        found = np.zeros(16, np.int32)
        tvm.build(remainders, target=target)(a, b, found)
        np.testing.assert_array_equal(found, expected("floormod", a, b), target)


def test_a_constant_divisor_needs_no_choice() -> None:
    x = te.placeholder((N,), name="X", dtype="int32")
    text = str(te.to_module([x, te.compute((N,), lambda i: x[i] % 7, name="Y")]))
    assert "arith.floordivsi" in text and "arith.cmpi" not in text and "arith.select" not in text
