"""Scripts with faults: characters, lines and words changed at random."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from tilewright import TilewrightError
from tilewright.diagnostics.locations import source_position
from tilewright.script import from_source

_WORD = re.compile(r"[A-Za-z_]\w*|\d+|[-+*/%<>=]=?|[][(){}:,.]")
_STRAY = ("(", ")", "[", "]", ":", ",", "=", "'", '"', "\\", "\t", "#", "-", "9", "None", "é", "\0", "lambda", "@")


def mutated(text: str, seed: int, number: int) -> str:
    """Return the script with one to three faults."""
    draw = random.Random(f"{seed}/{number}")
    for _ in range(draw.choice((1, 1, 2, 3))):
        text = draw.choice(_FAULTS)(text, draw)
    return text


def _words(text: str) -> list[re.Match[str]]:
    return list(_WORD.finditer(text))


def _drop_word(text: str, draw: random.Random) -> str:
    word = draw.choice(_words(text))
    return text[: word.start()] + text[word.end() :]


def _swap_words(text: str, draw: random.Random) -> str:
    first, second = sorted(draw.sample(_words(text), 2), key=lambda m: m.start())
    between = text[first.end() : second.start()]
    return text[: first.start()] + second[0] + between + first[0] + text[second.end() :]


def _replace_word(text: str, draw: random.Random) -> str:
    """Replace a word by another one of the same kind: these faults get past Python's own parser."""
    word = draw.choice(_words(text))
    others = [m for m in _words(text) if _kind(m[0]) == _kind(word[0])]
    return text[: word.start()] + draw.choice(others)[0] + text[word.end() :]


def _kind(word: str) -> str:
    return "name" if word[0].isalpha() or word[0] == "_" else "number" if word.isdigit() else word


def _change_number(text: str, draw: random.Random) -> str:
    numbers = [m for m in _words(text) if m[0].isdigit()]
    if not numbers:
        return text
    number = draw.choice(numbers)
    new = draw.choice(("0", "-1", "7", "1.5", "2**70", "10**9", "99999999999999999999", "'a'", "True", "1e400"))
    return text[: number.start()] + new + text[number.end() :]


def _drop_line(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    del lines[draw.randrange(len(lines))]
    return "\n".join(lines)


def _move_line(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    line = lines.pop(draw.randrange(len(lines)))
    lines.insert(draw.randrange(len(lines) + 1), line)
    return "\n".join(lines)


def _indent(text: str, draw: random.Random) -> str:
    lines = text.split("\n")
    at = draw.randrange(len(lines))
    lines[at] = draw.choice(("    " + lines[at], lines[at].removeprefix("    "), " " + lines[at]))
    return "\n".join(lines)


def _insert(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text))
    return text[:at] + draw.choice(_STRAY) + text[at:]


def _truncate(text: str, draw: random.Random) -> str:
    return text[: draw.randrange(len(text))]


_FAULTS: tuple[Callable[[str, random.Random], str], ...] = (
    _drop_word, _swap_words, _replace_word, _replace_word, _replace_word, _replace_word, _replace_word, _replace_word,
    _change_number, _change_number, _change_number, _drop_line, _drop_line, _move_line, _move_line, _indent, _insert,
    _truncate,
)  # fmt: skip


def outcome_of(text: str) -> str:
    """Return "read" for a script that is one, else the code of its error, which has a line and a column.

    Raises AssertionError for an error without a place, and whatever else reading raises.
    """
    try:
        from_source(text, name="<mutated>")
    except TilewrightError as error:
        position = source_position(error.location)
        assert position is not None and position.line > 0 and position.column > 0, f"an error without a place: {error}"
        return error.code
    return "read"
