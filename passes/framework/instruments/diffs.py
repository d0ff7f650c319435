"""Unified diffs of the functions that a pass changed in a module's text, in colour on terminals."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from typing import TextIO

from .parts import Part

_CONTEXT_LINES = 3
_STYLES = {"---": "bold", "+++": "bold", "@@": "cyan", "+": "green", "-": "red", "//": "bold cyan"}
"""The styles of lines by their prefixes; the first prefix that fits counts."""


def diff_lines(before: Iterable[Part], after: Iterable[Part]) -> Iterator[str]:
    """A unified diff of each part that differs, those that are gone last. Equal parts cost one comparison."""
    old = {part.name: part.text for part in before}
    for name, text in after:
        known = old.pop(name, "")
        if known != text:
            yield from _part_diff(name, known, text)
    for name, text in old.items():
        yield from _part_diff(name, text, "")


def _part_diff(name: str, before: str, after: str) -> Iterator[str]:
    lines = before.splitlines(), after.splitlines()
    return unified_diff(*lines, f"{name} before", f"{name} after", n=_CONTEXT_LINES, lineterm="")


def write_lines(stream: TextIO, lines: Iterable[str]) -> None:
    """Write lines of a diff, coloured where the stream shows colours."""
    if not has_colour(stream):
        stream.writelines(f"{line}\n" for line in lines)
        stream.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, color_system="standard", soft_wrap=True, highlight=False)
    for line in lines:
        console.print(Text(line, next((style for start, style in _STYLES.items() if line.startswith(start)), "")))


def has_colour(stream: TextIO) -> bool:
    """Return whether text for `stream` is coloured: on terminals, unless the variable NO_COLOR is set; elsewhere if
    FORCE_COLOR is set."""
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (stream.isatty() and os.environ.get("TERM") != "dumb")
