"""Tuning: search spaces, measurement, search and records.

A space (`space`) is a set of schedules of one task; a search proposes points of it, a runner (`measure`) measures the
compiled programs, and records keep the outcomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy import exports

if TYPE_CHECKING:
    from .graph_space import graph_task as graph_task
    from .records import RecordStore as RecordStore
    from .session import LocalMeasures as LocalMeasures
    from .session import Session as Session
    from .session import Settings as Settings
    from .tasks import Task as Task
    from .tasks import extract_tasks as extract_tasks

_EXPORTS: dict[str, str] = {
    "LocalMeasures": "session:LocalMeasures",
    "RecordStore": "records:RecordStore",
    "Session": "session:Session",
    "Settings": "session:Settings",
    "Task": "tasks:Task",
    "extract_tasks": "tasks:extract_tasks",
    "graph_task": "graph_space:graph_task",
}

__all__ = ["LocalMeasures", "RecordStore", "Session", "Settings", "Task", "extract_tasks", "graph_task"]

__getattr__, __dir__ = exports(__name__, _EXPORTS)
