"""Emission of loops and conditionals. An unrolled loop is expanded here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.ir import Operation

from ....dialects.index_expr import Index
from ....dialects.loop import PARALLEL, UNROLLED, ForOp, IfOp, WhileOp, YieldOp
from .index import Operand
from .parallel import write_parallel
from .serial import write_loop, write_while, yielded_values

if TYPE_CHECKING:
    from .function import FunctionEmitter

Step = Callable[["FunctionEmitter"], None]


def prepare_for(op: Operation) -> Step:
    assert isinstance(op, ForOp)
    lowers, uppers, trips = op.lowers, op.uppers, op.constant_trip_count

    def run(emitter: FunctionEmitter) -> None:
        emitter.loop_range(op.induction_variable, lowers, uppers)
        if op.kind == UNROLLED:
            assert trips is not None, "the verifier wants a constant number"
            _write_out(emitter, op, _written_out_start(emitter, lowers), trips)
            return
        lower = emitter.writer.extreme("max", [emitter.writer.operand(e) for e in lowers])
        upper = emitter.writer.extreme("min", [emitter.writer.operand(e) for e in uppers])
        if op.kind == PARALLEL:
            write_parallel(emitter, op, lower, upper)
        else:
            write_loop(emitter, op, lower, upper, _may_skip(emitter, lowers, uppers, lower, upper))

    return run


def prepare_while(op: Operation) -> Step:
    assert isinstance(op, WhileOp)
    uppers = op.uppers

    def run(emitter: FunctionEmitter) -> None:
        emitter.loop_range(op.induction_variable, (Index.of(0),), uppers)
        write_while(emitter, op, emitter.writer.operand(uppers[0]) if uppers else None)

    return run


def prepare_yield(op: Operation) -> Step:
    """Return a step that does nothing: the loop itself reads the operands of its yield."""
    assert isinstance(op, YieldOp)
    return lambda emitter: None


def prepare_if(op: Operation) -> Step:
    assert isinstance(op, IfOp)
    conditions = op.conditions
    else_block = op.else_body.blocks.first

    def run(emitter: FunctionEmitter) -> None:
        condition = emitter.writer.holds(conditions)
        if condition is True:
            emitter.run_block(op.then_body.block)
        elif isinstance(condition, str):
            _write_branch(emitter, op, condition)
        elif else_block is not None:
            emitter.run_block(else_block)

    return run


def _written_out_start(emitter: FunctionEmitter, lowers: tuple[Index, ...]) -> int | Index:
    """Return the first value of a loop whose number of iterations is known: a number, or an expression."""
    operands = [emitter.writer.operand(e) for e in lowers]
    known = [o for o in operands if isinstance(o, int)]
    return max(known) if len(known) == len(operands) else lowers[0]


def _write_out(emitter: FunctionEmitter, op: ForOp, start: int | Index, trips: int) -> None:
    block = op.body.block
    carried = [emitter.operand(v) for v in op.iter_args]
    for iteration in range(trips):
        emitter.define(op.induction_variable, start + iteration)
        for argument, value in zip(block.args[1:], carried, strict=True):
            emitter.define(argument, value)
        emitter.run_block(block)
        carried = yielded_values(emitter, op)
    for result, value in zip(op.res, carried, strict=True):
        emitter.define(result, value)


def _may_skip(
    emitter: FunctionEmitter, lowers: tuple[Index, ...], uppers: tuple[Index, ...], lower: Operand, upper: Operand
) -> bool:
    """Return whether a loop may run zero times."""
    if isinstance(lower, int) and isinstance(upper, int):
        return upper <= lower
    for low in lowers:
        for high in uppers:
            least, _ = (high - low).bounds(emitter.ranges)
            if least is None or least <= 0:
                return True
    return False


def _write_branch(emitter: FunctionEmitter, op: IfOp, condition: str) -> None:
    code = emitter.code
    then, otherwise, done = code.label("then"), code.label("else"), code.label("endif")
    else_block = op.else_body.blocks.first

    code.push()
    emitter.registers.enter("branch")
    code.start_block(then)
    emitter.run_block(op.then_body.block)
    then_end = code.block
    code.line(f"br label %{done}")
    then_values, then_lines = emitter.registers.leave_branch(), code.pop()

    code.push()
    emitter.registers.enter("branch")
    code.start_block(otherwise)
    if else_block is not None:
        emitter.run_block(else_block)
    else_end = code.block
    code.line(f"br label %{done}")
    else_values, else_lines = emitter.registers.leave_branch(), code.pop()

    code.line(f"br i1 {condition}, label %{then}, label %{otherwise}")
    code.scopes[-1].lines += [*then_lines, *else_lines]
    code.start_block(done)
    emitter.registers.merge(then_values, then_end, else_values, else_end)
