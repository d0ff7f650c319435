"""Texts of modules, cut into functions and stored once.

Most passes leave most functions unchanged, and a changed function keeps most of its lines. So each line is stored once,
a text is a list of line numbers, and texts are identified by their contents.
"""

from __future__ import annotations

import re
from hashlib import sha256

from ..instruments.parts import MODULE, Part, distinct

_LONGEST_LINE = 2000
_CONSTANT = re.compile(r"(dense(?:_resource)?<)([^<>]{160,})(>)")
_CODE_START = re.compile(r"^[;#] function @(.*)$", re.MULTILINE)


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
