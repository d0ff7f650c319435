"""Errors of the tensor-expression language, pointing at the user's Python line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from ..diagnostics import fail
from ..diagnostics.locations import caller_location


def te_error(code: str, message: str, *, help: str | None = None, notes: Sequence[str] = ()) -> NoReturn:
    """Raise a TilewrightError at the user's line."""
    fail(code, message, location=caller_location(), notes=notes, help=help)
