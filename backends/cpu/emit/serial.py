"""Serial loops.

A loop is rotated: its test stands at the end, and before it only where the loop may run zero times.
Loop-carried values and register chunks are phis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....dialects.loop import ForOp, YieldOp
from .index import Operand
from .streaming import complete_streaming, streaming
from .types import value_type

if TYPE_CHECKING:
    from .function import FunctionEmitter


def yielded_values(emitter: FunctionEmitter, op: ForOp) -> list[Operand]:
    """The operands of the loop's yield, as the last expansion of the body defines them."""
    last = op.body.block.last_op
    return [emitter.operand(v) for v in last.operands] if isinstance(last, YieldOp) else []


def write_loop(emitter: FunctionEmitter, op: ForOp, lower: Operand, upper: Operand, may_skip: bool) -> None:
    """Write the loop over [lower, upper); `may_skip` tells whether it may run zero times."""
    code, block = emitter.code, op.body.block
    label, done = code.label("loop"), code.label("done")
    before = code.block
    initial = [emitter.value(v) for v in op.iter_args]
    types = [value_type(v.type) for v in op.iter_args]
    nonempty = code.pure(f"icmp slt i64 {lower}, {upper}", (str(lower), str(upper))) if may_skip else None

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
    again = code.define(f"icmp slt i64 {following}, {upper}")
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
    for result, type_, first, last in zip(op.res, types, initial, yielded, strict=True):
        skipped = f"[ {first}, %{before} ], " if may_skip else ""
        name = code.define(f"phi {type_} {skipped}[ {last}, %{latch} ]", result.name_hint or "result")
        emitter.define(result, name)
    lines += exits
    complete_streaming(emitter, op)
