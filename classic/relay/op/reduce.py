"""Reductions along axes.

`axis` is one axis, several axes, or None for all axes; `exclude` reduces along all the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from ....diagnostics.expectations import coded_names
from ....operators import get_operator
from ..building import apply, cast_to, rank, refuse, static, tensor, type_
from ..expr import Expr, Tuple, const

Axis: TypeAlias = int | Sequence[int] | None

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "logsumexp",
    "max",
    "mean",
    "mean_std",
    "mean_variance",
    "min",
    "prod",
    "std",
    "sum",
    "variance",
]


def chosen(data: Expr, axis: Axis, exclude: bool = False) -> tuple[int, ...]:
    """Return the axes that a reduction combines, counted from the front."""
    count = rank(data)
    given = range(count) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    if odd := next((each for each in given if not -count <= each < count), None):
        refuse(f"expected axes from {-count} to {count - 1}, but got {odd}")
    axes = {each % count for each in given}
    if exclude and axis is not None:
        axes = set(range(count)) - axes
    return tuple(sorted(axes))


def _reduction(name: str) -> Any:
    def function(data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False) -> Expr:
        x = tensor(data)
        return apply(f"reduce_{name}", x, axes=chosen(x, axis, exclude), keepdims=bool(keepdims))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{get_operator(f'reduce_{name}').meaning} With keepdims these stay as dimensions of size 1."
    return function


sum = _reduction("sum")
prod = _reduction("prod")
max = _reduction("max")
min = _reduction("min")
mean = _reduction("mean")
all = _reduction("all")
any = _reduction("any")


def argmax(
    data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, select_last_index: bool = False
) -> Expr:
    """Return the position of the greatest element along an axis, or in the flattened operand; of equals the first."""
    return _arg("argmax", data, axis, keepdims, exclude, select_last_index)


def argmin(
    data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, select_last_index: bool = False
) -> Expr:
    """Return the position of the least element along an axis, or in the flattened operand; of equals the first."""
    return _arg("argmin", data, axis, keepdims, exclude, select_last_index)


def _arg(name: str, data: Any, axis: Axis, keepdims: bool, exclude: bool, last: bool) -> Expr:
    """Return the position of the greatest or least element. Several axes count as one: they are moved to the end and
    become one there."""
    x = tensor(data)
    count, axes = rank(x), chosen(x, axis, exclude)
    sizes = type_(x).shape
    if len(axes) != 1:
        kept = [d for d in range(count) if d not in axes]
        order = (*kept, *axes)
        x = apply("reshape", apply("transpose", x, permutation=order), shape=(*_sizes(sizes, kept), -1))
        axes = (len(kept),)
        result = cast_to(apply(name, x, axis=axes[0], last=bool(last)), "int32")
        if not keepdims:
            return result
        return apply(
            "reshape", result, shape=tuple(1 if d not in kept else _sizes(sizes, [d])[0] for d in range(count))
        )
    return cast_to(apply(name, x, axis=axes[0], keepdims=bool(keepdims), last=bool(last)), "int32")


def _sizes(shape: Sequence[Any], axes: Sequence[int]) -> list[int]:
    return [static(shape[axis], f"the size of axis {axis}") for axis in axes]


def variance(
    data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False,
    with_mean: Any = None,
) -> Expr:  # fmt: skip
    """Return the mean of squared distances from the mean, which `with_mean` gives; over one less where `unbiased`."""
    x = tensor(data)
    axes = chosen(x, axis, exclude)
    average = apply("reduce_mean", x, axes=axes, keepdims=True) if with_mean is None else tensor(with_mean)
    distance = apply("sub", x, average)
    result = apply("reduce_mean", apply("mul", distance, distance), axes=axes, keepdims=bool(keepdims))
    if not unbiased:
        return result
    count = 1
    for axis_ in axes:
        count *= static(type_(x).shape[axis_], "the number of elements")
    if count < 2:
        refuse(f"variance: expected at least two elements where it is unbiased, but got {count}")
    return apply("mul", result, const(count / (count - 1), type_(x).dtype))


def std(data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False) -> Expr:
    """Return the root of the variance."""
    return apply("sqrt", variance(data, axis, keepdims, exclude, unbiased))


def mean_variance(
    data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False
) -> Tuple:
    """Return the mean and the variance."""
    return Tuple([_mean(data, axis, keepdims, exclude), variance(data, axis, keepdims, exclude, unbiased)])


def mean_std(
    data: Any, axis: Axis = None, keepdims: bool = False, exclude: bool = False, unbiased: bool = False
) -> Tuple:
    """Return the mean and the root of the variance."""
    return Tuple([_mean(data, axis, keepdims, exclude), std(data, axis, keepdims, exclude, unbiased)])


def _mean(data: Any, axis: Axis, keepdims: bool, exclude: bool) -> Expr:
    x = tensor(data)
    return apply("reduce_mean", x, axes=chosen(x, axis, exclude), keepdims=bool(keepdims))


def logsumexp(data: Any, axis: Axis = None, keepdims: bool = False) -> Expr:
    """Return the logarithm of the sum of exponentials, which does not overflow."""
    x = tensor(data)
    axes = chosen(x, axis)
    greatest = apply("reduce_max", x, axes=axes, keepdims=True)
    total = apply("reduce_sum", apply("exp", apply("sub", x, greatest)), axes=axes, keepdims=True)
    result = apply("add", apply("log", total), greatest)
    return result if keepdims else apply("squeeze", result, axes=axes)


coded_names(globals(), __all__)
