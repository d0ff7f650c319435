"""`te.schedule`: classes of lazy schedules. What looks into the original's lowering is refused with the reason."""

from __future__ import annotations

from typing import Any

from ..diagnostics.errors import UnknownNameError
from ..lazy import unknown_name
from ..schedule.stages import IterVar, Schedule, Stage, create_schedule
from ..schedule.stages.axes import Fuse, Singleton, Split
from ..te.foreign import Buffer
from ..te.thread_axes import thread_axis

__all__ = [
    "Buffer", "Fuse", "IterVar", "Schedule", "Singleton", "Split", "Stage", "create_schedule", "thread_axis",
]  # fmt: skip

_STEPS = "bounds and loops are made in one replay of the schedule", "read the loops: tilewright.lower(schedule, args)"
REASONS: dict[str, tuple[str, str]] = {
    "InferBound": _STEPS,
    "ScheduleOps": _STEPS,
    "SchedulePostProcToPrimFunc": _STEPS,
    "SchedulePostProcRewriteForTensorCore": _STEPS,
    "AutoInlineElemwise": ("stages are inlined one by one", "call s[T].compute_inline() for the stages"),
    "AutoInlineInjective": ("stages are inlined one by one", "call s[T].compute_inline() for the stages"),
    "AutoInlineBroadcast": ("stages are inlined one by one", "call s[T].compute_inline() for the stages"),
    "SpecializedCondition": ("programs hold one version of a kernel", "build one program for each size"),
}
"""Why a name is missing, and what to do instead."""


def __getattr__(name: str) -> Any:
    if name in REASONS:
        reason, help = REASONS[name]
        raise UnknownNameError("TW0251", f"'te.schedule.{name}' is not part of this package: {reason}", help=help)
    raise unknown_name(__name__, name, __all__)
