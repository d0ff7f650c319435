"""Extents of buffers, and what it takes for an access to stay inside."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.ir import SSAValue

from ..dialects.index_expr import Index
from ..dialects.loop import AllocOp, BindOp, DimOp, LoadOp, StoreOp
from .domain import resolve

Extent: TypeAlias = "Index | None"


def extents_of(buffer: SSAValue) -> tuple[Extent, ...]:
    """The extents of a buffer over constants and sizes; None where no op names one."""
    assert isinstance(buffer.type, MemRefType)
    if isinstance(buffer.owner, AllocOp):
        return buffer.owner.shape
    shape = buffer.type.get_shape()
    if DYNAMIC_INDEX not in shape:
        return tuple(Index.of(n) for n in shape)
    named = _named_extents(buffer)
    return tuple(named.get(d) if n == DYNAMIC_INDEX else Index.of(n) for d, n in enumerate(shape))


def _named_extents(buffer: SSAValue) -> dict[int, Index]:
    named: dict[int, Index] = {}
    for use in buffer.uses:
        match use.operation:
            case BindOp() as bind:
                named.update(enumerate(bind.index_list("shape")))
            case DimOp() as dim:
                named.setdefault(dim.dimension.value.data, Index.of(dim.res))
            case _:
                pass
    return named


def inside_conditions(op: LoadOp | StoreOp) -> tuple[Index, ...] | None:
    """Expressions that are all >= 0 exactly where the access is inside its buffer; None where an extent has no name."""
    conditions: list[Index] = []
    for e, extent in zip(op.index, extents_of(op.buffer), strict=True):
        if extent is None:
            return None
        conditions += [resolve(e), extent - resolve(e) - 1]
    return tuple(conditions)
