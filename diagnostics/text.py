"""Text of messages."""

from __future__ import annotations

from collections.abc import Sequence


def filled(message: str, values: Sequence[object]) -> str:
    """A message with its values in the places that it marks with `{}`; other braces stand for themselves."""
    first, *others = message.split("{}")
    return first + "".join(f"{value}{text}" for value, text in zip(values, others, strict=True))


def on_one_line(error: Exception) -> str:
    """The message of a verifier's exception, whose lines are parts of one sentence."""
    return " ".join(line.strip() for line in str(error).splitlines())


def number_text(value: object, digits: int | None) -> str:
    """A number as programs print it: with that many significant digits, as C's `%.9g` does, or an integer in full."""
    return f"{int(value)}" if digits is None else f"{float(value):.{digits}g}"  # pyright: ignore[reportArgumentType]


def printable(text: str) -> str:
    """Text with escapes for what a terminal would act upon, or could not encode: names come from files."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)
