"""cache_read, cache_write and rfactor: the calls that make stages.

They change definitions and axes at once, so that later calls speak of the new ones; blocks follow when the schedule is
lowered. Whatever the stage had been split into by then moves with the computation, as in the operators of the same
names of Halide and its descendants.
"""

from __future__ import annotations

import operator
from collections.abc import Container, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import LocationAttr

from ...te.expr import Axis, Expr
from ...te.tensor import Computation, Tensor
from .axes import (
    IterVar,
    Relation,
    Reorder,
    apply_to_leaves,
    connected,
    mapped,
    values_of_leaves,
    values_of_roots,
)
from .definitions import combining, copy_of, factored, fresh_axes, reading, substitute, with_reads_of
from .errors import BAD_CACHE, BAD_DETAIL, NO_RELAYOUT, WRONG_KIND, place, quoted, stage_error
from .log import At, CacheRead, CacheWrite, RFactor
from .stage import Stage

if TYPE_CHECKING:
    from .schedule import Schedule


def cache_read(
    schedule: Schedule, tensor: Tensor, scope: str, readers: Sequence[Stage], location: LocationAttr
) -> Tensor:
    """Insert a stage that copies `tensor`, and let `readers` read the copy."""
    _check_scope("cache_read", scope)
    source = schedule[tensor]
    if not readers:
        stage_error(BAD_CACHE, f"cache_read: expected stages that read {tensor.name!r}, but got none")
    for reader in readers:
        if not isinstance(reader.op, Computation):
            stage_error(BAD_CACHE, f"cache_read: expected computes that read {tensor.name!r}, but got {reader.name!r}")
        if not any(read.value_index == tensor.value_index for read in schedule.reads(reader, source)):
            stage_error(
                BAD_CACHE,
                f"cache_read: stage {reader.name!r} does not read {tensor.name!r}",
                notes=[f"it reads {quoted(t.name for t in reader.op.inputs) or 'nothing'}"],
            )
    op = copy_of(tensor, _unused(schedule, f"{tensor.name}.{scope}"), location)
    cache = Stage(schedule, op)
    cache.scope = scope
    schedule.insert(cache, schedule.stages.index(source) + 1)
    for reader in readers:
        for read in schedule.reads(reader, source):
            assert isinstance(reader.op, Computation)
            if read.value_index == tensor.value_index:
                schedule.rename_definition(reader, with_reads_of(reader.op, read, op.outputs[0]))
    schedule.structure.append(CacheRead(tensor, source, tuple(dict.fromkeys(readers)), cache, scope, location))
    return op.outputs[0]


def cache_write(schedule: Schedule, stage: Stage, scope: str, location: LocationAttr) -> list[Tensor]:
    """Insert a stage that computes what `stage` did, with its splits, and let `stage` copy the result."""
    stage.needs_loops("cache_write")
    _check_scope("cache_write", scope)
    _check_plain("cache_write", stage)
    _check_movable(schedule, stage)
    op = stage.op
    assert isinstance(op, Computation)
    spatial = [a for a in stage.roots if a.kind == "spatial"]
    reduction = [a for a in stage.roots if a.kind == "reduce"]
    leaves = [a for a in stage.leaf_iter_vars if a.kind == "spatial"]
    axes = dict(zip(leaves, fresh_axes([a.name for a in leaves], [a.extent for a in leaves]), strict=True))
    values = values_of_roots(spatial, stage.relations, dict(axes))
    renamed: dict[Expr, Expr] = {old: _shifted(value, old) for old, value in zip(op.axis, values, strict=True)}
    moved = replace(
        op,
        name=_unused(schedule, f"{op.name}.{scope}"),
        axis=tuple(axes.values()),
        bodies=tuple(substitute(body, renamed, {}) for body in op.bodies),
    )
    cache = Stage(schedule, moved)
    cache.scope = scope
    clones = _take_over(cache, stage, spatial, reduction, moved.name, location)
    named = {axis: clones[leaf] for leaf, axis in axes.items()}
    cache.name_axes({**named, **dict(zip(op.reduce_axis, reduction, strict=True))})
    at = values_of_leaves(dict(zip(spatial, op.axis, strict=True)), stage.relations)
    kept = [a if a.gone is None else stage.new_axis(a.name, a.extent, a.kind) for a in spatial]
    for leaf in leaves:
        if leaf not in spatial:
            leaf.gone = f"went to stage {moved.name!r} with cache_write{place(location)}"
    schedule.redefine(stage, reading(op, moved.outputs, [at[leaf] for leaf in leaves]), kept)
    schedule.insert(cache, schedule.stages.index(stage))
    schedule.structure.append(CacheWrite(stage, cache, scope, location))
    return list(moved.outputs)


