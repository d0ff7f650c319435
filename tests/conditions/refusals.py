"""Every refusal that a test sees has a remedy, and a place where its code is about a program.

An error counts as seen when its text is made, for a terminal or for a test that matches it. What tests raise themselves
does not count.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.locations import source_position

TESTS = str(Path(__file__).resolve().parents[1])

WITHOUT_A_LOCATION = re.compile(
    r"TW02\d\d"  # the command line, passes and options
    r"|TW03\d\d"  # models, which name the node
    r"|TW0408|TW0436|TW0472|TW0670"  # traces, which have no lines where they are JSON
    r"|TW0428|TW043[0-2]|TW0476|TW0532|TW0660"  # registrations, which name what is registered
    r"|TW055\d"  # what validation and bisection found
    r"|TW060[23]|TW061\d|TW062[02]"  # targets, what to build, tools that are missing
    r"|TW063[345]|TW064\d"  # devices, drivers, arrays of a GPU
    r"|TW07\d\d"  # calls of compiled programs, which name the argument
    r"|TW08\d\d"  # tuning, which names the decision, the record or the task
)
"""The codes of errors that are not about a line of a program."""

_seen: list[str] = []
_make, _show = TilewrightError.__init__, TilewrightError.__str__


def watch() -> None:
    """Look at each error that is shown from here on."""
    TilewrightError.__init__ = _made  # type: ignore[method-assign]
    TilewrightError.__str__ = _shown  # type: ignore[method-assign]


def forget() -> None:
    """Let a test begin."""
    _seen.clear()


def found() -> list[str]:
    """Return the defects of the errors that were shown since the test started."""
    return list(dict.fromkeys(_seen))


def check() -> None:
    """Fail where something was missing."""
    assert found() == [], "each refusal has a remedy, and a place where it is about a program"


def lacking(error: TilewrightError) -> str | None:
    """Return the part that an error lacks: a remedy or a source location."""
    if not error.help:
        return f"{error.code} has no remedy: {error.message}"
    is_located = error.op is not None or source_position(error.location) is not None
    if not is_located and WITHOUT_A_LOCATION.fullmatch(error.code) is None:
        return f"{error.code} has no place: {error.message}"
    return None


def _made(self: TilewrightError, *arguments: object, **options: object) -> None:
    _make(self, *arguments, **options)  # type: ignore[arg-type]
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.endswith("diagnostics/errors.py"):
        frame = frame.f_back
    self.is_ours = not frame.f_code.co_filename.startswith(TESTS)  # type: ignore[attr-defined]


def _shown(self: TilewrightError) -> str:
    missing = lacking(self) if getattr(self, "is_ours", True) else None
    if missing is not None:
        _seen.append(missing)
    return _show(self)
