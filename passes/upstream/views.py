"""Conversion of accesses through memref views to accesses of the underlying buffers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.index_expr import Index
from ...dialects.upstream.memref import TransposeOp
from .control import emitter
from .extents import extents_of, groups_of, kept_dimensions, mixed, root_of, shape_of
from .indices import product, value_of
from .refusal import refuse_form


def resolve(buffer: SSAValue, indices: Sequence[Index], user: Operation) -> tuple[SSAValue, list[Index]]:
    """Return the buffer that a view lies in, and the indices there of an element of the view.

    Raises TilewrightError TW0571 at `user` for views whose indices are not affine.
    """
    found = list(indices)
    while True:
        op = buffer.owner
        match op:
            case memref.CastOp():
                pass
            case memref.SubviewOp():
                found = _in_source(op, found, user)
            case TransposeOp():
                found = [found[op.order.index(d)] for d in range(len(found))]
            case memref.CollapseShapeOp():
                found = _expanded(op, found, user)
            case memref.ExpandShapeOp():
                found = _collapsed(op, found, user)
            case memref.ReinterpretCastOp():
                buffer = _base_of(op.source)
                found = _reinterpreted(op, buffer, found, user)
                continue
            case _:
                return buffer, found
        buffer = op.operands[0]


def _in_source(op: memref.SubviewOp, indices: Sequence[Index], user: Operation) -> list[Index]:
    offsets, strides = mixed(op.static_offsets, op.offsets), mixed(op.static_strides, op.strides)
    found = list(offsets)
    for d, index in zip(kept_dimensions(op), indices, strict=True):
        found[d] = offsets[d] + product(user, index, strides[d])
    return found


def _expanded(op: memref.CollapseShapeOp, indices: Sequence[Index], user: Operation) -> list[Index]:
    """Return the positions within each group of dimensions that were made one."""
    sizes = extents_of(op.src, user)
    found: list[Index] = []
    for group, index in zip(groups_of(op.reassociation), indices, strict=True):
        inner = [sizes[d] for d in group[1:]]
        if not all(size.is_constant for size in inner):
            refuse_form(user, f"expected static sizes behind the first of those that {op.name} makes one")
        numbers = [size.constant for size in inner]
        if 0 in numbers:
            numbers = [max(n, 1) for n in numbers]
        for k in range(len(group)):
            quotient = index // prod(numbers[k:])
            found.append(quotient if k == 0 else quotient % numbers[k - 1])
    return found


def _collapsed(op: memref.ExpandShapeOp, indices: Sequence[Index], user: Operation) -> list[Index]:
    sizes = mixed(op.static_output_shape, op.output_shape)
    found: list[Index] = []
    for group in groups_of(op.reassociation):
        total = Index.of(0)
        for d in group:
            if d != group[0] and not sizes[d].is_constant:
                refuse_form(user, f"expected static sizes behind the first of those that {op.name} makes of one")
            total = (total * sizes[d].constant if d != group[0] else total) + indices[d]
        found.append(total)
    return found


def _base_of(source: SSAValue) -> SSAValue:
    """Return the buffer whose first element a view counts from: a view of a layout counts from that of its buffer."""
    if isinstance(source.owner, memref.ExtractStridedMetaDataOp):
        return root_of(source.owner.source)
    is_plain = isinstance(source.type, MemRefType) and isinstance(source.type.layout, NoneAttr)
    return source if is_plain else root_of(source)


def _reinterpreted(
    op: memref.ReinterpretCastOp, source: SSAValue, indices: Sequence[Index], user: Operation
) -> list[Index]:
    """Return positions in a row-major buffer: its elements are counted, then the count is split."""
    assert isinstance(source.type, MemRefType)
    if not isinstance(source.type.layout, NoneAttr) or 0 in shape_of(source):
        refuse_form(user, f"expected {op.name} of a row-major buffer with elements, but got {source.type}")
    position = mixed(op.static_offsets, op.offsets)[0]
    for stride, index in zip(mixed(op.static_strides, op.strides), indices, strict=True):
        position = position + product(user, index, stride)
    shape = extents_of(source, user)
    found: list[Index] = []
    for size in reversed(shape[1:]):
        rows = _quotient(position, size, user)
        found.insert(0, position % size.constant if size.is_constant else position - product(user, rows, size))
        position = rows
    return [position, *found] if shape else []


def _quotient(position: Index, size: Index, user: Operation) -> Index:
    """Divide a position by an extent, rounding down; the result is a value where the extent is one, and 0 where that is
    0."""
    if size.is_constant:
        return position // size.constant
    emit = emitter(InsertPoint.before(user), user)
    return Index.of(emit(arith.FloorDivSIOp(value_of(position, emit), value_of(size, emit))))


def is_whole(value: SSAValue) -> bool:
    """Return whether a view has all elements of its buffer in their order, so that it can be a view of its bytes."""
    owner = value.owner
    types = [value.type, *(operand.type for operand in owner.operands[:1])] if isinstance(owner, Operation) else []
    plain = all(isinstance(t, MemRefType) and isinstance(t.layout, NoneAttr) for t in types)
    return plain and isinstance(owner, (memref.CollapseShapeOp, memref.ExpandShapeOp, memref.CastOp))
