"""Default schedules of a function, for whatever its target plans with."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.func import FuncOp

from ...dialects.target import TargetAttr
from ..schedule import Schedule
from . import schedule_by_rule
from .cuda import schedule_for_cuda
from .rule import Refused


def has_default_schedules(target: TargetAttr) -> bool:
    """Whether there are default schedules for a target."""
    return target.core is not None or target.multiprocessor is not None


def schedule_by_default(function: FuncOp, target: TargetAttr, without: Collection[Refused] = ()) -> Schedule | None:
    """Schedule every block of `function` in place; None where there are no default schedules for the target.

    `without` are rules that are not tried for blocks. Raises RefusedRuleError where the engine refuses what a rule asks
    for.
    """
    if target.multiprocessor is not None:
        return schedule_for_cuda(function, target.multiprocessor, without)
    if target.core is not None:
        return schedule_by_rule(function, target.core, without)
    return None
