"""Errors, source locations and their rendering: the lowest layer, used by every other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.lazy import exports
from .errors import TilewrightError, fail

if TYPE_CHECKING:
    from .code_table import CODES as CODES
    from .code_table import ErrorCode as ErrorCode

_EXPORTS: dict[str, str] = {"CODES": "code_table:CODES", "ErrorCode": "code_table:ErrorCode"}

__all__ = ["CODES", "ErrorCode", "TilewrightError", "fail"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
