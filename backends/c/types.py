"""How elements are computed with and stored.

The narrow floats f16 and bf16 are stored as the bits that they are and computed with as `float`, each result rounded:
for the basic operations and the square root that gives what the narrow type would.
"""

from __future__ import annotations

import struct

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

from .text import PRIMARY, UNARY, Expression

_WIDTHS = (1, 8, 16, 32, 64)
_NARROW: dict[type[Attribute], str] = {Float16Type: "half", BFloat16Type: "bfloat"}


def element_of(type_: Attribute) -> Attribute:
    """The type of a lane."""
    return type_.element_type if isinstance(type_, VectorType) else type_


def lanes_of(type_: Attribute) -> int | None:
    """The number of lanes; None for a scalar."""
    return type_.get_shape()[0] if isinstance(type_, VectorType) else None


def is_supported(element: Attribute) -> bool:
    """Whether values of this element type can be written in C."""
    if isinstance(element, IntegerType):
        return element.width.data in _WIDTHS
    return isinstance(element, (IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type))


def narrow_name(type_: Attribute) -> str | None:
    """How helpers call a narrow float; None for all other types."""
    return _NARROW.get(type(element_of(type_)))


def width_of(type_: Attribute) -> int:
    """The bits of an integer type; an index has 64."""
    element = element_of(type_)
    return element.width.data if isinstance(element, IntegerType) else 64


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


def storage_bytes(element: Attribute) -> int:
    """The bytes of an element in memory."""
    match element:
        case Float64Type():
            return 8
        case Float32Type():
            return 4
        case Float16Type() | BFloat16Type():
            return 2
        case _:
            return max(8, width_of(element)) // 8


def unsigned_type(type_: Attribute) -> str:
    """The unsigned C type of an integer's width."""
    return f"uint{width_of(type_)}_t"


def literal(value: float | int, type_: Attribute) -> Expression:
    """A constant of C."""
    element = element_of(type_)
    if isinstance(element, (IntegerType, IndexType)):
        return _integer_literal(int(value), width_of(element))
    return _float_literal(float(value), isinstance(element, Float64Type))


def _integer_literal(value: int, width: int) -> Expression:
    if width == 1:
        return Expression("true" if value else "false")
    if value == -(1 << (width - 1)) and width >= 32:
        return Expression(f"INT{width}_MIN")
    if not -(1 << 31) < value < 1 << 31:
        return Expression(f"INT64_C({value})")
    return Expression(str(value), PRIMARY if value >= 0 else UNARY)


def _float_literal(value: float, is_double: bool) -> Expression:
    if value != value:
        return Expression("NAN")
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    magnitude = abs(value)
    level = UNARY if sign else PRIMARY
    if magnitude == float("inf"):
        return Expression(f"{sign}INFINITY", level)
    return Expression(f"{sign}{repr(magnitude) if is_double else _shortest(magnitude) + 'f'}", level)


def _shortest(value: float) -> str:
    """The shortest decimal text that reads back as this f32."""
    for digits in range(1, 10):
        text = repr(float(f"{value:.{digits}g}"))
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return text
    return repr(value)
