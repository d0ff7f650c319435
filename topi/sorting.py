"""Sorting, and scatter updates of elements, with the names and arguments of the classic operators."""

from __future__ import annotations

from typing import Any

from .. import te
from ..operators import get_operator
from ..te import Tensor
from ..te.dtypes import dtype_info
from .arguments import a_tensor, an_axis, an_integer, apply, integers, one_of, refuse, require_size
from .declared import checked
from .math import cast


def argsort(
    data: Tensor, valid_count: Tensor | None = None, axis: int = -1, is_ascend: bool = True, dtype: str = "float32"
) -> Tensor:
    """Return the positions of the elements along an axis in order, as elements of `dtype`. Equal elements keep their
    order; a NaN is the greatest. Of each row along the first dimension only the first `valid_count` are ordered, the
    others stay.
    """
    x = a_tensor(data, "the operand")
    dimension = an_axis(axis, x.ndim)
    if valid_count is not None:
        x = _others_last(x, integers(a_tensor(valid_count, "the counts", 1), "counts"), dimension, is_ascend)
    positions = apply("argsort", x, axis=dimension, descending=not is_ascend)
    return positions if dtype_info(dtype).name == "int64" else cast(positions, dtype)


def _others_last(x: Tensor, counts: Tensor, axis: int, is_ascend: bool) -> Tensor:
    """Return the operand with its elements that do not count replaced by an element that a stable order puts last."""
    if axis == 0:
        refuse("TW0441", "expected another axis than the first one beside valid_count, but got 0")
    require_size(counts.shape[0], x.shape[0], "the number of counts")
    info = dtype_info(x.dtype)
    if info.is_float:
        last = te.const(float("nan") if is_ascend else float("-inf"), x.dtype)
    else:
        last = te.const(info.integer_range[is_ascend], x.dtype)

    def element(*index: Any) -> te.Expr:
        return te.Select(index[axis].astype("int64") < counts(index[0]).astype("int64"), x(*index), last)

    return te.compute(x.shape, element, name="valid")


def sort(data: Tensor, axis: int = -1, is_ascend: bool = True) -> Tensor:
    """Return the elements along an axis in order; a NaN is the greatest."""
    x = a_tensor(data, "the operand")
    dimension = an_axis(axis, x.ndim)
    return apply("gather_elements", x, apply("argsort", x, axis=dimension, descending=not is_ascend), axis=dimension)


def topk(
    data: Tensor, k: int = 1, axis: int = -1, ret_type: str = "both", is_ascend: bool = False, dtype: str = "int64"
) -> Any:
    """Return the k greatest elements along an axis in descending order, or the least ones in ascending order, their
    positions, or both; all elements where k is below 1.
    """
    x = a_tensor(data, "the operand")
    one_of(ret_type, ("both", "values", "indices"), "kind of result")
    dimension, count, size = an_axis(axis, x.ndim), an_integer(k, "k"), x.shape[an_axis(axis, x.ndim)]
    if isinstance(size, int) and count > size:
        refuse("TW0446", f"expected k to be at most {size}, but got {count}")
    kept = count if count > 0 else size
    values, positions = get_operator("topk").express(x, k=kept, axis=dimension, smallest=is_ascend)
    positions = positions if dtype_info(dtype).name == "int64" else cast(positions, dtype)
    return {"both": [values, positions], "values": values, "indices": positions}[ret_type]


def scatter(data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Return the operand with each update written along an axis at the index that it has; of several the last one
    stays."""
    return _scatter(data, indices, updates, axis, "none")


def scatter_add(data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0) -> Tensor:
    """Return the operand with each update added along an axis at the index that it has."""
    return _scatter(data, indices, updates, axis, "add")


def scatter_elements(
    data: Tensor, indices: Tensor, updates: Tensor, axis: int = 0, reduction: str = "update"
) -> Tensor:
    """Return the operand with each update written along an axis at the index that it has, or combined with the element
    there."""
    return _scatter(data, indices, updates, axis, _reduction(reduction))


def _scatter(data: Tensor, indices: Tensor, updates: Tensor, axis: int, reduction: str) -> Tensor:
    x = a_tensor(data, "the operand")
    positions = integers(a_tensor(indices, "the indices", x.ndim), "indices")
    values = a_tensor(updates, "the updates", x.ndim)
    return apply("scatter_elements", x, positions, values, axis=an_axis(axis, x.ndim), reduction=reduction)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, mode: str = "update") -> Tensor:
    """Return the operand with slices written at points, or combined; coordinates are the first dimension of the
    indices."""
    x, positions = a_tensor(data, "the operand"), integers(a_tensor(indices, "the indices"), "indices")
    depth = positions.shape[0] if positions.ndim else None
    if not isinstance(depth, int) or depth > x.ndim:
        refuse("TW0444", f"expected indices of at most {x.ndim} coordinates, but got {depth}")
    turned = apply("transpose", positions, permutation=(*range(1, positions.ndim), 0))
    return apply("scatter_nd", x, turned, a_tensor(updates, "the updates"), reduction=_reduction(mode))


def searchsorted(sorted_sequence: Tensor, values: Tensor, right: bool = False, out_dtype: str = "int64") -> Tensor:
    """Return the insertion points of values that keep ascending elements along the last axis sorted.

    A value is inserted before equal elements, or behind them with `right`. A vector of elements serves all rows of
    values.
    """
    x, wanted = a_tensor(sorted_sequence, "the elements"), a_tensor(values, "the values")
    if x.ndim > 1 and x.ndim != wanted.ndim:
        refuse("TW0444", f"expected values of rank {x.ndim}, but got {wanted.ndim}")
    positions = checked("searchsorted", x, wanted, right=bool(right))
    return positions if dtype_info(out_dtype).name == "int64" else cast(positions, out_dtype)


def unique(data: Tensor, is_sorted: bool = True, return_counts: bool = False) -> list[Tensor]:
    """Return the distinct elements of a vector in ascending order, or as they appear; where each appears first; for
    each element the number of its kind; how many kinds there are; and how often each is there, where `return_counts`.
    """
    x = a_tensor(data, "the operand", 1)
    values, positions, inverse, counts, count = checked("unique", x, by_appearance=not is_sorted)
    others = [cast(each, "int32") for each in (positions, inverse, count, *([counts] if return_counts else []))]
    return [values, *others]


def _reduction(name: str) -> str:
    one_of(name, ("update", "add", "mul", "min", "max"), "kind of update")
    return "none" if name == "update" else name
