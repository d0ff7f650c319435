"""Lazy schedules: stages whose calls are recorded with the user's line, and replayed on the engine when lowered.

Read `schedule` (the stages of a program) and `stage` (the calls) first, then `log` (the records of calls), `axes`
(loops and the relations between them), and `replay` with the `lower_*` modules, which execute the recorded calls.
"""

from ... import lazy
from .axes import IterVar
from .schedule import LazySchedule, create_schedule
from .stage import Stage

__all__ = ["IterVar", "LazySchedule", "Stage", "create_schedule"]

__getattr__, __dir__ = lazy.exports(__name__, {})
