"""The table of error codes: the one source of `tilewright explain`, the reference and `fail`.

Ranges: TW01xx parsing and verifying IR; TW02xx command line, passes and options; TW03xx frontends;
TW04xx schedules and tensor expressions; TW05xx lowering; TW06xx backends and toolchain; TW07xx running a
compiled program; TW08xx tuning. Each has a table of its own here; the codes that compiled programs raise
while they run stand in the runtime's table, to which the others are added.
"""

from __future__ import annotations

from ...runtime.error_codes import CODES as CODES
from ...runtime.error_codes import ErrorCode as ErrorCode
from . import (
    backends,
    command_line,
    expressions,
    extending,
    frontends,
    ir,
    lowering,
    proof,
    running,
    schedules,
    tuning,
    upstream,
)

_TABLES = (
    ir,
    command_line,
    frontends,
    schedules,
    expressions,
    lowering,
    upstream,
    backends,
    running,
    proof,
    extending,
    tuning,
)

CODES.update({code: entry for table in _TABLES for code, entry in table.CODES.items()})
