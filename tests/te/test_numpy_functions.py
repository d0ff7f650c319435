"""numpy's functions of expressions are te's; Python's conversions of expressions are refused with te's names."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tilewright import TilewrightError, te

from .running import expect

X = np.array([0.25, 0.5, 0.75, 0.125], np.float32)
Y = np.array([0.75, 0.25, 0.75, 0.5], np.float32)
UNARY = (
    np.exp, np.exp2, np.expm1, np.log, np.log2, np.log10, np.log1p, np.sqrt, np.sin, np.cos, np.tan, np.arcsin,
    np.arccos, np.arctan, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arctanh, np.abs, np.fabs, np.negative, np.positive,
    np.floor, np.ceil, np.trunc, np.rint, np.square, np.reciprocal, np.round,
)  # fmt: skip
BINARY = (
    np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.power, np.fmod, np.arctan2, np.less,
    np.less_equal, np.greater, np.greater_equal, np.equal, np.not_equal,
)  # fmt: skip
OTHERS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: np.where(a < b, a, 2.0),
    lambda a, b: np.clip(a, 0.25, b),
    lambda a, b: np.logical_and(a < b, np.logical_not(b > 0.5)),
    lambda a, b: np.logical_or(np.isnan(a), np.isfinite(b)),
    lambda a, b: np.float32(2) * a + np.float32(1) / b,
    lambda a, b: np.float32(0.5) < a,
    lambda a, b: np.maximum(a, 0.5),
)
INTEGERS = (
    np.floor_divide, np.remainder, np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift,
)  # fmt: skip


def test_functions_of_floats_are_those_of_te() -> None:
    a, b = te.placeholder((4,), name="a"), te.placeholder((4,), name="b")
    one = te.compute((4,), lambda i: tuple(f(a[i]) for f in UNARY), name="one")
    two = te.compute((4,), lambda i: tuple(f(a[i], b[i]) for f in (*BINARY, *OTHERS)), name="two")
    expected = [f(X) for f in UNARY], [f(X, Y) for f in (*BINARY, *OTHERS)]
    expect([a, *one], [X], *expected[0], rtol=1e-6)
    expect([a, b, *two], [X, Y], *expected[1], rtol=1e-6)


def test_functions_of_integers_are_those_of_te() -> None:
    x, y = np.array([7, -7, 100, -1], np.int32), np.array([2, 3, 5, 1], np.int32)
    a, b = te.placeholder((4,), "int32", "a"), te.placeholder((4,), "int32", "b")
    made = te.compute((4,), lambda i: (*(f(a[i], b[i]) for f in INTEGERS), np.invert(a[i])), name="made")
    expect([a, b, *made], [x, y], *(f(x, y) for f in INTEGERS), np.invert(x))


def test_what_te_has_not_is_refused() -> None:
    a = te.placeholder((4,), name="a")
    x = a[0]
    cases = {
        "TW0451": (
            lambda: np.sign(x), lambda: np.sum(x), lambda: np.add.reduce(x), lambda: np.where(x > 0),
            lambda: np.exp(a), lambda: np.multiply(x, 2, dtype=np.float32), lambda: np.round(x, 2),
        ),
        "TW0452": (
            lambda: math.exp(x), lambda: math.floor(x), lambda: math.ceil(x), lambda: math.trunc(x), lambda: float(x),
            lambda: int(x), lambda: complex(x), lambda: round(x), lambda: operator.truth(x),
        ),
    }  # fmt: skip
    for code, makers in cases.items():
        for make in makers:
            with pytest.raises(TilewrightError, match="te") as refused:
                make()
            assert refused.value.code == code
    with pytest.raises(TilewrightError, match=r"te\.exp\(x\), te\.sqrt\(x\)"):
        math.sqrt(x)


def test_constants_are_numbers_of_python() -> None:
    assert (float(te.const(2.5)), int(te.const(3)), round(te.const(2.5)), math.exp(te.const(0))) == (2.5, 3, 2, 1.0)
    assert (math.floor(te.const(2.5)), math.ceil(te.const(2.5)), math.trunc(te.const(-2.5))) == (2, 3, -2)
