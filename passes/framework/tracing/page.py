"""An HTML page that contains its data, styles and scripts, and loads nothing.

The data is JSON, compressed if that is smaller, in an element that the browser does not execute. Its form:

    title     the name of the compiled program
    lines     every line of every text once
    texts     texts, as differences of consecutive line numbers: adjacent lines of a text mostly have adjacent numbers
    steps     the steps of the pipeline, in order; see `Step.data`

Most passes leave most functions unchanged, and a changed function keeps most of its lines. So `TextStore` stores each
line once; a text is a list of line numbers, and texts are identified by their contents.
"""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Literal

from ..instruments.parts import MODULE, Part, distinct

_FOLDER = Path(__file__).parent / "page"
_SCRIPTS = ("data.js", "diff.js", "rows.js", "section.js", "pipeline.js", "search.js", "main.js")
_SMALL = 50_000
"""Characters of data that are not worth compressing: they can be read in the page's source instead."""
_LONGEST_LINE = 2000
_CONSTANT = re.compile(r"(dense(?:_resource)?<)([^<>]{160,})(>)")
_CODE_START = re.compile(r"^[;#] function @(.*)$", re.MULTILINE)


@dataclass
class Step:
    """An entry of the pipeline: the module at a point, or code that it became."""

    kind: Literal["input", "pass", "code"]
    name: str
    spec: str
    """The pass with its options, as in `opt-tool --pass`."""
    phase: int | None = None
    seconds: float = 0.0
    rewrites: dict[str, int] = field(default_factory=dict[str, int])
    """The number of rewrites by name."""
    remarks: Sequence[tuple[str, str]] = ()
    """(kind, text) of each."""
    error: str = ""
    file: str = ""
    """The text's file, relative to the page."""
    ops: dict[str, int] = field(default_factory=dict[str, int])
    """Operations by dialect."""
    parts: Sequence[tuple[str, int]] = ()
    """(name, number of its text) of each part of the module, in order."""

    def data(self) -> dict[str, Any]:
        """Return the step as the page's scripts read it."""
        return vars(self)


def render(title: str, steps: Sequence[Step], store: TextStore) -> str:
    """Render the page."""
    texts = [[b - a for a, b in pairwise(chain([0], text))] for text in store.texts]
    data = {"title": title, "lines": list(store.lines), "texts": texts, "steps": [step.data() for step in steps]}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    form, text = ("json", _harmless(text)) if len(text) <= _SMALL else ("deflate", _compressed(text))
    values = {
        "title": html.escape(title),
        "style": _resource("page.css"),
        "form": form,
        "data": text,
        "script": "\n".join(map(_resource, _SCRIPTS)),
    }
    pieces = _resource("page.html").split("@@")  # at odd positions names of values
    return "".join(values[piece] if index % 2 else piece for index, piece in enumerate(pieces))


def _resource(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _harmless(text: str) -> str:
    """Return JSON that cannot end the element it stands in."""
    return text.replace("<", "\\u003c")


def _compressed(text: str) -> str:
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


class TextStore:
    """Every line and every text once."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        """Lines and their numbers."""
        self.texts: list[list[int]] = []
        """Texts as numbers of lines."""
        self._numbers: dict[bytes, int] = {}

    def add(self, text: str) -> int:
        """Add a text and return its number."""
        digest = sha256(text.encode()).digest()
        number = self._numbers.get(digest)
        if number is None:
            number = self._numbers[digest] = len(self.texts)
            lines = self.lines
            self.texts.append([lines.setdefault(elide(line), len(lines)) for line in text.splitlines()])
        return number


def code_parts(text: str) -> list[Part]:
    """Return lowered code in parts: one for each comment that names a function, or all of it."""
    starts = list(_CODE_START.finditer(text))
    if not starts:
        return [Part(MODULE, text)]
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return distinct([Part(m[1], text[m.end() + 1 : end].rstrip()) for m, end in zip(starts, ends, strict=True)])


def elide(line: str) -> str:
    """Return a line without the elements of large constants, and of bearable length."""
    line = _CONSTANT.sub(lambda match: f"{match[1]}… {len(match[2])} characters …{match[3]}", line)
    if len(line) > _LONGEST_LINE:
        return f"{line[:_LONGEST_LINE]}… {len(line) - _LONGEST_LINE} more characters"
    return line
