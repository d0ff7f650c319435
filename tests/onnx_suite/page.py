"""The page of docs whose parts commands write: each replaces its part alone."""

from __future__ import annotations

from pathlib import Path

HEADINGS = ("# The tests of ONNX", "## Element types")
"""The first lines of the parts, in order."""


def write_part(page: Path, heading: str, text: str) -> None:
    """Replace the part of a page that begins with a heading."""
    written = page.read_text(encoding="utf-8")
    starts = [written.find(f"{each}\n") for each in HEADINGS]
    parts: dict[str, str] = {}
    for each, start in zip(HEADINGS, starts, strict=True):
        end = min((other for other in starts if other > start), default=len(written))
        parts[each] = written[start:end] if start >= 0 else ""
    parts[heading] = text
    partial = page.with_suffix(".partial")
    partial.write_text("\n".join(f"{part.strip()}\n" for part in parts.values() if part), encoding="utf-8")
    partial.replace(page)
