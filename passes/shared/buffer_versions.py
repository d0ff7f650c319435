"""Several versions of a buffer, for iterations that overlap in time."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.domain import is_inside
from ...dialects.index_expr import Index
from ...dialects.loop import (
    AccessArgument,
    AllocOp,
    Argument,
    CallExternOp,
    ForOp,
    LoadOp,
    PrefetchOp,
    StoreOp,
    StrideArgument,
    buffer_type,
    scope_of,
)
from ...ir import editor as edit

_BY_ELEMENT = (LoadOp, StoreOp, PrefetchOp, CallExternOp)


def other_use(alloc: AllocOp) -> Operation | None:
    """Return an operation that uses a buffer in another way than by its elements, so that it cannot have versions."""
    return next((use.operation for use in alloc.res.uses if not isinstance(use.operation, _BY_ELEMENT)), None)


def keep_versions(alloc: AllocOp, count: int, version: Index, around: ForOp) -> None:
    """Allocate `count` versions of a buffer outside of a loop; the accesses inside use the version number `version`.

    A single version needs no additional dimension.
    """
    type = alloc.res.type
    shape = type.get_shape() if count == 1 else (count, *type.get_shape())
    kept = AllocOp(
        buffer_type(shape, type.element_type, scope_of(type)),
        alloc.dynamic_sizes,
        alloc.res.name_hint,
    )
    edit.change(kept).attributes |= alloc.attributes
    edit.insert(kept, InsertPoint.before(around if is_inside(alloc.res, around) else alloc), of=alloc)
    if count > 1:
        for op in dict.fromkeys(use.operation for use in alloc.res.uses):
            _take(op, alloc.res, kept.res, version)
    edit.replace_uses(alloc.res, kept.res)
    edit.erase(alloc)


def _take(op: Operation, old: SSAValue, kept: SSAValue, version: Index) -> None:
    if isinstance(op, CallExternOp):
        op.set_arguments([_argument(a, old, kept, version) for a in op.arguments])
    else:
        assert isinstance(op, (LoadOp, StoreOp, PrefetchOp))
        op.set_index_lists(indices=[version, *op.index])


def _argument(argument: Argument, old: SSAValue, kept: SSAValue, version: Index) -> Argument:
    match argument:
        case AccessArgument() if argument.buffer is old:
            return replace(argument, buffer=kept, index=(version, *argument.index), box=((), *argument.box))
        case StrideArgument() if argument.buffer is old:
            return replace(argument, buffer=kept, dimension=argument.dimension + 1)
        case _:
            return argument
