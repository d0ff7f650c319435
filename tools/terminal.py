"""Errors in colour, where standard error is a terminal."""

from __future__ import annotations

import sys

from ..diagnostics import TilewrightError


def show(error: TilewrightError) -> None:
    """Print an error on standard error."""
    text = str(error)
    if not sys.stderr.isatty():
        print(text, file=sys.stderr)
        return
    from rich.console import Console
    from rich.text import Text

    styled = Text(text)
    styled.highlight_regex(r"\A[^\n]*error\[TW\d+\]:", "bold red")
    styled.highlight_regex(r"(?m)^(note|help):", "bold cyan")
    styled.highlight_regex(r"(?m)^\s*\^$", "bold green")
    Console(stderr=True, soft_wrap=True, highlight=False).print(styled)
