"""Rules of reverse-mode differentiation for scalar operations.

A rule takes the adjoint g of a node, the node and its operands, and returns the adjoint contribution of each operand.
At points without a derivative, such as the kinks of abs, max and min, a rule takes one side: the right derivative of
abs, the first of two equal operands of max and min.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from .dtypes import dtype_info
from .expr import Binary, Const, Expr, Unary, as_expr
from .functions import Select, cos, cosh, exp, log, rsqrt, sin, sinh, trunc

UnaryRule: TypeAlias = "Callable[[Expr, Expr, Expr], Expr]"
BinaryRule: TypeAlias = "Callable[[Expr, Expr, Expr, Expr], tuple[Expr, Expr]]"

_LN2, _LN10 = math.log(2), math.log(10)

UNARY: dict[str, UnaryRule] = {
    "neg": lambda g, y, x: -g,
    "abs": lambda g, y, x: Select(x >= 0, g, -g),
    "exp": lambda g, y, x: g * y,
    "exp2": lambda g, y, x: g * y * _LN2,
    "expm1": lambda g, y, x: g * exp(x),
    "log": lambda g, y, x: g / x,
    "log2": lambda g, y, x: g / (x * _LN2),
    "log10": lambda g, y, x: g / (x * _LN10),
    "log1p": lambda g, y, x: g / (x + 1),
    "sqrt": lambda g, y, x: g * 0.5 / y,
    "rsqrt": lambda g, y, x: g * -0.5 * y / x,
    "sin": lambda g, y, x: g * cos(x),
    "cos": lambda g, y, x: -g * sin(x),
    "tan": lambda g, y, x: g * (y * y + 1),
    "asin": lambda g, y, x: g * rsqrt(1 - x * x),
    "acos": lambda g, y, x: -g * rsqrt(1 - x * x),
    "atan": lambda g, y, x: g / (x * x + 1),
    "sinh": lambda g, y, x: g * cosh(x),
    "cosh": lambda g, y, x: g * sinh(x),
    "tanh": lambda g, y, x: g * (1 - y * y),
    "asinh": lambda g, y, x: g * rsqrt(x * x + 1),
    "acosh": lambda g, y, x: g * rsqrt(x * x - 1),
    "atanh": lambda g, y, x: g / (1 - x * x),
    "erf": lambda g, y, x: g * (2 / math.sqrt(math.pi)) * exp(-x * x),
}
FLAT = ("floor", "ceil", "round", "trunc")
"""Functions whose derivative is 0 wherever they have one."""


def _power(g: Expr, y: Expr, a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Return the derivatives of a power by both operands. x^0 is flat, also at 0; 0^y is flat in y."""
    by_exponent = g * y * log(Select(a == 0, _one(a), a))
    if isinstance(b, Const):
        return (g * b * _raised(a, float(b.value) - 1, b.dtype) if b.value else g * 0), by_exponent
    return Select(b == 0, _one(b) * 0, g * b * a ** (b - 1)), by_exponent


def _raised(a: Expr, exponent: float, dtype: str) -> Expr:
    if exponent in (0, 1):
        return a if exponent else _one(a)
    return a ** as_expr(exponent, dtype)


def _one(like: Expr) -> Expr:
    return as_expr(1, like.dtype)


BINARY: dict[str, BinaryRule] = {
    "add": lambda g, y, a, b: (g, g),
    "sub": lambda g, y, a, b: (g, -g),
    "mul": lambda g, y, a, b: (g * b, g * a),
    "div": lambda g, y, a, b: (g / b, -g * a / (b * b)),
    "max": lambda g, y, a, b: (Select(a >= b, g, g * 0), Select(a >= b, g * 0, g)),
    "min": lambda g, y, a, b: (Select(a <= b, g, g * 0), Select(a <= b, g * 0, g)),
    "pow": _power,
    "atan2": lambda g, y, a, b: (g * b / (a * a + b * b), -g * a / (a * a + b * b)),
    "fmod": lambda g, y, a, b: (g, -g * trunc(a / b)),
}


def by_operands(g: Expr, node: Expr) -> Sequence[Expr | None]:
    """Return the derivative by each operand of an operation; None where it is 0. KeyError where no rule is known."""
    match node:
        case Unary():
            return (None,) if node.op in FLAT else (UNARY[node.op](g, node, node.operand),)
        case Binary():
            return BINARY[node.op](g, node, node.lhs, node.rhs)
        case _:
            raise KeyError(type(node).__name__)


def has_derivative(dtype: str) -> bool:
    """Return whether numbers of a type have derivatives."""
    return dtype_info(dtype).is_float
