"""`TilewrightError`, the exception type of all errors that the user can act on, and `fail`, which raises it.

A location is a `SourcePosition`, or a location of a compiler's IR, which the compiler renders (`slots.RENDER`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn, TypeVar

from .error_codes import entry_of
from .slots import RENDER
from .text import printable

E = TypeVar("E", bound="TilewrightError")


class SourcePosition(NamedTuple):
    """A position in a source file; line and column count from 1. In a model, which has no lines, both are 0."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


class ReportedError(RuntimeError):
    """The base of `TilewrightError`, and of errors that user functions raise when compiled code calls them."""


_OBJECT = re.compile(r"<(?:[\w.]+\.)?(\w+) object at 0x[0-9a-fA-F]+>")
_ADDRESS = re.compile(r"(<[^<>]*(?:<\w+>[^<>]*)*?) at 0x[0-9a-fA-F]+>")


def without_addresses(text: str) -> str:
    """Return `text` with objects by their types: an address is meaningless to a reader, and changes from run to run."""
    return _ADDRESS.sub(r"\1>", _OBJECT.sub(r"an object of type \1", text)) if " at 0x" in text else text


class TilewrightError(ReportedError):
    """An error in the user's program or request, with a code that `tilewright explain` describes.

    Where the table of codes names a builtin exception, such as ValueError, the error is an instance of that too, so
    that an `except ValueError` catches it.

    `help` is the remedy; by default it is that of the table of codes. Python prints one traceback of the error: the
    exception that it replaces stays in `__context__`, which `--traceback` of the command lines shows. Any other
    exception that escapes is a fault of the compiler.
    """

    code: str
    message: str
    location: Any
    """A `SourcePosition`, a location of IR, or None."""
    notes: list[str]
    help: str | None
    op: Any
    """The operation of IR that it is about; None where it is about none."""

    def __new__(cls: type[E], code: str, *_: Any, **__: Any) -> E:  # pyright: ignore[reportInconsistentConstructor]
        also = entry_of(code).also if cls is TilewrightError else None
        made: Any = cls if also is None else _with(also)
        return super().__new__(made)

    def __init__(
        self,
        code: str,
        message: str,
        *,
        location: Any = None,
        notes: Sequence[str] = (),
        help: str | None = None,
        op: Any = None,
    ) -> None:
        remedy = entry_of(code).remedy
        message = without_addresses(message)
        super().__init__(message)
        self.__suppress_context__ = True
        self.code = code
        self.message = message
        self.location = location
        self.notes = list(notes)
        self.help = help or remedy or None
        self.op = op

    def __str__(self) -> str:
        return RENDER.value(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message), self.__dict__


@cache
def _with(also: type[Exception]) -> type[TilewrightError]:
    """Return the errors that are one of Python's exceptions too, under the same name. Another process makes them
    anew."""
    members = {
        "__module__": TilewrightError.__module__,
        "__doc__": TilewrightError.__doc__,
        "__reduce__": lambda self: (TilewrightError, (self.code, self.message), self.__dict__),
    }
    return type(TilewrightError.__name__, (TilewrightError, also), members)


class UnknownNameError(TilewrightError, AttributeError):
    """A module has no such name. `hasattr`, and `getattr` with a default, treat it as an AttributeError."""


class MissingItemError(TilewrightError, IndexError):
    """A sequence has no item of that number."""


class UnknownModuleError(TilewrightError, ModuleNotFoundError):
    """There is no such module to import, or no such name to import from one. The error has no `name`: with one, Python
    would replace it by another error."""


def fail(
    code: str, message: str, *, notes: Sequence[str] = (), help: str | None = None, location: Any = None
) -> NoReturn:
    """Raise a `TilewrightError`."""
    raise TilewrightError(code, message, location=location, notes=notes, help=help)


def rendered(error: TilewrightError, position: SourcePosition | None, quoted: Sequence[str] = ()) -> str:
    """Return an error at `position` as text, without a newline at the end; `quoted` are lines of the source."""
    prefix = f"{position}: " if position else ""
    lines = [printable(f"{prefix}error[{error.code}]: {error.message}"), *quoted]
    lines += [printable(f"note: {note}") for note in error.notes]
    if error.help is not None:
        lines.append(printable(f"help: {error.help}"))
    return "\n".join(lines)


def render_plainly(error: TilewrightError) -> str:
    """Return the text of an error without lines of sources, which the runtime does not have."""
    return rendered(error, error.location if isinstance(error.location, SourcePosition) else None)
