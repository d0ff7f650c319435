"""Calls of primitives, which are checked, executed atomically, and entered into the trace.

A primitive may call other primitives: the trace contains only the call of the user. The error of a call points at the
line of the call.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..diagnostics import TilewrightError, fail
from ..diagnostics.expectations import WRONG_TYPE
from ..diagnostics.locations import caller_location
from ..ir.editor import transaction
from .handles import BlockRV, LoopRV, ValueRV
from .primitive_signatures import check_arguments
from .refusal import point_at_call
from .trace import Instruction
from .trace_arguments import plain, recordable, without_names

if TYPE_CHECKING:
    from .engine import Engine
    from .primitive_declaration import Primitive


_LISTS_OF_BLOCKS = frozenset({"consumer_blocks"})
"""Parameters that are lists of blocks, which may be given by their names too."""


def recorded(primitive: Primitive, schedule: Engine, positional: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Carry out a call of a primitive and append it to the schedule's trace; returns the result of the primitive."""
    bound = _bound(primitive, schedule, positional, keywords)
    given = _without_names(bound)
    if schedule.is_recording:
        return primitive.function(schedule, *given.args, **given.kwargs)
    _look_up_blocks(primitive, schedule, bound)
    given = _without_names(bound)
    schedule.is_recording, schedule.decision = True, None
    snapshot = None if schedule.proofs is None else schedule.proofs.before(schedule)
    try:
        with transaction():
            check_arguments(primitive.signature, bound.arguments)
            value = primitive.function(schedule, *given.args, **given.kwargs)
            if snapshot is not None:
                snapshot.check(primitive.name)
    except TilewrightError as error:
        point_at_call(error, schedule.call_location or caller_location("schedule"))
        raise
    finally:
        schedule.is_recording = False
        if snapshot is not None:
            snapshot.restore_algebra()
    if schedule.decision is not None:
        bound.arguments["decision"] = schedule.decision
    schedule.trace.instructions.append(_instruction(primitive.name, bound, value))
    return value


def _bound(
    primitive: Primitive, schedule: Engine, positional: Sequence[Any], keywords: Mapping[str, Any]
) -> inspect.BoundArguments:
    """Return the arguments of a call by the names of parameters. Raises TilewrightError TW0725 where they do not
    fit."""
    try:
        given, named = schedule.as_declared(primitive.name, positional, keywords)
        return primitive.bind([*map(plain, given)], {k: plain(v) for k, v in named.items()})
    except TypeError as error:
        fail(
            WRONG_TYPE,
            f"{primitive.name}: {error}",
            location=caller_location("schedule"),
            help=f"`{primitive.name}` takes ({', '.join(primitive.parameters.parameters)})",
        )


def _without_names(bound: inspect.BoundArguments) -> inspect.BoundArguments:
    """Return the arguments as primitives take them: drawn values are numbers, whose names only the trace needs."""
    return inspect.BoundArguments(
        bound.signature,
        {name: without_names(given) for name, given in bound.arguments.items()},  # pyright: ignore[reportArgumentType]
    )


def _look_up_blocks(primitive: Primitive, schedule: Engine, bound: inspect.BoundArguments) -> None:
    """Replace the label of a block by its handle, which the trace looks up before the call."""
    for parameter in primitive.signature.parameters:
        given = bound.arguments.get(parameter.name)
        if isinstance(given, str) and "block" in parameter.accepts and "string" not in parameter.accepts:
            bound.arguments[parameter.name] = schedule.named_block(given)
        elif isinstance(given, (list, tuple)) and parameter.name in _LISTS_OF_BLOCKS:
            bound.arguments[parameter.name] = [
                schedule.named_block(each) if isinstance(each, str) else each
                for each in given  # pyright: ignore[reportUnknownVariableType]
            ]


def _instruction(name: str, bound: inspect.BoundArguments, value: Any) -> Instruction:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, given in bound.arguments.items():
        declared = bound.signature.parameters[parameter]
        if declared.kind is declared.VAR_POSITIONAL:
            positional += recordable(given)
        elif declared.default is declared.empty:
            positional.append(recordable(given))
        elif not _is_default(given, declared.default):
            keywords[parameter] = recordable(given)
    return Instruction(name, positional, keywords, *_results(value))


def _is_default(given: Any, default: Any) -> bool:
    return given is default or (type(given) is type(default) and given == default)


def _results(value: Any) -> tuple[tuple[BlockRV | LoopRV | ValueRV, ...], bool]:
    """Return the handles that a primitive returned, and whether it returned one alone."""
    if isinstance(value, (BlockRV, LoopRV, ValueRV)):
        return (value,), True
    return tuple(value or ()), False
