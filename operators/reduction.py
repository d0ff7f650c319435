"""Reductions over axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .. import te
from .record import FusionKind, Operator


def _body(combine: Any, name: str) -> Callable[..., te.Tensor]:
    def body(x: te.Tensor, *, axes: Sequence[int], keepdims: bool) -> te.Tensor:
        normal = {axis % x.ndim for axis in axes}
        reduced = {axis: te.reduce_axis((0, x.shape[axis]), f"k{axis}") for axis in sorted(normal)}
        shape = [1 if axis in reduced else x.shape[axis] for axis in range(x.ndim) if keepdims or axis not in reduced]

        def element(*index: Any) -> te.Expr:
            kept = [axis for axis in range(x.ndim) if keepdims or axis not in reduced]
            at = dict(zip(kept, index, strict=True)) | reduced
            full = [at[axis] for axis in range(x.ndim)]
            return combine(x(*full), axis=list(reduced.values())) if reduced else x(*full)

        return te.compute(shape, element, name=name)

    return body


def _reference(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Sums and products of floats are taken in float64 and rounded once; integers wrap in their own type."""

    def reference(x: np.ndarray, *, axes: Sequence[int], keepdims: bool) -> np.ndarray:
        wide = x if np.issubdtype(x.dtype, np.integer) else x.astype(np.float64)
        result = function(wide, axis=tuple(axes), keepdims=keepdims)
        return np.asarray(result).astype(x.dtype)

    return reference


def _mean_te(x: te.Tensor, *, axes: Sequence[int], keepdims: bool) -> te.Tensor:
    total = _body(te.sum, "reduce_sum")(x, axes=axes, keepdims=keepdims)
    count: Any = math.prod(x.shape[axis] for axis in axes)
    divisor = te.const(count, x.dtype) if isinstance(count, int) else count.astype(x.dtype)
    return te.compute(total.shape, lambda *i: total(*i) / divisor, name="reduce_mean")


def _operator(kind: str, function: Callable[..., Any], body: Callable[..., te.Tensor]) -> Operator:
    return Operator(f"reduce_{kind}", FusionKind.REDUCTION, _reference(function), body)


OPERATORS = {
    operator.name: operator
    for operator in (
        _operator("sum", np.sum, _body(te.sum, "reduce_sum")),
        _operator("mean", np.mean, _mean_te),
        _operator("max", np.max, _body(te.max, "reduce_max")),
        _operator("min", np.min, _body(te.min, "reduce_min")),
        _operator("prod", np.prod, _body(te.prod, "reduce_prod")),
    )
}
