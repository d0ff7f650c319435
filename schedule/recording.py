"""`@recorded`: methods of `Schedule` that enter the trace, and whose errors point at the user's line.

A recorded method may call others: the trace has the call that the user made and nothing below it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from ..diagnostics import TilewrightError
from ..diagnostics.locations import caller_location
from ..ir.editor import transaction
from .arguments import plain, recordable
from .handles import BlockRV, LoopRV
from .refusal import point_at_call
from .trace import METHODS, Instruction

if TYPE_CHECKING:
    from .engine import Engine

P = ParamSpec("P")
R = TypeVar("R")


def recorded(method: Callable[P, R]) -> Callable[P, R]:
    """Append each successful call to the schedule's trace; the error of a failing one says which line made it."""
    signature = inspect.signature(method)
    METHODS[method.__name__] = method

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(*map(plain, args), **{name: plain(value) for name, value in kwargs.items()})
        schedule: Engine = bound.arguments["self"]
        if schedule.is_recording:
            return method(*bound.args, **bound.kwargs)
        schedule.is_recording = True
        snapshot = None if schedule.proofs is None else schedule.proofs.before(schedule)
        try:
            with transaction():
                value = method(*bound.args, **bound.kwargs)
                if snapshot is not None:
                    snapshot.check(method.__name__)
        except TilewrightError as error:
            point_at_call(error, schedule.call_location or caller_location("schedule", exact=True))
            raise
        finally:
            schedule.is_recording = False
            if snapshot is not None:
                snapshot.restore_algebra()
        schedule.trace.instructions.append(_instruction(method.__name__, bound, value))
        return value

    return call


def _instruction(name: str, bound: inspect.BoundArguments, value: Any) -> Instruction:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, given in bound.arguments.items():
        declared = bound.signature.parameters[parameter]
        if parameter == "self":
            continue
        if declared.kind is declared.VAR_POSITIONAL:
            positional += recordable(given)
        elif declared.default is declared.empty:
            positional.append(recordable(given))
        elif not _is_default(given, declared.default):
            keywords[parameter] = recordable(given)
    return Instruction(name, positional, keywords, *_results(value))


def _is_default(given: Any, default: Any) -> bool:
    return given is default or (type(given) is type(default) and given == default)


def _results(value: Any) -> tuple[tuple[BlockRV | LoopRV, ...], bool]:
    """The handles that a method returned, and whether it returned one alone."""
    if isinstance(value, (BlockRV, LoopRV)):
        return (value,), True
    return tuple(value or ()), False


def methods_of(cls: type) -> Mapping[str, Callable[..., Any]]:
    """The recorded methods of a schedule class by name, in the order of its definition."""
    names = [name for base in reversed(cls.__mro__) for name in vars(base) if name in METHODS]
    return {name: METHODS[name] for name in dict.fromkeys(names)}
