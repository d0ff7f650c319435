"""Replay of schedules from tuning records on the functions for which they were measured."""

from __future__ import annotations

import json

from xdsl.dialects.func import FuncOp

from ..dialects.target import TargetAttr
from .canonical import Canonical
from .records import Record
from .rules.default import scheduled_copy
from .schedule import Schedule
from .trace import Trace


def recorded_trace(record: Record, *, allow_foreign: bool = False) -> Trace | None:
    """Return the trace that a record states; None for a record without one. Raises the errors of `Trace.from_json`."""
    return None if record.trace is None else Trace.from_json(json.dumps(record.trace), allow_foreign=allow_foreign)


def replay(form: Canonical, record: Record, target: TargetAttr, *, allow_foreign: bool = False) -> FuncOp:
    """Return the function of `form`, scheduled as a record says, under its names; the form is used up.

    The trace is replayed; of a record without one, the schedule is built from its decisions. Raises TilewrightError
    where a primitive refuses a step of the trace, TW0408 for a text that is no trace, TW0801 for a decision that does
    not fit, TW0670 for foreign code that is not allowed.
    """
    trace = recorded_trace(record, allow_foreign=allow_foreign)
    if trace is None:
        function = scheduled_copy(form.function, target, record.decisions).schedule.func
    else:
        trace.apply_to(schedule := Schedule(form.function))
        function = schedule.func
    return form.names.restore(function)
