"""Helpers for the text of messages, and suggestions of similar names for an unknown name."""

from __future__ import annotations

from ..runtime.text import did_you_mean as did_you_mean
from ..runtime.text import filled as filled
from ..runtime.text import printable as printable


def on_one_line(error: Exception) -> str:
    """Return the message of a verifier's exception, whose lines are parts of one sentence."""
    return " ".join(line.strip() for line in str(error).splitlines())


def number_text(value: object, digits: int | None) -> str:
    """Return a number as programs print it: with that many significant digits, as C's `%.9g` does, or an integer in
    full."""
    return f"{int(value)}" if digits is None else f"{float(value):.{digits}g}"  # pyright: ignore[reportArgumentType]
