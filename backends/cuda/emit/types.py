"""How elements are computed with and stored.

The narrow floats f16 and bf16 are computed with as float32, each result rounded: for the basic operations and the
square root that gives what the narrow type would. In memory f16 is numba's float16 and bf16 the bits of a uint16.
"""

from __future__ import annotations

import struct
from dataclasses import replace

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

from .text import PRIMARY, UNARY, Expression, call

_WIDTHS = (1, 8, 16, 32, 64)
_NARROW: dict[type[Attribute], str] = {Float16Type: "f16", BFloat16Type: "bf16"}


def element_of(type_: Attribute) -> Attribute:
    """The type of a lane."""
    return type_.element_type if isinstance(type_, VectorType) else type_


def lanes_of(type_: Attribute) -> int | None:
    """The number of lanes; None for a scalar."""
    return type_.get_shape()[0] if isinstance(type_, VectorType) else None


def is_supported(element: Attribute) -> bool:
    """Whether values of this element type can be written."""
    if isinstance(element, IntegerType):
        return element.width.data in _WIDTHS
    return isinstance(element, (IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type))


def narrow_name(type_: Attribute) -> str | None:
    """How device operations call a narrow float; None for all other types."""
    return _NARROW.get(type(element_of(type_)))


def width_of(type_: Attribute) -> int:
    """The bits of an integer type; an index has 64."""
    element = element_of(type_)
    return element.width.data if isinstance(element, IntegerType) else 64


def value_type(type_: Attribute) -> str:
    """Numba's type of a value, or of one lane of it."""
    element = element_of(type_)
    match element:
        case Float64Type():
            return "float64"
        case Float32Type() | Float16Type() | BFloat16Type():
            return "float32"
        case IntegerType() if element.width.data == 1:
            return "boolean"
        case IntegerType() if element.signedness.data == Signedness.UNSIGNED:
            return unsigned_type(element)
        case _:
            return f"int{width_of(element)}"


def storage_type(element: Attribute) -> str:
    """Numba's type of an element in memory."""
    match narrow_name(element):
        case "f16":
            return "float16"
        case "bf16":
            return "uint16"
        case _:
            return value_type(element)


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
    """The unsigned type of an integer's width."""
    return f"uint{max(8, width_of(type_))}"


def literal(value: float | int, type_: Attribute) -> Expression:
    """A constant with its type; a bare one would be a double on the device."""
    element = element_of(type_)
    if isinstance(element, IndexType):
        return Expression(str(int(value)), PRIMARY if value >= 0 else UNARY)
    if isinstance(element, IntegerType):
        return _integer_literal(int(value), element)
    return Expression(f"{value_type(element)}({_float_text(float(value), element)})")


def _integer_literal(value: int, type_: IntegerType) -> Expression:
    if type_.width.data == 1:
        return Expression("True" if value else "False")
    return Expression(f"{value_type(type_)}({value})")


def _float_text(value: float, type_: Attribute) -> str:
    if value != value:
        return "math.nan"
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    magnitude = abs(value)
    if magnitude == float("inf"):
        return f"{sign}math.inf"
    return sign + (repr(magnitude) if isinstance(type_, Float64Type) else _shortest(magnitude))


def _shortest(value: float) -> str:
    """The shortest decimal text that reads back as this f32, by way of a double."""
    for digits in range(1, 10):
        text = repr(float(f"{value:.{digits}g}"))
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return text
    return repr(value)


def rounded(value: Expression, type_: Attribute) -> Expression:
    """A float32 rounded to the narrow float of `type_`; unchanged for other types."""
    narrow = narrow_name(type_)
    if narrow is None:
        return value
    return replace(call(f"device.{narrow}_value", call(f"device.{narrow}_bits", value)), unrounded=value)
