"""Pass `widen-accesses`: states how many lanes of a vector one instruction loads or stores."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import MemRefType, ModuleOp

from ...analysis.domain import resolve
from ...analysis.positions import are_neighbours, is_multiple, position_in_memory
from ...analysis.ranges import Facts, RangeAnalysis
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import LANE, Index
from ...dialects.loop import LoadOp, StoreOp, is_of_warp, is_private
from ...dialects.loop.widths import WIDTH, copy_bytes, number_attribute, width_of_access
from ...dialects.target import target_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class WidenAccessesPass(Pass):
    """State how many lanes of a vector one instruction of a kernel loads or stores.

    ```mlir
    %v = loop.load %x[%t * 8 + lane] : memref<512xf32>, vector<8xf32>
    // becomes, where an instruction moves 16 bytes
    %v = loop.load %x[%t * 8 + lane] attributes {tw.width = 4 : i64} : memref<512xf32>, vector<8xf32>
    ```
    The lanes are neighbours in memory that threads share, the first of each instruction is proved to lie at a multiple
    of the width, and a guard holds for all lanes of an instruction or for none. The interpreter checks that at each
    access.

    Needs: `inline-calls`, since the memory of an argument begins at such a multiple, and that of a callee's may not;
    `select-copies`, which states the widths of asynchronous copies.
    Grants: lanes of accesses without `tw.width` are accessed one at a time.
    """

    name = "widen-accesses"
    phase = 3
    levels = (Level.LOOP,)
    asks_target = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        if target is None or not target.launches_kernels:
            return
        facts, most = RangeAnalysis(), target.vector_bits // 8
        for access in operations(op):
            if not isinstance(access, (LoadOp, StoreOp)) or copy_bytes(access):
                continue
            width = _width_of(access, most, facts)
            if width > 1 and width != width_of_access(access) and may_rewrite("width", access):
                edit.change(access).attributes[WIDTH] = number_attribute(width)


def _width_of(op: LoadOp | StoreOp, most: int, analysis: RangeAnalysis) -> int:
    """Return the most lanes, a power of two, that one instruction of `most` bytes moves, all or none of them."""
    lanes, type_ = op.lanes, op.buffer.type
    assert isinstance(type_, MemRefType)
    if lanes is None or is_private(type_) or is_of_warp(type_):
        return 1
    position = position_in_memory(op.buffer, op.index)
    if position is None or not are_neighbours(position):
        return 1
    facts, first = analysis.at(op), position.without(LANE)
    width = most // numpy_dtype(type_.element_type).itemsize
    while width > 1:
        if lanes % width == 0 and is_multiple(first, width, facts) and _holds_for_all_or_none(op, width, facts):
            return width
        width //= 2
    return 1


def _holds_for_all_or_none(op: LoadOp | StoreOp, width: int, facts: Facts) -> bool:
    """Return whether the guard of an access is the same for all lanes of an instruction."""
    if facts.proves_all(op.conditions, exact=False):
        return True
    return all(_is_uniform(resolve(e), width, facts) for e in op.conditions)


def _is_uniform(e: Index, lanes: int, facts: Facts) -> bool:
    """Return whether an expression is >= 0 in all or none of `lanes` lanes that start at a multiple of `lanes`."""
    step, first = e.coefficient(LANE), e.without(LANE)
    if LANE in first.variables:
        return False
    turning = {1: 0, -1: lanes - 1}.get(step)
    return not step or (turning is not None and is_multiple(first - turning, lanes, facts))
