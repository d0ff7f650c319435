"""Room behind a buffer, for reads that run over its end and whose values nobody uses."""

from __future__ import annotations

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.ranges import Facts
from ....dialects.loop import REGISTER, AllocOp, LoadOp, StoreOp, buffer_type, scope_of
from ....ir import editor as edit

LEAST_ROOM = 64
"""Elements that a buffer may always grow by: a few vectors."""

MOST_GROWTH = 8
"""The part of a buffer, as a divisor, that it may grow by."""


def make_room(load: LoadOp, facts: Facts) -> bool:
    """Lengthen the flat buffer that the function allocates and `load` reads, so that the read stays inside of it.

    Answers whether it does. Buffers of more dimensions are left alone: a read beyond a row would have to name another
    row's element.
    """
    alloc = load.buffer.owner
    if not isinstance(alloc, AllocOp) or scope_of(alloc.res.type) == REGISTER:
        return False
    shape = alloc.res.type.get_shape()
    if len(shape) != 1 or shape[0] == DYNAMIC_INDEX or not _has_plain_users(alloc.res):
        return False
    lo, hi = facts.bounds(load.index[0])
    if lo is None or hi is None or lo < 0 or hi >= shape[0] + max(LEAST_ROOM, shape[0] // MOST_GROWTH):
        return False
    if hi >= shape[0]:
        _lengthen(alloc, hi + 1)
    return True


def _has_plain_users(buffer: SSAValue) -> bool:
    return all(isinstance(use.operation, (LoadOp, StoreOp)) for use in buffer.uses)


def _lengthen(alloc: AllocOp, extent: int) -> None:
    type = alloc.res.type
    longer = AllocOp(buffer_type([extent], type.element_type, scope_of(type)), (), alloc.res.name_hint)
    edit.change(longer).attributes |= alloc.attributes
    edit.insert(longer, InsertPoint.before(alloc), of=alloc)
    edit.replace_uses(alloc.res, longer.res)
    edit.erase(alloc)
