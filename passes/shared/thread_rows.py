"""Buffers with leading dimensions, so that each iteration of loops over blocks and threads has separate elements."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop.storage import Alignment, alignments_of, set_alignments
from ...ir import editor as edit


def has_plain_uses(alloc: loop.AllocOp) -> bool:
    """Return whether loads, stores, foreign calls and extents are the only uses of a buffer."""
    plain = (loop.LoadOp, loop.StoreOp, loop.CallExternOp, loop.DimOp)
    return all(isinstance(use.operation, plain) for use in alloc.res.uses)


def give_rows(alloc: loop.AllocOp, loops: Sequence[loop.ForOp], before: loop.ForOp) -> loop.AllocOp:
    """Replace a buffer of plain uses by one in front of a loop that has a row for each iteration of `loops`.

    The loops stand around the allocation and run from 0 to one extent, which is known in front of `before`, as the
    extents of the buffer are.
    """
    type_: MemRefType = alloc.res.type
    extents = [*(op.uppers[0] for op in loops), *alloc.shape]
    shape = [n.constant if n.is_constant else DYNAMIC_INDEX for n in extents]
    wider = loop.buffer_type(shape, type_.element_type, loop.scope_of(type_))
    expanded = loop.AllocOp(wider, [n for n in extents if not n.is_constant], alloc.res.name_hint)
    expanded.location = alloc.location
    edit.change(expanded).attributes |= alloc.attributes
    if alignments := alignments_of(alloc):
        set_alignments(expanded, tuple(Alignment(a.axis + len(loops), *a[1:]) for a in alignments))
    edit.insert(expanded, InsertPoint.before(before))
    row = [Index.of(op.induction_variable) for op in loops]
    for user in dict.fromkeys(use.operation for use in alloc.res.uses):
        match user:
            case loop.CallExternOp():
                user.set_arguments([_in_row(argument, alloc, expanded, row) for argument in user.arguments])
            case loop.DimOp():
                size = loop.DimOp(expanded.res, user.dimension.value.data + len(row), user.res.name_hint)
                size.location = user.location
                edit.replace(user, size)
            case loop.LoadOp() | loop.StoreOp():
                index = [*row, *user.index]
                position = next(n for n, v in enumerate(user.operands) if v is alloc.res)
                edit.change(user).operands[position] = expanded.res
                user.set_index_lists(indices=index)
            case _:
                raise AssertionError("expected a buffer of plain uses")
    edit.erase(alloc)
    return expanded


def _in_row(argument: loop.Argument, old: loop.AllocOp, new: loop.AllocOp, row: Sequence[Index]) -> loop.Argument:
    match argument:
        case loop.AccessArgument() if argument.buffer is old.res:
            box = (*(() for _ in row), *argument.box)
            return loop.AccessArgument(argument.mode, new.res, (*row, *argument.index), box)
        case loop.StrideArgument() if argument.buffer is old.res:
            return loop.StrideArgument(new.res, argument.dimension + len(row), argument.type)
        case _:
            return argument
