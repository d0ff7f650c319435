"""Col2im: images assembled from their windows, one window for each column."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import ints_prop
from ..dialects.graph.types import Tensor, element_of, make_type, require_rank
from ..dialects.graph.windows import axis_padding, require_ints, window_extent
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .sampling import in_kernel


def _windows(
    image: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
) -> list[int]:
    """Return the number of windows along each axis."""
    return [
        window_extent(size, kernel[axis], strides[axis], dilations[axis], axis_padding(padding, axis))
        for axis, size in enumerate(image)
    ]


def _col2im_te(
    x: te.Tensor,
    *,
    image: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    sums: str,
) -> te.Tensor:
    counts, elements = _windows(image, kernel, strides, padding, dilations), math.prod(kernel)
    k = te.reduce_axis((0, elements), "k")
    channels = x.shape[1] // elements

    def element(n: Any, c: Any, *at: Any) -> te.Expr:
        conditions: list[Any] = []
        column: Any = 0
        for axis, inner in enumerate(in_kernel(k, kernel)):
            moved = at[axis] + padding[axis] - inner * dilations[axis]
            window = moved // strides[axis]
            conditions += [moved >= 0, moved - window * strides[axis] == 0, window < counts[axis]]
            column = column * counts[axis] + te.maximum(te.minimum(window, counts[axis] - 1), 0)
        value = te.Select(te.all(*conditions), x(n, c * elements + k, column).astype(sums), te.const(0, sums))
        return te.sum(value, axis=k)

    return te.compute((x.shape[0], channels, *image), element, name="col2im")


def _col2im_reference(
    x: np.ndarray,
    *,
    image: Sequence[int],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
) -> np.ndarray:
    axes, counts, elements = range(len(image)), _windows(image, kernel, strides, padding, dilations), math.prod(kernel)
    blocks = x.reshape(x.shape[0], x.shape[1] // elements, elements, *counts)
    border = [
        max(size + padding[axis] + padding[len(image) + axis], 1 + (counts[axis] - 1) * strides[axis])
        for axis, size in enumerate(image)
    ]
    total = np.zeros((*blocks.shape[:2], *border), x.dtype)
    for number, inner in enumerate(itertools.product(*map(range, kernel))):
        starts = [at * dilation for at, dilation in zip(inner, dilations, strict=True)]
        part = tuple(
            slice(starts[axis], starts[axis] + (counts[axis] - 1) * strides[axis] + 1, strides[axis]) for axis in axes
        )
        total[(slice(None), slice(None), *part)] += blocks[:, :, number]
    inside = tuple(slice(padding[axis], padding[axis] + image[axis]) for axis in axes)
    return total[(slice(None), slice(None), *inside)]


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_col2im_reference, te=_col2im_te, accumulator=WIDE)
class Col2imOp(GraphOp):
    """
    The image whose windows are the columns of the operand [batch, channels * elements of the kernel, windows], each
    element added at its position: the transpose of splitting into windows.

    ```mlir
    %y = graph.col2im %x image [5, 5] kernel [1, 5] : tensor<1x1x5x5xf32>
    ```
    """

    name = "graph.col2im"

    x = operand_def()
    y = result_def()

    image = ints_prop()
    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(element_of(self.x))
        batch, rows, columns = require_rank(self.x, 3, "columns")
        axes = len(self.image.get_values())
        image = require_ints(self.image.get_values(), axes, 1, "image")
        kernel = require_ints(self.kernel.get_values(), axes, 1, "kernel")
        strides = require_ints(self.strides.get_values(), axes, 1, "strides")
        padding = require_ints(self.padding.get_values(), 2 * axes, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), axes, 1, "dilations")
        wanted = math.prod(_windows(image, kernel, strides, padding, dilations))
        if columns != wanted or not isinstance(rows, int) or rows % math.prod(kernel):
            raise VerifyException(
                f"expected {wanted} columns of a multiple of {math.prod(kernel)} elements, but got {rows}x{columns}"
            )
        return (make_type((batch, rows // math.prod(kernel), *image), element),)
