"""
Normalisation by statistics of the operand itself: over layers, instances and groups of channels.

The variance is the mean of squared distances from the mean, in two passes, which loses no digits where the mean is
large.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, require_vector
from ..dialects.graph.properties import float_prop, int_prop, ints_prop
from ..dialects.graph.types import Shape, Tensor, format_shape, ordered_axes, shape_of, size_error, tensor_type
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
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
        """Return the distance of an element from the mean, or the element itself where it is not centered."""
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
        """Return the mean of an expression over the axes."""
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
        at = [index[axis] for axis in axes]
        scaled = value if scale is None else value * scale(*at).astype(value.dtype)
        return scaled if shift is None else scaled + shift(*at).astype(value.dtype)

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
    dimensions = [axis % x.ndim for axis in axes]
    return _normalize(x, _Moments(x, dimensions, sums), epsilon, _affine(scale, shift, dimensions), "layer_norm")


def _rms_norm_te(
    x: te.Tensor, scale: te.Tensor | None = None, *, axes: Sequence[int], epsilon: float, sums: str
) -> te.Tensor:
    dimensions = [axis % x.ndim for axis in axes]
    return _normalize(
        x, _Moments(x, dimensions, sums, centered=False), epsilon, _affine(scale, None, dimensions), "rms_norm"
    )


def _instance_norm_te(
    x: te.Tensor, scale: te.Tensor, shift: te.Tensor, *, epsilon: float, sums: str, axis: int = 1
) -> te.Tensor:
    dimension = axis % x.ndim
    spatial = [d for d in range(1, x.ndim) if d != dimension]
    return _normalize(x, _Moments(x, spatial, sums), epsilon, _affine(scale, shift, [dimension]), "instance_norm")


def _group_norm_te(
    x: te.Tensor, scale: te.Tensor, shift: te.Tensor, *, groups: int, epsilon: float, sums: str, axis: int = 1
) -> te.Tensor:
    """Normalize groups. The channels are split in two dimensions, groups and members; the view is a compute that
    inlining removes."""
    dimension = axis % x.ndim
    members = x.shape[dimension] // groups
    shape = (*x.shape[:dimension], groups, members, *x.shape[dimension + 1 :])

    def split(*index: Any) -> te.Expr:
        return x(*index[:dimension], index[dimension] * members + index[dimension + 1], *index[dimension + 2 :])

    grouped = te.compute(shape, split, name="grouped")
    moments = _Moments(grouped, [d for d in range(1, len(shape)) if d != dimension], sums)
    affine = _affine(scale, shift, [dimension])

    def element(*index: Any) -> te.Expr:
        c = index[dimension]
        at = (*index[:dimension], c // members, c % members, *index[dimension + 1 :])
        unit = moments.deviation(*at) * te.rsqrt(moments.variance(*at) + epsilon)
        return affine(unit, index)

    return te.compute(x.shape, element, name="group_norm")


def _unit(x: np.ndarray, axes: Sequence[int], epsilon: float) -> np.ndarray:
    """Return distances from the mean over the standard deviation, in float64."""
    wide = x.astype(np.float64)
    if not wide.size:
        return wide  # numpy warns of a mean of nothing
    deviation = wide - wide.mean(tuple(axes), keepdims=True)
    return deviation / np.sqrt(np.square(deviation).mean(tuple(axes), keepdims=True) + epsilon)


def _along(vector: np.ndarray, axes: Sequence[int], rank: int) -> np.ndarray:
    """Return a tensor with the dimensions `axes`, stretched to `rank` dimensions."""
    dimensions = [axis % rank for axis in axes]
    sizes = dict(zip(dimensions, vector.shape, strict=True))
    return vector.transpose(np.argsort(dimensions)).reshape([sizes.get(d, 1) for d in range(rank)])


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


@register_operator(kind=FusionKind.OPAQUE, reference=_layer_norm_reference, te=_layer_norm_te, accumulator=WIDE)
class LayerNormOp(GraphOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with mean and variance along `axes`, the dimensions that
    scale and shift have, in this order.

    ```mlir
    %y = graph.layer_norm %x, %scale, %shift axes [2] epsilon 1.0e-05 : tensor<1x197x768xf32>
    ```
    """

    name = "graph.layer_norm"

    x = operand_def()
    scale = operand_def()
    shift = opt_operand_def()
    y = result_def()

    axes = ints_prop()
    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        wanted = tuple(shape[axis] for axis in ordered_axes(self.axes.get_values(), len(shape)))
        for operand, what in zip(self.operands[1:], ("scale", "shift"), strict=False):
            if shape_of(operand) != wanted:
                raise VerifyException(
                    f"expected {what} of shape {format_shape(wanted)}, but got {format_shape(shape_of(operand))}"
                )
        return (tensor_type(self.x),)


class _ChannelNormOp(GraphOp):
    """A normalisation with one scale and shift a channel (axis 1)."""

    x = operand_def()
    scale = operand_def()
    shift = operand_def()
    y = result_def()

    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        if len(shape) < 2:
            raise VerifyException(f"expected a tensor with channels at axis 1, but got rank {len(shape)}")
        self._check_channels(shape)
        for operand, what in zip(self.operands[1:], ("scale", "shift"), strict=True):
            require_vector(operand, shape[1], what)
        return (tensor_type(self.x),)

    def _check_channels(self, shape: Shape) -> None:
        """Verify further conditions on the channels."""


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=_instance_norm_reference,
    te=_instance_norm_te,
    accumulator=WIDE,
    onnx="InstanceNormalization",
)
class InstanceNormOp(_ChannelNormOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with the statistics of each channel of each image.

    ```mlir
    %y = graph.instance_norm %x, %scale, %shift epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.instance_norm"


@register_operator(kind=FusionKind.OPAQUE, reference=_group_norm_reference, te=_group_norm_te, accumulator=WIDE)
class GroupNormOp(_ChannelNormOp):
    """
    (x - mean) / sqrt(variance + epsilon) * scale + shift, with the statistics of each group of channels of each image.

    ```mlir
    %y = graph.group_norm %x, %scale, %shift groups 8 epsilon 1.0e-05 : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.group_norm"

    groups = int_prop()

    def _check_channels(self, shape: Shape) -> None:
        groups, channels = self.groups.value.data, shape[1]
        if groups < 1 or not isinstance(channels, int) or channels % groups:
            raise size_error(channels)(f"expected groups that divide {channels or '?'} channels, but got {groups}")


@register_operator(kind=FusionKind.OPAQUE, reference=_rms_norm_reference, te=_rms_norm_te, accumulator=WIDE)
class RmsNormOp(GraphOp):
    """
    x / sqrt(mean of squares + epsilon) * scale, with the mean along `axes`, the dimensions that the scale has, in this
    order.

    ```mlir
    %y = graph.rms_norm %x, %scale axes [2] epsilon 1.0e-05 : tensor<1x128x768xf32>
    ```
    """

    name = "graph.rms_norm"

    x = operand_def()
    scale = opt_operand_def()
    y = result_def()

    axes = ints_prop()
    epsilon = float_prop(1e-5)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        shape = shape_of(self.x)
        wanted = tuple(shape[axis] for axis in ordered_axes(self.axes.get_values(), len(shape)))
        if self.scale is not None and shape_of(self.scale) != wanted:
            raise VerifyException(
                f"expected scale of shape {format_shape(wanted)}, but got {format_shape(shape_of(self.scale))}"
            )
        return (tensor_type(self.x),)
