"""When results go to memory past the caches.

A result that no cache holds is gone from all of them when somebody reads it: keeping it there only costs the reading of
each line before it is written. It has to be the caller's and nothing may read it here.
"""

from __future__ import annotations

from xdsl.ir import BlockArgument

from ...analysis.access import accesses_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.loop.pragmas import STREAMING_STORES
from ...dialects.target import CpuTargetAttr
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .structure import buffer_bytes


def stream_stores(sch: Schedule, block: BlockRV, around: LoopRV, target: CpuTargetAttr) -> None:
    """Let the vectors that `block` stores in the loop `around` stream, where that pays."""
    stores = [op for op in sch.block(block).body.block.ops if isinstance(op, loop.StoreOp)]
    if all(_pays(store, target) for store in stores):
        sch.pragma(around, STREAMING_STORES, True)
        names = ", ".join(f"'{store.buffer.name_hint}'" for store in stores)
        message = f"vectors stored to {names} pass the caches by, which hold {max(target.caches)} bytes"
        remark("TW0761", message, op=stores[0], kind="analysis")


def _pays(store: loop.StoreOp, target: CpuTargetAttr) -> bool:
    buffer = store.buffer
    if not isinstance(buffer, BlockArgument) or not any(target.caches):
        return False
    size = buffer_bytes(buffer.type)  # pyright: ignore[reportArgumentType]
    return size > max(target.caches) and all(access.is_write for access in accesses_of(buffer))
