"""`te.schedule`: classes of lazy schedules. Names that inspect TVM's lowering raise an error (`classic.reasons`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..lazy import exports
from ..schedule.stages import IterVar, Stage, create_schedule
from ..schedule.stages import LazySchedule as Schedule
from ..schedule.stages.axes import Fuse, Singleton, Split
from ..schedule.stages.saved import read_nodes as load_json  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ..schedule.stages.saved import write_nodes as save_json  # noqa: F401  # pyright: ignore[reportUnusedImport]
from ..te.expr import Read, walk
from ..te.foreign import Buffer
from ..te.tensor import Computation
from ..te.thread_axes import thread_axis

if TYPE_CHECKING:
    from .te_bounds import InferBound, ScheduleOps
    from .te_graphs import CreateAttachPath, CreateReadGraph, PostDFSOrder, ScanFixPointAnalysis, ScanGetBody

__all__ = [
    "AutoInlineBroadcast", "AutoInlineElemWise", "AutoInlineInjective", "Buffer", "CreateAttachPath",
    "CreateReadGraph", "Fuse", "InferBound", "IterVar", "PostDFSOrder", "ScanFixPointAnalysis", "ScanGetBody",
    "Schedule", "ScheduleOps", "Singleton", "Split", "Stage", "create_schedule", "thread_axis",
]  # fmt: skip

__getattr__, __dir__ = exports(
    __name__,
    {
        **{name: f"te_bounds:{name}" for name in ("InferBound", "ScheduleOps")},
        **{
            name: f"te_graphs:{name}"
            for name in ("CreateAttachPath", "CreateReadGraph", "PostDFSOrder", "ScanFixPointAnalysis", "ScanGetBody")
        },
    },
    __package__,
)  # which need the driver


def AutoInlineElemWise(sch: Schedule) -> None:
    """Compute inline the stages that read tensors only at their axes, except for stages that were scheduled."""
    _inline_each(sch, _reads_at_its_axes)


def AutoInlineBroadcast(sch: Schedule) -> None:
    """Compute inline the stages of `AutoInlineElemWise`, and stages with the tag "broadcast"."""
    _inline_each(sch, lambda op: op.tag.startswith("broadcast") or _reads_at_its_axes(op))


def AutoInlineInjective(sch: Schedule) -> None:
    """Compute inline the stages without reductions, except for stages that were scheduled."""
    _inline_each(sch, lambda op: True)


def _inline_each(sch: Schedule, fits: Callable[[Computation], bool]) -> None:
    for stage in sch.stages:
        op = stage.op
        is_free = not (stage.is_output or stage.is_arranged or op.reduce_axis)
        if is_free and isinstance(op, Computation) and fits(op):
            stage.compute_inline()


def _reads_at_its_axes(op: Computation) -> bool:
    reads = [node for body in op.bodies for node in walk(body) if isinstance(node, Read)]
    return all(
        len(read.indices) == len(op.axis) and all(a is b for a, b in zip(read.indices, op.axis, strict=True))
        for read in reads
    )
