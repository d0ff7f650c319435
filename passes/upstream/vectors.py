"""Accesses of vectors to adjacent elements: all lanes, or the first lanes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE, Index
from ...ir import editor as edit
from .indices import index_of
from .refusal import refuse_form
from .views import resolve


def convert_vector_access(
    op: vector.LoadOp | vector.StoreOp | vector.MaskedLoadOp | vector.MaskedStoreOp,
) -> None:
    """Replace `op` by an access of the loop dialect. Raises TilewrightError TW0571."""
    is_load = isinstance(op, (vector.LoadOp, vector.MaskedLoadOp))
    value = op.results[0] if is_load else op.operands[-1] if isinstance(op, vector.MaskedStoreOp) else op.operands[0]
    lanes = _lanes(op, value.type)
    starts = [index_of(i) for i in op.indices]
    indices = [*starts[:-1], starts[-1] + LANE]
    guard: list[Index] = []
    otherwise: SSAValue | None = None
    if isinstance(op, (vector.MaskedLoadOp, vector.MaskedStoreOp)):
        guard = _guard(op, op.mask)
    if isinstance(op, vector.MaskedLoadOp):
        spread = op.pass_thru.owner
        if not isinstance(spread, vector.BroadcastOp) or isinstance(spread.source.type, VectorType):
            refuse_form(
                op, "expected one number for the lanes that are masked off", help="spread it by vector.broadcast"
            )
        otherwise = spread.source
    buffer, indices = resolve(op.base, indices, op)
    if is_load:
        edit.replace(op, loop.LoadOp(buffer, indices, guard, otherwise, lanes))
    else:
        edit.replace(op, loop.StoreOp(value, buffer, indices, guard), [])


def remove_mask(op: vector.CreateMaskOp) -> None:
    """Remove a mask that accesses have taken over."""
    if op.mask_vector.uses:
        refuse_form(op, "expected masks that only accesses use")
    edit.erase(op)


def _guard(op: Operation, mask: SSAValue) -> list[Index]:
    made = mask.owner
    sizes: Sequence[SSAValue] = made.mask_dim_sizes if isinstance(made, vector.CreateMaskOp) else ()
    if len(sizes) != 1:
        refuse_form(op, "expected a mask of the first lanes", help="make it by vector.create_mask")
    return [index_of(sizes[0]) - 1 - Index.of(LANE)]


def _lanes(op: Operation, type: Attribute) -> int:
    if not isinstance(type, VectorType) or type.get_num_dims() != 1:
        refuse_form(op, f"expected vectors of one dimension, but got {type}")
    return type.get_shape()[0]
