"""Reductions: updates of an element whose order may change, up to rounding."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects import arith, math
from xdsl.ir import Operation, SSAValue

from ..dialects import loop

_COMBINERS: tuple[type[Operation], ...] = (
    arith.AddfOp,
    arith.AddiOp,
    arith.MulfOp,
    arith.MuliOp,
    arith.MaximumfOp,
    arith.MinimumfOp,
    arith.MaxnumfOp,
    arith.MinnumfOp,
    arith.MaxSIOp,
    arith.MinSIOp,
    arith.MaxUIOp,
    arith.MinUIOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
"""Operations that are associative and commutative, floats up to rounding."""


class Reduction(NamedTuple):
    """`buffer[index] = combine(buffer[index], term)`."""

    buffer: SSAValue
    load: loop.LoadOp
    combine: Operation
    store: loop.StoreOp


def reduction_of(block: loop.BlockOp) -> Reduction | None:
    """The reduction that a block with reduce variables performs, if its body has that form."""
    if "reduce" not in block.kinds:
        return None
    body = _statements(block)
    stores = [op for op in body if isinstance(op, loop.StoreOp)]
    if len(stores) != 1 or stores[0].conditions:
        return None
    (store,) = stores
    loads = [op for op in body if isinstance(op, loop.LoadOp) and op.buffer is store.buffer]
    if len(loads) != 1 or loads[0].conditions or loads[0].index != store.index:
        return None
    (load,) = loads
    combine = store.value.owner
    if not isinstance(combine, Operation) or not _combines(combine, load):
        return None
    return Reduction(store.buffer, load, combine, store)


def _statements(block: loop.BlockOp) -> list[Operation]:
    """What a block does besides its init; where that is loops around one block, what the inner one does.

    Where all of it stands under one condition, what stands there.
    """
    body = [op for op in block.body.block.ops if not isinstance(op, loop.InitOp)]
    while len(body) == 1 and isinstance(only := body[0], (loop.ForOp, loop.BlockOp)) and not only.results:
        body = [op for op in only.body.block.ops if not isinstance(op, loop.InitOp)]
    if len(body) == 1 and isinstance(only := body[0], loop.IfOp) and not only.else_body.blocks:
        return list(only.then_body.block.ops)
    return body


def _combines(combine: Operation, load: loop.LoadOp) -> bool:
    """Whether `combine` has the loaded value as one operand and is its only user."""
    if [use.operation for use in load.res.uses] != [combine]:
        return False
    if isinstance(combine, math.FmaOp):
        return combine.c is load.res
    return isinstance(combine, _COMBINERS)
