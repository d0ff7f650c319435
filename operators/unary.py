"""Elementwise operators of one operand; activations of networks are in `activation`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i1
from xdsl.irdl import operand_def, result_def

from ..dialects.dtypes import STORAGE_TYPES, numpy_dtype
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements, UnaryOp
from ..dialects.graph.properties import float_prop, int_prop, opt_float_prop, type_prop
from ..dialects.graph.types import Tensor, make_type, shape_of
from .deferred import np, te
from .elementwise import scalar_operator, unary, unary_of_topi

_FLOAT, _NUMBER, _BOOL, _ANY = Elements.FLOAT, Elements.NUMBER, Elements.BOOL, Elements.ANY


def _sign(x: te.Expr) -> te.Expr:
    """Return -1, 0 or 1; a NaN stays a NaN."""
    minus_one = te.const(0 if x.dtype.startswith("uint") else -1, x.dtype)  # never chosen where there is none
    return te.Select(x > 0, te.const(1, x.dtype), te.Select(x < 0, minus_one, x))


def _clip(x: te.Expr, low: float | None, high: float | None) -> te.Expr:
    lower = x if low is None else te.maximum(x, low)
    return lower if high is None else te.minimum(lower, high)


def _clip_reference(x: np.ndarray, low: float | None, high: float | None) -> np.ndarray:
    lower = x if low is None else np.maximum(x, x.dtype.type(low))
    return lower if high is None else np.minimum(lower, x.dtype.type(high))


def _cast_reference(x: np.ndarray, to: str) -> np.ndarray:
    x = _computable(x)
    if to == "bool":
        return x != 0
    return _to_storage(x, to) if to in STORAGE_TYPES else x.astype(numpy_dtype(to))


def _computable(x: np.ndarray) -> np.ndarray:
    """Return the same numbers in a type that numpy computes with."""
    if x.dtype.name not in STORAGE_TYPES:
        return x
    return x.astype(np.float32 if x.dtype.name.startswith("float") else np.int8)


def _to_storage(x: np.ndarray, to: str) -> np.ndarray:
    """Convert to a storage type. Floats are rounded once; of integers, and of the whole parts of floats, the lowest
    bits stay."""
    from ..semantics.integers import from_bits
    from ..semantics.rounding import convert_float

    is_whole, dtype = x.dtype.kind in "biu", numpy_dtype(to)
    if to.startswith("float"):
        wide = np.float32 if x.dtype.itemsize <= 2 else np.float64
        return np.asarray(convert_float(x.astype(wide) if is_whole else x, dtype))
    return from_bits((x if is_whole else x.astype(np.int32)).astype(np.uint8), dtype)


ExpOp = unary("exp", "e to the power x.", _FLOAT, "exp", "math.exp", onnx="Exp")
LogOp = unary("log", "Natural logarithm; -inf at zero, NaN below.", _FLOAT, "log", "math.log", onnx="Log")
SinOp = unary("sin", "Sine of x in radians.", _FLOAT, "sin", "math.sin", onnx="Sin")
CosOp = unary("cos", "Cosine of x in radians.", _FLOAT, "cos", "math.cos", onnx="Cos")
TanOp = unary("tan", "Tangent of x in radians.", _FLOAT, "tan", "math.tan", onnx="Tan")
AsinOp = unary("asin", "The inverse of the sine.", _FLOAT, "asin", "math.asin", onnx="Asin")
AcosOp = unary("acos", "The inverse of the cosine.", _FLOAT, "acos", "math.acos", onnx="Acos")
AtanOp = unary("atan", "The inverse of the tangent.", _FLOAT, "atan", "math.atan", onnx="Atan")
SinhOp = unary("sinh", "The hyperbolic sine.", _FLOAT, "sinh", "math.sinh", onnx="Sinh")
CoshOp = unary("cosh", "The hyperbolic cosine.", _FLOAT, "cosh", "math.cosh", onnx="Cosh")
TanhOp = unary("tanh", "Hyperbolic tangent.", _FLOAT, "tanh", "math.tanh", onnx="Tanh")
AsinhOp = unary("asinh", "The inverse of the hyperbolic sine.", _FLOAT, "asinh", "math.asinh", onnx="Asinh")
AcoshOp = unary("acosh", "The inverse of the hyperbolic cosine.", _FLOAT, "acosh", "math.acosh", onnx="Acosh")
AtanhOp = unary("atanh", "The inverse of the hyperbolic tangent.", _FLOAT, "atanh", "math.atanh", onnx="Atanh")
SqrtOp = unary("sqrt", "Square root; NaN below zero.", _FLOAT, "sqrt", "sqrt", onnx="Sqrt")
ReciprocalOp = unary("reciprocal", "1 / x.", _FLOAT, lambda x: 1 / x, lambda x: x.dtype.type(1) / x, onnx="Reciprocal")
ErfOp = unary("erf", "The error function.", _FLOAT, "erf", "math.erf", onnx="Erf")
FloorOp = unary("floor", "The largest whole number that is not above x.", _FLOAT, "floor", "floor", onnx="Floor")
CeilOp = unary("ceil", "The smallest whole number that is not below x.", _FLOAT, "ceil", "ceil", onnx="Ceil")
RoundOp = unary("round", "The nearest whole number, of two the even one.", _FLOAT, "round", "round", onnx="Round")
NegOp = unary("neg", "-x; integers wrap.", _NUMBER, lambda x: -x, "negative", onnx="Neg")
AbsOp = unary("abs", "|x|; integers wrap.", _NUMBER, "abs", "abs", onnx="Abs")
SignOp = unary("sign", "-1, 0 or 1; a NaN stays one.", _NUMBER, _sign, "sign", onnx="Sign")
NotOp = unary("not", "Logical negation.", _BOOL, lambda x: ~x, "logical_not", onnx="Not")
IdentityOp = unary("identity", "x itself.", _ANY, lambda x: x, lambda x: x, onnx="Identity")

unary_of_topi("exp2", "2 to the power x.", "exp2", "math.exp2")
unary_of_topi("expm1", "exp(x) - 1, precise near 0.", "expm1", "math.expm1")
unary_of_topi("log2", "The logarithm to base 2.", "log2", "math.log2")
unary_of_topi("log10", "The logarithm to base 10.", "log10", "math.log10")
unary_of_topi("log1p", "log(1 + x), precise near 0.", "log1p", "math.log1p")
unary_of_topi("rsqrt", "1 / sqrt(x).", "rsqrt", lambda x: x.dtype.type(1) / np.sqrt(x))
unary_of_topi("trunc", "x without its fraction.", "trunc", "trunc")


class _Question(UnaryOp):
    """A predicate of elements, whose result is `i1`."""

    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    def infer_types(self) -> tuple[Tensor, ...]:
        (operand,) = super().infer_types()
        return (make_type(shape_of(operand), i1),)


@scalar_operator("isnan", "isnan", onnx="IsNaN")
class IsnanOp(_Question):
    """True where x is not a number.

    ```mlir
    %y = graph.isnan %x : tensor<4xi1>
    ```
    """

    name = "graph.isnan"


@scalar_operator("isfinite", "isfinite")
class IsfiniteOp(_Question):
    """True where x is a finite number.

    ```mlir
    %y = graph.isfinite %x : tensor<4xi1>
    ```
    """

    name = "graph.isfinite"


def _isinf(x: te.Expr, detect_negative: int = 1, detect_positive: int = 1) -> te.Expr:
    if not detect_negative and not detect_positive:
        return te.const(False, "bool")
    if detect_negative and detect_positive:
        return te.isinf(x)
    return te.all(te.isinf(x), x > 0 if detect_positive else x < 0)


def _isinf_reference(x: np.ndarray, detect_negative: int = 1, detect_positive: int = 1) -> np.ndarray:
    return np.isposinf(x) & bool(detect_positive) | np.isneginf(x) & bool(detect_negative)


@scalar_operator(_isinf, _isinf_reference, onnx="IsInf")
class IsinfOp(_Question):
    """True where x is infinite with a sign that is detected.

    ```mlir
    %y = graph.isinf %x detect_negative 0 : tensor<4xi1>
    ```
    """

    name = "graph.isinf"

    detect_negative = int_prop(1)
    detect_positive = int_prop(1)


@scalar_operator(_clip, _clip_reference)
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


@scalar_operator(lambda x, ratio: x, lambda x, ratio: x)
class DropoutOp(UnaryOp):
    """
    Dropout of a trained network: x itself. The ratio is that of the training.

    ```mlir
    %y = graph.dropout %x ratio 0.5 : tensor<1x4096xf32>
    ```
    """

    name = "graph.dropout"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    ratio = float_prop(0.5)


@scalar_operator(lambda x, to: te.cast(to, x), _cast_reference)
class CastOp(GraphOp):
    """
    Conversion to another element type. Floats truncate towards zero to integers (undefined when out of range),
    anything becomes `i1` by comparing with zero, and narrower floats round to nearest even. Of a float of 8 bits, a
    number beyond the largest is infinite, where the type has no infinity NaN, and of 4 bits the largest.

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
