"""The types of elements in kernels: the type for computation, and the type in memory.

Arithmetic on the narrow floats f16 and bf16 is computed in float32, and each result is rounded to the narrow type: for
the basic operations and the square root the result equals that of the narrow type. In memory f16 is numba's float16,
and bf16 is a uint16 of its bits.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.builtin import BFloat16Type, Float16Type, IndexType, IntegerType
from xdsl.ir import Attribute

from ....dialects.dtypes import is_storage, storage_bits
from ...written.text import PRIMARY, UNARY, Expression, call
from ...written.types import TypeNames, element_of, float_text

TYPES = TypeNames("float64", "float32", "boolean", "")
value_type, unsigned_type = TYPES.value, TYPES.unsigned
_NARROW: dict[type[Attribute], str] = {Float16Type: "f16", BFloat16Type: "bf16"}


def narrow_name(type_: Attribute) -> str | None:
    """Return the name of a narrow float in names of device operations; None for all other types."""
    return _NARROW.get(type(element_of(type_)))


def storage_type(element: Attribute) -> str:
    """Return Numba's type of an element in memory."""
    match narrow_name(element):
        case "f16":
            return "float16"
        case "bf16":
            return "uint16"
        case _:
            return value_type(element)


def literal(value: float | int, type_: Attribute) -> Expression:
    """Return a constant with its type; a bare one would be a double on the device."""
    element = element_of(type_)
    match element:
        case _ if is_storage(element):
            text = str(storage_bits(value, element))
        case IndexType():
            return Expression(str(int(value)), PRIMARY if value >= 0 else UNARY)
        case IntegerType() if element.width.data == 1:
            return Expression("True" if value else "False")
        case IntegerType():
            text = str(int(value))
        case _:
            text = float_text(float(value), element, "math.nan", "math.inf")
    return Expression(f"{value_type(element)}({text})")


def rounded(value: Expression, type_: Attribute) -> Expression:
    """Return a float32 rounded to the narrow float of `type_`; unchanged for other types."""
    narrow = narrow_name(type_)
    if narrow is None:
        return value
    return replace(call(f"device.{narrow}_value", call(f"device.{narrow}_bits", value)), unrounded=value)
