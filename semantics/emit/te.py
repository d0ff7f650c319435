"""te: a compute over arrays of indices, one loop for each reduce axis around operations on whole grids."""

from __future__ import annotations

from contextlib import ExitStack

import numpy as np
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Operation

from ...dialects.constant_data import constant_array
from ...dialects.te import ApplyOp, ComputeOp, ConstantOp, DimOp, ReadOp, ReduceOp, ReshapeOp, TestOp
from ..grid import axis, combiner, fill, identity, read
from ..values import element_of
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_compute(emitter: FunctionEmitter, op: ComputeOp) -> None:
    shape = emitter.fresh("shape")
    emitter.add(f"{shape} = {emitter.indices(op.spatial_extents)}")
    for d, variable in enumerate(op.spatial_axes):
        emitter.set(variable, f"{emitter.bind(axis, 'axis')}({shape}[{d}], {d}, {op.rank})")
    terminator = op.terminator
    function = emitter.bind(fill, "fill")
    types = [emitter.bind(element_of(r.type), "type") for r in op.res]
    results = [emitter.fresh(r.name_hint or op.label) for r in op.res]
    if isinstance(terminator, ReduceOp):
        for name, result, type in zip(results, op.res, types, strict=True):
            start = emitter.bind(identity(terminator.kind, element_of(result.type)), "identity")
            emitter.add(f"{name} = {function}({start}, {shape}, {type})")
    with ExitStack() as loops:
        for variable, extent in zip(op.reduce_axes, op.reduce_extents, strict=True):
            end = emitter.index(extent)
            loops.enter_context(emitter.lines.block(f"for {emitter.define(variable)} in range({end}):"))
        _emit_body(emitter, op)
        for name, value, result, type in zip(results, terminator.values, op.res, types, strict=True):
            if isinstance(terminator, ReduceOp):
                combine = emitter.bind(combiner(terminator.kind, element_of(result.type)), terminator.kind)
                emitter.add(f"{name} = {combine}({name}, {emitter.name(value)})")
            else:
                emitter.add(f"{name} = {function}({emitter.name(value)}, {shape}, {type})")
    for result, name in zip(op.res, results, strict=True):
        emitter.alias(result, name)


def _emit_body(emitter: FunctionEmitter, op: ComputeOp) -> None:
    emitter.is_grid = True
    emitter.emit_block(op.body.block)
    emitter.is_grid = False


def _emit_read(emitter: FunctionEmitter, op: ReadOp) -> None:
    arguments = [emitter.op(op), emitter.name(op.tensor), emitter.indices(op.index)]
    if op.otherwise is not None:
        arguments += [_mask(emitter, op), emitter.name(op.otherwise)]
    emitter.set(op.res, f"{emitter.bind(read, 'read')}({', '.join(arguments)})")


def _mask(emitter: FunctionEmitter, op: ReadOp | TestOp) -> str:
    """A guard over the grid; numpy's `&` where its conditions are arrays."""
    conditions = [f"({emitter.index(e)} >= 0)" for e in op.conditions]
    return " & ".join(conditions) or "True"


def _emit_apply(emitter: FunctionEmitter, op: ApplyOp) -> None:
    emitter.set(op.res, emitter.index(op.index))


def _emit_test(emitter: FunctionEmitter, op: TestOp) -> None:
    emitter.set(op.res, f"{emitter.bind(np.asarray, 'asarray')}({_mask(emitter, op)})[()]")


def _emit_dim(emitter: FunctionEmitter, op: DimOp) -> None:
    emitter.set(op.res, f"{emitter.name(op.tensor)}.shape[{op.dimension.value.data}]")


def _emit_constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    emitter.alias(op.res, emitter.bind(constant_array(op.value), "data"))


def _emit_reshape(emitter: FunctionEmitter, op: ReshapeOp) -> None:
    type = op.res.type
    assert isinstance(type, TensorType)
    emitter.set(op.res, f"{emitter.name(op.tensor)}.reshape({tuple_text([str(n) for n in type.get_shape()])})")


def _emit_terminator(emitter: FunctionEmitter, op: Operation) -> None:
    """The compute around it takes the values over."""


EMIT: dict[str, Emit] = {
    "te.apply": _emit_apply,
    "te.compute": _emit_compute,
    "te.constant": _emit_constant,
    "te.dim": _emit_dim,
    "te.read": _emit_read,
    "te.reduce": _emit_terminator,
    "te.reshape": _emit_reshape,
    "te.test": _emit_test,
    "te.yield": _emit_terminator,
}
