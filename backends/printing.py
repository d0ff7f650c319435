"""Formats of the lines that programs print: for C's printf, and for Python, which runs simulated kernels."""

from __future__ import annotations

from ..diagnostics.text import filled, number_text
from ..dialects.loop import PrintOp


def format_of(op: PrintOp, integer: str) -> str:
    """Return the line of an operation as a format of `printf`; `integer` is the format of 64 bits, "lld" for
    example."""
    number = "u" if op.is_unsigned else "d"
    last = integer[:-1] + number if op.digits is None else f".{op.digits}g"
    first, *others = op.message.data.replace("%", "%%").split("{}")
    formats = [*[integer] * (len(others) - 1), last]
    return first + "".join(f"%{each}{text}" for each, text in zip(formats, others, strict=True)) + "\n"


def print_line(message: str, digits: int, *numbers: object) -> None:
    """Print a line: the last number with that many significant digits, where these are not 0."""
    *indices, value = numbers
    print(filled(message, [*indices, number_text(value, digits or None)]), flush=True)
