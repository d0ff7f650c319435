"""rfactor: a stage that computes partial results, and a stage that reduces them.

The first stage takes over the loops with all their splits. Splits of the reduction are applied before the reduction is
factored, because they define the part that becomes the new axis.
"""

from __future__ import annotations

import operator
from collections.abc import Container
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import LocationAttr

from ...te.expr import Axis, Expr
from ...te.tensor import Computation, Tensor
from .axes import IterVar, Relation, Reorder, apply_to_leaves, connected, mapped, values_of_roots, with_neighbours
from .caching import check_plain
from .definitions import combining, factored, fresh_axes
from .log import RFactor
from .stage import Stage
from .stage_errors import BAD_CACHE, NO_RELAYOUT, WRONG_KIND, quoted, stage_error

if TYPE_CHECKING:
    from .schedule import LazySchedule


@dataclass(frozen=True)
class _Plan:
    """The new positions and roles of the axes of a stage whose reduction is factored."""

    stage: Stage
    op: Computation
    leaf: IterVar
    """The axis that becomes data-parallel."""
    touched: set[IterVar]
    """The axes that splits and fuses connect with it."""
    spatial: list[IterVar]
    position: int
    """The position of the new axis among the data-parallel ones."""
    reduction: tuple[IterVar, ...]
    baked: tuple[Relation, ...]
    """The relations of the touched axes."""
    remaining: list[IterVar]
    """The axes that the new stage reduces over, in the order of the baked relations."""

    @property
    def order(self) -> list[IterVar]:
        """The data-parallel axes of the new stage."""
        return [*self.spatial[: self.position], self.leaf, *self.spatial[self.position :]]


def rfactor(schedule: LazySchedule, stage: Stage, axis: Any, factor_axis: int, location: LocationAttr) -> list[Tensor]:
    """Insert a stage that reduces over all but `axis`, and let `stage` reduce its results over that."""
    plan = _plan(stage, axis, factor_axis)
    partial = _partial_results(plan, schedule.unused_name(f"{plan.op.name}.rf"))
    new = Stage(schedule, partial)
    kept = _split_stage(plan, new)
    combined = fresh_axes([plan.leaf.name], [plan.leaf.extent], is_reduce=True)[0]
    at = [*plan.op.axis[: plan.position], combined, *plan.op.axis[plan.position :]]
    last = stage.new_axis(plan.leaf.name, plan.leaf.extent, "reduce")
    block_order = (*(kept[a] for a in stage.block_order if a in kept), last)
    schedule.redefine(stage, combining(plan.op, combined, partial.outputs, at), [*kept.values(), last])
    stage.block_order = block_order
    schedule.insert(new, schedule.stages.index(stage))
    axes = plan.leaf, tuple(plan.remaining)
    schedule.structure.append(RFactor(stage, new, plan.reduction, plan.baked, *axes, plan.position, location))
    return list(partial.outputs)


def _plan(stage: Stage, axis: Any, factor_axis: int) -> _Plan:
    leaf = stage.leaf(axis, "rfactor")
    stage.needs_single_elements("rfactor")
    check_plain("rfactor", stage)
    touched = connected(leaf, stage.relations)
    _check_factor(stage, leaf, touched)
    spatial = [a for a in stage.roots if a.kind == "spatial"]
    position = _position(factor_axis, len(spatial), stage)
    reduction = tuple(a for a in stage.roots if a.kind == "reduce")
    nest = list(reduction)
    baked = with_neighbours(nest, (r for r in (_within(r, touched) for r in stage.relations) if r is not None))
    for relation in baked:
        nest = apply_to_leaves(nest, relation)
    assert isinstance(stage.op, Computation)
    remaining = [a for a in nest if a is not leaf]
    return _Plan(stage, stage.op, leaf, touched, spatial, position, reduction, baked, remaining)


