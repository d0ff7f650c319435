"""The one exception type for errors that the user can act on, and `fail`, which raises it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from .codes import CODES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation


class TilewrightError(Exception):
    """An error in what the user wrote or asked for, with a code that `tilewright explain` knows.

    `help` says what to do about it; where it is not given, the table of codes does.
    Everything else that escapes is a fault of the compiler.
    """

    code: str
    message: str
    location: LocationAttr | None
    notes: list[str]
    help: str | None
    op: Operation | None
    """The operation that it is about, where it is about one."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        location: LocationAttr | None = None,
        notes: Sequence[str] = (),
        help: str | None = None,
        op: Operation | None = None,
    ) -> None:
        if code not in CODES:
            raise ValueError(f"expected an error code of the table in diagnostics/codes.py, but got {code}")
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.location = location
        self.notes = list(notes)
        self.help = help or CODES[code].remedy or None
        self.op = op

    def __str__(self) -> str:
        from .rendering import render

        return render(self)


class UnknownNameError(TilewrightError, AttributeError):
    """A module has no such name. `hasattr`, and `getattr` with a default, treat it as Python's own error."""


def fail(
    code: str,
    message: str,
    *,
    op: Operation | None = None,
    location: LocationAttr | None = None,
    notes: Sequence[str] = (),
    help: str | None = None,
) -> NoReturn:
    """Raise a `TilewrightError` at `location`, or at `op`'s location."""
    if location is None and op is not None:
        from .locations import location_of

        location = location_of(op)
    raise TilewrightError(code, message, location=location, notes=notes, help=help, op=op)
