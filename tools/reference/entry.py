"""Entries of the reference."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The kinds of entries, each a page or a folder of pages; the value is the name of that page."""

    OPERATION = "operations"
    PASS = "passes"
    PRIMITIVE = "primitives"
    INTRINSIC = "intrinsics"
    TARGET = "targets"
    CODE = "errors"
    NAME = "api"

    @property
    def title(self) -> str:
        """The heading of the page."""
        return _TITLES[self]


_TITLES = {
    Kind.OPERATION: "Operations",
    Kind.PASS: "Passes",
    Kind.PRIMITIVE: "Schedule primitives",
    Kind.INTRINSIC: "Scalar intrinsics",
    Kind.TARGET: "Targets",
    Kind.CODE: "Error codes",
    Kind.NAME: "Python API",
}


@dataclass(frozen=True)
class Entry:
    """One entry of the reference, which users can look up."""

    kind: Kind
    name: str
    """`graph.conv2d`, `tile`, `TW0104`, `tilewright.compile`."""
    group: str
    """The page of its kind that it stands on: a dialect, a phase, a module."""
    sentence: str
    """A summary of one line."""
    text: str
    """Markdown: all that is said about it, without its name."""


def documentation(item: object) -> str:
    """Return the docstring of a class or function; not an inherited one, nor the one that dataclasses make up."""
    stated = getattr(item, "__dict__", {}).get("__doc__") if isinstance(item, type) else getattr(item, "__doc__", None)
    is_made_up = isinstance(item, type) and (stated or "").startswith(f"{item.__name__}(")
    return "" if is_made_up else inspect.cleandoc(stated or "")


def first_sentence(text: str) -> str:
    """Return the first paragraph of a docstring, cut behind its first sentence."""
    paragraph = " ".join(text.partition("\n\n")[0].split())
    end = paragraph.find(". ")
    return paragraph if end < 0 else paragraph[: end + 1]


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown; empty where it has no row."""
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    rule = "|" + "---|" * len(heading)
    return "\n".join(["| " + " | ".join(heading) + " |", rule, *lines]) if lines else ""


def joined(parts: Iterable[str]) -> str:
    """Join paragraphs, without the empty ones."""
    return "\n\n".join(part for part in parts if part)
