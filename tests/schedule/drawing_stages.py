"""Draws calls on the stages of a lazy schedule. A call knows its stages by name, so that it can be made again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.schedule.stages import LazySchedule, Stage
from tilewright.te.tensor import Computation

from .choices import Choices, pick

T = TypeVar("T")


@dataclass(frozen=True)
class Call:
    """A drawn call and its stages; None for a call that makes stages, which may change any."""

    name: str
    stages: frozenset[str] | None
    make: Callable[[LazySchedule], object]

    def depends_on(self, earlier: Call) -> bool:
        return self.stages is None or earlier.stages is None or bool(self.stages & earlier.stages)


class StageDrawer:
    """Each `on_` method returns one call on a stage as it stands, or None where there is nothing to call it for."""

    def __init__(self, schedule: LazySchedule, choices: Choices) -> None:
        self.schedule = schedule
        self.choices = choices

    def call(self) -> Call | None:
        name = self.pick(sorted(k for k in dir(self) if k.startswith("on_")))
        stages = [stage for stage in self.schedule.stages if isinstance(stage.op, Computation)]
        return getattr(self, name)(self.pick(stages))

    def pick(self, choices: Sequence[T]) -> T:
        return pick(self.choices, choices)

    def flag(self) -> bool:
        return bool(self.choices.between(0, 1))

    def seldom(self) -> bool:
        return self.choices.between(0, 4) == 0

    def _on(self, stage: Stage, name: str, act: Callable[[Stage], object]) -> Call:
        label = stage.name
        return Call(name, frozenset([label]), lambda s: act(_named(s, label)))

    def _axis(self, stage: Stage, kinds: Sequence[str] = ("spatial", "reduce")) -> int | None:
        """Return the position of a loop among all axes that the stage ever had."""
        loops = [stage.all_iter_vars.index(a) for a in stage.leaf_iter_vars if a.kind in kinds]
        return self.pick(loops) if loops else None

    # Loops

    def on_split(self, stage: Stage) -> Call | None:
        axis, parts, count = self._axis(stage), self.pick(["factor", "factor", "nparts"]), self.pick([1, 2, 3, 4, 8])
        return self._on(stage, "split", lambda t: t.split(t.all_iter_vars[axis], **{parts: count}))

    def on_tile(self, stage: Stage) -> Call | None:
        first = [stage.all_iter_vars.index(a) for a in stage.leaf_iter_vars]
        if len(first) < 2:
            return None
        at = self.choices.between(0, len(first) - 2)
        x, y = first[at : at + 2]
        sizes = self.pick([2, 3, 4]), self.pick([2, 4])
        return self._on(stage, "tile", lambda t: t.tile(t.all_iter_vars[x], t.all_iter_vars[y], *sizes))

    def on_fuse(self, stage: Stage) -> Call | None:
        positions = [stage.all_iter_vars.index(a) for a in stage.leaf_iter_vars]
        if len(positions) < 2:
            return None
        at = self.choices.between(0, len(positions) - 2)
        return self._on(stage, "fuse", lambda t: t.fuse(*(t.all_iter_vars[k] for k in positions[at : at + 2])))

    def on_reorder(self, stage: Stage) -> Call | None:
        positions = [stage.all_iter_vars.index(a) for a in stage.leaf_iter_vars]
        order = self.choices.permuted(positions)
        return self._on(stage, "reorder", lambda t: t.reorder(*(t.all_iter_vars[k] for k in order)))

    def on_kind(self, stage: Stage) -> Call | None:
        kind = self.pick(["vectorize", "parallel", "unroll"])
        axis = self._axis(stage, ("spatial",) if not self.seldom() else ("spatial", "reduce"))
        if axis is None:
            return None
        return self._on(stage, kind, lambda t: getattr(t, kind)(t.all_iter_vars[axis]))

    def on_vthread(self, stage: Stage) -> Call | None:
        axis = self._axis(stage, ("spatial",))
        if axis is None:
            return None
        return self._on(stage, "bind", lambda t: t.bind(t.all_iter_vars[axis], "vthread"))

    def on_pragma(self, stage: Stage) -> Call | None:
        axis = self._axis(stage)
        return self._on(stage, "pragma", lambda t: t.pragma(t.all_iter_vars[axis], "auto_unroll_max_step", 8))

    def on_prefetch(self, stage: Stage) -> Call | None:
        axis, source = self._axis(stage), self.pick(range(len(stage.op.inputs)))
        return self._on(stage, "prefetch", lambda t: t.prefetch(t.op.inputs[source], t.all_iter_vars[axis], 1))

    # Placement

    def on_compute_at(self, stage: Stage) -> Call | None:
        readers = [other for other in self.schedule.stages if self.schedule.reads(other, stage)]
        if not readers:
            return None
        parent = self.pick(readers)
        axis, label, at = self._axis(parent), stage.name, parent.name

        def make(s: LazySchedule) -> None:
            where = _named(s, at)
            _named(s, label).compute_at(where, where.all_iter_vars[axis])

        return Call("compute_at", frozenset([label, at]), make)

    def on_inline(self, stage: Stage) -> Call | None:
        if stage.is_output or stage.op.reduce_axis:
            return None
        return self._on(stage, "compute_inline", lambda t: t.compute_inline())

    def on_root(self, stage: Stage) -> Call | None:
        return self._on(stage, "compute_root", lambda t: t.compute_root())

    # Storage

    def on_cache_read(self, stage: Stage) -> Call | None:
        source, scope, label = self.pick(range(len(stage.op.inputs))), self.pick(["local", "global"]), stage.name

        def make(s: LazySchedule) -> None:
            reader = _named(s, label)
            s.cache_read(reader.op.inputs[source], scope, [reader])

        return Call("cache_read", None, make)

    def on_cache_write(self, stage: Stage) -> Call | None:
        scope, label = self.pick(["local", "global"]), stage.name
        return Call("cache_write", None, lambda s: s.cache_write(_named(s, label).op.outputs, scope))

    def on_rfactor(self, stage: Stage) -> Call | None:
        axis, label, factor_axis = self._axis(stage, ("reduce",)), stage.name, self.pick([0, 0, -1])
        if axis is None:
            return None

        def make(s: LazySchedule) -> None:
            reducer = _named(s, label)
            s.rfactor(reducer.op.outputs, reducer.all_iter_vars[axis], factor_axis)

        return Call("rfactor", None, make)

    def on_scope(self, stage: Stage) -> Call | None:
        scope = self.pick(["local", "global"])
        return None if stage.is_output else self._on(stage, "set_scope", lambda t: t.set_scope(scope))

    def on_storage_align(self, stage: Stage) -> Call | None:
        dimensions = [stage.all_iter_vars.index(a) for a in stage.roots if a.kind == "spatial"]
        if stage.is_output or not dimensions or not self.seldom():
            return None
        axis, factor = self.pick(dimensions), self.pick([4, 8])
        return self._on(stage, "storage_align", lambda t: t.storage_align(t.all_iter_vars[axis], factor, 1))

    def on_storage_swizzle(self, stage: Stage) -> Call | None:
        if stage.is_output or not self.seldom():
            return None
        return self._on(stage, "storage_swizzle", lambda t: t.storage_swizzle())

    def on_double_buffer(self, stage: Stage) -> Call | None:
        if stage.is_output or not self.seldom():
            return None
        return self._on(stage, "double_buffer", lambda t: t.double_buffer())

    def on_rolling_buffer(self, stage: Stage) -> Call | None:
        if stage.is_output or not self.seldom():
            return None
        return self._on(stage, "rolling_buffer", lambda t: t.rolling_buffer())


def _named(schedule: LazySchedule, name: str) -> Stage:
    return next(stage for stage in schedule.stages if stage.name == name)
