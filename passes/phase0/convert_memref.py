"""Pass `convert-memref`: conversion of memref operations to the loop dialect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from xdsl.context import Context
from xdsl.dialects import arith, bufferization, memref, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    StringAttr,
    TensorType,
)
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.constant_data import as_tensor_data
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass, is_input
from ..shared.nests.compute_nest import build_copy
from ..shared.nests.symbolic_sizes import row_major_strides
from ..upstream.control import Emit, emitter
from ..upstream.extents import VIEWS, extent_of, extents_of
from ..upstream.functions import Labels, check_buffer_type
from ..upstream.indices import constant_of, index_of, product, value_of
from ..upstream.refusal import refuse_form, refuse_operation
from ..upstream.vectors import convert_vector_access, remove_mask
from ..upstream.views import is_whole, resolve


@dataclass(frozen=True)
class ConvertMemrefPass(Pass):
    """Lower memref operations to buffers and accesses of the loop dialect, and fold views into accesses.

    ```mlir
    %t = memref.alloc() : memref<16x16xf32>
    %s = memref.subview %t[%i, 4] [4, 4] [1, 2] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
    %v = memref.load %s[%j, %k] : memref<4x4xf32, strided<[16, 2], offset: ?>>
    memref.dealloc %t : memref<16x16xf32>
    ```
    becomes
    ```mlir
    %t = loop.alloc : memref<16x16xf32>
    %v = loop.load %t[%i + %j, %k * 2 + 4] : memref<16x16xf32>
    ```
    Copies become nests around blocks, constant globals `loop.constant`. Needs all other conversions of upstream MLIR
    to have run. Grants a module of te and loops; an operation of upstream MLIR that is left is an error.
    """

    name = "convert-memref"
    phase = 0
    levels = (Level.UPSTREAM,)
    lowers_to = Level.TE

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        globals_ = {each.sym_name.data: each for each in op.ops if isinstance(each, memref.GlobalOp)}
        for function in [each for each in op.ops if isinstance(each, FuncOp) and each.body.blocks]:
            _Conversion(function, globals_).run()
        left = [each for each in operations(op) if is_input(each)]
        for each in left:
            if isinstance(each, memref.GlobalOp):
                if may_rewrite("remove", each, is_needed=True):
                    edit.erase(each)
            elif each.dialect_name() != "memref":
                refuse_operation(each)


class _Conversion:
    """Converts one function."""

    def __init__(self, function: FuncOp, globals_: dict[str, memref.GlobalOp]) -> None:
        self.function = function
        self.globals = globals_
        self.labels = Labels(function)

    def run(self) -> None:
        for op in list(operations(self.function)):
            convert = _FIRST.get(type(op))
            if convert is not None and may_rewrite("convert", op, is_needed=True):
                convert(op)
        everything = [op for op in operations(self.function) if _concerns(op)]
        for op in everything:
            self._check(op)
        accesses = [op for op in operations(self.function) if isinstance(op, (loop.LoadOp, loop.StoreOp))]
        for op in accesses:
            _fold_views(op)
        for op in everything:
            kept = (*VIEWS, *_BUFFERS, vector.CreateMaskOp, memref.ExtractStridedMetaDataOp)
            if not isinstance(op, kept) and may_rewrite("convert", op, is_needed=True):
                self._convert(op)
        for op in everything:
            if isinstance(op, vector.CreateMaskOp):
                remove_mask(op)
        # Views and their buffers are erased last, users first.
        for op in reversed(everything):
            if isinstance(op, VIEWS) and may_rewrite("convert", op, is_needed=True):
                _convert_view(op)
            elif isinstance(op, memref.ExtractStridedMetaDataOp) and may_rewrite("convert", op, is_needed=True):
                _convert_metadata(op)
        for op in everything:
            if isinstance(op, _BUFFERS) and may_rewrite("convert", op, is_needed=True):
                self._convert_buffer(op)
        for block in [op for op in operations(self.function) if isinstance(op, loop.BlockOp)]:
            close_block(block)
        for op in reversed([op for op in operations(self.function) if isinstance(op, loop.ApplyOp)]):
            if not op.res.uses:
                edit.erase(op)

    def _check(self, op: Operation) -> None:
        if not isinstance(op, (*VIEWS, *_BUFFERS, *_CONVERTED)):
            refuse_operation(op)

    def _convert(self, op: Operation) -> None:
        emit = emitter(InsertPoint.before(op), op)
        match op:
            case memref.LoadOp():
                buffer, indices = resolve(op.memref, [index_of(i) for i in op.indices], op)
                edit.replace(op, loop.LoadOp(buffer, indices))
            case memref.StoreOp():
                buffer, indices = resolve(op.memref, [index_of(i) for i in op.indices], op)
                edit.replace(op, loop.StoreOp(op.value, buffer, indices), [])
            case vector.LoadOp() | vector.StoreOp() | vector.MaskedLoadOp() | vector.MaskedStoreOp():
                convert_vector_access(op)
            case memref.CopyOp():
                copy = build_copy(self.labels.fresh("copy"), extents_of(op.source, op), op.source, op.destination)
                edit.replace(op, copy, [])
                for access in [each for each in operations(copy) if isinstance(each, (loop.LoadOp, loop.StoreOp))]:
                    _fold_views(access)
            case memref.DimOp():
                dimension = constant_of(op.index)
                if dimension is None:
                    refuse_form(op, "expected the number of a dimension", help="ask for a dimension by a constant")
                edit.replace(op, [], [value_of(extent_of(op.source, dimension, op), emit)])
            case memref.RankOp():
                assert isinstance(op.source.type, MemRefType)
                rank = IntegerAttr.from_index_int_value(op.source.type.get_num_dims())
                edit.replace(op, arith.ConstantOp(rank))
            case memref.AssumeAlignmentOp():
                edit.replace(op, [], [op.memref])
            case _:
                edit.erase(op)

    def _convert_buffer(self, op: Operation) -> None:
        if isinstance(op, memref.GetGlobalOp):
            self._convert_global(op)
            return
        assert isinstance(op, (memref.AllocOp, memref.AllocaOp))
        type_ = op.memref.type
        check_buffer_type(op, type_)
        new = loop.AllocOp(MemRefType(type_.element_type, type_.get_shape()), [index_of(s) for s in op.dynamic_sizes])
        edit.replace(op, new)

    def _convert_global(self, op: memref.GetGlobalOp) -> None:
        name = op.name_.string_value()
        known = self.globals.get(name)
        if known is None or known.constant is None or not isinstance(known.initial_value, DenseIntOrFPElementsAttr):
            refuse_form(
                op,
                f"expected a constant global @{name} with a value in the module",
                help="pass a buffer that changes, or has no value here, as an argument",
            )
        type_ = known.type
        check_buffer_type(op, type_)
        data = as_tensor_data(_of_tensor(known.initial_value, type_))
        edit.replace(op, loop.ConstantOp(data, type_))


_BUFFERS = (memref.AllocOp, memref.AllocaOp, memref.GetGlobalOp)
_CONVERTED = (
    vector.LoadOp,
    vector.StoreOp,
    vector.MaskedLoadOp,
    vector.MaskedStoreOp,
    vector.CreateMaskOp,
    memref.LoadOp,
    memref.StoreOp,
    memref.CopyOp,
    memref.DimOp,
    memref.RankOp,
    memref.DeallocOp,
    memref.AssumeAlignmentOp,
    memref.ExtractStridedMetaDataOp,
)


def _concerns(op: Operation) -> bool:
    return op.dialect_name() in ("memref", "vector") and is_input(op)


def _of_tensor(value: DenseIntOrFPElementsAttr, type: MemRefType) -> DenseIntOrFPElementsAttr:
    """Return the data of a global, whole even if one element is the value of all."""
    tensor = TensorType(type.element_type, type.get_shape())
    return DenseIntOrFPElementsAttr(tensor, value.data)  # pyright: ignore[reportArgumentType]


def _fold_views(op: loop.LoadOp | loop.StoreOp) -> None:
    """Let an access go to the buffer that its view lies in."""
    if is_whole(op.buffer) and not isinstance(op.buffer.owner, memref.CastOp):
        return
    buffer, indices = resolve(op.buffer, op.index, op)
    if buffer is op.buffer:
        return
    if isinstance(op, loop.LoadOp):
        edit.replace(op, loop.LoadOp(buffer, indices, op.conditions, op.otherwise, op.lanes))
    else:
        edit.replace(op, loop.StoreOp(op.value, buffer, indices, op.conditions), [])


def _inline(op: memref.AllocaScopeOp) -> None:
    """Move the operations of a scope before it: their buffers live to the end of the region around it."""
    if len(op.scope.blocks) != 1:
        refuse_operation(op, help="raise branches to loops and conditions: mlir-opt --lift-cf-to-scf")
    block = op.scope.block
    last = block.last_op
    assert last is not None
    values = list(last.operands)
    edit.move([each for each in block.ops if each is not last], InsertPoint.before(op))
    edit.replace(op, [], values)


def _view_bytes(op: memref.ViewOp) -> None:
    """Make a buffer within the bytes of another one. Raises TilewrightError TW0571 where that one is a view itself."""
    check_buffer_type(op, op.result.type)
    if isinstance(op.source.owner, VIEWS):
        refuse_form(op, f"expected the bytes of a whole buffer, but got a view of type {op.source.type}")
    emit = emitter(InsertPoint.before(op), op)
    view = emit(loop.ViewOp(op.source, index_of(op.byte_shift), op.result.type, op.result.name_hint))
    if op.sizes:
        sizes = iter(op.sizes)
        shape = [index_of(next(sizes)) if n == DYNAMIC_INDEX else Index.of(n) for n in op.result.type.get_shape()]
        bind = loop.BindOp(view, shape, row_major_strides(shape, emit))
        edit.insert(bind, InsertPoint.before(op), of=op)
    edit.replace(op, [], [view])


def _clone(op: bufferization.CloneOp) -> None:
    """Replace a clone by a copy of its buffer."""
    type_ = op.input.type
    assert isinstance(type_, MemRefType)
    emit = emitter(InsertPoint.before(op), op)
    extents = zip(extents_of(op.input, op), type_.get_shape(), strict=True)
    sizes = [value_of(size, emit) for size, n in extents if n == DYNAMIC_INDEX]
    made = emit(memref.AllocOp.get(type_.element_type, shape=type_.get_shape(), dynamic_sizes=sizes))
    edit.insert(memref.CopyOp(op.input, made), InsertPoint.before(op), of=op)
    edit.replace(op, [], [made])


_FIRST: dict[type[Operation], Callable[[Any], None]] = {
    memref.AllocaScopeOp: _inline,
    memref.ViewOp: _view_bytes,
    bufferization.CloneOp: _clone,
}
"""The operations that other operations of memref replace before these are converted."""


def _convert_metadata(op: memref.ExtractStridedMetaDataOp) -> None:
    """Compute the offset, the sizes and the strides of a buffer or a view."""
    numbers = [op.offset, *op.sizes, *op.strides]
    if any(value.uses for value in numbers):
        emit = emitter(InsertPoint.before(op), op)
        units = [[int(d == k) for d in range(len(op.sizes))] for k in range(len(op.sizes))]
        first, *others = _positions(op, [[0] * len(op.sizes), *units], emit)
        known = [first, *extents_of(op.source, op), *(other - first for other in others)]
        for value, number in zip(numbers, known, strict=True):
            edit.replace_uses(value, value_of(number, emit))
    if op.base_buffer.uses:
        refuse_form(op, "expected the base of a buffer in memref.reinterpret_cast alone")
    edit.erase(op)


def _positions(op: memref.ExtractStridedMetaDataOp, elements: Sequence[Sequence[int]], emit: Emit) -> list[Index]:
    """Return the positions of elements of a view in the row-major buffer that it lies in."""
    found = [resolve(op.source, [Index.of(n) for n in indices], op) for indices in elements]
    strides = [Index.of(stride) for stride in row_major_strides(extents_of(found[0][0], op), emit)]
    return [
        reduce(add, (product(op, index, stride) for index, stride in zip(indices, strides, strict=True)), Index.of(0))
        for _, indices in found
    ]


def _convert_view(op: Operation) -> None:
    """Erase a view whose only users were accesses; let one that a function takes lie in the bytes of its buffer."""
    result = op.results[0]
    if not result.uses:
        edit.erase(op)
        return
    user = next(iter(result.uses)).operation
    if not is_whole(result):
        refuse_form(
            user if isinstance(user, CallOp) else op,
            f"expected a whole buffer in '{user.name}', but got a view of type {result.type}",
            help="copy the view to a new buffer, or access it without a call",
        )
    assert isinstance(result.type, MemRefType)
    emit = emitter(InsertPoint.before(op), op)
    view = loop.ViewOp(op.operands[0], 0, result.type)
    value = emit(view)
    if DYNAMIC_INDEX in result.type.get_shape():
        shape: Sequence[Index] = extents_of(result, op)
        edit.insert(loop.BindOp(value, shape, row_major_strides(shape, emit)), InsertPoint.before(op), of=op)
    edit.replace(op, [], [value])


def close_block(block: loop.BlockOp) -> None:
    """Give a block an iteration variable for each loop around it that its body uses.

    A view whose offset depends on a loop variable makes the body depend on that loop. Raises TilewrightError TW0571
    where the extent of the loop is not one number or value.
    """
    used: dict[SSAValue, loop.ForOp] = {}
    for op in operations(block):
        for operand in op.operands if op is not block else ():
            if not isinstance(operand, BlockArgument) or block.is_ancestor(operand.block):
                continue
            holder = operand.block.parent_op()
            if isinstance(holder, loop.ForOp):
                used[operand] = holder
    for variable, holder in used.items():
        first, extent = _range(block, holder)
        argument = edit.insert_argument(block.body.block, IndexType(), len(block.variables))
        edit.rename(argument, f"v{variable.name_hint or ''}")
        bindings = [*block.index_list("bindings"), Index.of(variable) - first]
        extents = [*block.index_list("extents"), extent]
        edit.change(block).iteration_kinds = ArrayAttr([*block.iteration_kinds, StringAttr("spatial")])
        block.set_index_lists(bindings=bindings, extents=extents)
        for op in operations(block):
            if op is not block and isinstance(op, loop.IndexedOp):
                op.substitute_indices({variable: Index.of(argument) + first})
        left = [use for use in variable.uses if use.operation is not block and block.is_ancestor(use.operation)]
        if left:
            refuse_form(block, "expected a body that uses loops around it in indices only")


def _range(block: loop.BlockOp, holder: loop.ForOp) -> tuple[Index, Index]:
    """Return the first value of a loop's variable, and the greatest number of iterations."""
    if len(holder.lowers) != 1 or len(holder.uppers) != 1:
        refuse_form(
            block,
            "expected views inside of loops with one bound each",
            help="take the minimum of the bounds before the loop",
        )
    return holder.lowers[0], holder.uppers[0] - holder.lowers[0]