def _take_over(
    cache: Stage,
    stage: Stage,
    spatial: Sequence[IterVar],
    reduction: Sequence[IterVar],
    name: str,
    location: LocationAttr,
) -> dict[IterVar, IterVar]:
    """Give copies of the data-parallel axes, the reduction axes and all relations of `stage` to its cache."""
    clones = {a: a for a in reduction}
    for axis in stage.all_iter_vars:
        if axis.kind == "spatial":
            clones[axis] = replace(axis, stage=cache)
    cache.define(cache.op, [clones[a] for a in (*spatial, *reduction)])
    for axis in reduction:
        axis.stage = cache
    for relation in stage.relations:
        cache.add(mapped(relation, clones))
    cache.annotations = stage.take_annotations(reduction)
    return clones


def rfactor(schedule: Schedule, stage: Stage, axis: Any, factor_axis: int, location: LocationAttr) -> list[Tensor]:
    """Insert a stage that reduces over all but `axis`, and let `stage` reduce its results over that."""
    leaf = stage.leaf(axis, "rfactor")
    _check_plain("rfactor", stage)
    op = stage.op
    assert isinstance(op, Computation)
    touched = connected(leaf, stage.relations)
    _check_factor(stage, leaf, touched)
    spatial = [a for a in stage.roots if a.kind == "spatial"]
    reduction = tuple(a for a in stage.roots if a.kind == "reduce")
    position = _position(factor_axis, len(spatial), stage)
    baked = tuple(r for r in (_within(r, touched) for r in stage.relations) if r is not None)
    nest = list(reduction)
    for relation in baked:
        nest = apply_to_leaves(nest, relation)
    remaining = [a for a in nest if a is not leaf]

    te_axis: dict[IterVar, Axis] = dict(zip(stage.roots, (*op.axis, *op.reduce_axis), strict=True))
    new_axes = fresh_axes([a.name for a in (*spatial, leaf)], [a.extent for a in (*spatial, leaf)])
    old_to_new = dict(zip((*spatial, leaf), new_axes, strict=True))
    for a in remaining:
        old_to_new[a] = te_axis[a] if a in te_axis else fresh_axes([a.name], [a.extent], is_reduce=True)[0]
    order = [*spatial[:position], leaf, *spatial[position:]]
    touched_roots = [a for a in reduction if a in touched]
    values: dict[Expr, Expr] = {te_axis[a]: _shifted(old_to_new[a], te_axis[a]) for a in spatial}
    for root, value in zip(touched_roots, values_of_roots(touched_roots, baked, dict(old_to_new)), strict=True):
        values[te_axis[root]] = _shifted(value, te_axis[root])
    new_op = factored(
        op,
        _unused(schedule, f"{op.name}.rf"),
        tuple(old_to_new[a] for a in order),
        tuple(old_to_new[a] for a in remaining),
        values,
    )
    factor_stage = Stage(schedule, new_op)
    kept = _split_stage(stage, factor_stage, order, remaining, touched)
    data_parallel = [a for a in factor_stage.roots if a.kind == "spatial" and a is not leaf]
    factor_stage.block_order = (leaf, *data_parallel, *remaining)
    combined = fresh_axes([leaf.name], [leaf.extent], is_reduce=True)[0]
    at = [*op.axis[:position], combined, *op.axis[position:]]
    last = stage.new_axis(leaf.name, leaf.extent, "reduce")
    schedule.redefine(stage, combining(op, combined, new_op.outputs, at), [*kept, last])
    schedule.insert(factor_stage, schedule.stages.index(stage))
    schedule.structure.append(RFactor(stage, factor_stage, reduction, baked, leaf, position, location))
    return list(new_op.outputs)


