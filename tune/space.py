"""Search spaces: the decisions that a search may vary, and the schedule of a point.

A space is any object with the attributes of `Space`: `RuleSpace`, the default schedules of a function
(`schedule.decisions`), rules of users, templates, or programs that sample decisions. Decisions depend on one another:
the rule that is chosen for a block determines the next decisions. So a space lists the decisions of a point in the
order in which they were asked when the point was built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..dialects.target import TARGET_ATTRIBUTE, TargetAttr
from ..schedule.decisions import Decision, Point, Value
from ..schedule.rules.default import scheduled_copy

if TYPE_CHECKING:
    from ..schedule.trace import Trace

__all__ = ["Built", "Decision", "Point", "Space"]


@dataclass(frozen=True)
class Built:
    """A function with the schedule of a point."""

    function: FuncOp
    """Loop IR in a module that has its target; the passes after auto-schedule lower it."""
    trace: Trace
    """Replays to the function. Its decisions are among its instructions."""
    decisions: tuple[Decision, ...]
    """In the order in which they were asked, the answered ones among them."""

    @property
    def point(self) -> Point:
        """The values of all decisions: the full form of the point, which identifies it."""
        return {decision.key: decision.value for decision in self.decisions}


@runtime_checkable
class Space(Protocol):
    """A set of schedules for one task.

    `build` is a function of the point alone: the same point gives the same function and trace, in every process.
    """

    @property
    def default(self) -> Point:
        """The point that is used without tuning."""
        ...

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        """Return the decisions that are asked at a point, in order. Raises what `build` raises."""
        ...

    def build(self, point: Point) -> Built:
        """Schedule a fresh copy of the task's function. Decisions that the point does not name have their defaults.

        Raises TilewrightError TW0801 where an answer does not fit, and what schedule primitives raise.
        """
        ...


class RuleSpace:
    """The schedules of a function that the default rules and the rules of users can produce.

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
