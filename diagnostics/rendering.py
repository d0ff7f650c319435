"""Rendering of errors for the terminal: location, code, message, source line with a caret, notes and help."""

from __future__ import annotations

import linecache
from typing import TYPE_CHECKING

from ..runtime.errors import rendered
from .locations import SourcePosition, is_source, note_source, source_position

if TYPE_CHECKING:
    from .errors import TilewrightError

_QUOTED = 160
"""The number of characters of a source line that are quoted: generated lines can be megabytes long."""


def register_source(name: str, text: str) -> None:
    """Keep text that is in no file (standard input, a string), so that errors can quote it.

    `linecache` is the standard library's table of source lines; an entry without a modification time stays.
    """
    note_source(name)
    linecache.cache[name] = (len(text), None, [f"{line}\n" for line in text.split("\n")], name)


def render(error: TilewrightError) -> str:
    """Render the error as text, without a newline at the end.

    ```
    matmul.mlir:3:8: error[TW0103]: expected f32, but got f64
      %0 = arith.addf %a, %b : f32
           ^
    note: ...
    help: ...
    ```
    """
    position = source_position(error.location)
    return rendered(error, position, quote(position) if position is not None else ())


def quote(position: SourcePosition) -> list[str]:
    """Return the source line at `position` and a caret under its column; empty where the text is not at hand.

    Only files that this process reads or runs are quoted: IR text may name any file in its locations.
    """
    if not position.line or not is_source(position.file):
        return []
    linecache.checkcache(position.file)
    text = linecache.getline(position.file, position.line).rstrip()
    if not text.strip():
        return []
    start = max(0, min(position.column - _QUOTED // 2, len(text) - _QUOTED))
    text = _printable(text[start : start + _QUOTED])
    before = text[: position.column - 1 - start].ljust(position.column - 1 - start)
    # Tabs are kept, so that the caret is under its column for any tab width.
    padding = "".join("\t" if character == "\t" else " " for character in before)
    return [text, f"{padding}^"]


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
