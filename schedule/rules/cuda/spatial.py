"""Blocks without reduction: elementwise chains, padding, concatenations, look-ups.

    for blocks (blockIdx.x):
      for threads (threadIdx.x):
        for neighbours (vectorized): result = …

Threads of a warp write neighbouring elements, so that a warp's stores are whole lines. If four results are contiguous,
a thread computes four at once, with loads and stores of 16 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import MemRefType

from ....analysis.access import blocks_in
from ....analysis.domain import loops_around
from ....diagnostics.remarks import remark
from ....dialects import loop
from ....dialects.dtypes import numpy_dtype
from ....dialects.target import CudaTargetAttr
from ....traversal import operations
from ...decisions import decide
from ...schedule import Schedule
from ..block_structure import Shape, is_plain, shape_of
from ..tiles import divisors
from .grid_threads import VECTOR_BYTES, bind_flat, is_free


def schedule_spatial(sch: Schedule, op: loop.BlockOp, target: CudaTargetAttr) -> Sequence[loop.BlockOp] | None:
    """Share the elements of a block without reduction, and of those in the same loops, among threads."""
    nest, shape = nest_of(op), shape_of(op)
    if shape is None or not is_free(op) or not all(_goes_along(b, op) for b in nest):
        return None
    handle = sch.get_block(op.label)
    loops = list(sch.get_loops(handle)) or [sch.add_unit_loop(handle)]
    lanes = lanes_of(shape) if len(nest) == 1 else 1
    lanes = decide("spatial.lanes", divisors(lanes), lanes, block=op)
    if lanes > 1:
        loops[-1], vector = sch.split(loops[-1], [None, lanes])
        sch.vectorize(vector)
    blocks, threads = bind_flat(sch, loops, target)
    remark("TW0646", lambda: _remark_text(op, blocks, threads, lanes), op=op, kind="analysis")
    return nest


def nest_of(op: loop.BlockOp) -> list[loop.BlockOp]:
    """Return the blocks inside the outermost loop around a block."""
    loops = loops_around(op)
    return blocks_in(loops[0]) if loops else [op]


def _goes_along(block: loop.BlockOp, op: loop.BlockOp) -> bool:
    return is_plain(block) and "reduce" not in block.kinds and loops_around(block) == loops_around(op)


def lanes_of(shape: Shape) -> int:
    """Return the number of neighbouring results that a thread computes: as many as one load, where all loads are
    contiguous."""
    axis = shape.row_axis()
    if axis is None or axis.position != len(shape.spatial) - 1 or shape.reduce:
        return 1
    if not [extent for _, _, _, extent in shape.block.iteration()][axis.position].is_constant:
        return 1
    loads = [o for o in shape.operands if axis.variable in o.variables]
    if any(o.lane_stride(axis.variable) != 1 or o.op.conditions for o in loads):
        return 1
    types = [op.buffer.type for op in operations(shape.block) if isinstance(op, (loop.LoadOp, loop.StoreOp))]
    widest = max(numpy_dtype(type.element_type).itemsize for type in types if isinstance(type, MemRefType))
    lanes = VECTOR_BYTES // widest
    while lanes > 1 and axis.extent % lanes:
        lanes //= 2
    return min(lanes, 4)


def _remark_text(op: loop.BlockOp, blocks: int, threads: int, lanes: int) -> str:
    counted = f"{blocks} blocks" if blocks else "blocks"
    return f"block '{op.label}' is spread over {counted} of {threads} threads, {lanes} neighbours each"
