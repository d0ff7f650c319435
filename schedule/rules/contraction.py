"""Reductions into rows of results: matrix products, convolutions, pooling, sums over outer axes.

A tile of the result stays in registers while the reduction runs over it:

    for outer tiles (parallel outside):
      accumulators = identity
      for reduce axes:
        for rows, steps, vectors (unrolled): for lanes (vectorized): accumulators += …
      for rows, steps, vectors (unrolled): for lanes (vectorized): result = epilogue(accumulators)

The axes of the tile are classified by the operands that move along them. `vector` is the axis along which results are
contiguous. No operand that moves along `vector` moves along a `rows` axis, so a vector is loaded once for all rows.
Only operands that move along `vector` move along a `steps` axis, so a scalar is loaded once for all steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import gcd, prod

from ...analysis.access import accesses_of
from ...analysis.block_reductions import reduction_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import decide
from ..handles import BlockRV, LoopRV
from ..primitives.loop_partition import open_end
from ..schedule import Schedule
from .block_structure import Axis, Operand, Shape, element_bits, is_plain, shape_of
from .coefficients import CHUNK_FIRST_LEVEL
from .nearby_copies import copy_nearby, find_parts
from .panels import product_of
from .placement import Placement, decided_order, outer_order, share_among_threads
from .tile_loops import accumulator_name, loops_by_axis, set_tile_kinds
from .tiles import (
    NARROWEST,
    RegisterTile,
    contraction_cost,
    divisors,
    lines_touched,
    register_tile,
    register_tiles,
    tile_prediction,
)

MOST_LANE_STRIDE = 4
"""The largest stride of vector elements; with a larger one they are gathered, and not worth loading."""


LEAST_KNOWN_ROWS = 8
"""The least known extent of rows that is preferred to a symbolic one, which may be 1."""


REST_ROWS = 2
"""Rows that are computed together in the last tile of an open number of rows."""


@dataclass(frozen=True)
class ContractionPlan:
    """The axes of a tile and its extents."""

    shape: Shape
    vector: Axis
    rows: Axis | None
    steps: Axis | None
    tile: RegisterTile
    lines: float
    """Cache lines that a vector is loaded from."""
    streamed: int
    """Bytes of a step that come from the second cache."""
    cycles: float
    """The cycles that the model predicts for a needed multiply-add."""

    @property
    def tiled(self) -> list[tuple[Axis, list[int]]]:
        """The tiled axes with the extents of the tile's loops, the vectorised one last."""
        result: list[tuple[Axis, list[int]]] = []
        if self.rows is not None and self.tile.rows > 1:
            result.append((self.rows, [self.tile.rows]))
        if self.steps is not None and self.tile.steps > 1:
            result.append((self.steps, [self.tile.steps]))
        vectors = [self.tile.vectors] if self.tile.vectors > 1 else []
        return [*result, (self.vector, [*vectors, self.tile.lanes])]


def plan_contraction(block: loop.BlockOp, target: CpuTargetAttr) -> ContractionPlan | None:
    """Return a plan for a reduction block, or None where the rule does not apply."""
    shape = shape_of(block)
    if shape is None or reduction_of(block) is None or not shape.reduce:
        return None
    vector = shape.row_axis()
    lanes = target.lanes(element_bits(block))
    if vector is None or lanes < NARROWEST or vector.extent < NARROWEST:
        return None
    moving = [o for o in shape.operands if vector.variable in o.variables]
    still = [o for o in shape.operands if vector.variable not in o.variables]
    strides = [o.lane_stride(vector.variable) for o in moving]
    if not moving or not all(s is not None and 0 < s <= MOST_LANE_STRIDE for s in strides):
        return None
    others = [a for a in shape.spatial if a is not vector and a.extent > 1]
    rows = [a for a in others if not any(a.variable in o.variables for o in moving)]
    steps = [a for a in others if a not in rows and not any(a.variable in o.variables for o in still)]
    row = max(rows, key=lambda a: (a.extent >= LEAST_KNOWN_ROWS and not a.is_open, a.extent), default=None)
    known = [a for a in steps if not a.is_open]  # an open axis, such as the batch, may have extent 1
    step = next(reversed(known if row is not None or known else steps), None)
    product = product_of(block, target)
    if product is not None and (product.rows, product.columns, step) == (row, vector, None):
        tile = product.tile
    else:
        extents = row.extent if row else 1, step.extent if step else 1, vector.extent
        tile = register_tile(*extents, lanes, target.vector_registers, target)
    return _with_tile(shape, vector, row, step, tile, target)


