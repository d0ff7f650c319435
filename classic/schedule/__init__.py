"""`tilewright.tir.schedule`: handles, traces and errors of interactive schedules under the paths of classic programs.

Names of TVM's tree of scheduled statements (`state`) can be imported; each use of them raises an error with the reason.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ...diagnostics import TilewrightError as ScheduleError
from ...diagnostics.errors import UnknownNameError
from ...diagnostics.locations import caller_location
from ...lazy import found_elsewhere, unknown_name
from ...schedule import BlockRV, Instruction, LoopRV
from ...schedule.handles import ValueRV
from ...schedule.handles import ValueRV as ExprRV
from .interactive import Schedule, Trace

__all__ = ["BlockRV", "ExprRV", "Instruction", "LoopRV", "Schedule", "ScheduleError", "Trace", "ValueRV"]

_TREE = "operations are the only tree; sch.get(handle) is one, sch.get_producers and get_consumers follow dependences"
_METHODS = "an instruction names its primitive: instruction.method, instruction.primitive"
HAS_NO_MEANING = {
    "BlockScope": _TREE,
    "CachedFlags": _TREE,
    "DepKind": _TREE,
    "Dependency": _TREE,
    "InstructionKind": _METHODS,
    "ScheduleDebugMask": "every primitive is checked, and validate='symbolic' proves each call",
    "ScheduleState": _TREE,
    "StmtSRef": _TREE,
}
"""Names of the classic module that have nothing behind them here, with the reason that their refusal gives."""


class _Meaningless:
    """A placeholder that can be imported: a call or an attribute access raises TilewrightError TW0477."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *arguments: Any, **keywords: Any) -> NoReturn:
        raise _refusal(self._name)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _refusal(self._name)


def _refusal(name: str) -> UnknownNameError:
    where = caller_location("classic")
    return UnknownNameError("TW0477", f"tir.schedule has no {name!r}: {HAS_NO_MEANING[name]}", location=where)


def __getattr__(name: str) -> Any:
    if name in HAS_NO_MEANING:
        return _Meaningless(name)
    try:
        return found_elsewhere(__name__, name)
    except KeyError:
        raise unknown_name(__name__, name, __all__) from None
