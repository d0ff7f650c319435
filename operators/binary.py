"""Arithmetic, logic and comparisons on operands that broadcast as numpy's do."""

from __future__ import annotations

from typing import Any, ClassVar

from xdsl.irdl import operand_def, result_def

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import BinaryOp, Elements
from ..dialects.graph.types import Tensor, broadcast_shapes, element_of, make_type, shape_of
from .deferred import np, te
from .elementwise import binary, binary_of_topi, broadcasting_operator, comparison

_FLOAT, _NUMBER, _BOOL, _ANY = Elements.FLOAT, Elements.NUMBER, Elements.BOOL, Elements.ANY


def _is_integer(dtype: str) -> bool:
    return dtype.startswith(("int", "uint", "index"))


def _are_integers(*operands: Any) -> bool:
    """Return whether no operand is a float; operands are expressions or Python numbers."""
    return all(_is_integer(x.dtype) if isinstance(x, te.Expr) else isinstance(x, int) for x in operands)


def truncating_quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    if np.issubdtype(a.dtype, np.integer):
        return ((a - np.fmod(a, b)) // b).astype(a.dtype)
    return a / b


def _te_div(a: Any, b: Any) -> te.Expr:
    return te.truncdiv(a, b) if _are_integers(a, b) else a / b


def _te_floor_div(a: Any, b: Any) -> te.Expr:
    return te.floordiv(a, b) if _are_integers(a, b) else te.floor(a / b)


def _floor_div(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.floor_divide(a, b) if np.issubdtype(a.dtype, np.integer) else np.floor(a / b)


def _te_floor_mod(a: Any, b: Any) -> te.Expr:
    if _are_integers(a, b):
        return te.floormod(a, b)
    rest = te.fmod(a, b)
    return te.Select(te.all(rest != 0, (rest < 0) != (b < 0)), rest + b, rest)


_LONGEST_PRODUCT = 64
"""The largest exponent that is written as products."""


def _te_pow(a: Any, b: Any) -> te.Expr:
    """Return the power of an expression; integers to a small whole number are products, by squaring."""
    whole = isinstance(a, te.Expr) and _is_integer(a.dtype)
    if not (whole and isinstance(b, int) and 1 <= b <= _LONGEST_PRODUCT):
        return te.pow(a, b)
    if b == 1:
        return a
    root = _te_pow(a, b // 2)
    return root * root * a if b % 2 else root * root


def _pow(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute powers: of integers exactly; of floats in float64, rounded once."""
    from ..semantics.floats import FLOAT

    return np.power(a, b) if np.issubdtype(a.dtype, np.integer) else FLOAT["math.powf"](a, b)


AddOp = binary("add", "a + b; integers wrap.", _NUMBER, lambda a, b: a + b, "add", onnx="Add")
SubOp = binary("sub", "a - b; integers wrap.", _NUMBER, lambda a, b: a - b, "subtract", onnx="Sub")
MulOp = binary("mul", "a * b; integers wrap.", _NUMBER, lambda a, b: a * b, "multiply", onnx="Mul")
DivOp = binary(
    "div",
    "a / b; integers truncate towards zero, and a quotient of theirs by zero is 0.",
    _NUMBER,
    _te_div,
    truncating_quotient,
    onnx="Div",
)
MinimumOp = binary("minimum", "The lesser of a and b; NaN if either is.", _NUMBER, "minimum", "minimum")
MaximumOp = binary("maximum", "The greater of a and b; NaN if either is.", _NUMBER, "maximum", "maximum")
AndOp = binary("and", "Logical and.", _BOOL, lambda a, b: a & b, "logical_and", onnx="And")
OrOp = binary("or", "Logical or.", _BOOL, lambda a, b: a | b, "logical_or", onnx="Or")
XorOp = binary("xor", "Logical exclusive or.", _BOOL, lambda a, b: a ^ b, "logical_xor", onnx="Xor")

EqualOp = comparison("equal", "Whether a = b.", _ANY, lambda a, b: a == b, "equal", onnx="Equal")
LessOp = comparison("less", "Whether a < b.", _NUMBER, lambda a, b: a < b, "less", onnx="Less")
LessEqualOp = comparison(
    "less_equal", "Whether a <= b.", _NUMBER, lambda a, b: a <= b, "less_equal", onnx="LessOrEqual"
)
GreaterOp = comparison("greater", "Whether a > b.", _NUMBER, lambda a, b: a > b, "greater", onnx="Greater")
GreaterEqualOp = comparison(
    "greater_equal", "Whether a >= b.", _NUMBER, lambda a, b: a >= b, "greater_equal", onnx="GreaterOrEqual"
)

binary_of_topi("true_div", "a / b.", lambda a, b: a / b, "true_divide")
binary_of_topi(
    "floor_div",
    "The quotient, rounded down; of integers by zero 0; that of floats is rounded to their type first.",
    _te_floor_div,
    _floor_div,
)
binary_of_topi("not_equal", "Whether a and b differ.", lambda a, b: a != b, "not_equal")


@broadcasting_operator(_te_pow, _pow)
class PowOp(BinaryOp):
    """
    a to the power b. Of integers b is not negative, and the result wraps.

    ```mlir
    %y = graph.pow %a, %b : tensor<2x3xf32>
    ```
    """

    name = "graph.pow"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@broadcasting_operator("fmod", "fmod")
class ModOp(BinaryOp):
    """
    The remainder of division towards zero: it has the sign of a. That of integers by zero is 0.

    ```mlir
    %y = graph.mod %a, %b : tensor<2x3xf32>
    ```
    """

    name = "graph.mod"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@broadcasting_operator(_te_floor_mod, "mod")
class FloorModOp(BinaryOp):
    """
    The remainder of division towards minus infinity: it has the sign of b. That of integers by zero is 0.

    ```mlir
    %y = graph.floor_mod %a, %b : tensor<2x3xi32>
    ```
    """

    name = "graph.floor_mod"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@broadcasting_operator("Select", "where", onnx="Where")
class WhereOp(GraphOp):
    """
    a where the condition holds, otherwise b; all three broadcast.

    ```mlir
    %y = graph.where %condition, %a, %b : tensor<2x3xf32>
    ```
    """

    name = "graph.where"

    condition = operand_def()
    a = operand_def()
    b = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.BOOL.check(element_of(self.condition))
        element = require_same_element((self.a, self.b))
        return (make_type(broadcast_shapes(*map(shape_of, self.operands)), element),)
