"""Execution by one thread, in order, of the nests that no rule fits.

Programs without a parallel axis, such as scans, and blocks that share their loops with others are correct in this form,
but slow.
"""

from __future__ import annotations

from ....analysis.access import blocks_in
from ....analysis.domain import loops_around
from ....diagnostics.remarks import remark
from ...schedule import Schedule
from .grid_threads import THREADS, is_bound


def bind_rest(sch: Schedule) -> None:
    """Give every nest of the function that is bound to nothing a thread."""
    for block in blocks_in(sch.func):
        around = loops_around(block)
        if is_bound(around[0] if around else block):
            continue
        remark("TW0647", f"block '{block.label}' is run by one thread: no rule runs it in parallel", op=block)
        handle = sch.get_block(block.label)
        nest = sch.get_loops(handle)
        sch.bind(sch.add_unit_loop(nest[0] if nest else handle), THREADS)
