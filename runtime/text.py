"""Text of messages."""

from __future__ import annotations

from collections.abc import Sequence


def filled(message: str, values: Sequence[object]) -> str:
    """Return a message with its values in the places that it marks with `{}`; other braces stand for themselves."""
    first, *others = message.split("{}")
    return first + "".join(f"{value}{text}" for value, text in zip(values, others))


def printable(text: str) -> str:
    """Return text with escapes for what a terminal would act upon, or could not encode: names come from files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