def _with_tile(
    shape: Shape, vector: Axis, rows: Axis | None, steps: Axis | None, tile: RegisterTile, target: CpuTargetAttr
) -> ContractionPlan:
    moving = [o for o in shape.operands if vector.variable in o.variables]
    lines = max(_lines(o, shape, vector, tile, target) for o in moving)
    streamed = _streamed(shape, vector, rows, steps, tile, target)
    extents = rows.extent if rows else 1, steps.extent if steps else 1, vector.extent
    cycles = contraction_cost(tile, *extents, target, lines=lines, streamed=streamed)
    return ContractionPlan(shape, vector, rows, steps, tile, lines, streamed, cycles)


def decided_contraction(plan: ContractionPlan, target: CpuTargetAttr) -> ContractionPlan:
    """Return the plan with the decided tile."""
    block, lanes = plan.shape.block, target.lanes(element_bits(plan.shape.block))
    rows, steps = plan.rows.extent if plan.rows else 1, plan.steps.extent if plan.steps else 1
    candidates = register_tiles(rows, steps, plan.vector.extent, lanes, target.vector_registers)
    decided = decide("contraction.tile", (t.extents for t in candidates), plan.tile.extents, block=block)
    if decided == plan.tile.extents:
        return plan
    return _with_tile(plan.shape, plan.vector, plan.rows, plan.steps, RegisterTile(*decided), target)


def _lines(operand: Operand, shape: Shape, vector: Axis, tile: RegisterTile, target: CpuTargetAttr) -> float:
    """Cache lines that a vector of an operand lies in: where other axes shift it by less than a line, often two."""
    still = {vector.variable, *(a.variable for a in (*shape.spatial, *shape.reduce) if a.extent == 1)}
    shift = gcd(*(c for v, c in operand.offset.terms if v not in still), operand.offset.constant)
    return lines_touched(tile.lanes * operand.element_bytes, shift * operand.element_bytes, target.line_bytes)


def _streamed(
    shape: Shape, vector: Axis, rows: Axis | None, steps: Axis | None, tile: RegisterTile, target: CpuTargetAttr
) -> int:
    """Return the bytes of a step of the operands that move along the rows, where each tile of the vectors reads all of
    them."""
    if rows is None or outer_order(shape, vector, rows, steps, tile, target).order[-1] is not rows:
        return 0
    passing = [o for o in shape.operands if rows.variable in o.variables]
    far = sum(o.bytes for o in passing) > target.caches[0] * CHUNK_FIRST_LEVEL
    return tile.rows * sum(o.element_bytes for o in passing) if far else 0


def schedule_contraction(sch: Schedule, block: BlockRV, plan: ContractionPlan, target: CpuTargetAttr) -> None:
    """Apply a plan. An elementwise consumer of the whole result becomes the epilogue; else the result is cached."""
    remark("TW0763", lambda: _remark_text(plan, target), op=sch.block(block), kind="analysis")
    tiled = [a for a in (plan.rows, plan.steps, plan.vector) if a is not None]
    nearby = find_parts(sch, block, [a for a in plan.shape.spatial if a not in tiled], target)
    epilogue = find_epilogue(sch, block)
    buffer = accumulator_name(sch, block)
    if epilogue is None:
        epilogue = sch.cache_write(block, buffer, "register")
        buffer = accumulator_name(sch, block)
    loops = sch.get_loops(epilogue)
    outer: dict[Axis, LoopRV] = {a: loops[a.position] for a in plan.shape.spatial}
    inner: list[list[LoopRV]] = []
    for axis, extents in plan.tiled:
        outer[axis], *parts = sch.split(outer[axis], [None, *extents])
        inner.append(parts)
    placement = outer_order(plan.shape, plan.vector, plan.rows, plan.steps, plan.tile, target)
    placement = decided_order(placement, len(tiled), sch.block(block))
    order = [outer[a] for a in placement.order]
    tile = [part for parts in inner for part in parts]
    sch.reorder(*order, *tile)
    sch.compute_at(block, order[-1])
    sch.set_scope(buffer, "register")
    rest = None if nearby else _rest_of_rows(sch, epilogue, plan, placement, outer, target)
    order = [outer[a] for a in placement.order]
    _schedule_reduction(sch, block, plan, len(order))
    set_tile_kinds(sch, tile)
    if rest is not None:
        _schedule_rest(sch, *rest, plan, len(order))
        order = order[: placement.order.index(plan.rows)]
    if nearby:
        order = order[: len(order) - len(tiled)]
        copy_nearby(sch, nearby, order[-1], target)
    share_among_threads(sch, block, order, placement.counts, plan.shape.points, target)


