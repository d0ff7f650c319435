"""Operators of expressions alone, and what classic programs ask of an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, topi

ON_TWO: dict[str, tuple[Callable[..., Any], Callable[..., Any], str]] = {
    "add": (topi.add, np.add, "float32"),
    "subtract": (topi.subtract, np.subtract, "int32"),
    "multiply": (topi.multiply, np.multiply, "float32"),
    "divide": (topi.divide, np.divide, "float32"),
    "floor_divide": (topi.floor_divide, lambda a, b: np.floor(a / b), "float32"),
    "maximum": (topi.maximum, np.maximum, "int32"),
    "power": (topi.power, np.power, "float32"),
    "less": (topi.less, np.less, "float32"),
    "bitwise_and": (topi.bitwise_and, np.bitwise_and, "int32"),
    "left_shift": (topi.left_shift, np.left_shift, "int32"),
}


@pytest.mark.parametrize("name", ON_TWO)
def test_expressions_give_an_expression(name: str) -> None:
    ours, numpys, dtype = ON_TWO[name]
    a, b = te.var("a", dtype), te.var("b", dtype)
    made = ours(a, b)
    assert isinstance(made, tvm.tir.PrimExpr)
    out = te.compute((1,), lambda _: made, name="out")
    program = tvm.build(te.create_schedule(out.op), [a, b, out])
    x, y = np.dtype(dtype).type(7), np.dtype(dtype).type(2)
    result = np.zeros(1, out.dtype)
    program(x, y, result)
    np.testing.assert_allclose(result[0], numpys(x, y), rtol=1e-6)


def test_conditions_give_a_condition() -> None:
    a, b = te.var("a", "bool"), te.var("b", "bool")
    for made in (topi.logical_and(a, b), topi.logical_or(a, b), topi.logical_xor(a, b), topi.logical_not(a)):
        assert isinstance(made, tvm.tir.PrimExpr)
        assert made.dtype == "bool"
    assert topi.bitwise_not(te.var("n", "uint8")).dtype == "uint8"


def test_the_function_of_a_body_has_a_name() -> None:
    x = te.placeholder((te.var("n"), te.var("m")), name="x")
    for function, name in ((topi.exp, "exp"), (topi.abs, "fabs"), (topi.rsqrt, "rsqrt"), (topi.erf, "erf")):
        assert function(x).op.body[0].op.name == f"tir.{name}"
