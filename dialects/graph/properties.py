"""
Properties of graph ops: their declaration, text and Python values.

Each property is a keyword in the custom syntax, followed by its value unless it is a flag; a property with its default
value is left out. The declaration determines the kind of value, so an op class does not define syntax:

    graph.conv2d %x, %w strides [2, 2] padding [3, 3, 3, 3] groups 32 : tensor<1x64x112x112xf32>
    graph.cast %x to f64 : tensor<4xf64>
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnitAttr,
    i64,
)
from xdsl.ir import Attribute
from xdsl.irdl import AnyAttr, AttrConstraint, opt_prop_def, prop_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..dtypes import dtype_name, element_type

Value: TypeAlias = int | float | bool | str | tuple[int, ...] | tuple[int | str, ...] | None
"""A property as Python sees it; dtypes are numpy names, absent optional properties are None."""

Ints: TypeAlias = DenseArrayBase[IntegerType]
Int: TypeAlias = IntegerAttr[IntegerType]
Float: TypeAlias = FloatAttr[Float64Type]

_INTS = cast("AttrConstraint[Ints]", DenseArrayBase.constr(i64))
_INT = cast("AttrConstraint[Int]", IntegerAttr.constr(i64))
_FLOAT = cast("AttrConstraint[Float]", FloatAttr.constr(Float64Type()))


def ints_attr(values: Sequence[int]) -> Ints:
    return DenseArrayBase.from_list(i64, [int(value) for value in values])


def int_attr(value: int) -> Int:
    return IntegerAttr(int(value), i64)


def float_attr(value: float) -> Float:
    return FloatAttr(float(value), Float64Type())


def ints_prop(default: Sequence[int] | None = None) -> Ints:
    """Declare a required list of integers, or one with a default."""
    return prop_def(_INTS) if default is None else prop_def(_INTS, default_value=ints_attr(default))


def opt_ints_prop() -> Ints | None:
    return opt_prop_def(_INTS)


def int_prop(default: int | None = None) -> Int:
    return prop_def(_INT) if default is None else prop_def(_INT, default_value=int_attr(default))


def float_prop(default: float | None = None) -> Float:
    return prop_def(_FLOAT) if default is None else prop_def(_FLOAT, default_value=float_attr(default))


def opt_float_prop() -> Float | None:
    return opt_prop_def(_FLOAT)


def string_prop(default: str) -> StringAttr:
    """Declare a name, out of a set that the op knows."""
    return prop_def(StringAttr, default_value=StringAttr(default))


def dims_prop() -> ArrayAttr[StringAttr]:
    """Declare a list of sizes: numbers, and expressions of sizes of operands (`shaped.py`)."""
    return prop_def(ArrayAttr[StringAttr])


def dims_attr(dims: Sequence[int | str]) -> ArrayAttr[StringAttr]:
    return ArrayAttr([StringAttr(str(dim)) for dim in dims])


def flag_prop() -> UnitAttr | None:
    """Declare a flag, which is set where the keyword is there."""
    return opt_prop_def(UnitAttr)


def type_prop() -> Attribute:
    """Declare an element type."""
    return prop_def(AnyAttr())


def opt_type_prop() -> Attribute | None:
    return opt_prop_def(AnyAttr())


@dataclass(frozen=True)
class Codec:
    """One kind of property: its conversions to and from Python and text."""

    to_attr: Callable[[Any], Attribute]
    to_python: Callable[[Any], Value]
    parse: Callable[[Parser], Attribute]
    print: Callable[[Printer, Any], None]
    is_flag: bool = False


def _parse_ints(parser: Parser) -> Attribute:
    return ints_attr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer))


def dims_of(attr: ArrayAttr[StringAttr]) -> tuple[int | str, ...]:
    """Return sizes as numbers and expressions."""
    texts = [each.data for each in attr.data]
    return tuple(int(text) if text.removeprefix("-").isdecimal() else text for text in texts)


def _parse_dims(parser: Parser) -> Attribute:
    def parse_dim() -> int | str:
        text = parser.parse_optional_str_literal()
        return parser.parse_integer() if text is None else text

    return dims_attr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parse_dim))


def _print_dims(printer: Printer, attr: ArrayAttr[StringAttr]) -> None:
    with printer.delimited("[", "]"):
        printer.print_list(
            dims_of(attr),
            lambda dim: printer.print_int(dim) if isinstance(dim, int) else printer.print_string_literal(dim),
        )


def _float_text(value: float) -> str:
    """Return the shortest text that the lexer reads back as this number; it wants a point before an exponent."""
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def _parse_float(parser: Parser) -> Attribute:
    for text in ("inf", "nan"):
        if parser.parse_optional_keyword(text):
            return float_attr(float(text))
    if parser.parse_optional_keyword("minus_inf"):
        return float_attr(-math.inf)
    return float_attr(parser.parse_number())


def _print_float(printer: Printer, attr: Float) -> None:
    value = attr.value.data
    printer.print_string("minus_inf" if value == -math.inf else _float_text(value))


_CODECS: dict[type[Attribute], Codec] = {
    DenseArrayBase: Codec(
        ints_attr,
        lambda attr: tuple(attr.get_values()),
        _parse_ints,
        lambda printer, attr: printer.print_string(str(list(attr.get_values()))),
    ),
    ArrayAttr: Codec(dims_attr, dims_of, _parse_dims, _print_dims),
    IntegerAttr: Codec(
        int_attr,
        lambda attr: attr.value.data,
        lambda parser: int_attr(parser.parse_integer()),
        lambda printer, attr: printer.print_string(str(attr.value.data)),
    ),
    FloatAttr: Codec(float_attr, lambda attr: attr.value.data, _parse_float, _print_float),
    UnitAttr: Codec(
        lambda _: UnitAttr(), lambda _: True, lambda _: UnitAttr(), lambda _printer, _attr: None, is_flag=True
    ),
    StringAttr: Codec(
        StringAttr,
        lambda attr: attr.data,
        lambda parser: StringAttr(parser.parse_str_literal()),
        lambda printer, attr: printer.print_string_literal(attr.data),
    ),
}
_TYPE_CODEC = Codec(
    lambda value: element_type(value) if isinstance(value, str) else value,
    dtype_name,
    lambda parser: parser.parse_type(),
    lambda printer, attr: printer.print_attribute(attr),
)


def codec_of(constraint: AttrConstraint) -> Codec:
    """Return the kind of property that a declaration asks for."""
    bases = constraint.get_bases()
    if not bases:
        return _TYPE_CODEC
    (base,) = bases
    return _CODECS[base]
