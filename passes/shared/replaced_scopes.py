"""Remark TW0674: a buffer that is not in the memory space that the schedule requests, and the reason."""

from __future__ import annotations

from xdsl.ir import Operation

from ...diagnostics.locations import name_of
from ...diagnostics.remarks import remark
from ...dialects import loop


def remark_replaced_scope(alloc: loop.AllocOp, becomes: str, reason: str, op: Operation | None = None) -> None:
    """Emit the remark about a buffer, at its allocation or at `op`."""
    text = f"{loop.scope_of(alloc.res.type)} buffer {name_of(alloc.res)} {becomes}: {reason}"
    remark("TW0674", text, op=op or alloc, kind="analysis")
