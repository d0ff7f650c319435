"""Output on terminals and in pipes: errors, in colour where standard error is a terminal, and tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

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


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[int] = ()) -> Iterator[str]:
    """Yield the rows with columns of equal width, those of `right` numbers aligned at their end."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = zip(row, widths, strict=True)
        yield "  ".join(c.rjust(w) if k in right else c.ljust(w) for k, (c, w) in enumerate(cells)).rstrip()


def time_text(seconds: float) -> str:
    """Return a time of measurements, with three decimals in s, ms or us."""
    unit, factor = next((u, f) for u, f, least in (("s", 1, 1), ("ms", 1e3, 1e-3), ("us", 1e6, 0)) if seconds >= least)
    return f"{seconds * factor:.3f} {unit}"
