"""Normalisation. Scale and shift are vectors over the dimensions that they belong to; None leaves one out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...te import Tensor
from ...te.shapes import format_shape
from ..arguments import a_number, a_tensor, an_axis, an_integer, apply, floats, refuse, require_size, some_axes


def _data(x: Any) -> Tensor:
    return floats(a_tensor(x, "the operand"), "a tensor")


def _vector(value: Any, size: Any, what: str) -> Tensor:
    vector = a_tensor(value, what, 1)
    require_size(vector.shape[0], size, f"the size of {what}")
    return vector


def batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    axis: int = 1,
    epsilon: float = 1e-5,
) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon) · gamma + beta, with known statistics of each channel."""
    x = _data(data)
    channels = an_axis(axis, x.ndim)
    named = zip((gamma, beta, moving_mean, moving_var), ("gamma", "beta", "moving_mean", "moving_var"), strict=True)
    vectors = [_vector(value, x.shape[channels], what) for value, what in named]
    return apply("batch_norm", x, *vectors, epsilon=a_number(epsilon, "epsilon"), axis=channels)


def layer_norm(
    data: Tensor, gamma: Tensor | None, beta: Tensor | None, axis: int | Sequence[int] = -1, epsilon: float = 1e-5
) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon) · gamma + beta, with the statistics of x along the axes."""
    x = _data(data)
    axes = some_axes(axis, x.ndim)
    affine = [value if value is None else _over(value, x, axes, "gamma or beta") for value in (gamma, beta)]
    return apply("layer_norm", x, *affine, axes=axes, epsilon=a_number(epsilon, "epsilon"))


def rms_norm(
    data: Tensor, weight: Tensor | None = None, axis: int | Sequence[int] = -1, epsilon: float = 1e-5
) -> Tensor:
    """Return x / sqrt(mean of x² + epsilon) · weight, with the mean along the axes."""
    x = _data(data)
    axes = some_axes(axis, x.ndim)
    scale = None if weight is None else _over(weight, x, axes, "weight")
    return apply("rms_norm", x, scale, axes=axes, epsilon=a_number(epsilon, "epsilon"))


def _over(value: Any, x: Tensor, axes: Sequence[int], what: str) -> Tensor:
    """Return `value`, which must be a tensor with the dimensions `axes` of x."""
    tensor = a_tensor(value, what, len(axes))
    for size, axis in zip(tensor.shape, axes, strict=True):
        require_size(size, x.shape[axis], f"the size of {what}")
    return tensor


def instance_norm(data: Tensor, gamma: Tensor, beta: Tensor, channel_axis: int = 1, epsilon: float = 1e-5) -> Tensor:
    """Normalize each channel of each image by the mean and variance of the channel; one gamma and beta a channel."""
    x = _data(data)
    channels = an_axis(channel_axis, x.ndim)
    vectors = [_vector(value, x.shape[channels], "gamma or beta") for value in (gamma, beta)]
    return apply("instance_norm", x, *vectors, epsilon=a_number(epsilon, "epsilon"), axis=channels)


def group_norm(
    data: Tensor, gamma: Tensor, beta: Tensor, num_groups: int, channel_axis: int = 1, epsilon: float = 1e-5
) -> Tensor:
    """Normalize each group of channels of each image by the group's mean and variance; one gamma and beta a channel."""
    x = _data(data)
    channels = an_axis(channel_axis, x.ndim)
    groups = an_integer(num_groups, "num_groups", 1, code="TW0442")
    size = x.shape[channels]
    if not isinstance(size, int) or size % groups:
        refuse("TW0442", f"expected groups that divide {size} channels of {format_shape(x.shape)}, but got {groups}")
    vectors = [_vector(value, size, "gamma or beta") for value in (gamma, beta)]
    return apply("group_norm", x, *vectors, groups=groups, epsilon=a_number(epsilon, "epsilon"), axis=channels)


def lrn(data: Tensor, size: int, axis: int = 1, alpha: float = 1e-4, beta: float = 0.75, bias: float = 2.0) -> Tensor:
    """Return x / (bias + alpha / size · sum of squares of the `size` channels around it) ^ beta."""
    x = _data(data)
    return apply(
        "lrn",
        x,
        size=an_integer(size, "size", 1, code="TW0445"),
        alpha=a_number(alpha, "alpha"),
        beta=a_number(beta, "beta"),
        bias=a_number(bias, "bias"),
        axis=an_axis(axis, x.ndim),
    )


def bias_add(data: Tensor, bias: Tensor, axis: int = 1) -> Tensor:
    """Return x plus a vector along an axis."""
    x = a_tensor(data, "the operand")
    along = an_axis(axis, x.ndim)
    vector = _vector(bias, x.shape[along], "the bias")
    shaped = apply("unsqueeze", vector, axes=tuple(range(1, x.ndim - along))) if along < x.ndim - 1 else vector
    return apply("add", x, shaped)
