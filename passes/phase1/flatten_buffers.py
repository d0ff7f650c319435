"""Pass `flatten-buffers`: buffers get one dimension, and addresses become arithmetic on indices.

Strides written into index expressions are simplified, hoisted and shared like any other index, and quotients and
remainders of fused loops meet again: (f floordiv 4) * 4 + f mod 4 is f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType, ModuleOp
from xdsl.ir import Attribute, BlockArgument, OpResult, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.touched_region import unguarded_ranges
from ...dialects.index_expr import Index
from ...dialects.loop import (
    REGISTER,
    AccessArgument,
    AllocOp,
    ApplyOp,
    Argument,
    BindOp,
    CallExternOp,
    ConstantOp,
    DimOp,
    IndexArgument,
    LoadOp,
    PrefetchOp,
    StoreOp,
    StrideArgument,
    ViewOp,
    buffer_type,
    is_of_warp,
    scope_of,
)
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class FlattenBuffersPass(Pass):
    """Give buffers of fixed shape one dimension, and accesses the linear index.

    ```mlir
    func.func private @k(%A: memref<64x56xf32>, %C: memref<64x56xf32> {tw.output}) {
      …
      %a = loop.load %A[%i, %j] : memref<64x56xf32>
    // becomes
    func.func private @k(%A: memref<3584xf32>, %C: memref<3584xf32> {tw.output}) {
      …
      %a = loop.load %A[%i * 56 + %j] : memref<3584xf32>
    ```
    Private functions change their signatures, their callers with them. The arguments of public functions keep their
    types, which are the interface for callers; a `loop.view` at entry flattens them, and one after each
    `loop.constant`. Registers, also those of a warp, keep their dimensions, which name them, and so do buffers of
    symbolic shape, whose strides `loop.bind` states.

    Needs: loop level.
    Grants: outside of registers, every access to a buffer of fixed shape has one index.
    """

    name = "flatten-buffers"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.ops if isinstance(f, func.FuncOp) and f.body.blocks]
        for function in functions:
            for value in _buffers(function):
                flat = _flat_type(value.type)
                if flat is not None and may_rewrite("flatten a buffer of", function):
                    _flatten(value, flat)
            inputs = [argument.type for argument in function.body.block.args]
            edit.change(function).function_type = FunctionType.from_lists(inputs, list(function.function_type.outputs))
        _view_call_arguments(op)
        _compose_views(op)


def _buffers(function: func.FuncOp) -> list[SSAValue]:
    found: list[SSAValue] = list(function.body.block.args)
    found += [v for op in operations(function) if isinstance(op, (AllocOp, ViewOp, ConstantOp)) for v in op.results]
    return found


def _flat_type(type: Attribute) -> MemRefType | None:
    """Return the one-dimensional type of a buffer to flatten, None for all others."""
    if not isinstance(type, MemRefType) or scope_of(type) == REGISTER or is_of_warp(type):
        return None
    shape = type.get_shape()
    if DYNAMIC_INDEX in shape or len(shape) == 1:
        return None
    return buffer_type([prod(shape)], type.element_type, scope_of(type))


def _flatten(value: SSAValue, flat: MemRefType) -> None:
    assert isinstance(value.type, MemRefType)
    shape = value.type.get_shape()
    if _keeps_type(value):
        users = list(value.uses)
        view = ViewOp(value, 0, flat, name_hint=value.name_hint)
        _insert_after(value, view)
        for use in users:
            edit.change(use.operation).operands[use.index] = view.res
        value = view.res
    else:
        value = edit.retype(value, flat)
    for op in dict.fromkeys(use.operation for use in value.uses):
        match op:
            case LoadOp() | StoreOp() | PrefetchOp():
                index = _linear(op.index, shape)
                op.set_index_lists(indices=[index if index.is_linear else index.with_ranges(unguarded_ranges(op))])
            case CallExternOp():
                op.set_arguments([_flat_argument(a, value, shape) for a in op.arguments])
            case DimOp():
                size = ApplyOp(shape[op.dimension.value.data])
                size.location = op.location
                edit.replace(op, size)
            case BindOp():
                _bind_shaped(op, value, shape)
            case _:
                pass


def _keeps_type(value: SSAValue) -> bool:
    """Return whether the pass must keep the type: that of an argument from outside, or of constant data."""
    if isinstance(value, BlockArgument):
        function = value.block.parent_op()
        assert isinstance(function, func.FuncOp)
        return function.sym_visibility is None or function.sym_visibility.data != "private"
    return isinstance(value.owner, ConstantOp)


def _insert_after(value: SSAValue, view: ViewOp) -> None:
    if isinstance(value, OpResult):
        edit.insert(view, InsertPoint.after(value.op), of=value.op)
        return
    assert isinstance(value, BlockArgument)
    function = value.block.parent_op()
    assert function is not None
    edit.insert(view, InsertPoint.at_start(value.block), of=function)


def _linear(index: Sequence[Index], shape: Sequence[int]) -> Index:
    linear = Index.of(0)
    for e, extent in zip(index, shape, strict=True):
        linear = linear * extent + e
    return linear


def _flat_argument(argument: Argument, flat: SSAValue, shape: Sequence[int]) -> Argument:
    """Return an argument of a foreign call, where it passes the buffer `flat` by the indices or strides of `shape`."""
    steps = [prod(shape[d + 1 :]) for d in range(len(shape))]
    match argument:
        case AccessArgument() if argument.buffer is flat:
            box = tuple((n, by * step) for pairs, step in zip(argument.box, steps, strict=True) for n, by in pairs)
            return AccessArgument(argument.mode, flat, (_linear(argument.index, shape),), (box,))
        case StrideArgument() if argument.buffer is flat:
            return IndexArgument(Index.of(steps[argument.dimension]), argument.type)
        case _:
            return argument


def _bind_shaped(op: BindOp, flat: SSAValue, shape: Sequence[int]) -> None:
    """Move a statement about the shape to a view that has the shape; a statement that the type implies is dropped."""
    if all(e.is_constant for e in op.index_list("shape")):
        edit.erase(op)
        return
    assert isinstance(flat.type, MemRefType)
    shaped = ViewOp(flat, 0, buffer_type(shape, flat.type.element_type, scope_of(flat.type)), flat.name_hint)
    edit.insert(shaped, InsertPoint.before(op), of=op)
    edit.change(op).operands[0] = shaped.res


def _view_call_arguments(module: ModuleOp) -> None:
    """Insert views where a call passes a buffer by another type than its function has."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp)}
    for op in operations(module):
        if not isinstance(op, func.CallOp) or (callee := functions.get(op.callee.root_reference.data)) is None:
            continue
        for position, type in enumerate(callee.function_type.inputs):
            operand = op.operands[position]
            if operand.type != type and isinstance(type, MemRefType):
                view = ViewOp(operand, 0, type, name_hint=operand.name_hint)
                edit.insert(view, InsertPoint.before(op), of=op)
                edit.change(op).operands[position] = view.res


def _compose_views(module: ModuleOp) -> None:
    """Make every view a view of the underlying buffer, and drop views that change nothing or are unused."""
    views = [op for op in operations(module) if isinstance(op, ViewOp)]
    for op in views:
        if op.byte_offset == Index.of(0) and op.buffer.type == op.res.type and not _is_bound_otherwise(op):
            edit.replace(op, [], [op.buffer])
        elif isinstance(inner := op.buffer.owner, ViewOp):
            edit.change(op).operands[0] = inner.buffer
            op.set_index_lists(offset=[op.byte_offset + inner.byte_offset])
    for op in reversed(views):
        if op.parent is not None and op.res.first_use is None:
            edit.erase(op)


def _is_bound_otherwise(op: ViewOp) -> bool:
    """Return whether a view states other symbolic sizes, or the same in another order, than the buffer beneath it."""
    stated, beneath = (
        [use.operation for use in v.uses if isinstance(use.operation, BindOp)] for v in (op.res, op.buffer)
    )
    if not stated:
        return False
    return not beneath or stated[0].index_list("shape") != beneath[0].index_list("shape")
