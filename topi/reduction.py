"""Reductions along axes. `axis` is one axis, several axes, or None for all axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ..operators import get_operator
from ..te import Tensor
from ..te.dtypes import dtype_info
from .arguments import a_tensor, an_axis, apply, floats, refuse, some_axes


class Reduction(Protocol):
    def __call__(self, data: Tensor, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor: ...


def _reduction(name: str, check: Callable[[Tensor], Tensor]) -> Reduction:
    def function(data: Tensor, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
        x = check(a_tensor(data, "the operand"))
        return apply(f"reduce_{name}", x, axes=some_axes(axis, x.ndim), keepdims=bool(keepdims))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{get_operator(f'reduce_{name}').meaning} With keepdims these stay as dimensions of size 1."
    return function


def _numbers(x: Tensor) -> Tensor:
    if dtype_info(x.dtype).is_bool:
        refuse(
            "TW0447", f"expected numbers to reduce, but got {x.name!r} of bool", help="use topi.all, topi.any or cast"
        )
    return x


def _conditions(x: Tensor) -> Tensor:
    if not dtype_info(x.dtype).is_bool:
        refuse("TW0447", f"expected conditions, but got {x.name!r} of {x.dtype}", help="compare it with 0")
    return x


sum = _reduction("sum", _numbers)
prod = _reduction("prod", _numbers)
max = _reduction("max", _numbers)
min = _reduction("min", _numbers)
mean = _reduction("mean", lambda x: floats(x, "a tensor"))
all = _reduction("all", _conditions)
any = _reduction("any", _conditions)


def argmax(
    data: Tensor, axis: int | None = None, keepdims: bool = False, select_last_index: bool = False, dtype: str = "int32"
) -> Tensor:
    """Return the position of the greatest element along an axis, or in the flattened operand; of equals the first by
    default."""
    return _arg("argmax", data, axis, keepdims, select_last_index, dtype)


def argmin(
    data: Tensor, axis: int | None = None, keepdims: bool = False, select_last_index: bool = False, dtype: str = "int32"
) -> Tensor:
    """Return the position of the least element along an axis, or in the flattened operand; of equals the first by
    default."""
    return _arg("argmin", data, axis, keepdims, select_last_index, dtype)


def _arg(name: str, data: Tensor, axis: int | None, keepdims: bool, last: bool, dtype: str) -> Tensor:
    x = _numbers(a_tensor(data, "the operand"))
    rank = x.ndim
    if axis is None:
        x = apply("reshape", x, shape=(-1,))
    along = 0 if axis is None else an_axis(axis, rank)
    if isinstance(x.shape[along], int) and x.shape[along] == 0:
        refuse("TW0446", f"expected elements along axis {along} of {x.name!r}, but it has none")
    result = apply(name, x, axis=along, keepdims=bool(keepdims), last=bool(last), dtype=dtype_info(dtype).name)
    if axis is None and keepdims:
        return apply("reshape", result, shape=(1,) * rank, literal=True)
    return result


def cumsum(
    data: Tensor,
    axis: int | None = None,
    dtype: str | bool | None = None,
    exclusive: bool | None = False,
    reverse: bool = False,
) -> Tensor:
    """Return the sums of the elements up to each one along an axis; of a flattened operand where the axis is None.

    `exclusive` leaves the element itself out, `reverse` sums from the end. Sums are of `dtype`, by default the
    operand's.
    """
    return _running("cumsum", data, axis, dtype, exclusive, reverse)


def cumprod(
    data: Tensor,
    axis: int | None = None,
    dtype: str | bool | None = None,
    exclusive: bool | None = False,
    reverse: bool = False,
) -> Tensor:
    """Return the products of the elements up to each one along an axis; see `cumsum`."""
    return _running("cumprod", data, axis, dtype, exclusive, reverse)


def _running(
    name: str, data: Tensor, axis: int | None, dtype: str | bool | None, exclusive: bool | None, reverse: bool
) -> Tensor:
    x = a_tensor(data, "the operand")
    if isinstance(dtype, str) and dtype:
        x = x if x.dtype == dtype_info(dtype).name else apply("cast", x, to=dtype_info(dtype).name)
    x = _numbers(x)
    if axis is None:
        x, axis = apply("reshape", x, shape=(-1,)), 0
    return apply(name, x, axis=an_axis(axis, x.ndim), exclusive=bool(exclusive), reverse=bool(reverse))
