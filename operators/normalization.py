"""Batch normalisation with known statistics, local response normalisation and softmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, UnaryOp, require_vector
from ..dialects.graph.properties import float_prop, int_prop
from ..dialects.graph.types import Tensor, normalize_axis, require_rank, shape_of, tensor_type
from .declaration import register_operator
from .deferred import np, te
from .record import PROMOTED, FusionKind
from .reduction import arg_te


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
        per_channel = (v[index[axis]].astype(sums) for v in (scale, shift, mean, variance))
        factor, term, centre, spread = per_channel
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
    powers = np.exp(x - x.max(axis=axis, keepdims=True, initial=-np.inf))
    return powers / powers.sum(axis=axis, keepdims=True, dtype=x.dtype)


def _log_softmax_reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    shifted = x - x.max(axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True, dtype=x.dtype))


def _reduced(x: te.Tensor, axis: int, combine: Any, sums: str, name: str) -> tuple[te.Tensor, Callable[..., te.Expr]]:
    """Return `x` combined along an axis in the type `sums`, and the function that reads it at an index of `x`."""
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


def _hardmax_te(x: te.Tensor, *, axis: int) -> te.Tensor:
    axis %= x.ndim
    position = arg_te("max")(x, axis=axis, keepdims=False)

    def element(*index: Any) -> te.Expr:
        first = position(*index[:axis], *index[axis + 1 :]) == index[axis]
        return te.Select(first, te.const(1, x.dtype), te.const(0, x.dtype))

    return te.compute(x.shape, element, name="hardmax")


def _hardmax_reference(x: np.ndarray, *, axis: int) -> np.ndarray:
    positions = np.arange(x.shape[axis]).reshape([-1 if d == axis % x.ndim else 1 for d in range(x.ndim)])
    return (positions == np.argmax(x, axis, keepdims=True)).astype(x.dtype)


@register_operator(kind=FusionKind.BROADCAST, reference=_batch_norm_reference, te=_batch_norm_te, accumulator=PROMOTED)
class BatchNormOp(GraphOp):
    """
    Batch normalisation with known statistics, one of each a channel (axis 1):
    (x - mean) / sqrt(variance + epsilon) * scale + shift.

    ```mlir
    %y = graph.batch_norm %x, %scale, %shift, %mean, %variance epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.batch_norm"

    x = operand_def()
    scale = operand_def()
    shift = operand_def()
    mean = operand_def()
    variance = operand_def()
    y = result_def()

    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        if len(shape) < 2:
            raise VerifyException(f"expected a tensor with channels at axis 1, but got rank {len(shape)}")
        for operand, what in zip(self.operands[1:], ("scale", "shift", "mean", "variance"), strict=True):
            require_vector(operand, shape[1], what)
        return (tensor_type(self.x),)


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE, reference=_lrn_reference, te=_lrn_te, accumulator=PROMOTED, onnx="LRN"
)
class LrnOp(UnaryOp):
    """
    Local response normalisation across channels:
    x / (bias + alpha / size * sum of squares of the `size` channels around it) ^ beta.

    ```mlir
    %y = graph.lrn %x size 5 alpha 0.0001 beta 0.75 bias 1.0 : tensor<1x96x54x54xf32>
    ```
    """

    name = "graph.lrn"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    size = int_prop()
    alpha = float_prop(0.0001)
    beta = float_prop(0.75)
    bias = float_prop(1.0)

    def infer_types(self) -> tuple[Tensor, ...]:
        require_rank(self.x, 4, "an NCHW image")
        if self.size.value.data < 1:
            raise VerifyException(f"expected a size >= 1, but got {self.size.value.data}")
        return super().infer_types()


class _AlongAxis(UnaryOp):
    """A normalisation along one axis."""

    axis = int_prop(-1)

    def infer_types(self) -> tuple[Tensor, ...]:
        normalize_axis(self.axis.value.data, len(shape_of(self.x)))
        return super().infer_types()


@register_operator(kind=FusionKind.OPAQUE, reference=_softmax_reference, te=_softmax_te, accumulator=PROMOTED)
class SoftmaxOp(_AlongAxis):
    """
    exp(x - max) / sum of exp(x - max) along an axis.

    ```mlir
    %y = graph.softmax %x axis 1 : tensor<1x1000xf32>
    ```
    """

    name = "graph.softmax"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT


@register_operator(kind=FusionKind.OPAQUE, reference=_log_softmax_reference, te=_log_softmax_te, accumulator=PROMOTED)
class LogSoftmaxOp(_AlongAxis):
    """
    x - max - log(sum of exp(x - max)) along an axis.

    ```mlir
    %y = graph.log_softmax %x axis 1 : tensor<1x1000xf32>
    ```
    """

    name = "graph.log_softmax"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT


@register_operator(kind=FusionKind.OPAQUE, reference=_hardmax_reference, te=_hardmax_te)
class HardmaxOp(_AlongAxis):
    """
    1 at the greatest element along an axis, of equals at the first, and 0 elsewhere; a NaN is the greatest.

    ```mlir
    %y = graph.hardmax %x axis 1 : tensor<1x1000xf32>
    ```
    """

    name = "graph.hardmax"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    def infer_types(self) -> tuple[Tensor, ...]:
        types = super().infer_types()
        shape = shape_of(self.x)
        if shape[axis := normalize_axis(self.axis.value.data, len(shape))] == 0:
            raise VerifyException(f"expected elements along axis {axis}, but there are none")
        return types
