"""`tilewright.tir.schedule.state`: placeholders for the names of TVM's schedule state, whose use raises an error."""

from __future__ import annotations

from . import CachedFlags, ScheduleDebugMask, ScheduleState

__all__ = ["CachedFlags", "ScheduleDebugMask", "ScheduleState"]
