"""Translation of branches and loops on tensors, of the graph and te dialects, and of loops on a condition in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import numpy as np
from xdsl.ir import SSAValue

from ...dialects.graph.control_flow import BranchOp, RepeatOp
from ...dialects.graph.types import shape_of
from ...dialects.loop import WhileOp
from ..values import Array, dtype_of
from .control import operation_count
from .function import Emit, FunctionEmitter
from .named_sizes import size_text
from .text import tuple_text


def _emit_branch(emitter: FunctionEmitter, op: BranchOp) -> None:
    results = [emitter.fresh(r.name_hint or "result") for r in op.res]
    for header, region in ((f"if {emitter.name(op.condition)}:", op.then_body), ("else:", op.else_body)):
        with emitter.lines.block(header):
            emitter.emit_block(region.block)
            last = region.block.last_op
            assert last is not None
            _assign(emitter, results, emitter.names(last.operands))
    for result, name in zip(op.res, results, strict=True):
        emitter.alias(result, name)


def _emit_repeat(emitter: FunctionEmitter, op: RepeatOp) -> None:
    carried = [emitter.define(value) for value in op.carried]
    _assign(emitter, carried, emitter.names(op.inits))
    parts = [emitter.fresh("parts") for _ in op.collected]
    _assign(emitter, parts, ["[]"] * len(parts))
    going = emitter.fresh("going")
    emitter.add(f"{going} = {'True' if op.going is None else emitter.name(op.going)}")
    number = emitter.fresh("number")
    with emitter.lines.block(f"for {number} in {_numbers(emitter, op)}:"):
        with emitter.lines.block(f"if not {going}:"):
            emitter.add("break")
        _spend(emitter, op)
        emitter.set(op.iteration, f"{emitter.bind(np.asarray, 'asarray')}({number}, {emitter.bind(np.int64, 'int64')})")
        for element, source in zip(op.elements, op.sources, strict=True):
            emitter.set(element, f"{emitter.name(source)}[{number}, ...]")
        emitter.emit_block(op.body.block)
        handed = [*carried, *([] if op.still_going is None else [going])]
        values = [*op.handed_on, *([] if op.still_going is None else [op.still_going])]
        for name, value in zip(parts, op.collected, strict=True):
            emitter.add(f"{name}.append({emitter.name(value)})")
        _assign(emitter, handed, emitter.names(values))
    for result, name in zip(op.res, carried, strict=False):
        emitter.alias(result, name)
    for result, name in zip(list(op.res)[len(carried) :], parts, strict=True):
        dtype = emitter.bind(dtype_of(result.type, op), "dtype")
        shape = _shape_text(emitter, result)
        room = f"{size_text(emitter, op.length)}" if op.going is not None else f"len({name})"
        emitter.set(result, f"{emitter.bind(_collect, 'collect')}({name}, {room}, {shape}, {dtype})")


def _numbers(emitter: FunctionEmitter, op: RepeatOp) -> str:
    """Return the text of the range of the loop; it is endless for a loop that only its condition ends."""
    if op.trips is not None:
        return f"range(int({emitter.name(op.trips)}))"
    if op.sources:
        return f"range(len({emitter.name(op.sources[0])}))"
    if op.length is not None:
        return f"range({size_text(emitter, op.length)})"
    return _without_end(emitter)


def _without_end(emitter: FunctionEmitter) -> str:
    return f"{emitter.bind(count, 'count')}()"


def _spend(emitter: FunctionEmitter, op: RepeatOp | WhileOp) -> None:
    if emitter.program.counts_steps:
        spend = emitter.bind(emitter.program.spend, "spend")
        emitter.add(f"{spend}({operation_count(op.body.block)}, {emitter.op(op)})")


def _collect(parts: Sequence[Array], room: int, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Return the parts one behind another, and zeros up to the room; without any, of the shape that the type states."""
    found = np.stack(parts) if parts else np.zeros((0, *shape[1:]), dtype)
    return (
        found if len(found) == room else np.concatenate([found, np.zeros((room - len(found), *found.shape[1:]), dtype)])
    )


def _shape_text(emitter: FunctionEmitter, result: SSAValue) -> str:
    """Return the text of a shape: 0, then the sizes after the first; a size that no argument has is taken for 0, where
    there is nothing to collect."""
    return tuple_text(["0", *(size_text(emitter, dim) for dim in shape_of(result)[1:])])


def _emit_while(emitter: FunctionEmitter, op: WhileOp) -> None:
    numbers = f"range({emitter.index(op.uppers[0])})" if op.uppers else _without_end(emitter)
    with emitter.lines.block(f"for {emitter.define(op.induction_variable)} in {numbers}:"):
        with emitter.lines.block(f"if not {emitter.name(op.condition)}.item():"):
            emitter.add("break")
        _spend(emitter, op)
        emitter.emit_block(op.body.block)


def _assign(emitter: FunctionEmitter, targets: Sequence[str], values: Sequence[str]) -> None:
    """Assign at once: a value may be another target."""
    if targets:
        emitter.add(f"{', '.join(targets)} = {', '.join(values)}")


EMIT: dict[str, Emit] = {
    "graph.if": _emit_branch,
    "graph.loop": _emit_repeat,
    "loop.while": _emit_while,
    "te.if": _emit_branch,
    "te.loop": _emit_repeat,
}
