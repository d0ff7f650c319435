"""Indexing: gathers by tensors of indices, the indices of nonzero elements, and one-hot tensors."""

from __future__ import annotations

from typing import Any

from ..operators.indexing import MODES
from ..operators.sizes import product
from ..te import Tensor
from ..te.dtypes import dtype_info
from ..te.expr import Const
from ..te.shapes import as_size
from .arguments import a_tensor, an_axis, apply, integers, one_of, refuse, require_size
from .declared import checked
from .rearrangement import unravel_index


def take(a: Tensor, indices: Tensor, axis: int | None = None, batch_dims: int | str = 0, mode: str = "clip") -> Tensor:
    """Return slices along an axis, or elements of the flattened operand where it is None.

    An index out of range is clipped, counted around (`mode="wrap"`), counted from the end where it is negative
    (`"wrap_negative"`), or taken as it is (`"fast"`). One that is out of range still ends the call of the compiled
    program with error TW0730, unless that was built with `unchecked`. Dimensions of a batch are refused.
    """
    x = a_tensor(a, "the operand")
    if isinstance(batch_dims, str):
        batch_dims, mode = 0, batch_dims
    if batch_dims != 0:
        refuse("TW0447", f"expected no dimensions of a batch, but got {batch_dims}", help="topi.gather_nd has a batch")
    chosen = integers(a_tensor(indices, "the indices"), "indices")
    one_of(mode, MODES, "mode")
    if axis is None:
        x, axis = apply("reshape", x, shape=(-1,)), 0
    return apply("gather", x, chosen, axis=an_axis(axis, x.ndim), mode=mode)


def gather(data: Tensor, axis: int, indices: Tensor) -> Tensor:
    """Return elements along an axis, chosen at each position of the indices, which have as many dimensions as the
    operand.

    Negative indices count from the end; one that is out of range ends the call of the compiled program with TW0730.
    """
    x = a_tensor(data, "the operand")
    chosen = integers(a_tensor(indices, "the indices", x.ndim), "indices")
    return apply("gather_elements", x, chosen, axis=an_axis(axis, x.ndim))


def gather_nd(a: Tensor, indices: Tensor) -> Tensor:
    """Return slices at points: the first dimension of the indices runs over the operand's leading dimensions.

    Negative indices count from the end; one that is out of range ends the call of the compiled program with TW0730. Of
    indices that are no integers the fraction is cut off.
    """
    x = a_tensor(a, "the operand")
    chosen = a_tensor(indices, "the indices")
    chosen = chosen if dtype_info(chosen.dtype).is_integer else apply("cast", chosen, to="int32")
    depth = chosen.shape[0] if chosen.ndim else None
    if not isinstance(depth, int) or depth > x.ndim:
        refuse("TW0444", f"expected indices of at most {x.ndim} coordinates, but got {depth}")
    return apply("gather_nd", x, chosen)


def argwhere(output_shape: Tensor, condition: Tensor) -> Tensor:
    """Return the indices of the elements that are not 0, one a row, in row-major order, as int32.

    There are as many rows as `output_shape` has; those beyond the last element found are 0.
    """
    like, x = a_tensor(output_shape, "the model of the result", 2), a_tensor(condition, "the condition")
    count, rows = product(x.shape), like.shape[0]
    require_size(like.shape[1], x.ndim, "the columns of the result")
    if not (isinstance(count, int) and isinstance(rows, int)) or rows > count:
        refuse("TW0446", f"expected at most {count} rows, both numbers, but got {rows}")
    positions, _ = checked("nonzero", apply("reshape", x, shape=(count,), literal=True))
    first = apply("slice", positions, starts=(0,), sizes=(rows,), steps=(1,))
    columns = unravel_index(apply("cast", first, to="int32"), x.shape)
    return apply("transpose", columns, permutation=(1, 0))


def one_hot(
    indices: Tensor,
    on_value: float | Const,
    off_value: float | Const,
    depth: Any,
    axis: int = -1,
    dtype: str = "float32",
) -> Tensor:
    """Return `on_value` at the position along `axis` that each index names, `off_value` elsewhere."""
    chosen = integers(a_tensor(indices, "the indices"), "indices")
    return apply(
        "one_hot",
        chosen,
        depth=as_size(depth, "depth"),
        on=on_value.value if isinstance(on_value, Const) else on_value,
        off=off_value.value if isinstance(off_value, Const) else off_value,
        axis=an_axis(axis, chosen.ndim + 1),
        dtype=dtype_info(dtype).name,
    )
