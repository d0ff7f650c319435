"""The search space of the default schedules: the choices of their rules for one function."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ..schedule.decisions import Decision, Point, Value
from ..schedule.rules.default import scheduled_copy
from .space import Built


class RuleSpace:
    """The schedules of a function that the default rules, and those of users, can make of it.

    `function` has plain loops, as phase 0 leaves them before auto-schedule.
    """

    def __init__(self, function: FuncOp, target: TargetAttr) -> None:
        self.function = function
        self.target = target

    @property
    def default(self) -> Point:
        """The default schedule: no decision is answered otherwise."""
        return {}

    @property
    def plain(self) -> Point:
        """The function with the loops that it has: the rule of each block is none."""
        point: dict[str, Value] = {}
        while True:
            asked = self.decisions(point)
            rules = [d for d in asked if None in d.candidates and d.value is not None]
            if not rules:
                return point
            point[rules[0].key] = None

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """Return the decisions that the rules ask at a point."""
        return self.build(point).decisions

    def build(self, point: Point) -> Built:
        """Return the function, scheduled as the point says, in a module of its target."""
        schedule, decisions = scheduled_copy(self.function, self.target, point)
        ModuleOp([schedule.func], {TARGET_ATTRIBUTE: self.target})
        return Built(schedule.func, schedule.trace, tuple(decisions.asked.values()))
