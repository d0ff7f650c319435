"""Allocation of new buffers, with unique names and with extents that are known at the point of insertion."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ..dialects import loop
from ..dialects.index_expr import Index
from ..ir import editor as edit
from .block_moves import ancestor_in
from .loop_rewriting import function_of
from .unique_names import names_of, numbered


def allocate(
    name: str, like: SSAValue, shape: Sequence[Index], before: Operation, scope: str | None = None
) -> loop.AllocOp:
    """Insert a buffer of the given extents before an operation, with the elements and, without `scope`, the scope of
    `like`.

    A name that is taken gets a number as its suffix.
    """
    type = like.type
    assert isinstance(type, MemRefType)
    return allocate_of(type.element_type, name, shape, before, loop.scope_of(type) if scope is None else scope)


def allocate_of(element: Attribute, name: str, shape: Sequence[Index], before: Operation, scope: str) -> loop.AllocOp:
    """Insert a buffer of elements of a type, of the given extents, before an operation; see `allocate`."""
    names = names_of(function_of(before))
    free = next(n for n in numbered(name) if names.buffer(n) is None)
    static = [n.constant if n.is_constant else DYNAMIC_INDEX for n in shape]
    fresh = loop.buffer_type(static, element, scope)
    alloc = loop.AllocOp(fresh, [n for n in shape if not n.is_constant], free)
    edit.insert(alloc, InsertPoint.before(before), of=before)
    names.claim_buffer(alloc.res)
    return alloc


def shape_before(buffer: SSAValue, before: Operation) -> list[Index]:
    """Return the extents of a buffer; where a dynamic one is not known, a `loop.dim` is put before `before`."""
    if isinstance(buffer.owner, loop.AllocOp):
        return list(buffer.owner.shape)
    assert isinstance(buffer.type, MemRefType)
    holder = ancestor_in(function_of(before).body.block, before)
    assert holder is not None
    known = {
        use.operation.dimension.value.data: use.operation
        for use in buffer.uses
        if isinstance(use.operation, loop.DimOp)
        and use.operation.parent is holder.parent
        and use.operation.is_before_in_block(holder)
    }
    shape: list[Index] = []
    for dimension, n in enumerate(buffer.type.get_shape()):
        if n >= 0:
            shape.append(Index.of(n))
            continue
        if dimension not in known:
            known[dimension] = loop.DimOp(buffer, dimension)
            known[dimension].location = before.location
            edit.insert(known[dimension], InsertPoint.before(before))
        shape.append(Index.of(known[dimension].res))
    return shape
