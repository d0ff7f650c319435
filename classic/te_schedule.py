"""`te.schedule`: classes of lazy schedules. What looks into the original's lowering is refused (`classic.reasons`)."""

from __future__ import annotations

from ..schedule.stages import IterVar, Schedule, Stage, create_schedule
from ..schedule.stages.axes import Fuse, Singleton, Split
from ..te.foreign import Buffer
from ..te.thread_axes import thread_axis

__all__ = [
    "Buffer", "Fuse", "IterVar", "Schedule", "Singleton", "Split", "Stage", "create_schedule", "thread_axis",
]  # fmt: skip
