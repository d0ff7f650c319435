"""Traces as MLIR: conversion between the calls of a schedule and the operations of the schedule dialect.

There is one operation for each registered primitive.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

from xdsl.context import Context
from xdsl.dialects.builtin import (
    ArrayAttr,
    BoolAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    LocationAttr,
    StringAttr,
    UnitAttr,
    f64,
    i1,
    i64,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.utils.exceptions import VerifyException

from ..diagnostics import fail
from ..diagnostics.parsing import parse
from ..diagnostics.verification import verify
from ..dialects import context as base_context
from ..dialects.schedule import (
    ATTRIBUTES,
    BlockType,
    HandleAttr,
    PrimitiveOp,
    SequenceOp,
    ValueType,
)
from ..ir import editor as edit
from .handles import BlockRV, LoopRV, ValueRV
from .primitive_declaration import primitives
from .trace import Instruction, Trace, fail_unknown_handle, known_handle
from .trace_arguments import Handle, map_handles, no_form


class ScheduledSequence(NamedTuple):
    """A `schedule.sequence` as it was read."""

    function: str | None
    trace: Trace
    location: LocationAttr


def context() -> Context:
    """Return a context that knows the schedule dialect beside those of the programs."""
    result = base_context()
    result.register_dialect("schedule", schedule_dialect)
    return result


def schedule_dialect() -> Dialect:
    """Return the schedule dialect, with an operation for each primitive that is registered."""
    from . import methods as _built_in  # noqa: F401  # pyright: ignore[reportUnusedImport]  (registers them)

    operations = [primitive.operation for primitive in primitives().values()]
    return Dialect("schedule", [SequenceOp, *operations], list(ATTRIBUTES))


# From traces to text


def print_sequence(trace: Trace, function: str | None = None) -> str:
    """Return the text of a `schedule.sequence`, with a newline at the end."""
    return str(to_sequence(trace, function)) + "\n"


def to_sequence(trace: Trace, function: str | None = None) -> SequenceOp:
    """Return the operations of a trace. Raises TilewrightError TW0472 for a handle that no step before has made."""
    sequence = SequenceOp(function)
    values: dict[str, SSAValue] = {}
    for step in trace.instructions:
        op = _to_operation(step, values)
        op.location = step.location or op.location
        for handle, result in zip(step.results, op.res, strict=True):
            hint = _hint(handle)
            edit.rename(result, hint if SSAValue.is_valid_name(hint) else None)
            values[handle.name] = result
        edit.append(sequence.body.block, op)
    return sequence


def _hint(handle: Handle) -> str:
    """Return the name of a handle's value in text."""
    if isinstance(handle, ValueRV):
        return handle.name
    return handle.label if isinstance(handle, BlockRV) else handle.variable


def _to_operation(step: Instruction, values: Mapping[str, SSAValue]) -> PrimitiveOp:
    primitive = step.primitive
    given = primitive.arguments(step.positional, step.keywords)
    handles: list[SSAValue] = []
    for argument in (*step.positional, *step.keywords.values()):
        map_handles(argument, partial(known_handle, values, step))
    arguments = {
        parameter.name: _to_attribute(given[parameter.name], values, handles)
        for parameter in primitive.signature.parameters
        if parameter.name in given
    }
    return primitive.operation(arguments, handles, primitive.signature.result_types(len(step.results)))


def _to_attribute(value: Any, values: Mapping[str, SSAValue], handles: list[SSAValue]) -> Attribute:
    match value:
        case BlockRV() | LoopRV() | ValueRV():
            handles.append(values[value.name])
            return HandleAttr(IntAttr(len(handles) - 1))
        case None:
            return UnitAttr()
        case bool():
            return BoolAttr.from_bool(value)
        case int():
            return IntegerAttr(value, i64)
        case float():
            return FloatAttr(value, f64)
        case str():
            return StringAttr(value)
        case list() | tuple():
            return ArrayAttr([_to_attribute(element, values, handles) for element in value])  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        case _:
            no_form(value)


# From text to traces


def parse_sequences(
    text: str, name: str, *, in_file: bool = False, allow_foreign: bool = False
) -> list[ScheduledSequence]:
    """Return the sequences of a text.

    Raises TilewrightError for text that is no schedule, TW0435 where it holds none, TW0670 where it brings foreign
    code, unless that is allowed.
    """
    module = parse(context(), text, name, in_file=in_file)
    verify(module)
    sequences = [from_sequence(op) for op in module.ops if isinstance(op, SequenceOp)]
    other = next((op for op in module.ops if not isinstance(op, SequenceOp)), None)
    if other is not None or not sequences:
        found = "none" if other is None else f"'{other.name}'"
        fail("TW0435", f"expected schedule.sequence operations, but got {found}", op=other or module)
    if not allow_foreign:
        for sequence in sequences:
            sequence.trace.forbid_foreign()
    return sequences


def from_sequence(sequence: SequenceOp) -> ScheduledSequence:
    """Return the function and the trace of a sequence; each instruction knows its line.

    Raises TilewrightError TW0472 for a handle that no operation before has made.
    """
    handles: dict[SSAValue, Handle] = {}
    counts = {"b": 0, "l": 0, "v": 0}
    steps: list[Instruction] = []
    for op in sequence.body.block.ops:
        assert isinstance(op, PrimitiveOp)
        unknown = next((v for v in op.handles if v not in handles), None)
        if unknown is not None:
            fail_unknown_handle(op.SIGNATURE.name, f"%{unknown.name_hint or 'handle'}", op.location)
        for result in op.res:
            prefix = "b" if isinstance(result.type, BlockType) else "v" if isinstance(result.type, ValueType) else "l"
            name, hint = f"{prefix}{counts[prefix]}", result.name_hint or ""
            handles[result] = ValueRV(0, name) if prefix == "v" else {"b": BlockRV, "l": LoopRV}[prefix](name, hint)
            counts[prefix] += 1
        steps.append(_to_instruction(op, handles))
    return ScheduledSequence(sequence.function_name, Trace(steps), sequence.location)


def _to_instruction(op: PrimitiveOp, handles: Mapping[SSAValue, Handle]) -> Instruction:
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for parameter, attribute in op.given():
        value = _from_attribute(attribute, op, handles)
        if parameter.variadic:
            positional += value
        elif parameter.required:
            positional.append(value)
        else:
            keywords[parameter.name] = value
    results = tuple(handles[result] for result in op.res)
    single = not op.SIGNATURE.varies and len(op.SIGNATURE.results) == 1
    return Instruction(op.SIGNATURE.name, positional, keywords, results, single, op.location)


def _from_attribute(value: Attribute, op: PrimitiveOp, handles: Mapping[SSAValue, Handle]) -> Any:
    match value:
        case HandleAttr():
            return handles[op.handles[value.position.data]]
        case UnitAttr():
            return None
        case IntegerAttr():
            return bool(value.value.data) if value.type == i1 else value.value.data
        case FloatAttr():
            return value.value.data
        case StringAttr():
            return value.data
        case ArrayAttr():
            return [_from_attribute(element, op, handles) for element in value.data]
        case _:
            raise VerifyException(f"expected an argument, but got {value}")
