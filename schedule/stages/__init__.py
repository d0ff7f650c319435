"""Lazy schedules: stages whose calls are recorded with the user's line, and replayed on the engine when lowered."""

from .axes import IterVar
from .schedule import Schedule, create_schedule
from .stage import Stage

__all__ = ["IterVar", "Schedule", "Stage", "create_schedule"]
