"""Element types and their names in a language, and decimal literals that round-trip."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    ReducedPrecisionFloatType,
    Signedness,
    VectorType,
)
from xdsl.ir import Attribute

from ...dialects.dtypes import is_storage


def element_of(type_: Attribute) -> Attribute:
    """Return the type of a lane."""
    return type_.element_type if isinstance(type_, VectorType) else type_


def lanes_of(type_: Attribute) -> int | None:
    """Return the number of lanes; None for a scalar."""
    return type_.get_shape()[0] if isinstance(type_, VectorType) else None


def is_integer(type_: Attribute) -> bool:
    """Return whether lanes are integers: also indices, and floats of 8 and 4 bits, which are held as integers."""
    return isinstance(element_of(type_), (IntegerType, IndexType, ReducedPrecisionFloatType))


def is_bit(type_: Attribute) -> bool:
    """Return whether lanes are integers of one bit."""
    return width_of(type_) == 1


def width_of(type_: Attribute) -> int:
    """Return the bits of an integer type; an index has 64."""
    element = element_of(type_)
    if isinstance(element, ReducedPrecisionFloatType):
        return element.bitwidth
    return element.width.data if isinstance(element, IntegerType) else 64


@dataclass(frozen=True)
class TypeNames:
    """The names of a language for the types that it computes with.

    Floats of 16 bits are computed with as f32. Types that are only stored are unsigned integers of 8 bits.
    """

    double: str
    single: str
    bit: str
    suffix: str
    """The suffix of an integer type, behind its number of bits."""

    def value(self, type_: Attribute) -> str:
        """Return the type of a value, or of one lane of it."""
        element = element_of(type_)
        match element:
            case Float64Type():
                return self.double
            case Float32Type() | Float16Type() | BFloat16Type():
                return self.single
            case IntegerType() if element.width.data == 1:
                return self.bit
            case _ if is_storage(element):
                return self.unsigned(element)
            case IntegerType() if element.signedness.data == Signedness.UNSIGNED:
                return self.unsigned(element)
            case _:
                return f"int{width_of(element)}{self.suffix}"

    def unsigned(self, type_: Attribute) -> str:
        """Return the unsigned type of an integer's width."""
        return f"uint{max(8, width_of(type_))}{self.suffix}"


def storage_bytes(element: Attribute) -> int:
    """Return the bytes of an element in memory."""
    match element:
        case Float64Type():
            return 8
        case Float32Type():
            return 4
        case Float16Type() | BFloat16Type():
            return 2
        case _:
            return max(8, width_of(element)) // 8


def float_text(value: float, type_: Attribute, nan: str, infinity: str, suffix: str = "") -> str:
    """Return the shortest decimal that reads back as this value of a float type; f32 and narrower are held as f32."""
    if value != value:
        return nan
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    magnitude = abs(value)
    if magnitude == float("inf"):
        return f"{sign}{infinity}"
    return sign + (repr(magnitude) if isinstance(element_of(type_), Float64Type) else _shortest(magnitude)) + suffix


def _shortest(value: float) -> str:
    """Return the shortest decimal text that reads back as this f32, by way of a double."""
    for digits in range(1, 10):
        text = repr(float(f"{value:.{digits}g}"))
        if struct.pack("f", float(text)) == struct.pack("f", value):
            return text
    return repr(value)
