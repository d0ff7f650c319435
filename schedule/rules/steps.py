"""Blocks of a recurrence: several nests in the body of one loop, whose iterations run one after another.

The loop over the steps is not changed. Each nest in its body is scheduled separately: rows are vectorised, and sums
along a row get vectors of partial results (`partial_results`), with no copies outside of the body. Products with packed
weights, whose results are short rows, are computed in register tiles as in `packed_rows`: the weights of a tile serve
all rows of a step, and stay in the caches from step to step.

A tile of a symbolic batch has `OPEN_ROWS` rows. A batch of one, in a program that answers one request at a time, would
compute all of these rows; `single_row` gives the decisions of a schedule for a batch of one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ...analysis.access import blocks_in
from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..decisions import Point
from ..open_sizes import OpenSize, Ranges, open_sizes
from ..schedule import Schedule
from .block_structure import Axis, Shape, element_bits, shape_of
from .packed_rows import PackedRowsPlan, Reach, best_tile, decided_tile, is_packed, is_short_row, operands_by
from .partial_results import compute_halves_at, decided_partials, factor_reduction, plan_partials
from .placement import share_among_threads
from .row_loops import schedule_reduction, tile_loops
from .spatial import vectorize_row
from .tile_loops import accumulator_name, set_tile_kinds
from .tiles import RegisterTile, unstreamed_bandwidth

MOST_STREAMS = 4
"""Rows of weights that a tile reads side by side. Their distance is often a power of two, so that they share a set of
the first cache: more rows would displace one another before their lines are read to the end."""

OPEN_ROWS = 4
"""Rows of a tile where the size of the batch is known only when the program is called."""

TILE = "steps.tile"
"""The decision on a tile."""


def schedule_in_step(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> set[loop.BlockOp] | None:
    """Schedule a block in the body of a loop that holds other blocks too, by the loops that hold it alone; None where
    there are no such loops."""
    shape = shape_of(op)
    alone = None if shape is None else _axes_alone(op, shape)
    if shape is None or alone is None:
        return None
    if plan := _plan_tiles(op, shape, alone, target):
        _schedule_tiles(sch, op, _decided(plan, target), target)
        return {op}
    *rows, last = alone
    if not shape.reduce:
        handle = sch.get_block(op.label)
        return {op} if last is not None and vectorize_row(sch, handle, shape, target) is not None else None
    axes = [axis for axis in rows if axis in shape.spatial]
    if not axes or len(axes) != len(rows) or shape.reduce != (last,) or reduction_of(op) is None:
        return None
    return {op} if _schedule_sum(sch, op, shape, axes, target) else None


def single_row(function: FuncOp, target: CpuTargetAttr) -> tuple[Ranges, Point] | None:
    """Return the ranges of sizes with a batch of one, and the decisions of a schedule for them; None without such
    steps.

    All products of steps have the same open batch: their tiles have one row, and more rows of weights for it.
    """
    batches: set[OpenSize | None] = set()
    point: dict[str, tuple[int, ...]] = {}
    sizes = open_sizes(function)
    for op in blocks_in(function):
        shape = shape_of(op)
        alone = None if shape is None else _axes_alone(op, shape)
        plan = _plan_tiles(op, shape, alone, target) if shape is not None and alone is not None else None
        if plan is None or not plan.rows.is_open:
            continue
        assert plan.steps is not None
        tile, _ = _best_tile(1, plan.steps, plan.vector, plan.shape, target)
        point[f"{op.label}:{TILE}"] = replace(tile, steps=min(tile.steps, MOST_STREAMS)).extents
        batches.add(_size_of(op, plan.rows, sizes))
    batch, *others = batches or {None}
    if batch is None or others:
        return None
    return {size.key: (1, 1 if size == batch else None) for size in sizes}, point


def _size_of(op: loop.BlockOp, axis: Axis, sizes: Sequence[OpenSize]) -> OpenSize | None:
    """Return the open size that is the extent of an axis; None where that is computed from sizes."""
    value = op.index_list("extents")[axis.position].single_value
    dim = None if value is None else value.owner
    if not isinstance(dim, loop.DimOp) or not isinstance(dim.buffer, BlockArgument):
        return None
    position = (dim.buffer.index, dim.dimension.value.data)
    return next((size for size in sizes if (size.argument, size.axis) == position), None)


def _axes_alone(op: loop.BlockOp, shape: Shape) -> list[Axis | None] | None:
    """Return the axes of the loops that hold a block alone, in a loop that holds other blocks too; None where there are
    none.

    A loop that drives no axis has None.
    """
    alone = _loops_alone(op)
    if not alone or len(alone) == len(loops_around(op)):
        return None
    bindings = [binding for _, _, binding, _ in op.iteration()]
    found = {bindings[axis.position]: axis for axis in (*shape.spatial, *shape.reduce)}
    return [found.get(Index.of(each.induction_variable)) for each in alone]


def _best_tile(rows: int, steps: Axis, vector: Axis, shape: Shape, target: CpuTargetAttr) -> tuple[RegisterTile, float]:
    """Return the tile of so many rows, and its cycles for a vector of results and a term."""
    lanes = min(target.lanes(element_bits(shape.block)), vector.extent)
    reach = Reach(unstreamed_bandwidth(target), shape.reduce[0].extent)
    return best_tile(rows, steps.extent, vector.extent, lanes, target, lambda _: reach)


def _plan_tiles(
    op: loop.BlockOp, shape: Shape, alone: Sequence[Axis | None], target: CpuTargetAttr
) -> PackedRowsPlan | None:
    """Return a tile of results in short rows, of rows of weights and of the state; None where weights are not packed
    so.

    `alone` are the axes whose loops hold the block alone.
    """
    if not shape.reduce:
        return None
    axes = [axis for axis in shape.spatial if axis in alone[:-1]]
    vector, lanes = shape.row_axis(), target.lanes(element_bits(op))
    if vector is None or vector not in axes or not is_short_row(vector.extent, lanes) or reduction_of(op) is None:
        return None
    still, moving = operands_by(shape, vector)
    if len(still) != 1 or len(moving) != 1 or not is_packed(moving[0], vector):
        return None
    rows = [a for a in axes if a.variable in still[0].variables]
    steps = [a for a in axes if a.variable in moving[0].variables and a is not vector]
    if len(rows) != 1 or len(steps) != 1 or len(axes) != 3 or len(shape.reduce) != 1:
        return None
    if any(axis.is_open for axis in (*steps, *shape.reduce)):
        return None
    count = OPEN_ROWS if rows[0].is_open else rows[0].extent
    tile, cycles = _best_tile(count, steps[0], vector, shape, target)
    tile = replace(tile, steps=_fitting(steps[0], tile.steps, rows[0]))
    pixels = tuple(a for a in shape.spatial if a not in (vector, steps[0]))
    return PackedRowsPlan(
        shape,
        vector,
        rows[0],
        steps[0],
        tile,
        weights=(steps[0],),
        pixels=pixels,
        images=None,
        parts=1,
        ahead=None,
        chunks=None,
        cycles=cycles,
    )


def _fitting(steps: Axis, most: int, rows: Axis) -> int:
    """Return the rows of weights of a tile.

    With fewer of them than of an open batch, the loop over these is outside, and a condition on a row of the batch is
    tested once for all weights. They come out even then, so that no second condition is in the tile.
    """
    if not rows.is_open:
        return min(most, MOST_STREAMS)
    return max(n for n in range(1, OPEN_ROWS) if steps.extent % n == 0)


def _decided(plan: PackedRowsPlan, target: CpuTargetAttr) -> PackedRowsPlan:
    assert plan.steps is not None
    extents = (plan.rows.extent, plan.steps.extent, plan.vector.extent)
    return replace(plan, tile=decided_tile(TILE, plan.tile, *extents, plan.shape.block, target))


def _schedule_tiles(sch: Schedule, op: loop.BlockOp, plan: PackedRowsPlan, target: CpuTargetAttr) -> None:
    """Compute the results of a step tile by tile, and share the tiles among threads where a step has enough of them."""
    block, depth = sch.get_block(op.label), len(loops_around(op)) - len(_loops_alone(op))
    write = sch.cache_write(block, accumulator_name(sch, block), "register")
    outer, tile = tile_loops(sch, sch.get_loops(write)[depth:], plan)
    order = [outer[axis] for axis in (*plan.weights, *plan.pixels)]
    sch.reorder(*order, *tile)
    sch.compute_at(block, order[-1])
    sch.set_scope(accumulator_name(sch, block), "register")
    schedule_reduction(sch, block, plan, depth + len(order))
    set_tile_kinds(sch, tile)
    counts = [sch.loop(handle).constant_trip_count or 1 for handle in order]
    share_among_threads(
        sch, block, order, counts, prod((*counts, *plan.tile.extents, plan.shape.reduce[0].extent)), target
    )


def _loops_alone(op: loop.BlockOp) -> list[loop.ForOp]:
    """Return the loops that hold a block and no other one, outermost first; none where they are scheduled already."""
    alone = [each for each in loops_around(op) if blocks_in(each) == [op]]
    return alone if all(each.kind == loop.SERIAL and each.lowers == (Index.of(0),) for each in alone) else []


def _schedule_sum(sch: Schedule, op: loop.BlockOp, shape: Shape, axes: list[Axis], target: CpuTargetAttr) -> bool:
    """Sum each row by vectors of partial results in the loop over the rows, if the operands lie side by side."""
    partials = plan_partials(op, target, _row_axis(shape, axes))
    if partials is None:
        return False
    partials = decided_partials(partials, op, target)
    block, at = sch.get_block(op.label), partials.row_axis or axes[-1]
    factored = factor_reduction(sch, block, partials)
    *loops, rest = sch.get_loops(block)
    rows = loops[-len(axes) :]
    row = rows[axes.index(at)]
    sch.unroll(rest)
    sch.reorder(*(each for each in rows if each is not row), row)
    if partials.row_axis is not None and partials.rows > 1:
        row, together = sch.split(row, [None, partials.rows])
        sch.unroll(together)
    compute_halves_at(sch, factored, row)
    return True


def _row_axis(shape: Shape, axes: list[Axis]) -> Axis | None:
    """Return the axis of results along which the most-read operand of a step does not move, if there is one."""

    def spared(axis: Axis) -> int:
        still = (o for o in shape.operands if axis.variable not in o.variables)
        return max(
            (prod(a.extent for a in (*axes, *shape.reduce) if a.variable in o.variables) for o in still), default=0
        )

    return max((axis for axis in axes if axis.extent > 1), key=spared, default=None)
