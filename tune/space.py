"""Search spaces: the decisions that a search may vary, and the schedule of a point.

A space is anything with the attributes of `Space`: the default schedules of a function (`schedule.decisions`), rules of
users, templates, programs that draw. Its decisions depend on one another: the rule chosen for a block determines the
next decisions. So a space lists the decisions of a point as they were asked when the point was built.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..schedule.decisions import Decision, Point

if TYPE_CHECKING:
    from xdsl.dialects.func import FuncOp

    from ..schedule.trace import Trace

__all__ = ["Built", "Decision", "Point", "Space"]


@dataclass(frozen=True)
class Built:
    """A function that is scheduled as a point says."""

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
