"""Errors, source locations and their rendering: the lowest layer, used by every other one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..runtime.lazy import exports
from .errors import TilewrightError, fail

if TYPE_CHECKING:
    from .codes import CODES as CODES
    from .codes import ErrorCode as ErrorCode

_EXPORTS: dict[str, str] = {"CODES": "codes:CODES", "ErrorCode": "codes:ErrorCode"}

__all__ = ["CODES", "ErrorCode", "TilewrightError", "fail"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