def _split_stage(
    stage: Stage, new: Stage, order: Sequence[IterVar], remaining: Sequence[IterVar], touched: set[IterVar]
) -> list[IterVar]:
    """Give the axes of `stage` to the stage that its reduction was factored into; returns those that it keeps."""
    axes = {a: a for a in stage.all_iter_vars if a not in touched or a in (*order, *remaining)}
    kept: list[IterVar] = []
    for axis in order:
        if axis in touched:
            axis.kind = "spatial"
        elif axis.gone is None:
            axes[axis] = replace(axis, stage=new)
            kept.append(axis)
        else:
            kept.append(stage.new_axis(axis.name, axis.extent, "spatial"))
    moving = {a for a in axes if axes[a] is a}
    for axis in moving:
        axis.stage = new
    relations = [_within(r, axes) for r in stage.relations]
    new.define(new.op, [axes[a] for a in (*order, *remaining)])
    for relation in relations:
        if relation is not None:
            new.add(mapped(relation, axes))
    new.annotations = stage.take_annotations(moving)
    return kept


def _within(relation: Relation, axes: Container[IterVar]) -> Relation | None:
    """What `relation` says of some axes; None where that is nothing."""
    if isinstance(relation, Reorder):
        order = tuple(a for a in relation.order if a in axes)
        return replace(relation, order=order) if len(order) > 1 else None
    return relation if all(a in axes for a in (*relation.sources, *relation.results)) else None


# Checks


def _check_scope(primitive: str, scope: Any) -> None:
    if not isinstance(scope, str) or not scope:
        stage_error(BAD_DETAIL, f"{primitive}: expected the name of a scope, but got {scope!r}")


def _check_plain(primitive: str, stage: Stage) -> None:
    """Each axis of the definition is one of the loops that the stage began with, in order."""
    if [stage.root_of(a) for a in (*stage.op.axis, *stage.op.reduce_axis)] != list(stage.roots):
        stage_error(
            BAD_CACHE,
            f"{primitive}: stage {stage.name!r} took over loops that had been split, fused or reordered, and cannot be "
            "taken apart once more",
            help=f"call {primitive} after a cache_write that comes before splits, fuses and reorders",
        )


def _check_movable(schedule: Schedule, stage: Stage) -> None:
    """The cache takes over data-parallel axes: nothing may rest on what they were split into."""
    for axis in stage.leaf_iter_vars:
        if axis.kind == "reduce" and axis not in stage.roots:
            stage_error(
                NO_RELAYOUT,
                f"cache_write: axis {axis.name!r} of stage {stage.name!r} comes from splitting or fusing a reduction "
                "axis; only data-parallel axes can move to the cache",
                help="call cache_write first, then split the reduction axes of the cache: s[CC].op.reduce_axis",
            )
    derived = [a for a in stage.leaf_iter_vars if a not in stage.roots]
    for annotation in stage.annotations:
        if annotation.axis in derived:
            stage_error(
                NO_RELAYOUT,
                f"cache_write: {annotation.primitive} was called for axis {annotation.axis.name!r} of stage "
                f"{stage.name!r}{place(annotation.location)}, and the cache takes that axis away",
                help="call cache_write first, then split and annotate",
            )
    for other in schedule.stages:
        if isinstance(other.attachment, At) and other.attachment.axis in derived:
            stage_error(
                NO_RELAYOUT,
                f"cache_write: stage {other.name!r} is computed at axis {other.attachment.axis.name!r} of stage "
                f"{stage.name!r}{place(other.attachment.location)}, and the cache takes that axis away",
                help="call cache_write first, then split and compute_at",
            )


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
    """The position among `rank` + 1 axes; negative ones count from the end."""
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
    """The value of a definition's axis in an iteration counted from 0."""
    return iteration if isinstance(axis.low, int) and axis.low == 0 else iteration + axis.low


def _unused(schedule: Schedule, name: str) -> str:
    taken = {stage.name for stage in schedule.stages}
    count, candidate = 0, name
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate
