"""graph: operators by their registered references, fused groups op by op."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, UnrankedTensorType
from xdsl.ir import Operation

from ...diagnostics import TilewrightError, fail
from ...dialects.graph import ConstantOp, FusedOp, YieldOp
from ..registry import Reference, reference_of
from ..values import Array, dtype_of
from .function import Emit, FunctionEmitter
from .text import tuple_text


def emit_operator(emitter: FunctionEmitter, op: Operation) -> None:
    """An operation on whole tensors by the reference that is registered for it."""
    function = emitter.bind(partial(_evaluate, op, reference_of(op)), op.name.split(".")[1])
    results = [emitter.define(r) for r in op.results]
    emitter.add(f"{tuple_text(results)} = {function}({', '.join(emitter.names(op.operands))})")


def _evaluate(op: Operation, reference: Reference, *operands: Array) -> tuple[Array, ...]:
    try:
        results = tuple(np.asarray(r) for r in reference(op, *operands))
    except TilewrightError as error:
        if error.location is not None:
            raise
        fail(error.code, error.message, op=op, notes=error.notes, help=error.help)
    for result, value in zip(op.results, results, strict=True):
        _check(op, result.type, value)
    return results


def _check(op: Operation, type: Any, value: Array) -> None:
    """A reference that gives another type than the IR states would go unnoticed until much later."""
    assert isinstance(type, (TensorType, UnrankedTensorType))
    fits = isinstance(type, UnrankedTensorType) or _has_shape(value, type.get_shape())
    if value.dtype != dtype_of(type, op) or not fits:
        found = f"{value.dtype}{[*value.shape]}"
        fail("TW0720", f"expected the reference of {op.name} to give {type}, but got {found}", op=op)


def _has_shape(value: Array, shape: Sequence[int]) -> bool:
    return len(shape) == value.ndim and all(n in (DYNAMIC_INDEX, m) for n, m in zip(shape, value.shape, strict=True))


def _emit_constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    emitter.alias(op.y, emitter.bind(op.array, "data"))


def _emit_fused(emitter: FunctionEmitter, op: FusedOp) -> None:
    for argument, operand in zip(op.body.block.args, op.inputs, strict=True):
        emitter.alias(argument, emitter.name(operand))
    emitter.emit_block(op.body.block)
    for result, value in zip(op.outputs, op.yielded.values, strict=True):
        emitter.alias(result, emitter.name(value))


def _emit_yield(emitter: FunctionEmitter, op: YieldOp) -> None:
    """The group around it takes the values over."""


EMIT: dict[str, Emit] = {
    "graph.constant": _emit_constant,
    "graph.fused": _emit_fused,
    "graph.yield": _emit_yield,
}