def _partial_results(plan: _Plan, name: str) -> Computation:
    """Return the definition that the new stage computes."""
    op = plan.op
    old: dict[IterVar, Axis] = dict(zip(plan.stage.roots, (*op.axis, *op.reduce_axis), strict=True))
    fresh = fresh_axes([a.name for a in plan.order], [a.extent for a in plan.order])
    new: dict[IterVar, Axis] = dict(zip(plan.order, fresh, strict=True))
    for a in plan.remaining:
        new[a] = old[a] if a in old else fresh_axes([a.name], [a.extent], is_reduce=True)[0]
    roots = [a for a in plan.reduction if a in plan.touched]
    values: dict[Expr, Expr] = {old[a]: new[a] for a in plan.spatial}
    for root, value in zip(roots, values_of_roots(roots, plan.baked, dict(new)), strict=True):
        values[old[root]] = _shifted(value, old[root])
    axes, remaining = (tuple(new[a] for a in part) for part in (plan.order, plan.remaining))
    return factored(op, name, axes, remaining, values)


def _split_stage(plan: _Plan, new: Stage) -> dict[IterVar, IterVar]:
    """Give the axes of a stage to the stage of its factored reduction; returns the axes that replace them."""
    stage = plan.stage
    staying = {*plan.order, *plan.remaining}
    axes = {a: a for a in stage.all_iter_vars if a not in plan.touched or a in staying}
    kept: dict[IterVar, IterVar] = {}
    for axis in plan.spatial:
        kept[axis] = axis if axis.gone is None else stage.new_axis(axis.name, axis.extent, "spatial")
        if kept[axis] is axis:
            axes[axis] = replace(axis, stage=new)
    plan.leaf.kind = "spatial"
    moving = {a for a in axes if axes[a] is a}
    for axis in moving:
        axis.stage = new
    new.define(new.op, [axes[a] for a in (*plan.order, *plan.remaining)])
    new.block_order = (plan.leaf, *(axes[a] for a in stage.block_order if a in kept), *plan.remaining)
    staying_relations = (mapped(r, axes) for r in (_within(r, axes) for r in stage.relations) if r is not None)
    for relation in with_neighbours(new.leaf_iter_vars, staying_relations):
        new.add(relation)
    new.annotations = stage.take_annotations(moving)
    return kept


def _within(relation: Relation, axes: Container[IterVar]) -> Relation | None:
    """Return the part of `relation` about some axes; None where there is none."""
    if isinstance(relation, Reorder):
        order = tuple(a for a in relation.order if a in axes)
        return replace(relation, order=order) if len(order) > 1 else None
    return relation if all(a in axes for a in (*relation.sources, *relation.results)) else None


def _check_factor(stage: Stage, leaf: IterVar, touched: set[IterVar]) -> None:
    if leaf.kind != "reduce":
        names = quoted(a.name for a in stage.leaf_iter_vars if a.kind == "reduce")
        stage_error(
            WRONG_KIND,
            f"rfactor: expected a reduction axis of stage {stage.name!r}, but got the data-parallel axis {leaf.name!r}",
            help=f"its reduction axes are {names}" if names else "the stage is no reduction",
        )
    mixed = [a.name for a in stage.roots if a in touched and a.kind == "spatial"]
    if mixed:
        stage_error(
            NO_RELAYOUT,
            f"rfactor: axis {leaf.name!r} of stage {stage.name!r} was fused with {quoted(mixed)}, which is no "
            "reduction axis",
        )


def _position(factor_axis: Any, rank: int, stage: Stage) -> int:
    """Return the position among `rank` + 1 axes; negative ones count from the end."""
    try:
        position = operator.index(factor_axis)
    except TypeError:
        stage_error(BAD_CACHE, f"rfactor: expected an integer as factor_axis, but got {factor_axis!r}")
    if not -rank - 1 <= position <= rank:
        stage_error(
            BAD_CACHE,
            f"rfactor: expected factor_axis from {-rank - 1} to {rank} for stage {stage.name!r}, but got {position}",
        )
    return position % (rank + 1)


def _shifted(iteration: Expr, axis: Axis) -> Expr:
    """Return the value of a definition's axis in an iteration counted from 0."""
    return iteration if isinstance(axis.low, int) and axis.low == 0 else iteration + axis.low
