"""Translation of loops, conditionals, blocks, calls and `print` operations, which write to Python's standard output."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.ir import Block, Operation

from ...analysis.aliases import root_of, written_roots
from ...analysis.init_nests import init_if_empty
from ...analysis.ranges import Facts
from ...diagnostics import fail
from ...diagnostics.text import filled, number_text
from ...dialects.graph.control_flow import RepeatOp
from ...dialects.index_expr import Index
from ...dialects.loop import (
    PARALLEL,
    AssertOp,
    BlockOp,
    CombineOp,
    ForOp,
    IfOp,
    InitOp,
    PrintOp,
    WhileOp,
    YieldOp,
    enclosing,
    is_over_threads,
)
from ...dialects.loop.captures import positions_of
from ...dialects.loop.memory_spaces import THREAD_BYTES, bytes_of, memory_space_of
from ..assigned_memory import lend
from ..buffers import check_captured, check_captured_disjoint, outside_domain, violated
from .function import MAXIMUM_DEPTH, Emit, FunctionEmitter
from .text import tuple_text
from .threads import emit_block_of_threads, emit_iteration_of_thread, holds_barrier, runs_at_once

_COUNTING = (ForOp, WhileOp, RepeatOp)
_LOOPS_IN_A_FUNCTION = 15
"""Python refuses more than 20 loops within one another in one function."""


def _emit_for(emitter: FunctionEmitter, op: ForOp) -> None:
    if emitter.lines.depth > MAXIMUM_DEPTH:
        fail("TW0105", "expected fewer loops within one another", op=op)
    for block in emitter.reductions_started_at(op):
        if (nest := init_if_empty(block, Facts({}))) is not None:
            emitter.emit_detached(nest)
    if emitter.threads is not None and is_over_threads(op):
        emit_iteration_of_thread(emitter, op)
        return
    if emitter.threads is None and runs_at_once(emitter, op):
        emit_block_of_threads(emitter, op)
        return
    if emitter.loop_depth < _LOOPS_IN_A_FUNCTION:
        _emit_loop(emitter, op)
        return
    function = emitter.fresh("nest")
    outer_depth, emitter.loop_depth = emitter.loop_depth, 0
    with emitter.lines.block(f"def {function}():"):
        _emit_loop(emitter, op)
        emitter.add(f"return {tuple_text(emitter.names(op.res))}")
    emitter.loop_depth = outer_depth
    results = [emitter.define(r) for r in op.res]
    call = f"yield from {function}()" if emitter.threads is not None and holds_barrier(op) else f"{function}()"
    emitter.add(f"{tuple_text(results)} = {call}" if results else call)


def _emit_loop(emitter: FunctionEmitter, op: ForOp) -> None:
    if op.states_captures:
        _emit_captures(emitter, op)
    variable, *carried = op.body.block.args
    names = [emitter.define(c) for c in carried]
    _assign(emitter, names, emitter.names(op.iter_args))
    bounds = f"range({_bound(emitter, op.lowers, 'max')}, {_bound(emitter, op.uppers, 'min')})"
    if emitter.program.counts_steps:
        iterations = emitter.fresh("iterations")
        emitter.add(f"{iterations} = {bounds}")
        spend = emitter.bind(emitter.program.spend, "spend")
        emitter.add(f"{spend}(len({iterations}) * {operation_count(op.body.block)}, {emitter.op(op)})")
        bounds = iterations
    races = emitter.bind(emitter.program.races, "races") if _is_watched(emitter, op) else None
    if races is not None:
        emitter.add(f"{races}.start({emitter.op(op)})")
    emitter.loop_depth += 1
    with emitter.lines.block(f"for {emitter.define(variable)} in {bounds}:"):
        if races is not None:
            emitter.add(f"{races}.thread = {emitter.name(variable)}")
        emitter.emit_block(op.body.block)
        if isinstance(last := op.body.block.last_op, YieldOp):
            _assign(emitter, names, emitter.names(last.operands))
    emitter.loop_depth -= 1
    if races is not None:
        emitter.add(f"{races}.meet(None)")
    for result, name in zip(op.res, names, strict=True):
        emitter.alias(result, name)


def _emit_captures(emitter: FunctionEmitter, op: ForOp) -> None:
    """Check that a parallel loop uses only its captures, and that the noalias buffers among them are disjoint."""
    check_captured(op)
    disjoint = positions_of(op.disjoint)
    if not disjoint:
        return
    roots = written_roots(op, emitter.program.written)
    written = frozenset(k for k, value in enumerate(op.captures) if root_of(value) in roots)
    check = emitter.bind(check_captured_disjoint, "disjoint")
    sets = [emitter.bind(positions, "positions") for positions in (written, disjoint)]
    emitter.add(f"{check}({', '.join([emitter.op(op), *sets, *emitter.names(op.captures)])})")


def _is_watched(emitter: FunctionEmitter, op: ForOp) -> bool:
    """Return whether a loop reports its iterations to the detection of races: an outermost parallel loop."""
    if emitter.program.races is None or op.kind != PARALLEL or emitter.threads is not None:
        return False
    return not any(isinstance(p, ForOp) and p.kind == PARALLEL for p in enclosing(op, ForOp))


def _assign(emitter: FunctionEmitter, targets: Sequence[str], values: Sequence[str]) -> None:
    if targets:
        emitter.add(f"{', '.join(targets)} = {', '.join(values)}")


def _bound(emitter: FunctionEmitter, bounds: Sequence[Index], combine: str) -> str:
    texts = [emitter.index(e) for e in bounds]
    return texts[0] if len(texts) == 1 else f"{combine}({', '.join(texts)})"


def operation_count(block: Block) -> int:
    """Return the number of operations executed in one iteration, without the operations of inner loops."""
    inner = [b for op in block.ops if not isinstance(op, _COUNTING) for region in op.regions for b in region.blocks]
    return sum(1 for _ in block.ops) + sum(map(operation_count, inner))


def _emit_yield(emitter: FunctionEmitter, op: YieldOp) -> None:
    """Emit nothing: the loop around takes the values over."""


def _emit_combine(emitter: FunctionEmitter, op: CombineOp) -> None:
    block = op.combiner.block
    for argument, value in zip(block.args, op.operands, strict=True):
        emitter.alias(argument, emitter.name(value))
    emitter.emit_block(block)
    assert block.last_op is not None
    for result, value in zip(op.res, block.last_op.operands, strict=True):
        emitter.alias(result, emitter.name(value))


def _emit_if(emitter: FunctionEmitter, op: IfOp) -> None:
    with emitter.lines.block(f"if {emitter.guard(op.conditions)}:"):
        emitter.emit_block(op.then_body.block)
    if op.else_body.blocks:
        with emitter.lines.block("else:"):
            emitter.emit_block(op.else_body.block)


def _emit_assert(emitter: FunctionEmitter, op: AssertOp) -> None:
    with emitter.lines.block(f"if not ({emitter.guard(op.conditions)}):"):
        emitter.add(f"{emitter.bind(violated, 'violated')}({emitter.op(op)}, {emitter.indices(op.message_values)})")


def _emit_print(emitter: FunctionEmitter, op: PrintOp) -> None:
    arguments = f"{emitter.op(op)}, {emitter.indices(op.index)}, {emitter.name(op.value)}"
    if emitter.is_grid:
        holds = " & ".join([f"({emitter.index(e)} >= 0)" for e in op.conditions]) or "True"
        emitter.add(f"{emitter.bind(print_lines, 'print_lines')}({arguments}, {holds})")
        return
    with _where(emitter, op.conditions):
        emitter.add(f"{emitter.bind(print_line, 'print_line')}({arguments})")


def _emit_block_op(emitter: FunctionEmitter, op: BlockOp) -> None:
    with _where(emitter, op.conditions):
        for variable, _, binding, extent in op.iteration():
            emitter.set(variable, emitter.index(binding))
            name = emitter.name(variable)
            with emitter.lines.block(f"if not 0 <= {name} < {emitter.index(extent)}:"):
                fail_outside = emitter.bind(outside_domain, "outside_domain")
                position = emitter.bind(str(variable.name_hint), "name")
                emitter.add(f"{fail_outside}({emitter.op(op)}, {position}, {name}, {emitter.index(extent)})")
        emitter.emit_block(op.body.block)


@contextmanager
def _where(emitter: FunctionEmitter, guard: Sequence[Index]) -> Generator[None]:
    if not guard:
        yield
        return
    with emitter.lines.block(f"if {emitter.guard(guard)}:"):
        yield


def _emit_init(emitter: FunctionEmitter, op: InitOp) -> None:
    block = op.parent_op()
    assert isinstance(block, BlockOp)
    reduced = [f"{emitter.name(v)} == 0" for v, kind, _, _ in block.iteration() if kind == "reduce"]
    with emitter.lines.block(f"if {' and '.join(reduced) or 'True'}:"):
        emitter.emit_block(op.body.block)


def _emit_call(emitter: FunctionEmitter, op: func.CallOp) -> None:
    name = op.callee.string_value()
    callee = emitter.bind(emitter.program.function(name, op), "call")
    if (check := emitter.program.overlap_check(name)) is not None:
        emitter.add(f"{emitter.bind(check, 'disjoint')}({emitter.op(op)}, {', '.join(emitter.names(op.arguments))})")
    if (space := memory_space_of(op)) is not None:
        size = bytes_of(emitter.program.definition(name, op), THREAD_BYTES)
        emitter.add(
            f"{emitter.bind(lend, 'lend')}({emitter.op(op)}, {emitter.memory(space.kind)}, {space.start}, {size})"
        )
    call = f"{callee}({', '.join(emitter.names(op.arguments))})"
    results = [emitter.define(r) for r in op.res]
    emitter.add(f"{tuple_text(results)} = {call}" if results else call)


def _emit_return(emitter: FunctionEmitter, op: Operation) -> None:
    emitter.add(f"return {tuple_text(emitter.names(op.operands))}")


def print_line(op: PrintOp, index: Sequence[Any], value: Any) -> None:
    """Print the line of an operation."""
    fields = [*map(int, index), number_text(value, op.digits)]
    print(filled(op.message.data, fields), flush=True)


def print_lines(op: PrintOp, index: Sequence[Any], value: Any, holds: Any) -> None:
    """Print the lines of an operation at all points of a grid at which its guard holds."""
    *indices, values, where = np.broadcast_arrays(*index, value, holds)
    for point in np.ndindex(*values.shape):
        if where[point]:
            print_line(op, [each[point] for each in indices], values[point])


EMIT: dict[str, Emit] = {
    "func.call": _emit_call,
    "func.return": _emit_return,
    "loop.assert": _emit_assert,
    "loop.block": _emit_block_op,
    "loop.combine": _emit_combine,
    "loop.for": _emit_for,
    "loop.if": _emit_if,
    "loop.init": _emit_init,
    "loop.print": _emit_print,
    "loop.yield": _emit_yield,
}
