"""Scales, losses and norms of networks, each composed of a few numpy operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import te
from ...te import Tensor
from ...te.dtypes import dtype_info
from ..arguments import a_tensor, an_axis, apply, floats, one_of, refuse, require_size, some_axes


def scale_shift_nchw(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return an NCHW image times a number a channel, plus another one."""
    return _scale_shift(Input, Scale, Shift, 1)


def scale_shift_nhwc(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return an NHWC image times a number a channel, plus another one."""
    return _scale_shift(Input, Scale, Shift, 3)


def scale_shift_nchwc(Input: Tensor, Scale: Tensor, Shift: Tensor) -> Tensor:
    """Return an image with channels in blocks times a number a channel, plus another one; numbers are [blocks, channel
    in the block]."""
    x = a_tensor(Input, "an image with blocks of channels", 5)
    scale, shift = (a_tensor(each, "the scale or shift", 2) for each in (Scale, Shift))
    rows = lambda v: apply("unsqueeze", v, axes=(1, 2))  # noqa: E731
    return apply("add", apply("mul", x, rows(scale)), rows(shift))


def _scale_shift(data: Tensor, scale: Tensor, shift: Tensor, axis: int) -> Tensor:
    x = a_tensor(data, "an image", 4)
    vectors = [a_tensor(each, "the scale or shift", 1) for each in (scale, shift)]
    for vector in vectors:
        require_size(vector.shape[0], x.shape[axis], "the size of the scale or shift")
    shaped = [apply("unsqueeze", v, axes=tuple(range(1, 4 - axis))) if axis < 3 else v for v in vectors]
    return apply("add", apply("mul", x, shaped[0]), shaped[1])


def l2_normalize(data: Tensor, eps: float, axis: Sequence[int] | None = None) -> Tensor:
    """Return the elements over the root of the sum of their squares along axes, which counts as `eps` at least."""
    x = floats(a_tensor(data, "the operand"), "an operand")
    squares = apply("reduce_sum", apply("mul", x, x), axes=some_axes(axis, x.ndim), keepdims=True)
    return apply("div", x, apply("sqrt", apply("maximum", squares, te.const(eps, x.dtype))))


def nll_loss(predictions: Tensor, targets: Tensor, weights: Tensor, reduction: str, ignore_index: int) -> Tensor:
    """Return minus the prediction [n, classes, ...] for each target [n, ...], times the weight of its class, and 0
    where the target is `ignore_index`: each, their "sum", or the "mean" by weight.
    """
    x = floats(a_tensor(predictions, "the predictions"), "predictions")
    labels, weight = a_tensor(targets, "the targets", x.ndim - 1), a_tensor(weights, "the weights", 1)
    one_of(reduction, ("none", "mean", "sum"), "kind of result")
    require_size(weight.shape[0], x.shape[1], "the number of weights")
    classes = x.shape[1]

    def chosen(value: Any) -> Any:
        return te.minimum(te.maximum(value, 0), classes - 1)

    def share(*index: Any) -> te.Expr:
        counted = labels(*index) != te.const(ignore_index, labels.dtype)
        return te.Select(counted, weight(chosen(labels(*index))), te.const(0, weight.dtype))

    shares = te.compute(labels.shape, share, name="weight")
    losses = te.compute(
        labels.shape,
        lambda *i: -x(i[0], chosen(labels(*i)), *i[1:]) * shares(*i),
        name="nll_loss",
    )
    if reduction == "none":
        return losses
    axes = tuple(range(losses.ndim))
    total = apply("reduce_sum", losses, axes=axes, keepdims=False)
    if reduction == "sum":
        return total
    return apply("div", total, apply("reduce_sum", shares, axes=axes, keepdims=False))


def simulated_quantize(
    data: Tensor,
    out_dtype: str,
    output_scale: Tensor | None = None,
    output_zero_point: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Round elements as quantization to a type does; the result is of the operand's type."""
    x = floats(a_tensor(data, "the operand"), "an operand")
    info = dtype_info(out_dtype)
    if not info.is_integer or info.bits > 32:
        refuse("TW0447", f"expected a type of integers to quantize to, but got {out_dtype}")
    low, high = info.integer_range
    scale, zero = (_along(v, x, axis) for v in (output_scale, output_zero_point))
    scaled = apply("div", x, scale) if scale is not None else x
    rounded = apply("round", scaled)
    moved = apply("add", rounded, apply("cast", zero, to=x.dtype)) if zero is not None else rounded
    return apply("clip", moved, low=float(low), high=float(high))


def simulated_dequantize(
    data: Tensor,
    in_dtype: str,
    input_scale: Tensor | None = None,
    input_zero_point: Tensor | None = None,
    axis: int = -1,
) -> Tensor:
    """Compute the numbers that quantized elements stand for: their distance from the zero point, times the scale."""
    x = floats(a_tensor(data, "the operand"), "an operand")
    dtype_info(in_dtype)
    scale, zero = (_along(v, x, axis) for v in (input_scale, input_zero_point))
    moved = apply("sub", x, apply("cast", zero, to=x.dtype)) if zero is not None else x
    return apply("mul", moved, scale) if scale is not None else moved


def _along(vector: Tensor | None, x: Tensor, axis: int) -> Tensor | None:
    """Return one number, or one for each position along an axis, so that it broadcasts."""
    if vector is None:
        return None
    along = an_axis(axis, x.ndim)
    if a_tensor(vector, "a scale or zero point").ndim != 1 or along == x.ndim - 1:
        return vector
    return apply("unsqueeze", vector, axes=tuple(range(1, x.ndim - along)))
