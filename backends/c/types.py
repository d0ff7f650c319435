"""How C computes with elements and stores them.

The narrow floats f16 and bf16 are stored as the bits that they are and computed with as `float`, each result rounded:
for the basic operations and the square root that gives what the narrow type would.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ..written.text import PRIMARY, UNARY, Expression
from ..written.types import element_of, float_text, is_integer, width_of

_NARROW: dict[type[Attribute], str] = {Float16Type: "half", BFloat16Type: "bfloat"}


def narrow_name(type_: Attribute) -> str | None:
    """How helpers call a narrow float; None for all other types."""
    return _NARROW.get(type(element_of(type_)))


def value_type(type_: Attribute) -> str:
    """The C type of a value, or of one lane of it."""
    element = element_of(type_)
    match element:
        case Float64Type():
            return "double"
        case Float32Type() | Float16Type() | BFloat16Type():
            return "float"
        case IntegerType() if element.width.data == 1:
            return "bool"
        case IntegerType() if element.signedness.data == Signedness.UNSIGNED:
            return unsigned_type(element)
        case _:
            return f"int{width_of(element)}_t"


def storage_type(element: Attribute) -> str:
    """The C type of an element in memory."""
    return "uint16_t" if narrow_name(element) else value_type(element)


def unsigned_type(type_: Attribute) -> str:
    """The unsigned C type of an integer's width."""
    return f"uint{width_of(type_)}_t"


def literal(value: float | int, type_: Attribute) -> Expression:
    """A constant of C."""
    if is_integer(type_):
        return _integer_literal(int(value), width_of(type_))
    suffix = "" if value_type(type_) == "double" else "f"
    text = float_text(float(value), type_, "NAN", "INFINITY", suffix)
    return Expression(text, UNARY if text.startswith("-") else PRIMARY)


def _integer_literal(value: int, width: int) -> Expression:
    if width == 1:
        return Expression("true" if value else "false")
    if value == -(1 << (width - 1)) and width >= 32:
        return Expression(f"INT{width}_MIN")
    if not -(1 << 31) < value < 1 << 31:
        return Expression(f"INT64_C({value})")
    return Expression(str(value), PRIMARY if value >= 0 else UNARY)
