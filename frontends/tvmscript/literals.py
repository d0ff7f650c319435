"""Types and attributes as Python writes them, both ways.

An element type is written by its numpy name, a vector type by that name with the lanes ("float32x8"), any other type by
its MLIR text. An attribute is written as a Python number, string, list or dictionary where that represents it
completely, else as `T.tw.attr("…")` around its MLIR text.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from typing import Any

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    StringAttr,
    UnitAttr,
    VectorType,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError, VerifyException

from ...diagnostics import TilewrightError
from ...diagnostics.parsing import SourceParser
from ...dialects import context
from ...dialects.constant_data import parse_data, print_data
from ...dialects.dtypes import dtype_name, element_type, vector_type
from ...dialects.loop import GLOBAL, buffer_type, scope_of

_INDEX = "index"
_CLASSIC = {"float": "float32", "int": "int32", "uint": "uint32", "double": "float64", "half": "float16"}
_LANES = re.compile(r"([a-z]+\d*)x(\d+)$")


class NotPrintable(Exception):
    """An IR construct that no script can express; the message names it."""


@dataclass(frozen=True)
class Attr:
    """An attribute as a value of a script: the result of `T.tw.attr`."""

    attribute: Attribute


def type_name(type: Attribute) -> str:
    """Return the name of a type in scripts."""
    if isinstance(type, IndexType):
        return _INDEX
    if isinstance(type, VectorType) and type.get_num_dims() == 1 and type_from(name := _vector_name(type)) == type:
        return name
    try:
        return dtype_name(type)
    except KeyError:
        return str(type)


def _vector_name(type: VectorType) -> str:
    return f"{type_name(type.element_type)}x{type.get_shape()[0]}"


@lru_cache(maxsize=1024)
def type_from(name: str) -> Attribute:
    """Return the type that a script names. Raises ValueError for a text that names none."""
    name = _CLASSIC.get(name, name)
    if name == _INDEX:
        return IndexType()
    try:
        return element_type(name)
    except KeyError:
        pass
    if (match := _LANES.match(name)) and int(match[2]) > 0:
        return vector_type(type_from(match[1]), int(match[2]))
    parsed = _parse(name, "type")
    assert isinstance(parsed, Attribute)
    return parsed


def parse_attribute(text: str) -> Attribute:
    """Parse an attribute in MLIR's text. Raises ValueError where it is none."""
    parsed = _parse(text, "attribute")
    assert isinstance(parsed, Attribute)
    return parsed


def parse_constant_data(text: str) -> tuple[Attribute, MemRefType]:
    """Parse the elements and the type of a constant buffer. Raises ValueError for text that is none."""
    value, type = _parse(text, "data")
    if not isinstance(type, MemRefType):
        raise ValueError(f"expected data of a memref, but got {type}")
    return value, type


def _parse(text: str, what: str) -> Any:
    try:
        parser = SourceParser(context(), text, "<attribute>")
        parse = {"type": parser.parse_type, "attribute": parser.parse_attribute, "data": lambda: parse_data(parser)}
        parsed: Any = parse[what]()
        rest = text[parser.pos :].strip()
    except (ParseError, TilewrightError, VerifyException, RecursionError) as error:
        raise ValueError(f"expected the text of a {what}, but got {text[:60]!r}") from error
    if rest:
        raise ValueError(f"expected nothing behind the {what}, but got {rest[:40]!r}")
    return parsed


def data_text(value: Attribute, type: Attribute) -> str:
    """Return the text of a constant's elements, which `parse_constant_data` reads."""
    stream = StringIO()
    print_data(Printer(stream=stream), value, type)
    return stream.getvalue()


def attribute_of(value: Any) -> Attribute:
    """Return the attribute that a value of a script stands for. Raises ValueError where there is none."""
    match value:
        case Attr():
            return value.attribute
        case None:
            return UnitAttr()
        case bool():
            return IntegerAttr(int(value), i1)
        case int() if -(2**63) <= value < 2**63:
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case list() | tuple():
            items: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
            return ArrayAttr([attribute_of(v) for v in items])
        case dict():
            entries: dict[Any, Any] = value
            if not all(isinstance(key, str) for key in entries):
                raise ValueError("expected texts as keys")
            return DictionaryAttr({key: attribute_of(v) for key, v in entries.items()})
        case _:
            raise ValueError(f"expected a number, a text, or a list or dictionary of these, but got {value!r}")


def quoted(text: str) -> str:
    """Return a text as a literal of Python, between double quotes where that needs no escapes."""
    return repr(text) if '"' in text else json.dumps(text, ensure_ascii=False)


def attribute_text(attribute: Attribute) -> str:
    """Return the expression of a script whose `attribute_of` is the attribute."""
    simple = _simple_text(attribute)
    return f"T.tw.attr({quoted(str(attribute))})" if simple is None else simple


def _simple_text(attribute: Attribute) -> str | None:
    match attribute:
        case UnitAttr():
            return "None"
        case IntegerAttr() if attribute.type == i64:
            return str(attribute.value.data)
        case IntegerAttr() if attribute.type == i1:
            value = bool(attribute.value.data)
            return str(value) if IntegerAttr(int(value), i1) == attribute else None
        case FloatAttr() if attribute.type == f64 and math.isfinite(attribute.value.data):
            return repr(attribute.value.data)
        case StringAttr():
            return quoted(attribute.data)
        case ArrayAttr():
            return f"[{', '.join(attribute_text(a) for a in attribute)}]"
        case DictionaryAttr():
            return attributes_text(dict(attribute.data))
        case _:
            return None


def attributes_text(attributes: dict[str, Attribute]) -> str:
    """Return the text of a dictionary of attributes."""
    return "{" + ", ".join(f"{quoted(key)}: {attribute_text(a)}" for key, a in attributes.items()) + "}"


def number_text(attribute: Attribute) -> str | None:
    """Return a number of an element type, as in `T.float32(0.5)`; None where no such number is that attribute."""
    match attribute:
        case IntegerAttr() if isinstance(attribute.type, IntegerType):
            name, value = type_name(attribute.type), attribute.value.data
            if name == "bool":
                return f"T.bool({bool(value)})" if value in (0, 1) else None
            return f"T.{name}({value})" if name.startswith("int") else None
        case FloatAttr():
            value, name = attribute.value.data, type_name(attribute.type)
            if "float" not in name or math.isnan(value):
                return None
            number = f"T.{name}({repr(value) if math.isfinite(value) else quoted(str(value))})"
            return number if FloatAttr(value, attribute.type) == attribute else None
        case _:
            return None


def buffer_text(type: MemRefType, shape: Sequence[str] | None = None) -> str:
    """Return `T.Buffer((64, 64), "float32", scope="shared")`, with other texts for the extents where `shape` has
    them."""
    sizes = shape or ["T.tw.any" if n == DYNAMIC_INDEX else str(n) for n in type.get_shape()]
    return f"T.Buffer({shape_text(sizes)}, {buffer_options(type)})"


def buffer_options(type: MemRefType) -> str:
    """Return the arguments of `T.Buffer` behind the shape. Raises NotPrintable for a memref that no script declares."""
    plain = buffer_type(type.get_shape(), type.element_type, scope_of(type))
    if plain != type:
        raise NotPrintable(f"a buffer of type {type}")
    scope = "" if scope_of(type) == GLOBAL else f", scope={quoted(scope_of(type))}"
    return f"{quoted(type_name(type.element_type))}{scope}"


def shape_text(sizes: Sequence[str]) -> str:
    """Return the text of a tuple."""
    return f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
