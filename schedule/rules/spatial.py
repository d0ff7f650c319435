"""Blocks without reduction: elementwise chains, padding, transposes, concatenations.

The axis along which results are contiguous is vectorised, a few vectors are unrolled if the axis is long, and the
outermost loops run in parallel.
"""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType

from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..schedule import Schedule
from .block_structure import Axis, Shape
from .placement import share_among_threads
from .read_ahead import read_ahead
from .streaming_stores import stream_stores
from .tiles import NARROWEST

UNROLLED_VECTORS = 4
"""Independent vectors in flight, enough to cover the latency of a load."""


def schedule_spatial(sch: Schedule, block: BlockRV, shape: Shape, target: CpuTargetAttr) -> None:
    loops = list(sch.get_loops(block))
    counts = [axis.extent for axis in shape.spatial]
    outer = vectorize_row(sch, block, shape, target)
    if outer is not None:
        loops[-1], counts[-1] = outer, sch.loop(outer).constant_trip_count or counts[-1]
    share_among_threads(sch, block, loops, counts, shape.points, target)
    if outer is not None:
        stream_stores(sch, block, target)
        read_ahead(sch, block, target)


def vectorize_row(
    sch: Schedule, block: BlockRV, shape: Shape, target: CpuTargetAttr, tile: tuple[int, int] | None = None
) -> LoopRV | None:
    """Vectorise the innermost loop around a block, where results lie side by side along it; the loop over the vectors.

    `tile` is the number of vectors to unroll and of their lanes; None leaves both to the rule and to a decision.
    """
    axis = shape.row_axis()
    if axis is None or axis.position != len(shape.spatial) - 1:
        return None
    vectors, lanes = tile or _decided_tile(block, axis.extent, target.lanes(_bits_along(shape, axis)))
    if lanes < NARROWEST:
        return None
    outer, unrolled, vector = sch.split(sch.get_loops(block)[-1], [None, vectors, lanes])
    sch.unroll(unrolled)
    sch.vectorize(vector)
    return outer


def _bits_along(shape: Shape, axis: Axis) -> int:
    """Return the bits of the widest element that is accessed lane by lane; an element common to all lanes, such as the
    number of a looked-up row, takes no vector."""
    stored = [op.buffer for op in shape.block.body.block.ops if isinstance(op, loop.StoreOp)]
    moving = [o.op.buffer for o in shape.operands if axis.variable in o.variables]
    types = [buffer.type for buffer in (*stored, *moving)]
    return max(numpy_dtype(type.element_type).itemsize * 8 for type in types if isinstance(type, MemRefType))


def _decided_tile(block: BlockRV, extent: int, lanes: int) -> tuple[int, int]:
    """Return the decided number of vectors to unroll, and of their lanes."""
    tiles = ((vectors, n) for n in (lanes, lanes // 2, lanes // 4) for vectors in (1, 2, 4, 8))
    fitting = (tile for tile in tiles if NARROWEST <= tile[1] <= extent)
    return decide("row.tile", fitting, _tile(extent, lanes), block=block)


def _tile(extent: int, lanes: int) -> tuple[int, int]:
    """Return the number of vectors to unroll, and of their lanes."""
    while lanes > extent:
        lanes //= 2
    return (UNROLLED_VECTORS if extent >= 4 * UNROLLED_VECTORS * lanes else 1), lanes
