"""`@recorded`: methods of `Schedule` that enter the trace, and whose errors name the user's line."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from xdsl.ir import SSAValue

from ..diagnostics import TilewrightError
from ..diagnostics.locations import caller_location, source_position
from .handles import BlockRV, LoopRV
from .trace import METHODS, Instruction

if TYPE_CHECKING:
    from .engine import Engine

P = ParamSpec("P")
R = TypeVar("R")


def recorded(method: Callable[P, R]) -> Callable[P, R]:
    """Append each successful call to the schedule's trace; the error of a failing one says which line made it."""
    signature = inspect.signature(method)
    METHODS.add(method.__name__)

    @functools.wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = signature.bind(*args, **kwargs)
        schedule: Engine = bound.arguments["self"]
        try:
            value = method(*args, **kwargs)
        except TilewrightError as error:
            position = source_position(caller_location("schedule"))
            if position is not None:
                error.notes.append(f"{position.file}:{position.line}: in {method.__name__}")
            raise
        schedule.trace.instructions.append(_instruction(method.__name__, bound, value))
        return value

    return call


def _instruction(name: str, bound: inspect.BoundArguments, value: Any) -> Instruction:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, given in bound.arguments.items():
        declared = bound.signature.parameters[parameter]
        if declared.kind is declared.VAR_POSITIONAL:
            positional += given
        elif parameter != "self" and declared.default is declared.empty:
            positional.append(_recordable(given))
        elif parameter != "self" and given != declared.default:
            keywords[parameter] = given
    single = isinstance(value, (BlockRV, LoopRV))
    return Instruction(name, positional, keywords, (value,) if single else tuple(value or ()), single)


def _recordable(given: Any) -> Any:
    """A buffer by its name, a thread axis by its tag."""
    return given.name_hint if isinstance(given, SSAValue) else getattr(given, "thread_tag", given)
