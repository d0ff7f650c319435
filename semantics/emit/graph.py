"""Translation of the graph dialect: constants, and fused groups op by op. `registered` translates its operators."""

from __future__ import annotations

from ...dialects.graph import ConstantOp, FusedOp, YieldOp
from .function import Emit, FunctionEmitter


def _emit_constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    emitter.alias(op.y, emitter.bind(op.array, "data"))


def _emit_fused(emitter: FunctionEmitter, op: FusedOp) -> None:
    for argument, operand in zip(op.body.block.args, op.inputs, strict=True):
        emitter.alias(argument, emitter.name(operand))
    emitter.emit_block(op.body.block)
    for result, value in zip(op.outputs, op.yielded.values, strict=True):
        emitter.alias(result, emitter.name(value))


def _emit_yield(emitter: FunctionEmitter, op: YieldOp) -> None:
    """Emit nothing: the group around takes the values over."""


EMIT: dict[str, Emit] = {
    "graph.constant": _emit_constant,
    "graph.fused": _emit_fused,
    "graph.yield": _emit_yield,
}
