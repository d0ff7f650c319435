"""Two-dimensional convolution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import te
from .record import FusionKind, Operator
from .windows import extents, image_size, windows


def _reference(
    x: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    """One matrix product a group over the unrolled windows. Narrow floats accumulate in float32."""
    outputs, inputs, height, width = weight.shape
    view = windows(x, (height, width), strides, padding, dilations, 0)
    batch, _, rows, columns = view.shape[:4]
    depth = inputs * height * width
    patches = view.reshape(batch, groups, inputs, rows, columns, height, width)
    patches = patches.transpose(0, 1, 2, 5, 6, 3, 4).reshape(batch, groups, depth, rows * columns)
    kernels = weight.reshape(1, groups, outputs // groups, depth)
    product = multiply_matrices(kernels, patches).reshape(batch, outputs, rows, columns)
    return product if bias is None else product + bias[:, None, None]


def multiply_matrices(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a @ b, accumulated in the operands' type, or in float32 where that is narrower; one rounding at the end."""
    if a.dtype.itemsize < 4 and not np.issubdtype(a.dtype, np.integer):
        return (a.astype(np.float32) @ b.astype(np.float32)).astype(a.dtype)
    return a @ b


def _te(
    x: te.Tensor,
    weight: te.Tensor,
    bias: te.Tensor | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> te.Tensor:
    """Padding and column strides are computes of their own: the image is read many times, they act once."""
    outputs, inputs = weight.shape[:2]
    kernel_height, kernel_width = image_size(weight)
    rows, columns = extents(image_size(x), (kernel_height, kernel_width), strides, padding, dilations)
    image = _padded(x, padding) if any(padding) else x
    if (kernel_height, kernel_width) == (1, 1) and tuple(strides) != (1, 1):
        image, strides = _subsampled(image, rows, columns, strides), (1, 1)
    i = te.reduce_axis((0, inputs), "i")
    r = te.reduce_axis((0, kernel_height), "r")
    s = te.reduce_axis((0, kernel_width), "s")

    phases = strides[1]
    if phases > 1:
        image = _by_phase(image, phases)

    def element(n: Any, o: Any, h: Any, w: Any) -> te.Expr:
        channel = i if groups == 1 else o // (outputs // groups) * inputs + i
        row, shift = h * strides[0] + r * dilations[0], s * dilations[1]
        if phases > 1:
            value = image[n, channel, row, shift % phases, w + shift // phases]
        else:
            value = image[n, channel, row, w + shift]
        return te.sum(value * weight[o, i, r, s], axis=(i, r, s))

    result = te.compute((x.shape[0], outputs, rows, columns), element, name="conv2d")
    if bias is None:
        return result
    return te.compute(result.shape, lambda n, o, h, w: result[n, o, h, w] + bias[o], name="bias_add")


def _padded(x: te.Tensor, padding: Sequence[int]) -> te.Tensor:
    """The image with a border of zeros: top, left, bottom and right elements wide."""
    top, left, bottom, right = padding
    height, width = image_size(x)

    def element(n: Any, c: Any, h: Any, w: Any) -> te.Expr:
        row, column = h - top, w - left
        inside = _inside(row, height, top, bottom) + _inside(column, width, left, right)
        return te.if_then_else(te.all(*inside), x[n, c, row, column], te.const(0, x.dtype))

    shape = (*x.shape[:2], height + top + bottom, width + left + right)
    return te.compute(shape, element, name="pad")


def _subsampled(image: te.Tensor, rows: int, columns: int, strides: Sequence[int]) -> te.Tensor:
    """The pixels that a window of one element visits: the convolution is a matrix product over them."""

    def element(n: Any, c: Any, h: Any, w: Any) -> te.Expr:
        return image[n, c, h * strides[0], w * strides[1]]

    return te.compute((*image.shape[:2], rows, columns), element, name="subsample")


def _by_phase(image: te.Tensor, phases: int) -> te.Tensor:
    """Each row with its columns sorted by their remainder: windows that step over columns then read neighbours."""
    height, width = image_size(image)

    def element(n: Any, c: Any, h: Any, p: Any, w: Any) -> te.Expr:
        column = w * phases + p
        value = image[n, c, h, column]
        return te.if_then_else(column < width, value, te.const(0, image.dtype)) if width % phases else value

    return te.compute((*image.shape[:2], height, phases, -(-width // phases)), element, name="phases")


def _inside(index: Any, size: int, before: int, after: int) -> list[Any]:
    """The conditions under which an index lies in the image, where padding makes them necessary."""
    return ([index >= 0] if before else []) + ([index < size] if after else [])


OPERATORS = {"conv2d": Operator("conv2d", FusionKind.OUT_ELEMENTWISE, _reference, _te)}
