"""`--verify-diagnostics`: errors that a file announces in comments.

`// expected-error {{text}}` expects an error on the line of the comment whose code and message contain `text`. Another
line can be given: `@+1`, `@-2`, `@below` (the next line), `@above`, `@unknown` (an error without a location).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ..diagnostics import TilewrightError
from ..diagnostics.locations import file_location, source_position

_COMMENT = re.compile(r"//\s*expected-error\s*(?:@\s*(?P<at>[+-]\d+|below|above|unknown))?\s*\{\{(?P<text>.*?)\}\}")
_OFFSETS = {None: 0, "below": 1, "above": -1}


class Expectation(NamedTuple):
    """An error that a comment announces."""

    text: str
    line: int | None
    """The line of the error; None for an error without a position."""
    written: int
    """The line of the comment."""

    def is_met_by(self, error: TilewrightError) -> bool:
        """Return whether `error` is the announced one."""
        position = source_position(error.location)
        line = position.line if position else None
        return line == self.line and self.text in f"{error.code}: {error.message}"


def expectations(text: str) -> list[Expectation]:
    """Return the errors that the comments of a file announce."""
    result: list[Expectation] = []
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _COMMENT.finditer(line):
            at = match["at"]
            where = None if at == "unknown" else number + (_OFFSETS[at] if at in _OFFSETS else int(at))
            result.append(Expectation(match["text"], where, number))
    return result


def check(text: str, name: str, error: TilewrightError | None) -> list[TilewrightError]:
    """Return the differences between the error that was raised, if any, and the errors that the comments in `text`
    announce."""
    wanted = expectations(text)
    unmet = [expectation for expectation in wanted if error is None or not expectation.is_met_by(error)]
    problems = [
        TilewrightError(
            "TW0210",
            f"expected error {{{{{expectation.text}}}}} did not come",
            location=file_location(name, expectation.written, 1),
        )
        for expectation in unmet
    ]
    if error is not None and len(unmet) == len(wanted):
        problems.append(error)
    return problems
