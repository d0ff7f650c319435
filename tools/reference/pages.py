"""The pages of the documentation site that are generated from the code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from .entry import Entry, Kind
from .lookup import entries

_FENCE = re.compile(r"(?<=\S)\n```(\w+)\n")
_FENCE_END = re.compile(r"\n```\n(?=\S)")


def write_pages(folder: Path) -> list[Path]:
    """Write a page for each kind and group of entries, and an index; return the paths of the pages."""
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for kind in Kind:
        groups: dict[str, list[Entry]] = {}
        for entry in entries():
            if entry.kind is kind:
                groups.setdefault(entry.group, []).append(entry)
        pages = [_write_group(folder, kind, group, members) for group, members in groups.items()]
        written += pages
        if len(pages) > 1:
            written.append(_write_index(folder, kind, pages))
    index = folder / "index.md"
    names = "\n".join(kind.value for kind in Kind)
    index.write_text(
        f"# Reference\n\nMade from the code.\n\n```{{toctree}}\n:maxdepth: 2\n\n{names}\n```\n", encoding="utf-8"
    )
    return [*written, index]


def page_of(entry: Entry) -> str:
    """Return the page of the site that has an entry, relative to the site's root, with the anchor if the entry has
    one."""
    anchor = f"#{_label(entry)}" if _labels()[_label(entry)] == 1 else ""
    return f"reference/{_page(entry.kind, entry.group)}.html{anchor}"


@cache
def _labels() -> Counter[str]:
    return Counter(map(_label, entries()))


def _page(kind: Kind, group: str) -> str:
    return f"{kind.value}-{_slug(group)}" if group else kind.value


def _write_group(folder: Path, kind: Kind, group: str, members: Sequence[Entry]) -> Path:
    path = folder / f"{_page(kind, group)}.md"
    title = f"{kind.title}: {_group_title(kind, group)}" if group else kind.title
    sections = [section(entry, is_labelled=_labels()[_label(entry)] == 1) for entry in members]
    path.write_text("\n\n".join([f"# {title}", *sections]) + "\n", encoding="utf-8")
    return path


def _group_title(kind: Kind, group: str) -> str:
    return f"the {group} dialect" if kind is Kind.OPERATION else group


def _write_index(folder: Path, kind: Kind, pages: Sequence[Path]) -> Path:
    path = folder / f"{kind.value}.md"
    names = "\n".join(page.stem for page in pages)
    path.write_text(f"# {kind.title}\n\n```{{toctree}}\n:maxdepth: 2\n\n{names}\n```\n", encoding="utf-8")
    return path


def section(entry: Entry, *, is_labelled: bool = True) -> str:
    """Return an entry under its heading, with a label that other pages link to; labels ignore case."""
    heading = f"## {entry.name}\n\n{spaced(entry.text)}"
    return f"({_label(entry)})=\n{heading}" if is_labelled else heading


def _label(entry: Entry) -> str:
    return f"{entry.kind.value}-{_slug(entry.name)}"


def spaced(text: str) -> str:
    """Return Markdown with an empty line around each fence, as its readers want it."""
    return _FENCE_END.sub("\n```\n\n", _FENCE.sub(r"\n\n```\1\n", text))


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
