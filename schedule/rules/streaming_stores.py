"""Non-temporal stores of results.

Results larger than the last-level cache are evicted before they are read. Ordinary stores would read each line before
writing it. The result has to be an argument of the function that the function does not read.

A kernel of a model does not stream a result of symbolic size: the next kernel reads it, perhaps from a cache. For
functions that users call with any size, large sizes are assumed.
"""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import BlockArgument, SSAValue

from ...analysis.access import accesses_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.loop.pragmas import STREAMING_STORES
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV
from ..schedule import Schedule
from .block_structure import buffer_bytes
from .coefficients import STORE_SHARE


def stream_stores(sch: Schedule, block: BlockRV, target: CpuTargetAttr) -> None:
    """Store the vectors of `block` past the caches, where that pays; its loops must have their final order.

    The outermost loop gets the annotation, because each of its threads waits for the stores where that loop ends.
    """
    stores = [op for op in sch.block(block).body.block.ops if isinstance(op, loop.StoreOp)]
    loops = [handle for handle in sch.get_loops(block) if _is_written_as_loop(sch.loop(handle))]
    if not loops or not all(_is_only_written(store.buffer) for store in stores) or not any(target.caches):
        return
    is_kernel = sch.func.sym_visibility is not None and sch.func.sym_visibility.data == "private"
    pays = all(_bytes(store.buffer, is_kernel) > _held(target) for store in stores)
    if decide("streaming", (False, True), pays, block=block):
        sch.pragma(loops[0], STREAMING_STORES, True)
        names = ", ".join(f"'{store.buffer.name_hint}'" for store in stores)
        message = f"vectors stored to {names} pass the caches by, which hold {_held(target)} bytes"
        remark("TW0761", message, op=stores[0], kind="analysis")


def _is_written_as_loop(op: loop.ForOp) -> bool:
    return op.kind in (loop.SERIAL, loop.PARALLEL) and op.constant_trip_count != 1


def _is_only_written(buffer: SSAValue) -> bool:
    """Return whether a buffer is an argument of the function that nothing reads here."""
    return isinstance(buffer, BlockArgument) and all(access.is_write for access in accesses_of(buffer))


def _bytes(buffer: SSAValue, is_kernel: bool) -> int:
    """Return the size of a result, symbolic dimensions as long as assumed; 0 for those of a kernel, where one is
    symbolic."""
    assert isinstance(buffer.type, MemRefType)
    return 0 if is_kernel and DYNAMIC_INDEX in buffer.type.get_shape() else buffer_bytes(buffer.type)


def _held(target: CpuTargetAttr) -> int:
    """Return the bytes of a result that the caches of all threads of a program can be expected to hold."""
    second, largest = target.caches[1], max(target.caches)
    return min(largest, STORE_SHARE * second * target.threads) if second else largest
