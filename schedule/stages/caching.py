"""cache_read and cache_write: stages between a tensor and the stages that read or compute it.

Definitions and axes change at the call, so that later calls refer to the new ones; blocks change when the schedule is
lowered. The loops into which a stage has been split move with the computation, as in the operators of the same names of
Halide and its descendants. The buffer of a cache keeps the dimensions of the tensor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import LocationAttr

from ...te.expr import Axis, Expr
from ...te.substitution import substitute
from ...te.tensor import Computation, Tensor
from .axes import IterVar, mapped, values_of_leaves, values_of_roots
from .definitions import copy_of, fresh_axes, reading, with_reads_of
from .log import At, CacheRead, CacheWrite
from .stage import Stage
from .stage_errors import BAD_CACHE, BAD_DETAIL, NO_RELAYOUT, at_location, quoted, stage_error
from .state import moved as moved_to

if TYPE_CHECKING:
    from .schedule import LazySchedule


def cache_read(
    schedule: LazySchedule, tensor: Tensor, scope: str, readers: Sequence[Stage], location: LocationAttr
) -> Tensor:
    """Insert a stage that copies `tensor`, and let `readers` read the copy."""
    _check_scope("cache_read", scope)
    source = schedule[tensor]
    if isinstance(source.op, Computation):
        # The blocks of copies go over the buffer's dimensions, which are the loops that the stage began with.
        check_plain("cache_read", source)
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
    op = copy_of(tensor, schedule.unused_name(f"{tensor.name}.{scope}"), location)
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


def cache_write(schedule: LazySchedule, stage: Stage, scope: str, location: LocationAttr) -> list[Tensor]:
    """Insert a stage that takes over the computation of `stage`, with its splits, and let `stage` copy the result."""
    stage.needs_loops("cache_write")
    _check_scope("cache_write", scope)
    check_plain("cache_write", stage)
    _check_movable(schedule, stage)
    op = stage.op
    assert isinstance(op, Computation)
    leaves = [a for a in stage.leaf_iter_vars if a.kind == "spatial"]
    axes = dict(zip(leaves, fresh_axes([a.name for a in leaves], [a.extent for a in leaves]), strict=True))
    moved = _over(axes, stage, op, schedule.unused_name(f"{op.name}.{scope}"))
    cache = Stage(schedule, moved)
    cache.scope = scope
    spatial = [a for a in stage.roots if a.kind == "spatial"]
    at = values_of_leaves(dict(zip(spatial, op.axis, strict=True)), stage.relations)
    _take_over(cache, stage, axes)
    for leaf in leaves:
        if leaf not in spatial:
            leaf.gone = f"went to stage {moved.name!r} with cache_write{at_location(location)}"
    kept = {a: a if a.gone is None else stage.new_axis(a.name, a.extent, a.kind) for a in spatial}
    block_order = tuple(kept[a] for a in stage.block_order if a in kept)
    schedule.redefine(stage, reading(op, moved.outputs, [at[leaf] for leaf in leaves]), list(kept.values()))
    stage.block_order = block_order
    schedule.insert(cache, schedule.stages.index(stage))
    schedule.structure.append(CacheWrite(stage, cache, scope, location))
    return list(moved.outputs)


def _over(axes: dict[IterVar, Axis], stage: Stage, op: Computation, name: str) -> Computation:
    """Return `op` as a definition over the data-parallel loops of its stage."""
    spatial = [a for a in stage.roots if a.kind == "spatial"]
    values = values_of_roots(spatial, stage.relations, dict(axes))
    renamed: dict[Expr, Expr] = dict(zip(op.axis, values, strict=True))
    bodies = tuple(substitute(body, renamed, {}) for body in op.bodies)
    return replace(op, name=name, axis=tuple(axes.values()), bodies=bodies)


def _take_over(cache: Stage, stage: Stage, axes: dict[IterVar, Axis]) -> None:
    """Give copies of the data-parallel axes, the reduction axes and all relations of `stage` to its cache."""
    reduction = [a for a in stage.roots if a.kind == "reduce"]
    clones = {a: a if a in reduction else replace(a, stage=cache) for a in stage.all_iter_vars}
    cache.define(cache.op, [clones[a] for a in stage.roots])
    cache.block_order = tuple(clones[a] for a in stage.block_order)
    for axis in reduction:
        axis.stage = cache
    for relation in stage.relations:
        cache.add(mapped(relation, clones))
    named = {axis: clones[leaf] for leaf, axis in axes.items()}
    cache.name_axes({**named, **dict(zip(cache.op.reduce_axis, reduction, strict=True))})
    cache.annotations = stage.take_annotations(reduction)
    of_tile = [a for a in stage.annotations if a.primitive == "tensorize"]
    cache.annotations += moved_to([a for a in of_tile if a.axis in clones], clones)
    stage.annotations = [a for a in stage.annotations if a not in of_tile]


def check_plain(primitive: str, stage: Stage) -> None:
    """Refuse unless each axis of the definition is one of the initial loops of the stage, in order."""
    stage.needs_fixed_bounds(primitive)
    if [stage.root_of(a) for a in (*stage.op.axis, *stage.op.reduce_axis)] != list(stage.roots):
        stage_error(
            BAD_CACHE,
            f"{primitive}: stage {stage.name!r} took over loops that had been split, fused or reordered, and cannot be "
            "split once more",
            help=f"call {primitive} after a cache_write that comes before splits, fuses and reorders",
        )


def _check_scope(primitive: str, scope: Any) -> None:
    if not isinstance(scope, str) or not scope:
        stage_error(BAD_DETAIL, f"{primitive}: expected the name of a scope, but got {scope!r}")


def _check_movable(schedule: LazySchedule, stage: Stage) -> None:
    """Refuse where a call refers to the parts of data-parallel axes, because the cache takes these axes over."""
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
        if annotation.axis is not None and annotation.axis in derived:
            stage_error(
                NO_RELAYOUT,
                f"cache_write: {annotation.primitive} was called for axis {annotation.axis.name!r} of stage "
                f"{stage.name!r}{at_location(annotation.location)}, and the cache takes that axis away",
                help="call cache_write first, then split and annotate",
            )
    for other in schedule.stages:
        if isinstance(other.attachment, At) and other.attachment.axis in derived:
            stage_error(
                NO_RELAYOUT,
                f"cache_write: stage {other.name!r} is computed at axis {other.attachment.axis.name!r} of stage "
                f"{stage.name!r}{at_location(other.attachment.location)}, and the cache takes that axis away",
                help="call cache_write first, then split and compute_at",
            )
