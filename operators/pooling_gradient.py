"""Gradients of pooling: the gradient of each element of an image from the gradients of the windows that contain it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, ints_prop
from ..dialects.graph.types import Tensor, format_shape, require_rank, shape_of, tensor_type
from .declaration import register_operator
from .deferred import np, te
from .pooling import counts_of_windows, flat_number, pooled_sizes, positions_reference, positions_te
from .record import WIDE, FusionKind
from .sizes import number
from .windows import KERNEL_NAMES, axis_padding, extents

_RANK = 2


def _windows_of(
    index: Sequence[Any],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    out: Sequence[Any],
    taps: Sequence[Any],
) -> tuple[list[Any], list[Any]]:
    """Return the window in which an element stands at tap `taps`, and the conditions under which there is one."""
    positions: list[Any] = []
    conditions: list[Any] = []
    for axis in range(_RANK):
        start = index[axis] + axis_padding(padding, axis)[0] - taps[axis] * dilations[axis]
        step = strides[axis]
        positions.append(start // step)
        conditions += [start >= 0, start < (out[axis] - 1) * step + 1, *([start % step == 0] if step > 1 else [])]
    return positions, conditions


def _gradient(
    x: te.Tensor, grads: te.Tensor, window: dict[str, Any], sums: str, share: Callable[..., te.Expr]
) -> te.Tensor:
    """Return the sum over all taps of `share(index, window)` of the gradient there."""
    kernel = window["kernel"]
    steps = (window["strides"], window["padding"], window["dilations"])
    out = grads.shape[2:]
    taps = [te.reduce_axis((0, k), name) for k, name in zip(kernel, KERNEL_NAMES[_RANK], strict=True)]

    def element(n: Any, c: Any, h: Any, w: Any) -> te.Expr:
        positions, conditions = _windows_of((h, w), kernel, *steps, out, taps)
        value = share((n, c, h, w), (n, c, *positions))
        return te.sum(te.if_then_else(te.all(*conditions), value, te.const(0, sums)), axis=taps)

    return te.compute(x.shape, element, name="pool_grad")


def _max_te(grads: te.Tensor, x: te.Tensor, *, sums: str, ceil_mode: bool, **window: Any) -> te.Tensor:
    positions = positions_te(x, ceil_mode=ceil_mode, **window)

    def share(index: Sequence[Any], at: Sequence[Any]) -> te.Expr:
        flat = flat_number(index, x.shape, False).astype("int64")
        return te.Select(positions(*at) == flat, grads(*at).astype(sums), te.const(0, sums))

    return _gradient(x, grads, window, sums, share)


def _avg_te(
    grads: te.Tensor, x: te.Tensor, *, sums: str, ceil_mode: bool, count_include_pad: bool, **window: Any
) -> te.Tensor:
    kernel, strides, padding, dilations = (window[key] for key in ("kernel", "strides", "padding", "dilations"))

    def count(position: Any, axis: int) -> Any:
        low, high = (axis_padding(padding, axis)) if count_include_pad else (0, 0)
        start = position * strides[axis] - axis_padding(padding, axis)[0]
        first = te.maximum((-low - start + dilations[axis] - 1) // dilations[axis], 0)
        end = te.minimum((x.shape[2 + axis] + high - start + dilations[axis] - 1) // dilations[axis], kernel[axis])
        return end - first

    scaled = te.compute(
        grads.shape,
        lambda n, c, h, w: grads(n, c, h, w).astype(sums) / number(te.maximum(count(h, 0) * count(w, 1), 1), sums),
        name="share",
    )
    return _gradient(x, grads, window, sums, lambda _, at: scaled(*at))


def _max_reference(grads: np.ndarray, x: np.ndarray, *, ceil_mode: bool, **window: Any) -> np.ndarray:
    positions = positions_reference(x, ceil_mode=ceil_mode, **window)
    result = np.zeros(x.size, grads.dtype)
    found = positions < x.size  # a window in padding alone has no greatest element
    np.add.at(result, positions[found], grads[found])
    return result.reshape(x.shape)


def _avg_reference(
    grads: np.ndarray, x: np.ndarray, *, ceil_mode: bool, count_include_pad: bool, **window: Any
) -> np.ndarray:
    kernel, strides, padding, dilations = (window[key] for key in ("kernel", "strides", "padding", "dilations"))
    out = extents(x.shape[2:], kernel, strides, padding, dilations, ceil_mode)
    rows, columns = (
        counts_of_windows(out[axis], axis, x.shape[2 + axis], kernel, strides, padding, dilations, count_include_pad)
        for axis in range(_RANK)
    )
    shares = grads / np.maximum(np.outer(rows, columns), 1)
    result = np.zeros(x.shape, grads.dtype)
    for h, w, r, s in np.ndindex(*out, *kernel):
        at = [
            p * strides[d] - axis_padding(padding, d)[0] + k * dilations[d] for d, (p, k) in enumerate(((h, r), (w, s)))
        ]
        if all(0 <= a < size for a, size in zip(at, x.shape[2:], strict=True)):
            result[:, :, at[0], at[1]] += shares[:, :, h, w]
    return result


class _GradientOp(GraphOp):
    """The gradient of a pooling with respect to its image, from the gradient of its result."""

    grads = operand_def()
    x = operand_def()
    y = result_def()

    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    ceil_mode = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        expected = (batch, channels, *pooled_sizes(self, sizes))
        if shape_of(self.grads) != expected:
            found = format_shape(shape_of(self.grads))
            raise VerifyException(f"expected gradients of shape {format_shape(expected)}, but got {found}")
        return (tensor_type(self.x),)


@register_operator(kind=FusionKind.OPAQUE, reference=_max_reference, te=_max_te, accumulator=WIDE)
class MaxPool2dGradOp(_GradientOp):
    """
    The gradient of `graph.max_pool2d`: that of a window goes to its greatest element, of equals to the first.

    ```mlir
    %y = graph.max_pool2d_grad %grads, %x kernel [2, 2] strides [2, 2] : tensor<1x8x14x14xf32>
    ```
    """

    name = "graph.max_pool2d_grad"


@register_operator(kind=FusionKind.OPAQUE, reference=_avg_reference, te=_avg_te, accumulator=WIDE)
class AvgPool2dGradOp(_GradientOp):
    """
    The gradient of `graph.avg_pool2d`: that of a window in equal shares to the elements that count.

    ```mlir
    %y = graph.avg_pool2d_grad %grads, %x kernel [2, 2] strides [2, 2] count_include_pad : tensor<1x8x14x14xf32>
    ```
    """

    name = "graph.avg_pool2d_grad"

    count_include_pad = flag_prop()
