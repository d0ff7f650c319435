"""Tuning: search spaces, measurement, search and records.

A space (`space`) is a set of schedules of one task; a search proposes points of it, a runner (`measure`) measures the
compiled programs, and records keep the outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from .tasks import Task as Task
    from .tasks import extract_tasks as extract_tasks

_EXPORTS: dict[str, str] = {"Task": "tasks:Task", "extract_tasks": "tasks:extract_tasks"}

__all__ = ["Task", "extract_tasks"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
