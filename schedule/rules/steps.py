"""Blocks of a recurrence: several nests in the body of one loop, whose iterations run one after another.

The loop over the steps stays as it is. Each nest in its body is arranged for itself: rows are vectorised, and sums
along a row get vectors of partial results (`partial_results`), with no copies outside of the body.
"""

from __future__ import annotations

from math import prod

from ...analysis.access import blocks_in
from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.target import CpuTargetAttr
from ..schedule import Schedule
from .block_structure import Axis, Shape, shape_of
from .partial_results import compute_halves_at, decided_partials, factor_reduction, plan_partials
from .spatial import vectorize_row


def schedule_in_step(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> set[loop.BlockOp] | None:
    """Schedule a block in the body of a loop that holds other blocks too, by the loops that hold it alone; None where
    there are no such loops."""
    own, shape = _own_loops(op), shape_of(op)
    if not own or shape is None or len(own) == len(loops_around(op)):
        return None
    bindings = [binding for _, _, binding, _ in op.iteration()]
    variables = [Index.of(each.induction_variable) for each in own]
    found = {bindings[axis.position]: axis for axis in (*shape.spatial, *shape.reduce)}
    *rows, last = (found.get(variable) for variable in variables)
    if not shape.reduce:
        handle = sch.get_block(op.label)
        return {op} if last is not None and vectorize_row(sch, handle, shape, target) is not None else None
    axes = [axis for axis in rows if axis in shape.spatial]
    if not axes or len(axes) != len(rows) or shape.reduce != (last,) or reduction_of(op) is None:
        return None
    return {op} if _schedule_sum(sch, op, shape, axes, target) else None


def _own_loops(op: loop.BlockOp) -> list[loop.ForOp]:
    """The loops that hold a block and no other one, outermost first; none where somebody has arranged them."""
    own = [each for each in loops_around(op) if blocks_in(each) == [op]]
    return own if all(each.kind == loop.SERIAL and each.lowers == (Index.of(0),) for each in own) else []


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
    """The axis of results along which the operand does not move of which a step reads most, if there is one."""

    def spared(axis: Axis) -> int:
        still = (o for o in shape.operands if axis.variable not in o.variables)
        return max(
            (prod(a.extent for a in (*axes, *shape.reduce) if a.variable in o.variables) for o in still), default=0
        )

    return max((axis for axis in axes if axis.extent > 1), key=spared, default=None)
