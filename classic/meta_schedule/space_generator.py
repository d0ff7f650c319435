"""Schedule programs that sample, as search spaces: the decisions are the calls of `sample_*`, in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ...diagnostics.expectations import expect_type
from ...dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ...schedule.decisions import Decision, Point, deciding
from ...tune.space import Built
from ...tune.tasks import Task
from ..schedule import Schedule

__all__ = ["DrawnTask", "ProgramSpace", "ScheduleFn"]


class ScheduleFn:
    """The space of a schedule program: a function that transforms a schedule, and samples decisions by `sample_*`."""

    def __init__(self, sch_fn: Callable[[Schedule], Any], **options: Any) -> None:
        expect_type("sch_fn", sch_fn, Callable)  # pyright: ignore[reportArgumentType]  (a class, to isinstance)
        self.program = sch_fn


class ProgramSpace:
    """The schedules of a function that a schedule program generates for its target."""

    def __init__(self, function: FuncOp, target: TargetAttr, program: Callable[[Schedule], Any]) -> None:
        self.function, self.target, self.program = function, target, program

    @property
    def default(self) -> Point:
        """The first candidate of each decision."""
        return {}

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """Return the decisions that the program asks at a point."""
        return self.build(point).decisions

    def build(self, point: Point) -> Built:
        """Return the function as the program schedules it. Raises TW0801 for an answer that is no candidate, or not
        asked."""
        module = ModuleOp([self.function.clone()], {TARGET_ATTRIBUTE: self.target})
        schedule = Schedule(module)
        with deciding(point) as decisions:
            self.program(schedule)
            decisions.check_all_asked()
        return Built(schedule.func, schedule.trace, tuple(decisions.asked.values()))


@dataclass(frozen=True)
class DrawnTask(Task):
    """A function to be tuned over the schedules of a program or, without a program, of the default rules."""

    program: Callable[[Schedule], Any] | None = None

    @property
    def space(self) -> Any:
        """The schedules that the program, or rules, can make of it."""
        return super().space if self.program is None else ProgramSpace(self.function, self.target, self.program)
