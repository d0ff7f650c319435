"""Translation of te: a compute is numpy operations over arrays of indices, inside one loop for each reduce axis."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation, SSAValue

from ...dialects.constant_data import constant_array
from ...dialects.dtypes import dtype_name
from ...dialects.graph.types import shape_of
from ...dialects.te import (
    ApplyOp,
    BindOp,
    ComputeOp,
    ConstantOp,
    DimOp,
    ExternOp,
    MatchOp,
    PrefixOp,
    ReadOp,
    ReduceOp,
    ReshapeOp,
    ScanOp,
    TestOp,
    start_operations,
)
from ..buffers import bind_shape, differing
from ..constants import constant_value
from ..grid import axis, combiner, fill, identity, read
from ..values import dtype_of, element_of, poison, without_negatives
from .function import Emit, FunctionEmitter
from .named_sizes import size_text
from .text import tuple_text


def _emit_compute(emitter: FunctionEmitter, op: ComputeOp) -> None:
    shape = emitter.fresh("shape")
    extents = emitter.bind(without_negatives, "without_negatives")
    emitter.add(f"{shape} = {extents}({emitter.indices(op.spatial_extents)})")
    for d, variable in enumerate(op.spatial_axes):
        emitter.set(variable, f"{emitter.bind(axis, 'axis')}({shape}[{d}], {d}, {op.rank})")
    for result, name in zip(op.res, _emit_grid(emitter, op, shape), strict=True):
        emitter.alias(result, name)


def _emit_scan(emitter: FunctionEmitter, op: ScanOp) -> None:
    """Emit whole tensors for everything that a step computes, filled one step after the other."""
    empty = emitter.bind(poison, "poison")
    whole: dict[SSAValue, str] = {}
    for compute in op.computes:
        shape = emitter.indices(compute.spatial_extents)
        for result in compute.res:
            whole[result] = emitter.fresh(compute.label)
            dtype = emitter.bind(dtype_of(result.type, op), "dtype")
            emitter.add(f"{whole[result]} = {empty}({shape}, {dtype})")
            emitter.alias(result, whole[result])
    known = [emitter.name(init) for init in op.inits]
    for state, result, update, init in zip(op.states, op.res, op.updates, known, strict=True):
        emitter.add(f"{whole[update]}[:len({init})] = {init}[:len({whole[update]})]")
        emitter.alias(state, whole[update])
        emitter.alias(result, whole[update])
    step = emitter.fresh("step")
    with emitter.lines.block(f"for {step} in range(len({known[0]}), {emitter.index(op.steps)}):"):
        for compute in op.computes:
            _emit_step(emitter, compute, step, whole)


def _emit_extern(emitter: FunctionEmitter, op: ExternOp) -> None:
    empty = emitter.bind(poison, "poison")
    for buffer, tensor in zip(op.input_buffers, op.inputs, strict=True):
        emitter.alias(buffer, emitter.name(tensor))
    for buffer, result, shape in zip(op.output_buffers, op.res, op.shapes, strict=True):
        dtype = emitter.bind(dtype_of(result.type, op), "dtype")
        emitter.set(result, f"{empty}({emitter.indices(shape)}, {dtype})")
        emitter.alias(buffer, emitter.name(result))
    emitter.emit_block(op.body.block)


def _emit_step(emitter: FunctionEmitter, op: ComputeOp, step: str, whole: dict[SSAValue, str]) -> None:
    """Emit a compute at one position of its first axis."""
    shape = emitter.fresh("shape")
    emitter.add(f"{shape} = (1, *{emitter.indices(op.spatial_extents)}[1:])")
    for d, variable in enumerate(op.spatial_axes):
        first = "" if d else f" + {step}"
        emitter.set(variable, f"{emitter.bind(axis, 'axis')}({shape}[{d}], {d}, {op.rank}){first}")
    for result, name in zip(op.res, _emit_grid(emitter, op, shape), strict=True):
        emitter.add(f"{whole[result]}[{step}] = {name}[0]")


def _emit_grid(emitter: FunctionEmitter, op: ComputeOp, shape: str) -> list[str]:
    """Emit a compute on a grid of that shape, whose axes are defined, and return its results.

    On a grid without points nothing is computed: an index that does not depend on its empty axis would be looked at.
    """
    results = [emitter.fresh(r.name_hint or op.label) for r in op.res]
    with emitter.lines.block(f"if 0 in {shape}:"):
        _emit_results(emitter, op, results, ["0"] * len(results), shape)
    with emitter.lines.block("else:"):
        _emit_points(emitter, op, results, shape)
    return results


def _emit_points(emitter: FunctionEmitter, op: ComputeOp, results: Sequence[str], shape: str) -> None:
    """Compute the results at all points of a grid."""
    terminator = op.terminator
    if isinstance(terminator, ReduceOp):
        _emit_starts(emitter, op, terminator, results, shape)
    with ExitStack() as loops:
        for variable, extent in zip(op.reduce_axes, op.reduce_extents, strict=True):
            end = emitter.index(extent)
            loops.enter_context(emitter.lines.block(f"for {emitter.define(variable)} in range({end}):"))
        _emit_body(emitter, op)
        values = emitter.names(terminator.values)
        if isinstance(terminator, ReduceOp) and terminator.kind is not None:
            for result, name, value in zip(op.res, results, values, strict=True):
                function = emitter.bind(combiner(terminator.kind, element_of(result.type)), terminator.kind)
                emitter.add(f"{name} = {function}({name}, {value})")
        else:
            if isinstance(terminator, ReduceOp):
                values = _combined(emitter, terminator, results)
            _emit_results(emitter, op, results, values, shape)


def _emit_starts(
    emitter: FunctionEmitter, op: ComputeOp, terminator: ReduceOp, results: Sequence[str], shape: str
) -> None:
    """Set the results to the initial values of the reduction: its init, or the combiner's identities."""
    if terminator.starts:
        emitter.is_grid = True
        for each in start_operations(op):
            emitter.emit(each)
        emitter.is_grid = False
        values = emitter.names(terminator.starts)
    else:
        values = [emitter.bind(identity, "identity") for identity in _identities(op, terminator)]
    _emit_results(emitter, op, results, values, shape)


