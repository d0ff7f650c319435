"""The one exception type for errors that the user can act on, and `fail`, which raises it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, Self, cast

from .codes import CODES

if TYPE_CHECKING:
    from xdsl.dialects.builtin import LocationAttr
    from xdsl.ir import Operation


class ReportedError(RuntimeError):
    """What programs are told with: `TilewrightError`, and what they raise themselves as `tvm.TVMError`."""


_OBJECT = re.compile(r"<(?:[\w.]+\.)?(\w+) object at 0x[0-9a-fA-F]+>")
_ADDRESS = re.compile(r"(<[^<>]*(?:<\w+>[^<>]*)*?) at 0x[0-9a-fA-F]+>")


def without_addresses(text: str) -> str:
    """`text` with objects by their types: an address says nothing to a reader, and changes from run to run."""
    return _ADDRESS.sub(r"\1>", _OBJECT.sub(r"an object of type \1", text)) if " at 0x" in text else text


class TilewrightError(ReportedError):
    """An error in what the user wrote or asked for, with a code that `tilewright explain` knows.

    Where the table of codes names one of Python's own exceptions it is one of those too: `except ValueError` and
    `except TypeError` catch it.

    `help` says what to do about it; where it is not given, the table of codes does. Python prints one traceback of it:
    the exception that it replaces stays in `__context__`, which `--traceback` of the command lines shows.
    Everything else that escapes is a fault of the compiler.
    """

    code: str
    message: str
    location: LocationAttr | None
    notes: list[str]
    help: str | None
    op: Operation | None
    """The operation that it is about, where it is about one."""

    def __new__(cls, code: str, *_: Any, **__: Any) -> Self:  # pyright: ignore[reportInconsistentConstructor]
        also = CODES[code].also if cls is TilewrightError and code in CODES else None
        return super().__new__(cls if also is None else cast("type[Self]", _with(also)))

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
        message = without_addresses(message)
        super().__init__(message)
        self.__suppress_context__ = True
        self.code = code
        self.message = message
        self.location = location
        self.notes = list(notes)
        self.help = help or CODES[code].remedy or None
        self.op = op

    def __str__(self) -> str:
        from .rendering import render

        return render(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message), self.__dict__


@cache
def _with(also: type[Exception]) -> type[TilewrightError]:
    """The errors that are one of Python's exceptions too, under the same name. Another process makes them anew."""
    members = {
        "__module__": TilewrightError.__module__,
        "__doc__": TilewrightError.__doc__,
        "__reduce__": lambda self: (TilewrightError, (self.code, self.message), self.__dict__),
    }
    return type(TilewrightError.__name__, (TilewrightError, also), members)


class UnknownNameError(TilewrightError, AttributeError):
    """A module has no such name. `hasattr`, and `getattr` with a default, treat it as Python's own error."""


class MissingItemError(TilewrightError, IndexError):
    """A sequence has no item of that number."""


class UnknownModuleError(TilewrightError, ModuleNotFoundError):
    """There is no such module to import, or no such name to import from one. It has no `name`, by which Python would
    put an error of its own in its place."""


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
