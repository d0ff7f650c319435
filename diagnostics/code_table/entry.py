"""The entries of the tables of error codes, which the runtime declares."""

from __future__ import annotations

from ...runtime.error_codes import ErrorCode as ErrorCode
