"""Errors of the tensor-expression language, pointing at the user's Python line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NoReturn

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from ..diagnostics import fail

_PACKAGE = __name__.split(".")[0]


def user_location() -> FileLineColLoc | None:
    """The innermost line outside this package that led here."""
    frame = sys._getframe(1)
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module != _PACKAGE and not module.startswith(_PACKAGE + "."):
            file = StringAttr(frame.f_code.co_filename)
            return FileLineColLoc(file, IntAttr(frame.f_lineno), IntAttr(1))
        frame = frame.f_back
    return None


def te_error(code: str, message: str, *, help: str | None = None, notes: Sequence[str] = ()) -> NoReturn:
    """Raise a TilewrightError at the user's line."""
    fail(code, message, location=user_location(), notes=notes, help=help)