def _rest_of_rows(
    sch: Schedule,
    epilogue: BlockRV,
    plan: ContractionPlan,
    placement: Placement,
    outer: dict[Axis, LoopRV],
    target: CpuTargetAttr,
) -> tuple[LoopRV, int] | None:
    """Cut off the tile of an open number of rows that has fewer than the others; the loop over it, if there is one, and
    how many rows it computes together. Rows that threads share out stay one loop."""
    if plan.rows is None or not plan.rows.is_open or open_end(sch.loop(outer[plan.rows])) is None:
        return None
    around = placement.counts[: placement.order.index(plan.rows)]
    if target.threads > 1 and prod(around) == 1:
        return None
    most = plan.tile.rows
    together = decide("contraction.rest_rows", divisors(most), min(REST_ROWS, most), block=epilogue)
    if together == most or most % together:
        return None
    outer[plan.rows], rest = sch.loop_partition(outer[plan.rows])
    return rest, together


def _schedule_rest(sch: Schedule, rest: LoopRV, together: int, plan: ContractionPlan, depth: int) -> None:
    """Compute the last rows, fewer than those of a tile, in small tiles, and no tile without rows."""
    block, epilogue = sch.get_child_blocks(rest)
    row, *tile = sch.get_loops(epilogue)[depth:]
    if together > 1:
        row, within = sch.split(row, [None, together])
        tile = [within, *tile]
    sch.compute_at(block, row)
    _schedule_reduction(sch, block, replace(plan, tile=replace(plan.tile, rows=together)), depth + 1)
    set_tile_kinds(sch, tile)


def _remark_text(plan: ContractionPlan, target: CpuTargetAttr) -> str:
    return tile_prediction(plan.tile, 1 / (target.multiply_adds * plan.cycles * plan.tile.lanes))


def find_epilogue(sch: Schedule, block: BlockRV) -> BlockRV | None:
    """Return the one block that reads the result of `block`, where it does so element by element and nothing else reads
    it."""
    op = sch.block(block)
    reduction = reduction_of(op)
    if reduction is None or not isinstance(reduction.buffer.owner, loop.AllocOp):
        return None
    readers = {a.block for a in accesses_of(reduction.buffer) if a.block is not op}
    if len(readers) != 1:
        return None
    (reader,) = readers
    mine, theirs = shape_of(op), None if reader is None else shape_of(reader)
    if reader is None or mine is None or theirs is None or theirs.reduce or not is_plain(reader):
        return None
    if [a.extent for a in mine.spatial] != [a.extent for a in theirs.spatial]:
        return None
    return sch.get_block(reader.label) if _reads_elementwise(theirs, reduction.store) else None


def _reads_elementwise(reader: Shape, store: loop.StoreOp) -> bool:
    element = tuple(Index.of(a.variable) for a in reader.spatial)
    loads = [o.op for o in reader.operands if o.op.buffer is store.buffer]
    return all(load.index == element and not load.conditions for load in loads)


def _schedule_reduction(sch: Schedule, block: BlockRV, plan: ContractionPlan, depth: int) -> None:
    """Split and order the loops of the reduction below the outer ones, and separate its init."""
    below = loops_by_axis(sch, block, depth)
    parts = [
        _split_exactly(sch, below.pop(axis.position), extents) if axis.position in below else []
        for axis, extents in plan.tiled
    ]
    tile = _keeping_the_fewer(plan, parts)
    reduce = [below.pop(a.position) for a in plan.shape.reduce if a.position in below]
    sch.reorder(*below.values(), *reduce, *tile)
    init = sch.decompose_reduction(block, reduce[0])
    set_tile_kinds(sch, tile)
    set_tile_kinds(sch, sch.get_loops(init)[depth + len(below) :])


def _keeping_the_fewer(plan: ContractionPlan, parts: Sequence[list[LoopRV]]) -> list[LoopRV]:
    """Return the tile's loops in an order that keeps the smaller set of operands in registers.

    The operands of the inner loops are live while the outer loops advance: of rows and vectors, the fewer go inside.
    """
    tile = [handle for part in parts for handle in part]
    rows = len(parts[0]) if plan.tile.rows > 1 and plan.rows is not None else 0
    if plan.tile.rows > plan.tile.steps * plan.tile.vectors:
        return tile
    return [*tile[rows:-1], *tile[:rows], tile[-1]]


def _split_exactly(sch: Schedule, handle: LoopRV, extents: Sequence[int]) -> list[LoopRV]:
    """Split a loop into loops of these extents; a loop that is shorter than a vector becomes a guarded one of full
    length."""
    if list(extents) == [sch.loop(handle).constant_trip_count]:
        return [handle]
    return list(sch.split(handle, extents if len(extents) > 1 else [1, *extents]))
