"""Default schedules of a function for a CPU or a GPU target."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from xdsl.dialects.func import FuncOp

from ...diagnostics.remarks import collect_remarks, remark
from ...dialects.target import TargetAttr
from ..decisions import Decisions, Point, deciding, undecided
from ..open_sizes import Ranges
from ..primitives.decide import instruction_of
from ..schedule import Schedule
from . import schedule_by_rule
from .rule import Refused, RefusedRuleError
from .steps import single_row


def has_default_schedules(target: TargetAttr) -> bool:
    """Return whether there are default schedules for a target."""
    return target.core is not None or target.multiprocessor is not None


def schedule_by_default(function: FuncOp, target: TargetAttr, without: Collection[Refused] = ()) -> Schedule | None:
    """Schedule every block of `function` in place; None where there are no default schedules for the target.

    `without` are rules that are not tried for blocks. Raises RefusedRuleError where the engine refuses what a rule asks
    for.
    """
    if target.multiprocessor is not None:
        from .cuda import schedule_for_cuda

        return schedule_for_cuda(function, target.multiprocessor, without)
    if target.core is not None:
        return schedule_by_rule(function, target.core, without)
    return None


class ScheduledCopy(NamedTuple):
    """A copy of a function that default rules have scheduled."""

    schedule: Schedule
    decisions: Decisions
    """The decisions that the rules asked; none where no point was given."""


def scheduled_copy(function: FuncOp, target: TargetAttr, point: Point | None = None) -> ScheduledCopy:
    """Schedule a copy of `function`, without the rules that the engine refuses for its blocks (remark TW0409).

    `point` answers the decisions of the rules, others have their defaults; with one, decisions are recorded, and are
    the first steps of the schedule's trace.
    Raises TilewrightError TW0801 where an answer does not fit, and what the engine refuses only because of an answer:
    a rule that is dropped without a point is dropped with a point too, and no other rule is.
    """
    refused: set[Refused] = set()
    while True:
        attempt = function.clone()
        try:
            if point is None:
                schedule, decisions = schedule_by_default(attempt, target, refused), Decisions()
            else:
                with deciding(point) as decisions:
                    schedule = schedule_by_default(attempt, target, refused)
                decisions.check_all_asked()
        except RefusedRuleError as error:
            if point and error.refused not in _refused_by_default(function, target):
                raise error.error from None
            remark("TW0409", f"default schedule of @{function.sym_name.data} refused: {error}", op=function)
            refused.add(error.refused)
        else:
            schedule = schedule or Schedule(attempt)
            schedule.trace.instructions[:0] = map(instruction_of, decisions.asked.values())
            return ScheduledCopy(schedule, decisions)


def versions_by_default(function: FuncOp, target: TargetAttr) -> list[tuple[Ranges, FuncOp]]:
    """Return schedules of a function for ranges of its open sizes in which the default schedule computes much
    padding."""
    single = None if target.core is None else single_row(function, target.core)
    if single is None:
        return []
    ranges, point = single
    with collect_remarks():
        return [(ranges, scheduled_copy(function, target, point).schedule.func)]


def _refused_by_default(function: FuncOp, target: TargetAttr) -> set[Refused]:
    """Return the rules that the engine refuses for blocks of a function under default decisions."""
    refused: set[Refused] = set()
    while True:
        try:
            with undecided(), collect_remarks():
                schedule_by_default(function.clone(), target, refused)
        except RefusedRuleError as error:
            refused.add(error.refused)
        else:
            return refused
