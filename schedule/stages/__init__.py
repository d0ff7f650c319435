"""Lazy schedules: stages whose calls are recorded with the user's line, and replayed on the engine when lowered.

Read `schedule` (the stages of a program) and `stage` (the calls) first, then `log` (the records of calls), `axes`
(loops and the relations between them), and `replay` with the `lower_*` modules, which carry the records out.
"""

from .axes import IterVar
from .schedule import Schedule, create_schedule
from .stage import Stage

__all__ = ["IterVar", "Schedule", "Stage", "create_schedule"]
