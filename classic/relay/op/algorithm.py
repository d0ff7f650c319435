"""Sorting operators: sort, argsort, topk, searchsorted."""

from __future__ import annotations

from typing import Any

from ....diagnostics.expectations import coded_names
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, rank, refuse, static, tensor, type_
from ..expr import Expr, Tuple
from .transform import an_axis, numbers

__all__ = ["argsort", "searchsorted", "sort", "topk"]


def sort(data: Any, axis: int = -1, is_ascend: bool = True) -> Expr:
    """Return the elements in order along an axis."""
    x = tensor(data)
    along = an_axis(axis, rank(x))
    size = static(type_(x).shape[along], "the number of elements")
    return apply("topk", x, k=size, axis=along, smallest=bool(is_ascend))[0]


def argsort(data: Any, axis: int = -1, is_ascend: bool = True, dtype: str = "int32") -> Expr:
    """Return the positions of the elements in order along an axis."""
    x = tensor(data)
    positions = apply("argsort", x, axis=an_axis(axis, rank(x)), descending=not is_ascend)
    return cast_to(positions, dtype_info(dtype).name)


def topk(
    data: Any, k: Any = 1, axis: int = -1, ret_type: str = "both", is_ascend: bool = False, dtype: str = "int32"
) -> Expr:
    """Return the k greatest elements along an axis, or the least ones, and their positions; all of them where k is
    below 1.

    `ret_type` "values" or "indices" gives one of both.
    """
    x, (count,) = tensor(data), numbers(k, "the number of elements")
    along = an_axis(axis, rank(x))
    if ret_type not in ("both", "values", "indices"):
        refuse(f"topk: expected 'both', 'values' or 'indices' as ret_type, but got {ret_type!r}")
    count = count if count >= 1 else static(type_(x).shape[along], "the number of elements")
    values, positions = apply("topk", x, k=count, axis=along, smallest=bool(is_ascend))
    found = cast_to(positions, dtype_info(dtype).name)
    return values if ret_type == "values" else found if ret_type == "indices" else Tuple([values, found])


def searchsorted(sorted_sequence: Any, values: Any, right: bool = False, dtype: str = "int32") -> Expr:
    """Return the position of each value among ascending elements along the last axis."""
    found = apply("searchsorted", tensor(sorted_sequence), tensor(values), right=bool(right))
    return cast_to(found, dtype_info(dtype).name)


coded_names(globals(), __all__)
