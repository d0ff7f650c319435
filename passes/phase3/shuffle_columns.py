"""Pass `shuffle-columns`: states which vectors are built from several registers by shuffles."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp

from ...dialects.index_expr import LANE, Index
from ...dialects.loop import AllocOp, LoadOp
from ...dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from ...dialects.loop.widths import COLUMN, column_width, number_attribute
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class ShuffleColumnsPass(Pass):
    """State which loads of registers read a column: the same element of as many chunks as they have lanes.

    ```mlir
    %c = loop.load %r[%u + lane * 8] : memref<64xf32, "register">, vector<8xf32>
    // becomes, where chunks have 8 elements
    %c = loop.load %r[%u + lane * 8] attributes {tw.column = 8 : i64} : memref<64xf32, "register">, vector<8xf32>
    ```
    Columns of a matrix in registers share their shuffles: n by n elements take n log n shuffles, instead of n squared
    moves of single elements. The interpreter reads the elements as the shuffles would.

    Needs: `assign-memory-spaces`, for the sizes of chunks.
    Grants: emitters do not look for columns.
    """

    name = "shuffle-columns"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for load in operations(op):
            width = _column_of(load) if isinstance(load, LoadOp) else 0
            if width and column_width(load) != width and may_rewrite("column", load):
                edit.change(load).attributes[COLUMN] = number_attribute(width)


def _column_of(load: LoadOp) -> int:
    """Return the size of the chunks that a load takes a column of; 0 where it takes none."""
    lanes, owner = load.lanes, load.buffer.owner
    assigned = memory_space_of(owner) if isinstance(owner, AllocOp) else None
    if lanes is None or assigned is None or assigned.kind != IN_REGISTERS:
        return 0
    width = assigned.chunk
    if width < 2 or lanes < 2 or width & (width - 1) or lanes & (lanes - 1):
        return 0
    steps = _steps(load, lanes)
    is_column = steps is not None and len(set(steps)) == lanes and all(step % width == 0 for step in steps)
    return width if is_column else 0


def _steps(load: LoadOp, lanes: int) -> list[int] | None:
    """Return the distance of each lane's element from that of the first lane; None where it is not known."""
    position, stride, type_ = Index.of(0), 1, load.buffer.type
    assert isinstance(type_, MemRefType)
    for index, extent in reversed([*zip(load.index, type_.get_shape(), strict=True)]):
        position, stride = position + index * stride, stride * extent
    if not position.uses_lane:
        return None
    positions = [position.substitute({LANE: lane}) for lane in range(lanes)]
    steps = [other - positions[0] for other in positions]
    return [step.constant for step in steps] if all(step.is_constant for step in steps) else None
