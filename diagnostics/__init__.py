"""Errors, source locations and their rendering: the lowest layer, used by every other one."""

from .codes import CODES, ErrorCode
from .errors import TilewrightError, fail

__all__ = ["CODES", "ErrorCode", "TilewrightError", "fail"]
