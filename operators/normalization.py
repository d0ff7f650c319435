"""Batch normalisation with known statistics, local response normalisation and softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import te
from .record import Accumulator, FusionKind, Operator


def _batch_norm_reference(x: np.ndarray, *statistics: np.ndarray, epsilon: float) -> np.ndarray:
    channelwise = (1, -1) + (1,) * (x.ndim - 2)
    scale, shift, mean, variance = (vector.reshape(channelwise) for vector in statistics)
    return (x - mean) / np.sqrt(variance + x.dtype.type(epsilon)) * scale + shift


def _batch_norm_te(
    x: te.Tensor,
    scale: te.Tensor,
    shift: te.Tensor,
    mean: te.Tensor,
    variance: te.Tensor,
    *,
    epsilon: float,
    sums: str,
    axis: int = 1,
) -> te.Tensor:
    def element(*index: Any) -> te.Expr:
        own = (v[index[axis]].astype(sums) for v in (scale, shift, mean, variance))
        factor, term, centre, spread = own
        return (x(*index).astype(sums) - centre) / te.sqrt(spread + epsilon) * factor + term

    return te.compute(x.shape, element, name="batch_norm")


def _lrn_reference(x: np.ndarray, *, size: int, alpha: float, beta: float, bias: float) -> np.ndarray:
    before, after = (size - 1) // 2, size // 2
    squares = np.pad(np.square(x), ((0, 0), (before, after), (0, 0), (0, 0)))
    total = np.lib.stride_tricks.sliding_window_view(squares, size, axis=1).sum(axis=-1, dtype=x.dtype)
    real = x.dtype.type
    return x / (real(bias) + real(alpha / size) * total) ** real(beta)


def _lrn_te(x: te.Tensor, *, sums: str, size: int, alpha: float, beta: float, bias: float, axis: int = 1) -> te.Tensor:
    channels = x.shape[axis]
    k = te.reduce_axis((0, size), "k")

    def squares(*index: Any) -> te.Expr:
        other = index[axis] + k - (size - 1) // 2
        read = x(*index[:axis], other, *index[axis + 1 :])
        value = te.if_then_else(te.all(other >= 0, other < channels), read, te.const(0, x.dtype)).astype(sums)
        return te.sum(value * value, axis=k)

    total = te.compute(x.shape, squares, name="square_sum")

    def element(*index: Any) -> te.Expr:
        return x(*index).astype(sums) / te.pow(bias + (alpha / size) * total(*index), beta)

    return te.compute(x.shape, element, name="lrn")


def _softmax_reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True, dtype=x.dtype)


def _log_softmax_reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    shifted = x - x.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True, dtype=x.dtype))


def _reduced(x: te.Tensor, axis: int, combine: Any, sums: str, name: str) -> tuple[te.Tensor, Callable[..., te.Expr]]:
    """`x` combined along an axis in the type `sums`, and the function that reads it at an index of `x`."""
    k = te.reduce_axis((0, x.shape[axis]), "k")
    kept = x.shape[:axis] + x.shape[axis + 1 :]
    result = te.compute(kept, lambda *i: combine(x(*i[:axis], k, *i[axis:]).astype(sums), axis=k), name=name)
    return result, lambda *i: result(*i[:axis], *i[axis + 1 :])


def _softmax_te(x: te.Tensor, *, sums: str, axis: int) -> te.Tensor:
    axis %= x.ndim
    _, greatest = _reduced(x, axis, te.max, sums, "greatest")
    powers = te.compute(x.shape, lambda *i: te.exp(x(*i).astype(sums) - greatest(*i)), name="powers")
    _, total = _reduced(powers, axis, te.sum, sums, "total")
    # One quotient a row: products take a tenth of the time.
    return te.compute(x.shape, lambda *i: powers(*i) * (1 / total(*i)), name="softmax")


def _log_softmax_te(x: te.Tensor, *, sums: str, axis: int) -> te.Tensor:
    axis %= x.ndim
    _, greatest = _reduced(x, axis, te.max, sums, "greatest")
    shifted = te.compute(x.shape, lambda *i: x(*i).astype(sums) - greatest(*i), name="shifted")
    powers = te.compute(x.shape, lambda *i: te.exp(shifted(*i)), name="powers")
    _, total = _reduced(powers, axis, te.sum, sums, "total")
    return te.compute(x.shape, lambda *i: shifted(*i) - te.log(total(*i)), name="log_softmax")


def _record(name: str, kind: FusionKind, reference: Callable[..., Any], body: Callable[..., te.Tensor]) -> Operator:
    return Operator(name, kind, reference, body, accumulator=Accumulator(promotes=True))


OPERATORS = {
    operator.name: operator
    for operator in (
        _record("batch_norm", FusionKind.BROADCAST, _batch_norm_reference, _batch_norm_te),
        _record("lrn", FusionKind.OUT_ELEMENTWISE, _lrn_reference, _lrn_te),
        _record("softmax", FusionKind.OPAQUE, _softmax_reference, _softmax_te),
        _record("log_softmax", FusionKind.OPAQUE, _log_softmax_reference, _log_softmax_te),
    )
}
