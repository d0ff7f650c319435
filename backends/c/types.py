"""The C types of elements: the type for computation, and the type in memory.

The narrow floats f16 and bf16 are stored as integers with their bits and computed in `float`, and each result is
rounded to the narrow type: for the basic operations and the square root the result equals that of the narrow type.
"""

from __future__ import annotations

from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.ir import Attribute

from ...dialects.dtypes import is_storage, storage_bits
from ..written.text import PRIMARY, UNARY, Expression
from ..written.types import TypeNames, element_of, float_text, is_integer, width_of

TYPES = TypeNames("double", "float", "bool", "_t")
value_type, unsigned_type = TYPES.value, TYPES.unsigned
_NARROW: dict[type[Attribute], str] = {Float16Type: "half", BFloat16Type: "bfloat"}


def narrow_name(type_: Attribute) -> str | None:
    """Return the name of a narrow float in names of helpers; None for all other types."""
    return _NARROW.get(type(element_of(type_)))


def storage_type(element: Attribute) -> str:
    """Return the C type of an element in memory."""
    return "uint16_t" if narrow_name(element) else value_type(element)


def literal(value: float | int, type_: Attribute) -> Expression:
    """Return a constant of C."""
    if is_storage(element_of(type_)):
        return Expression(str(storage_bits(value, element_of(type_))))
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
