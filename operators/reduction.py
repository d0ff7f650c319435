"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import te
from ..te.combiners import identity
from ..te.dtypes import dtype_info
from .record import WIDE, Accumulator, FusionKind, Operator
from .sizes import number, product


class Axes:
    """A reduction's axes: which dimensions stay, and how an output index becomes one of the operand."""

    def __init__(self, x: te.Tensor, axes: Sequence[int], keepdims: bool):
        self._rank = x.ndim
        normal = {axis % x.ndim for axis in axes}
        self.reduced = {axis: te.reduce_axis((0, x.shape[axis]), f"k{axis}") for axis in sorted(normal)}
        self.kept = [axis for axis in range(x.ndim) if keepdims or axis not in self.reduced]
        self.shape = [1 if axis in self.reduced else x.shape[axis] for axis in self.kept]

    @property
    def axes(self) -> list[te.Axis]:
        return list(self.reduced.values())

    def full(self, index: Sequence[Any]) -> list[Any]:
        """The operand's index at an output index and the reduce axes."""
        at = dict(zip(self.kept, index, strict=True)) | self.reduced
        return [at[axis] for axis in range(self._rank)]


def _body(combine: Any, name: str) -> Callable[..., te.Tensor]:
    """The combined elements, in the type `sums` where one is given."""

    def body(x: te.Tensor, *, axes: Sequence[int], keepdims: bool, sums: str = "") -> te.Tensor:
        over = Axes(x, axes, keepdims)

        def element(*index: Any) -> te.Expr:
            value = x(*over.full(index)).astype(sums or x.dtype)
            return combine(value, axis=over.axes) if over.axes else value

        return te.compute(over.shape, element, name=name)

    return body


def _reference(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Sums and products of floats are taken in float64 and rounded once; integers wrap in their own type."""

    def reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> np.ndarray:
        wide = x if np.issubdtype(x.dtype, np.integer) else x.astype(np.float64)
        result = function(wide, axis=tuple(axes), keepdims=keepdims)
        return np.asarray(result).astype(x.dtype)

    return reference


def _mean(x: np.ndarray, *, axis: tuple[int, ...], keepdims: bool) -> np.ndarray:
    """0 / 0 where there are no elements, without numpy's warning of it."""
    return np.sum(x, axis=axis, keepdims=keepdims) / np.float64(product([x.shape[a] for a in axis]))


def _mean_te(x: te.Tensor, *, axes: Sequence[int], keepdims: bool, sums: str) -> te.Tensor:
    total = _body(te.sum, "reduce_sum")(x, axes=axes, keepdims=keepdims, sums=sums)
    divisor = number(product([x.shape[axis] for axis in axes]), sums)
    return te.compute(total.shape, lambda *i: total(*i) / divisor, name="reduce_mean")


def _logical_te(combine: Any, name: str) -> Callable[..., te.Tensor]:
    """Whether all, or any, are true: the least, or the greatest, of zeros and ones."""

    def body(x: te.Tensor, *, axes: Sequence[int], keepdims: bool) -> te.Tensor:
        over = Axes(x, axes, keepdims)
        if not over.axes:
            return te.compute(x.shape, lambda *i: x(*i), name=name)
        ones = te.compute(
            over.shape, lambda *i: combine(x(*over.full(i)).astype("int8"), axis=over.axes), name=f"{name}_ones"
        )
        return te.compute(ones.shape, lambda *i: ones(*i) != 0, name=name)

    return body


def _logical_reference(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    return lambda x, axes, keepdims: np.asarray(function(x, axis=tuple(axes), keepdims=keepdims))


def _arg_te(kind: str) -> Callable[..., te.Tensor]:
    """
    The place of the greatest or least element, the first of several unless told; a NaN is greater and less than all.

    Two values are reduced side by side, the place and the element: the better element wins, of equals the better place.
    """

    def better(a: Any, b: Any) -> te.Expr:
        return a > b if kind == "max" else a < b

    def body(x: te.Tensor, *, axis: int, keepdims: bool, last: bool = False, dtype: str = "int64") -> te.Tensor:
        def combine(a: Any, b: Any) -> tuple[Any, Any]:
            tie = te.any(a[1] == b[1], te.all(te.isnan(a[1]), te.isnan(b[1])))
            earlier = a[0] > b[0] if last else a[0] < b[0]
            wins = te.any(better(a[1], b[1]), te.all(te.isnan(a[1]), ~te.isnan(b[1])), te.all(tie, earlier))
            return te.Select(wins, a[0], b[0]), te.Select(wins, a[1], b[1])

        reducer = te.comm_reducer(combine, lambda place, value: _worst(kind, last, place, value), name=f"arg{kind}")
        over = Axes(x, [axis], keepdims)

        def element(*index: Any) -> tuple[te.Expr, ...]:
            return reducer((over.axes[0].astype(dtype), x(*over.full(index))), axis=over.axes)

        return te.compute(over.shape, element, name=f"arg{kind}")[0]

    return body


def _worst(kind: str, last: bool, place: str, value: str) -> tuple[te.Expr, te.Expr]:
    """What every element wins against, or ties with from a better place."""
    info = dtype_info(value)
    if info.is_float:
        worst = te.const(float("-inf" if kind == "max" else "inf"), value)
    else:
        worst = te.min_value(value) if kind == "max" else te.max_value(value)
    return te.const(-1, place) if last else te.max_value(place), worst


def _extreme_reference(kind: str) -> Callable[..., np.ndarray]:
    """Of no elements the result is the least number, or the greatest, of the element type; of floats an infinity."""
    function = np.max if kind == "max" else np.min

    def reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> np.ndarray:
        start = identity(kind, x.dtype.name)
        return np.asarray(function(x, axis=tuple(axes), keepdims=keepdims, initial=start)).astype(x.dtype)

    return reference


def _arg_reference(kind: str) -> Callable[..., np.ndarray]:
    function = np.argmax if kind == "max" else np.argmin

    def reference(x: np.ndarray, *, axis: int, keepdims: bool, last: bool = False, dtype: str = "int64") -> np.ndarray:
        turned = np.flip(x, axis) if last else x
        place = function(turned, axis=axis, keepdims=keepdims)
        return np.asarray(x.shape[axis] - 1 - place if last else place).astype(dtype)

    return reference


def _operator(
    name: str, reference: Callable[..., Any], body: Callable[..., te.Tensor], accumulator: Accumulator | None = None
) -> Operator:
    return Operator(name, FusionKind.REDUCTION, reference, body, accumulator=accumulator)


OPERATORS = {
    operator.name: operator
    for operator in (
        _operator("reduce_sum", _reference(np.sum), _body(te.sum, "reduce_sum"), WIDE),
        _operator("reduce_mean", _reference(_mean), _mean_te, WIDE),
        _operator("reduce_max", _extreme_reference("max"), _body(te.max, "reduce_max")),
        _operator("reduce_min", _extreme_reference("min"), _body(te.min, "reduce_min")),
        _operator("reduce_prod", _reference(np.prod), _body(te.prod, "reduce_prod"), WIDE),
        _operator("argmax", _arg_reference("max"), _arg_te("max")),
        _operator("argmin", _arg_reference("min"), _arg_te("min")),
        _operator("reduce_all", _logical_reference(np.all), _logical_te(te.min, "reduce_all")),
        _operator("reduce_any", _logical_reference(np.any), _logical_te(te.max, "reduce_any")),
    )
}
