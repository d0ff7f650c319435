"""Serial loops.

A loop is rotated: its test stands at the end, and before it only where the loop may run zero times.
Loop-carried values and register chunks are phis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects.loop import ForOp, WhileOp, YieldOp
from .index import Operand
from .memory import load_only
from .streaming import complete_streaming, streaming
from .types import value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter


def yielded_values(emitter: FunctionEmitter, op: ForOp | WhileOp) -> list[Operand]:
    """Return the operands of the loop's yield, as the last expansion of the body defines them."""
    last = op.body.block.last_op
    return [emitter.operand(v) for v in last.operands] if isinstance(last, YieldOp) else []


def write_loop(emitter: FunctionEmitter, op: ForOp, lower: Operand, upper: Operand, may_skip: bool) -> None:
    """Write the loop over [lower, upper); `may_skip` states whether it may run zero times."""

    def goes_on(number: Operand, is_first: bool) -> str | None:
        if not is_first:
            return emitter.code.define(f"icmp slt i64 {number}, {upper}")
        return emitter.code.pure(f"icmp slt i64 {number}, {upper}", (str(number), str(upper))) if may_skip else None

    _write_rotated(emitter, op, lower, goes_on, op.iter_args)


def write_while(emitter: FunctionEmitter, op: WhileOp, upper: Operand | None) -> None:
    """Write the loop from 0 on, up to `upper` if there is one, as long as its buffer holds true."""

    def goes_on(number: Operand, is_first: bool) -> str:
        code, condition = emitter.code, load_only(emitter, op, op.condition)
        if upper is None:
            return condition
        return code.define(f"and i1 {condition}, {code.define(f'icmp slt i64 {number}, {upper}')}")

    _write_rotated(emitter, op, 0, goes_on, ())


def _write_rotated(
    emitter: FunctionEmitter,
    op: ForOp | WhileOp,
    lower: Operand,
    goes_on: Callable[[Operand, bool], str | None],
    iter_args: Sequence[SSAValue],
) -> None:
    """Write a loop from `lower` on. `goes_on` writes whether the iteration of a number is to run, the first or another
    one; None for a first one that always does."""
    code, block = emitter.code, op.body.block
    label, done = code.label("loop"), code.label("done")
    initial = [emitter.value(v) for v in iter_args]
    types = [value_type(v.type) for v in iter_args]
    nonempty = goes_on(lower, True)
    may_skip, before = nonempty is not None, code.block

    code.push()
    code.block = label
    emitter.registers.enter("loop")
    variable = code.fresh(op.induction_variable.name_hint or "i")
    emitter.define(op.induction_variable, variable)
    arguments = [code.fresh(a.name_hint or "carried") for a in block.args[1:]]
    for argument, name in zip(block.args[1:], arguments, strict=True):
        emitter.define(argument, name)
    with streaming(emitter, op):
        emitter.run_block(block)
    yielded = [str(v) for v in yielded_values(emitter, op)]
    following = code.define(f"add nsw i64 {variable}, 1")
    again = goes_on(following, False)
    latch = code.block
    body = code.pop()

    head, exits = emitter.registers.close_loop(before, latch, may_skip)
    lines = code.scopes[-1].lines
    code.line(f"br label %{label}" if nonempty is None else f"br i1 {nonempty}, label %{label}, label %{done}")
    lines.append(f"{label}:")
    code.line(f"{variable} = phi i64 [ {lower}, %{before} ], [ {following}, %{latch} ]")
    for name, type_, first, last in zip(arguments, types, initial, yielded, strict=True):
        code.line(f"{name} = phi {type_} [ {first}, %{before} ], [ {last}, %{latch} ]")
    lines += head
    lines += body
    code.line(f"br i1 {again}, label %{label}, label %{done}")
    code.start_block(done)
    for result, type_, first, last in zip(op.results, types, initial, yielded, strict=True):
        skipped = f"[ {first}, %{before} ], " if may_skip else ""
        name = code.define(f"phi {type_} {skipped}[ {last}, %{latch} ]", result.name_hint or "result")
        emitter.define(result, name)
    lines += exits
    complete_streaming(emitter, op)
