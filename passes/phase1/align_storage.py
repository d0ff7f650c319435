"""Pass `align-storage`: strides that a schedule asks for.

No row-major memref type has a stride that is larger than the extent of the inner dimensions. So the pass makes the
buffer flat and writes its strides into the indices, as `flatten-buffers` does for all other buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.rewriter import InsertPoint

from ...diagnostics.remarks import remark
from ...dialects.index_expr import Index
from ...dialects.loop import (
    AccessArgument,
    AllocOp,
    ApplyOp,
    Argument,
    CallExternOp,
    DimOp,
    IndexArgument,
    LoadOp,
    StoreOp,
    StrideArgument,
    buffer_type,
    is_of_threads,
    scope_of,
)
from ...dialects.loop.storage import ALIGNMENT, Alignment, alignments_of
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class AlignStoragePass(Pass):
    """Lay out buffers that are annotated with `tw.storage_align`: the stride of an axis is `offset` modulo `factor`.

    ```mlir
    %b = loop.alloc attributes {tw.storage_align = [array<i64: 0, 32, 16>]} : memref<8x60xf32>
    loop.store %x, %b[%i, %j] : memref<8x60xf32>
    // becomes
    %b = loop.alloc : memref<640xf32>
    loop.store %x, %b[%i * 80 + %j] : memref<640xf32>
    ```
    The axes inside of an aligned axis must have constant extents, and only loads and stores may use the buffer; other
    buffers keep their layout, with a remark. Calls may use a buffer that threads share: on a GPU they take addresses
    that indices determine, while elsewhere foreign code may rely on the strides of a packed tile.

    Needs: loop level, buffers of their final sizes.
    Grants: no allocation is annotated with an alignment.
    """

    name = "align-storage"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in [nested for nested in operations(op) if isinstance(nested, AllocOp)]:
            alignments = alignments_of(alloc)
            edit.change(alloc).attributes.pop(ALIGNMENT, None)
            if not alignments:
                continue
            reason = _obstacle(alloc)
            if reason is not None:
                remark("TW0423", f"a buffer keeps its strides: {reason}", op=alloc)
            elif may_rewrite("lay out", alloc):
                _lay_out(alloc, _strides(alloc.shape, alignments))


def _obstacle(alloc: AllocOp) -> str | None:
    if not all(n.is_constant for n in alloc.shape[1:]):
        return "an axis inside of the aligned one has a symbolic extent"
    known = (LoadOp, StoreOp, DimOp, CallExternOp) if is_of_threads(alloc.res.type) else (LoadOp, StoreOp, DimOp)
    others = [u.operation for u in alloc.res.uses if not isinstance(u.operation, known)]
    return f"it is used by {others[0].name}" if others else None


def _strides(shape: Sequence[Index], alignments: Sequence[Alignment]) -> list[int]:
    """Return the strides in elements, from the innermost axis outwards, each the least that holds the inner axes."""
    asked = {row.axis: row for row in alignments}
    strides = [1] * len(shape)
    for axis in reversed(range(len(shape) - 1)):
        dense = strides[axis + 1] * shape[axis + 1].constant
        row = asked.get(axis)
        strides[axis] = dense if row is None else dense + (row.offset - dense) % row.factor
    return strides


def _lay_out(alloc: AllocOp, strides: Sequence[int]) -> None:
    type, shape = alloc.res.type, alloc.shape
    size = shape[0] * strides[0] if shape else Index.of(1)
    extent = size.constant if size.is_constant else DYNAMIC_INDEX
    flat = AllocOp(
        buffer_type([extent], type.element_type, scope_of(type)),
        [] if size.is_constant else [size],
        alloc.res.name_hint,
    )
    edit.change(flat).attributes |= alloc.attributes
    flat.location = alloc.location
    for op in dict.fromkeys(use.operation for use in alloc.res.uses):
        match op:
            case DimOp():
                edit.replace(op, ApplyOp(shape[op.dimension.value.data]))
            case CallExternOp():
                op.set_arguments([_flat_argument(a, alloc, strides) for a in op.arguments])
            case LoadOp() | StoreOp():
                op.set_index_lists(indices=[_linear(op.index, strides)])
            case _:
                raise AssertionError(f"expected an access, but got {op.name}")
    edit.insert(flat, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, flat.res)
    edit.erase(alloc)


def _linear(index: Sequence[Index], strides: Sequence[int]) -> Index:
    return sum((e * stride for e, stride in zip(index, strides, strict=True)), Index.of(0))


def _flat_argument(argument: Argument, alloc: AllocOp, strides: Sequence[int]) -> Argument:
    """Return an argument of a call, where it passes the buffer: by one index and a box of one dimension."""
    match argument:
        case AccessArgument() if argument.buffer is alloc.res:
            box = tuple((n, by * step) for pairs, step in zip(argument.box, strides, strict=True) for n, by in pairs)
            return AccessArgument(argument.mode, argument.buffer, (_linear(argument.index, strides),), (box,))
        case StrideArgument() if argument.buffer is alloc.res:
            return IndexArgument(Index.of(strides[argument.dimension]), argument.type)
        case _:
            return argument
