"""The extents of memrefs and tensors, as expressions of values that are available at a use."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import memref, scf, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, MemRefType, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.upstream.forall import ParallelInsertSliceOp
from ...dialects.upstream.memref import TransposeOp
from .indices import index_of
from .refusal import refuse_form


def shape_of(value: SSAValue) -> tuple[int, ...]:
    """Return the sizes that a type states; `DYNAMIC_INDEX` for others."""
    assert isinstance(value.type, (MemRefType, TensorType))
    return tuple(value.type.get_shape())


def extents_of(value: SSAValue, user: Operation) -> list[Index]:
    """Return all extents of a memref. Raises TilewrightError TW0571 at `user` as `extent_of` does."""
    return [extent_of(value, d, user) for d in range(len(shape_of(value)))]


def extent_of(value: SSAValue, dimension: int, user: Operation) -> Index:
    """Return the extent of a memref in one dimension. Raises TilewrightError TW0571 at `user` where nothing says it."""
    size = shape_of(value)[dimension]
    if size != DYNAMIC_INDEX:
        return Index.of(size)
    value = _handed_on(value)
    owner = value.owner
    known = _bound(value, owner, dimension) if isinstance(owner, Block) else _of_operation(owner, dimension, user)
    if known is None:
        refuse_form(
            user,
            f"expected to know dimension {dimension} of its operand of type {value.type}",
            help="give the buffer static sizes, or sizes that come from memref.dim of an argument",
        )
    return known


def _handed_on(value: SSAValue) -> SSAValue:
    """Return the buffer that a loop carries through all iterations, for its result and for the argument of its body."""
    while True:
        owner = value.owner.parent_op() if isinstance(value.owner, Block) else value.owner
        if not isinstance(owner, scf.ForOp):
            return value
        k = value.index - 1 if isinstance(value.owner, Block) else value.index  # pyright: ignore
        last = owner.body.block.last_op
        if k < 0 or last is None or last.operands[k] not in (owner.body.block.args[k + 1], owner.iter_args[k]):
            return value
        value = owner.iter_args[k]


def _bound(value: SSAValue, block: Block, dimension: int) -> Index | None:
    """Return the size that a `loop.bind` at the function's entry states for a dimension of an argument, or None."""
    if not isinstance(block.parent_op(), FuncOp):
        return None
    for op in block.ops:
        if isinstance(op, loop.BindOp) and op.buffer is value:
            return op.index_list("shape")[dimension]
    return None


def _of_operation(op: Operation, dimension: int, user: Operation) -> Index | None:
    match op:
        case memref.AllocOp():
            return _listed(shape_of(op.memref), list(op.dynamic_sizes), dimension)
        case memref.AllocaOp():
            return _listed(shape_of(op.memref), list(op.dynamic_sizes), dimension)
        case loop.AllocOp():
            return op.shape[dimension]
        case memref.CastOp():
            return extent_of(op.source, dimension, user)
        case memref.SubviewOp():
            kept = kept_dimensions(op)
            return mixed(op.static_sizes, op.sizes)[kept[dimension]]
        case TransposeOp():
            return extent_of(op.source, op.order[dimension], user)
        case loop.ViewOp():
            return _bound_by(op, dimension)
        case memref.ReinterpretCastOp():
            return mixed(op.static_sizes, op.sizes)[dimension]
        case memref.CollapseShapeOp():
            group = groups_of(op.reassociation)[dimension]
            return _product([extent_of(op.src, d, user) for d in group])
        case memref.ExpandShapeOp():
            return mixed(op.static_output_shape, op.output_shape)[dimension]
        case tensor.EmptyOp():
            return _listed(shape_of(op.tensor), list(op.dynamic_sizes), dimension)
        case _:
            return None


def _product(sizes: Sequence[Index]) -> Index | None:
    """Return a product of extents; None where several are no numbers."""
    total = Index.of(1)
    for size in sizes:
        if not total.is_constant and not size.is_constant:
            return None
        total = size * total.constant if total.is_constant else total * size.constant
    return total


def _bound_by(op: loop.ViewOp, dimension: int) -> Index | None:
    """Return the extent that a `loop.bind` states of a view."""
    bound = next((use.operation for use in op.res.uses if isinstance(use.operation, loop.BindOp)), None)
    return bound.index_list("shape")[dimension] if bound is not None else None


def _listed(shape: Sequence[int], dynamic: list[SSAValue], dimension: int) -> Index:
    return index_of(dynamic[sum(size == DYNAMIC_INDEX for size in shape[:dimension])])


def mixed(static: DenseArrayBase, dynamic: Sequence[SSAValue]) -> list[Index]:
    """Return a list of numbers in which each `DYNAMIC_INDEX` is replaced by the next of some values."""
    values = iter(dynamic)
    return [index_of(next(values)) if n == DYNAMIC_INDEX else Index.of(n) for n in numbers_of(static)]


def numbers_of(attribute: DenseArrayBase) -> list[int]:
    """Return the integers of a dense array, with `DYNAMIC_INDEX` for SSA values."""
    return [int(number) for number in attribute.get_values()]  # pyright: ignore


def groups_of(reassociation: ArrayAttr) -> list[list[int]]:
    """Return, for each dimension of the smaller shape, the dimensions of the larger one that form it."""
    return [[number.value.data for number in group] for group in reassociation]  # pyright: ignore


def kept_dimensions(
    op: memref.SubviewOp | tensor.ExtractSliceOp | tensor.InsertSliceOp | ParallelInsertSliceOp,
) -> list[int]:
    """Return the dimensions of the source that those of the view are, in order: size 1 is dropped where the type lacks
    it."""
    small = op.source.type if isinstance(op, (tensor.InsertSliceOp, ParallelInsertSliceOp)) else op.results[0].type
    assert isinstance(small, (MemRefType, TensorType))
    wanted, sizes = list(small.get_shape()), numbers_of(op.static_sizes)
    dropped = len(sizes) - len(wanted)
    kept: list[int] = []
    for d, size in enumerate(sizes):
        if dropped and size == 1 and (len(kept) == len(wanted) or wanted[len(kept)] != 1):
            dropped -= 1
        else:
            kept.append(d)
    return kept


VIEWS = (
    memref.CastOp,
    memref.SubviewOp,
    memref.ReinterpretCastOp,
    memref.CollapseShapeOp,
    memref.ExpandShapeOp,
    TransposeOp,
)
"""The operations of memref that give another form of a buffer."""


def root_of(value: SSAValue) -> SSAValue:
    """Return the buffer that a view lies in."""
    owner = value.owner
    while isinstance(owner, (*VIEWS, memref.ExtractStridedMetaDataOp)):
        value = owner.operands[0]
        owner = value.owner
    return value
