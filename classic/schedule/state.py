"""`tilewright.tir.schedule.state`: the classic schedule's state, whose names are refused."""

from __future__ import annotations

from . import CachedFlags, ScheduleDebugMask, ScheduleState

__all__ = ["CachedFlags", "ScheduleDebugMask", "ScheduleState"]