def _identities(op: ComputeOp, terminator: ReduceOp) -> list[Any]:
    types = [element_of(r.type) for r in op.res]
    if terminator.kind is not None:
        return [identity(terminator.kind, type) for type in types]
    given = terminator.identities
    assert isinstance(given, ArrayAttr)
    return [constant_value(value, type, op) for value, type in zip(given.data, types, strict=True)]


def _emit_results(
    emitter: FunctionEmitter, op: ComputeOp, results: Sequence[str], values: Sequence[str], shape: str
) -> None:
    """Assign all results at once: one may be needed for another."""
    types = [emitter.bind(element_of(r.type), "type") for r in op.res]
    function = emitter.bind(fill, "fill")
    grids = [f"{function}({value}, {shape}, {type})" for value, type in zip(values, types, strict=True)]
    emitter.add(f"{', '.join(results)} = {', '.join(grids)}")


def _combined(emitter: FunctionEmitter, op: ReduceOp, accumulated: Sequence[str]) -> list[str]:
    """Emit the region that combines the results with the values of the body, and return the combined results."""
    assert op.by is not None
    block = op.by.block
    for argument, name in zip(block.args, [*accumulated, *emitter.names(op.values)], strict=True):
        emitter.alias(argument, name)
    emitter.is_grid = True
    emitter.emit_block(block)
    emitter.is_grid = False
    last = block.last_op
    assert last is not None
    return emitter.names(last.operands)


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
    """Return a guard over the grid; numpy's `&` where its conditions are arrays."""
    conditions = [f"({emitter.index(e)} >= 0)" for e in op.conditions]
    return " & ".join(conditions) or "True"


def _emit_apply(emitter: FunctionEmitter, op: ApplyOp) -> None:
    emitter.set(op.res, emitter.index(op.index))


def _emit_test(emitter: FunctionEmitter, op: TestOp) -> None:
    emitter.set(op.res, f"{emitter.bind(np.asarray, 'asarray')}({_mask(emitter, op)})[()]")


def _emit_dim(emitter: FunctionEmitter, op: DimOp) -> None:
    emitter.set(op.res, f"{emitter.name(op.tensor)}.shape[{op.dimension.value.data}]")


def _emit_bind(emitter: FunctionEmitter, op: BindOp) -> None:
    check = emitter.bind(bind_shape, "bind")
    emitter.add(f"{check}({emitter.op(op)}, {emitter.name(op.tensor)}, {emitter.indices(op.sizes)})")


def _emit_constant(emitter: FunctionEmitter, op: ConstantOp) -> None:
    emitter.alias(op.res, emitter.bind(constant_array(op.value), "data"))


def _emit_reshape(emitter: FunctionEmitter, op: ReshapeOp) -> None:
    shape = shape_of(op.res.type)
    known = [str(dim) if isinstance(dim, int) else size_text(emitter, dim) for dim in shape]
    open_dimensions = [d for d, dim in enumerate(shape) if not isinstance(dim, int)]
    nameless = [d for d in open_dimensions if shape[d] is None]
    for d in nameless or (open_dimensions if len(open_dimensions) == 1 else ()):
        known[d] = "-1"
    source = emitter.name(op.tensor)
    if op.res.type.element_type != op.tensor.type.element_type:  # pyright: ignore[reportAttributeAccessIssue]
        source = f"{emitter.bind(_viewed, 'viewed')}({source}, {dtype_name(op.res.type.element_type)!r})"
    emitter.set(op.res, f"{source}.reshape({tuple_text(known)})")


def _viewed(array: np.ndarray, dtype: str) -> np.ndarray:
    """Return the bytes of an array as elements of another type."""
    return np.ascontiguousarray(array).reshape(-1).view(dtype)


def _emit_match(emitter: FunctionEmitter, op: MatchOp) -> None:
    stated = tuple_text([size_text(emitter, dim) for dim in shape_of(op.res.type)])
    with emitter.lines.block(f"if {emitter.name(op.tensor)}.shape != {stated}:"):
        emitter.add(
            f"{emitter.bind(differing, 'differing')}({emitter.op(op)}, {emitter.name(op.tensor)}.shape, {stated})"
        )
    emitter.set(op.res, emitter.name(op.tensor))


def _emit_prefix(emitter: FunctionEmitter, op: PrefixOp) -> None:
    emitter.set(op.res, f"{emitter.name(op.tensor)}[:max(int({emitter.name(op.count)}[0]), 0)]")


def _emit_terminator(emitter: FunctionEmitter, op: Operation) -> None:
    """Emit nothing: the compute around takes the values over."""


EMIT: dict[str, Emit] = {
    "te.apply": _emit_apply,
    "te.bind": _emit_bind,
    "te.compute": _emit_compute,
    "te.constant": _emit_constant,
    "te.dim": _emit_dim,
    "te.extern": _emit_extern,
    "te.match": _emit_match,
    "te.prefix": _emit_prefix,
    "te.read": _emit_read,
    "te.reduce": _emit_terminator,
    "te.reshape": _emit_reshape,
    "te.scan": _emit_scan,
    "te.test": _emit_test,
    "te.yield": _emit_terminator,
}
