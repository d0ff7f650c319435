"""The operations of `math`, and the remainder of floats, as calls of the C library.

f16 and bf16 use the functions of `float`. OpenCL C has the same functions without a suffix, overloaded for every type.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from ...dialects.loop import CallPureExternOp
from ..written.arithmetic import Rule
from ..written.text import MULTIPLY, Expression, binary, call
from ..written.types import element_of, width_of
from .arithmetic import as_integer, as_unsigned, rounded
from .text import RELATION, conditional, unary
from .types import literal, value_type

_LIBRARY = {
    **{f"math.{name}": name for name in ("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil")},
    **{f"math.{name}": name for name in ("copysign", "cos", "cosh", "erf", "exp", "exp2", "expm1", "floor", "fma")},
    **{f"math.{name}": name for name in ("log", "log10", "log1p", "log2", "round", "sin", "sinh", "sqrt", "tan")},
    **{f"math.{name}": name for name in ("tanh", "trunc")},
    "arith.remf": "fmod",
    "math.absf": "fabs",
    "math.powf": "pow",
    "math.roundeven": "rint",
}
LIBRARY_FUNCTIONS = tuple(sorted(set(_LIBRARY.values())))
"""The functions of math.h that are called, by their names for `double`."""
_COUNTS = ("math.ctpop", "math.ctlz", "math.cttz")


def library_function(name: str, is_double: bool) -> str:
    """Return a function of math.h for `double` or for `float`."""
    return name if is_double else f"{name}f"


def _library(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    return rounded(call(library_function(_LIBRARY[op.name], value_type(type_) == "double"), *operands), type_)


def _reciprocal_root(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    root = call(library_function("sqrt", value_type(type_) == "double"), *operands)
    return rounded(binary("/", MULTIPLY, literal(1.0, type_), root), type_)


def _absolute(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_, (value,) = op.results[0].type, operands
    negated = as_integer(unary("-", as_unsigned(value, type_)), type_)
    return conditional(binary("<", RELATION, value, Expression("0")), negated, value)


def _count(op: Operation, operands: Sequence[Expression]) -> Expression:
    type_ = op.results[0].type
    width = [] if op.name == "math.ctpop" else [Expression(str(width_of(type_)))]
    return as_integer(call(op.name.replace("math.", "tw_"), as_unsigned(operands[0], type_), *width), type_)


def _integer_power(op: Operation, operands: Sequence[Expression]) -> Expression:
    return as_integer(call("tw_ipowi", *operands), op.results[0].type)


def _pure_extern(op: Operation, operands: Sequence[Expression]) -> Expression:
    assert isinstance(op, CallPureExternOp)
    return call(op.symbol, *operands)


def pure_declaration(op: CallPureExternOp) -> str:
    """Return the prototype of a library's function as it is called."""
    types = ", ".join(value_type(element_of(v.type)) for v in op.values)
    return f"extern {value_type(element_of(op.res.type))} {op.symbol}({types or 'void'});"


MATHEMATICS: dict[str, Rule] = {
    "loop.call_pure_extern": _pure_extern,
    "math.absi": _absolute,
    "math.ipowi": _integer_power,
    "math.rsqrt": _reciprocal_root,
    **dict.fromkeys(_LIBRARY, _library),
    **dict.fromkeys(_COUNTS, _count),
}
"""The function that writes each operation."""
