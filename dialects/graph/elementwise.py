"""
Operators that compute each element on its own.

The families differ in nothing but name, meaning and element types, so each op is one line of a table. Operands of
binary, comparing and selecting ops broadcast as numpy's do.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import ClassVar, TypeVar, cast

from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dtypes import has_dtype, is_bool, is_float, is_integer
from .base import GraphOp, operations_in, require_same_element
from .properties import flag_prop, float_prop, opt_float_prop, type_prop
from .types import Tensor, broadcast_shapes, element_of, make_type, shape_of, tensor_type


class Elements(Enum):
    """Which element types an op takes; the value is what an error message calls them."""

    FLOAT = "floating-point elements"
    NUMBER = "integer or floating-point elements"
    BOOL = "i1 elements"
    ANY = "elements with data"

    def accepts(self, element: Attribute) -> bool:
        return _ACCEPTS[self](element)

    def check(self, element: Attribute) -> Attribute:
        if not self.accepts(element):
            raise VerifyException(f"expected {self.value}, but got {element}")
        return element


_ACCEPTS: dict[Elements, Callable[[Attribute], bool]] = {
    Elements.FLOAT: is_float,
    Elements.NUMBER: lambda element: is_float(element) or is_integer(element),
    Elements.BOOL: is_bool,
    Elements.ANY: has_dtype,
}


class UnaryOp(GraphOp):
    """One operand, a result of the same type."""

    ELEMENTS: ClassVar[Elements]

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        self.ELEMENTS.check(element_of(self.x))
        return (tensor_type(self.x),)


class BinaryOp(GraphOp):
    """Two operands of one element type that broadcast."""

    ELEMENTS: ClassVar[Elements]

    a = operand_def()
    b = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(require_same_element(self.operands))
        return (make_type(broadcast_shapes(shape_of(self.a), shape_of(self.b)), element),)


class CompareOp(BinaryOp):
    """Two operands of one element type that broadcast; the result is `i1`. Comparisons with NaN are false."""

    def infer_types(self) -> tuple[Tensor, ...]:
        (operands,) = super().infer_types()
        return (make_type(shape_of(operands), i1),)


FamilyOp = TypeVar("FamilyOp", bound=GraphOp)


def _op(base: type[FamilyOp], name: str, meaning: str, elements: Elements) -> type[FamilyOp]:
    """A member of a family; its docstring is the meaning and an example."""
    arguments = "%x" if issubclass(base, UnaryOp) else "%a, %b"
    result = "i1" if issubclass(base, CompareOp) or elements is Elements.BOOL else "f32"
    doc = f"{meaning}\n\n```mlir\n%y = graph.{name} {arguments} : tensor<2x3x{result}>\n```\n"
    class_name = "".join(part.capitalize() for part in name.split("_")) + "Op"
    members = {
        "name": f"graph.{name}",
        "ELEMENTS": elements,
        "__annotations__": {"ELEMENTS": ClassVar[Elements]},
        "__doc__": doc,
        "__module__": __name__,
    }
    return irdl_op_definition(cast("type[FamilyOp]", type(class_name, (base,), members)))


_FLOAT, _NUMBER, _BOOL, _ANY = Elements.FLOAT, Elements.NUMBER, Elements.BOOL, Elements.ANY

ReluOp = _op(UnaryOp, "relu", "max(x, 0).", _NUMBER)
NegOp = _op(UnaryOp, "neg", "-x; integers wrap.", _NUMBER)
AbsOp = _op(UnaryOp, "abs", "|x|; integers wrap.", _NUMBER)
SqrtOp = _op(UnaryOp, "sqrt", "Square root; NaN below zero.", _FLOAT)
ExpOp = _op(UnaryOp, "exp", "e to the power x.", _FLOAT)
LogOp = _op(UnaryOp, "log", "Natural logarithm; -inf at zero, NaN below.", _FLOAT)
ReciprocalOp = _op(UnaryOp, "reciprocal", "1 / x.", _FLOAT)
ErfOp = _op(UnaryOp, "erf", "The error function.", _FLOAT)
TanhOp = _op(UnaryOp, "tanh", "Hyperbolic tangent.", _FLOAT)
SigmoidOp = _op(UnaryOp, "sigmoid", "1 / (1 + exp(-x)).", _FLOAT)
SinOp = _op(UnaryOp, "sin", "Sine of x in radians.", _FLOAT)
CosOp = _op(UnaryOp, "cos", "Cosine of x in radians.", _FLOAT)
FloorOp = _op(UnaryOp, "floor", "The largest whole number that is not above x.", _FLOAT)
CeilOp = _op(UnaryOp, "ceil", "The smallest whole number that is not below x.", _FLOAT)
TanOp = _op(UnaryOp, "tan", "Tangent of x in radians.", _FLOAT)
AsinOp = _op(UnaryOp, "asin", "The inverse of the sine.", _FLOAT)
AcosOp = _op(UnaryOp, "acos", "The inverse of the cosine.", _FLOAT)
AtanOp = _op(UnaryOp, "atan", "The inverse of the tangent.", _FLOAT)
SinhOp = _op(UnaryOp, "sinh", "The hyperbolic sine.", _FLOAT)
CoshOp = _op(UnaryOp, "cosh", "The hyperbolic cosine.", _FLOAT)
AsinhOp = _op(UnaryOp, "asinh", "The inverse of the hyperbolic sine.", _FLOAT)
AcoshOp = _op(UnaryOp, "acosh", "The inverse of the hyperbolic cosine.", _FLOAT)
AtanhOp = _op(UnaryOp, "atanh", "The inverse of the hyperbolic tangent.", _FLOAT)
RoundOp = _op(UnaryOp, "round", "The nearest whole number, of two the even one.", _FLOAT)
SignOp = _op(UnaryOp, "sign", "-1, 0 or 1; a NaN stays one.", _NUMBER)
SoftplusOp = _op(UnaryOp, "softplus", "log(1 + exp(x)), which does not overflow.", _FLOAT)
HardSwishOp = _op(UnaryOp, "hard_swish", "x * min(max(x / 6 + 1 / 2, 0), 1).", _FLOAT)
NotOp = _op(UnaryOp, "not", "Logical negation.", _BOOL)
IdentityOp = _op(UnaryOp, "identity", "x itself.", _ANY)

AddOp = _op(BinaryOp, "add", "a + b; integers wrap.", _NUMBER)
SubOp = _op(BinaryOp, "sub", "a - b; integers wrap.", _NUMBER)
MulOp = _op(BinaryOp, "mul", "a * b; integers wrap.", _NUMBER)
DivOp = _op(BinaryOp, "div", "a / b; integers truncate towards zero, and division by zero is undefined.", _NUMBER)
PowOp = _op(BinaryOp, "pow", "a to the power b.", _FLOAT)
MinimumOp = _op(BinaryOp, "minimum", "The lesser of a and b; NaN if either is.", _NUMBER)
MaximumOp = _op(BinaryOp, "maximum", "The greater of a and b; NaN if either is.", _NUMBER)
AndOp = _op(BinaryOp, "and", "Logical and.", _BOOL)
OrOp = _op(BinaryOp, "or", "Logical or.", _BOOL)
XorOp = _op(BinaryOp, "xor", "Logical exclusive or.", _BOOL)

EqualOp = _op(CompareOp, "equal", "Whether a = b.", _ANY)
LessOp = _op(CompareOp, "less", "Whether a < b.", _NUMBER)
LessEqualOp = _op(CompareOp, "less_equal", "Whether a <= b.", _NUMBER)
GreaterOp = _op(CompareOp, "greater", "Whether a > b.", _NUMBER)
GreaterEqualOp = _op(CompareOp, "greater_equal", "Whether a >= b.", _NUMBER)


@irdl_op_definition
class ClipOp(UnaryOp):
    """
    min(max(x, low), high); an absent bound does not bound, and low > high gives high.

    ```mlir
    %y = graph.clip %x low 0.0 high 6.0 : tensor<1x32x112x112xf32>
    ```
    """

    name = "graph.clip"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    low = opt_float_prop()
    high = opt_float_prop()


@irdl_op_definition
class LeakyReluOp(UnaryOp):
    """
    x where x >= 0, otherwise alpha * x.

    ```mlir
    %y = graph.leaky_relu %x alpha 0.01 : tensor<4xf32>
    ```
    """

    name = "graph.leaky_relu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    alpha = float_prop(0.01)


@irdl_op_definition
class EluOp(UnaryOp):
    """
    x where x > 0, otherwise alpha * (exp(x) - 1).

    ```mlir
    %y = graph.elu %x alpha 0.5 : tensor<4xf32>
    ```
    """

    name = "graph.elu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    alpha = float_prop(1.0)


@irdl_op_definition
class GeluOp(UnaryOp):
    """
    x times the normal distribution's probability of a number below x: by erf, or approximately by tanh.

    ```mlir
    %y = graph.gelu %x approximate : tensor<4xf32>
    ```
    """

    name = "graph.gelu"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    approximate = flag_prop()


@irdl_op_definition
class DropoutOp(UnaryOp):
    """
    Dropout of a trained network: x itself. The ratio is what training used.

    ```mlir
    %y = graph.dropout %x ratio 0.5 : tensor<1x4096xf32>
    ```
    """

    name = "graph.dropout"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    ratio = float_prop(0.5)


@irdl_op_definition
class CastOp(GraphOp):
    """
    Conversion to another element type. Floats truncate towards zero to integers (undefined when out of range),
    anything becomes `i1` by comparing with zero, and narrower floats round to nearest even.

    ```mlir
    %y = graph.cast %x to i64 : tensor<4xi64>
    ```
    """

    name = "graph.cast"

    x = operand_def()
    y = result_def()

    to = type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        return (make_type(shape_of(self.x), Elements.ANY.check(self.to)),)


@irdl_op_definition
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


OPERATIONS = operations_in(globals())
