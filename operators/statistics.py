"""
Normalisation by statistics of the operand itself: over layers, instances and groups of channels.

The variance is the mean of squared distances from the mean, in two passes, which loses no digits where the mean is
large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import te
from .record import WIDE, FusionKind, Operator
from .reduction import Axes
from .sizes import number, product


class _Moments:
    """Mean and variance of a tensor over axes in the type `dtype`, to be read at an index of the tensor."""

    def __init__(self, x: te.Tensor, axes: Sequence[int], dtype: str, *, centered: bool = True):
        self.dtype = dtype
        self._x = x
        self._axes = {axis % x.ndim for axis in axes}
        self._count = number(product([x.shape[axis] for axis in sorted(self._axes)]), self.dtype)
        self._mean = self._reduce(lambda *i: self._value(*i), "mean") if centered else None
        self._variance = self._reduce(self._square, "variance")

    def deviation(self, *index: Any) -> te.Expr:
        """The distance of an element from the mean, or the element itself where it is not centered."""
        value = self._value(*index)
        return value if self._mean is None else value - self._mean(*self._kept(index))

    def variance(self, *index: Any) -> te.Expr:
        return self._variance(*self._kept(index))

    def _value(self, *index: Any) -> te.Expr:
        return self._x(*index).astype(self.dtype)

    def _square(self, *index: Any) -> te.Expr:
        distance = self.deviation(*index)
        return distance * distance

    def _kept(self, index: Sequence[Any]) -> list[Any]:
        return [i for axis, i in enumerate(index) if axis not in self._axes]

    def _reduce(self, element: Callable[..., te.Expr], name: str) -> te.Tensor:
        """The mean of an expression over the axes."""
        over = Axes(self._x, sorted(self._axes), keepdims=False)
        total = te.compute(over.shape, lambda *i: te.sum(element(*over.full(i)), axis=over.axes), name=f"{name}_sum")
        return te.compute(over.shape, lambda *i: total(*i) / self._count, name=name)


def _normalize(
    x: te.Tensor,
    moments: _Moments,
    epsilon: float,
    affine: Callable[[te.Expr, Sequence[Any]], te.Expr],
    name: str,
) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        unit = moments.deviation(*index) * te.rsqrt(moments.variance(*index) + epsilon)
        return affine(unit, index)

    return te.compute(x.shape, element, name=name)


def _affine(scale: te.Tensor | None, shift: te.Tensor | None, axes: Sequence[int]) -> Callable[..., te.Expr]:
    """Scale and shift, which have the dimensions `axes` of the operand."""

    def apply(value: te.Expr, index: Sequence[Any]) -> te.Expr:
        own = [index[axis] for axis in axes]
        scaled = value if scale is None else value * scale(*own).astype(value.dtype)
        return scaled if shift is None else scaled + shift(*own).astype(value.dtype)

    return apply


def _layer_norm_te(
    x: te.Tensor,
    scale: te.Tensor | None = None,
    shift: te.Tensor | None = None,
    *,
    axes: Sequence[int],
    epsilon: float,
    sums: str,
) -> te.Tensor:
    own = [axis % x.ndim for axis in axes]
    return _normalize(x, _Moments(x, own, sums), epsilon, _affine(scale, shift, own), "layer_norm")


def _rms_norm_te(
    x: te.Tensor, scale: te.Tensor | None = None, *, axes: Sequence[int], epsilon: float, sums: str
) -> te.Tensor:
    own = [axis % x.ndim for axis in axes]
    return _normalize(x, _Moments(x, own, sums, centered=False), epsilon, _affine(scale, None, own), "rms_norm")


def _instance_norm_te(
    x: te.Tensor, scale: te.Tensor, shift: te.Tensor, *, epsilon: float, sums: str, axis: int = 1
) -> te.Tensor:
    own = axis % x.ndim
    spatial = [d for d in range(1, x.ndim) if d != own]
    return _normalize(x, _Moments(x, spatial, sums), epsilon, _affine(scale, shift, [own]), "instance_norm")


def _group_norm_te(
    x: te.Tensor, scale: te.Tensor, shift: te.Tensor, *, groups: int, epsilon: float, sums: str, axis: int = 1
) -> te.Tensor:
    """The channels are split in two dimensions, groups and members; the view is a compute that inlining removes."""
    own = axis % x.ndim
    members = x.shape[own] // groups
    shape = (*x.shape[:own], groups, members, *x.shape[own + 1 :])

    def split(*index: Any) -> te.Expr:
        return x(*index[:own], index[own] * members + index[own + 1], *index[own + 2 :])

    grouped = te.compute(shape, split, name="grouped")
    moments = _Moments(grouped, [d for d in range(1, len(shape)) if d != own], sums)
    affine = _affine(scale, shift, [own])

    def element(*index: Any) -> te.Expr:
        c = index[own]
        at = (*index[:own], c // members, c % members, *index[own + 1 :])
        unit = moments.deviation(*at) * te.rsqrt(moments.variance(*at) + epsilon)
        return affine(unit, index)

    return te.compute(x.shape, element, name="group_norm")


def _unit(x: np.ndarray, axes: Sequence[int], epsilon: float) -> np.ndarray:
    """In float64: distances from the mean over the standard deviation."""
    wide = x.astype(np.float64)
    deviation = wide - wide.mean(tuple(axes), keepdims=True)
    return deviation / np.sqrt(np.square(deviation).mean(tuple(axes), keepdims=True) + epsilon)


def _along(vector: np.ndarray, axes: Sequence[int], rank: int) -> np.ndarray:
    """A tensor with the dimensions `axes`, stretched to `rank` dimensions."""
    own = [axis % rank for axis in axes]
    sizes = dict(zip(own, vector.shape, strict=True))
    return vector.transpose(np.argsort(own)).reshape([sizes.get(d, 1) for d in range(rank)])


def _layer_norm_reference(x: np.ndarray, *affine: np.ndarray, axes: Sequence[int], epsilon: float) -> np.ndarray:
    result = _unit(x, axes, epsilon)
    if affine:
        result = result * _along(affine[0], axes, x.ndim)
    if len(affine) > 1:
        result = result + _along(affine[1], axes, x.ndim)
    return result.astype(x.dtype)


def _rms_norm_reference(x: np.ndarray, *scale: np.ndarray, axes: Sequence[int], epsilon: float) -> np.ndarray:
    wide = x.astype(np.float64)
    result = wide / np.sqrt(np.square(wide).mean(tuple(axes), keepdims=True) + epsilon)
    return (result * _along(scale[0], axes, x.ndim) if scale else result).astype(x.dtype)


def _instance_norm_reference(x: np.ndarray, scale: np.ndarray, shift: np.ndarray, *, epsilon: float) -> np.ndarray:
    unit = _unit(x, range(2, x.ndim), epsilon)
    return (unit * _along(scale, [1], x.ndim) + _along(shift, [1], x.ndim)).astype(x.dtype)


def _group_norm_reference(
    x: np.ndarray, scale: np.ndarray, shift: np.ndarray, *, groups: int, epsilon: float
) -> np.ndarray:
    grouped = x.reshape(x.shape[0], groups, -1)
    unit = _unit(grouped, [2], epsilon).reshape(x.shape)
    return (unit * _along(scale, [1], x.ndim) + _along(shift, [1], x.ndim)).astype(x.dtype)


OPERATORS = {
    name: Operator(name, FusionKind.OPAQUE, reference, body, accumulator=WIDE)
    for name, reference, body in (
        ("layer_norm", _layer_norm_reference, _layer_norm_te),
        ("rms_norm", _rms_norm_reference, _rms_norm_te),
        ("instance_norm", _instance_norm_reference, _instance_norm_te),
        ("group_norm", _group_norm_reference, _group_norm_te),
    )
}
