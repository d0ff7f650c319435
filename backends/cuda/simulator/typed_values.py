"""Expressions of generated code: their text, type and the bounds of integers.

Python's integers do not wrap, so the text of an operation that may exceed 64 bits truncates the result to them; bounds
prove where it cannot exceed them. Additions, subtractions and products also keep the text without truncation, because
nested sums need only one truncation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .types import BOOL, FLOAT16, FLOAT32, FLOAT64, INT64, UINT64, Scalar, TupleType, Type

PREFIX = "tw__"
"""The prefix of names in generated code that are not the kernel's."""


@dataclass(frozen=True)
class Value:
    """An expression: `text` is in parentheses where it needs them."""

    type: Type
    text: str
    low: int = 0
    high: int = 0
    raw: str | None = None
    """Of 64-bit integers, the text before it is cut; of booleans, a text that is good enough for a condition."""
    constant: Any = None
    """The value of a float literal or a cast of one."""
    items: tuple[Value, ...] | None = None
    """The elements of a tuple that is written out."""

    @property
    def uncut(self) -> str:
        return self.raw or self.text

    @property
    def known(self) -> int | None:
        """The value of an integer constant."""
        is_integer = isinstance(self.type, Scalar) and self.type.is_integer
        return self.low if is_integer and self.low == self.high else None


def literal(value: int, type: Scalar = INT64) -> Value:
    """Return an integer constant."""
    text = repr(bool(value)) if type == BOOL else str(value) if value >= 0 else f"({value})"
    return Value(type, text, value, value)


def full(type: Scalar, text: str) -> Value:
    """Return a value of which only the type is known."""
    return Value(type, text, type.low, type.high) if type.is_integer else Value(type, text)


def cut(text: str, type: Scalar) -> str:
    """Return the integer `text` modulo two to the number of bits."""
    mask = (1 << type.bits) - 1
    if type.kind == "u":
        return f"({text} & {mask})"
    half = 1 << (type.bits - 1)
    return f"(({text} + {half} & {mask}) - {half})"


def cast(value: Value, type: Scalar, constants: Callable[[Any], str]) -> Value:
    """Return the value as `type`; `constants` names a constant of the generated code."""
    source = value.type
    assert isinstance(source, Scalar)
    if source == type:
        return value
    if type == BOOL:
        return Value(BOOL, f"({value.text} != 0)", 0, 1)
    if type.is_integer:
        return _to_integer(value, source, type)
    if value.constant is not None or value.known is not None:
        number = type.dtype.type(value.constant if value.constant is not None else value.known)
        return Value(type, constants(number), constant=number)
    return Value(type, f"{PREFIX}{type.name}({value.text})")


def _to_integer(value: Value, source: Scalar, type: Scalar) -> Value:
    if not source.is_integer:
        return full(type, f"{PREFIX}truncated({value.text}, {type.low}, {type.high})")
    if source == BOOL:
        return Value(type, f"int({value.text})", 0, 1) if value.known is None else literal(value.low, type)
    if type.low <= value.low and value.high <= type.high:
        return Value(type, value.text, value.low, value.high)
    text = value.uncut if source in (INT64, UINT64) else value.text
    if value.known is not None:
        modulus = 1 << type.bits
        return literal((value.known - type.low) % modulus + type.low, type)
    return full(type, cut(text, type))


def cast_any(value: Value, type: Type, constants: Callable[[Any], str]) -> Value | None:
    """Return the value as `type`, elements of tuples included; None where it cannot be."""
    if value.type == type:
        return value
    if isinstance(type, Scalar) and isinstance(value.type, Scalar):
        return cast(value, type, constants)
    if not isinstance(type, TupleType) or not isinstance(value.type, TupleType):
        return None
    if len(type.items) != len(value.type.items):
        return None
    name = f"{PREFIX}tuple"
    parts = value.items or tuple(_item(name, i, item) for i, item in enumerate(value.type.items))
    items = [cast_any(part, item, constants) for part, item in zip(parts, type.items, strict=True)]
    if None in items:
        return None
    text = f"({', '.join(item.text for item in items if item)},)"
    return Value(type, text if value.items else f"(lambda {name}: {text})({value.text})")


def _item(name: str, index: int, type: Type) -> Value:
    text = f"{name}[{index}]"
    return full(type, text) if isinstance(type, Scalar) else Value(type, text)


def item_of(value: Value, index: int) -> Value:
    """Return an element of a tuple."""
    assert isinstance(value.type, TupleType)
    return value.items[index] if value.items else _item(value.text, index, value.type.items[index])


def integer_operation(operator: str, left: Value, right: Value, type: Scalar) -> Value:
    """Return the value of `left operator right` of integers that have been cast to `type`, 64 bits or boolean."""
    if operator in ("<<", ">>"):
        return _shift(operator, left, right, type)
    low, high = _bounds(operator, left, right, type)
    if low == high and (left.known is None or right.known is None):
        high += 1  # a product with zero is no constant: its other operand may read memory
    text = f"({left.text} {operator} {right.text})"
    if low == high and operator in ("+", "-", "*"):
        return literal((low - type.low) % (1 << 64) + type.low, type)
    fits = type.low <= low and high <= type.high
    if operator in ("+", "-", "*"):
        raw = f"({left.uncut} {operator} {right.uncut})"
        return Value(type, text, low, high, raw) if fits else Value(type, cut(raw, type), type.low, type.high, raw)
    if operator == "**":
        return full(type, cut(f"{PREFIX}integer_power({left.text}, {right.text})", type))
    return Value(type, text, low, high) if fits else full(type, cut(text, type))


def _shift(operator: str, left: Value, right: Value, type: Scalar) -> Value:
    counted = right.low >= 0 and right.high < 64
    if operator == ">>":
        text = f"({left.text} >> {right.text})" if counted else f"{PREFIX}shifted_right({left.text}, {right.text})"
        return Value(type, text, min(left.low, 0), max(left.high, 0))
    text = f"({left.text} << {right.text})" if counted else f"{PREFIX}shifted_left({left.text}, {right.text})"
    if counted:
        low, high = min(left.low << right.high, left.low), max(left.high << right.high, left.high)
        if type.low <= low and high <= type.high:
            return Value(type, text, low, high)
    return full(type, cut(text, type))


def _bounds(operator: str, left: Value, right: Value, type: Scalar) -> tuple[int, int]:
    a, b, c, d = left.low, left.high, right.low, right.high
    largest = max(abs(a), abs(b))
    match operator:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
        case "*":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case "//" if c > 0:
            corners = (a // c, a // d, b // c, b // d)
            return min(corners), max(corners)
        case "//":
            return -largest if type.kind == "i" else 0, largest
        case "%" if c > 0:
            return 0, min(d - 1, b) if a >= 0 else d - 1
        case "%" if type.kind == "i":
            bound = max(abs(c), abs(d))
            return -bound, bound
        case "&" if a >= 0 or c >= 0:
            return 0, min(bound for low, bound in ((a, b), (c, d)) if low >= 0)
        case "|" | "^" if a >= 0 and c >= 0:
            return 0, (1 << max(b, d).bit_length()) - 1
        case _:
            return type.low, type.high


FLOATS = {FLOAT16, FLOAT32, FLOAT64}
