"""
Winograd convolution with a 3 x 3 window, on images in blocked layout: it takes fewer multiplications.

S. Winograd's minimal filtering F(2 x 2, 3 x 3) as applied to networks by A. Lavin and S. Gray, "Fast Algorithms for
Convolutional Neural Networks" (2016). The image is cut into tiles of 4 x 4 pixels that overlap by two. Tiles and
filters are transformed by sums and differences along both axes; products of their elements, summed over the channels,
are then those of the results, transformed. The matrices of the image's and the results' transform hold 0, 1 and -1
only, which is why the results are as accurate as those of the plain sum. Larger tiles take fewer multiplications still,
but with factors that cost a digit and more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import ints_prop
from ..dialects.graph.types import Tensor, format_shape, make_type, require_dim, require_rank, shape_of
from ..dialects.graph.windows import axis_padding, require_ints, window_extent
from .blocks import from_blocks, put_into_blocks
from .convolution import padded
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .sizes import ceil_div
from .windows import Layout, extents

TILE = 4
"""The pixels of a tile along each axis: a tile of 2 x 2 results and the margin of a 3 x 3 window."""

WINDOW = 3
"""The extent of the window along each axis."""

STEP = TILE - WINDOW + 1
"""The results of a tile along each axis."""

_IMAGE = ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1))
"""Row k gives element k of a transformed line of pixels."""

_FILTER = ((1, 0, 0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0, 0, 1))
"""The same of a line of weights."""

_RESULT = ((1, 1, 1, 0), (0, 1, -1, -1))
"""Row k gives result k from a line of sums of products."""

_BLOCKED = Layout(blocked=True)


def transformed_weights(weight: np.ndarray) -> np.ndarray:
    """Return packed weights [O/o, I/c, 3, 3, c, o], transformed: [4, 4, O/o, I/c, c, o], rounded once from float64."""
    from ..semantics.host_independent import independent

    rows = np.array(_FILTER, np.float64)
    both = np.einsum("ar,bs->abrs", rows, rows)
    wide = np.tensordot(both, independent(weight.astype(np.float64)), ([2, 3], [2, 3]))
    return np.asarray(wide.astype(weight.dtype))


def _reference(
    x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, *, padding: Sequence[int]
) -> np.ndarray:
    _, _, outputs, inputs, c, o = weight.shape
    filters = weight.transpose(0, 1, 2, 5, 3, 4).reshape(TILE, TILE, outputs * o, inputs * c)
    image = from_blocks(x)
    top, left, bottom, right = padding
    height, width = image.shape[2] + top + bottom - WINDOW + 1, image.shape[3] + left + right - WINDOW + 1
    border = [(0, 0), (0, 0), (top, bottom + height % STEP), (left, right + width % STEP)]
    tiles = np.lib.stride_tricks.sliding_window_view(np.pad(image, border), (TILE, TILE), (2, 3))[:, :, ::STEP, ::STEP]
    rows, columns = np.array(_IMAGE, x.dtype), np.array(_RESULT, x.dtype)
    transformed = np.einsum("ar,niyxrs,bs->abniyx", rows, tiles, rows, optimize=True)
    *_, batch, channels, down, across = transformed.shape
    products = filters[:, :, None] @ transformed.reshape(TILE, TILE, batch, channels, down * across)
    parts = products.reshape(TILE, TILE, batch, outputs * o, down, across)
    results = np.einsum("pa,abnoyx,qb->noypxq", columns, parts, columns, optimize=True)
    result = results.reshape(batch, outputs * o, down * STEP, across * STEP)[:, :, :height, :width]
    return put_into_blocks(result if bias is None else result + bias.reshape(-1, 1, 1), outputs, o)


def _te(
    x: te.Tensor, weight: te.Tensor, bias: te.Tensor | None = None, *, sums: str, padding: Sequence[int]
) -> te.Tensor:
    top, left, bottom, right = padding
    size = extents(_BLOCKED.spatial(x.shape), (WINDOW, WINDOW), (1, 1), padding, (1, 1))
    down, across = (ceil_div(n, STEP) for n in size)
    border = (top, left, bottom + size[0] % STEP, right + size[1] % STEP)
    image = padded(x, border, _BLOCKED) if any(border) else x
    tiles = te.compute(
        (x.shape[0], TILE, TILE, x.shape[1], down * across, x.shape[4]),
        lambda n, a, b, ci, t, i: _along_both(
            _IMAGE, a, b, lambda r, s: image(n, ci, t // across * STEP + r, t % across * STEP + s, i).astype(sums)
        ),
        name="transform_image",
    )
    ci, i = te.reduce_axis((0, weight.shape[3]), "ci"), te.reduce_axis((0, weight.shape[4]), "i")
    products = te.compute(
        (x.shape[0], weight.shape[2], TILE, TILE, down * across, weight.shape[5]),
        lambda n, oo, a, b, t, oi: te.sum(
            tiles(n, a, b, ci, t, i) * weight(a, b, oo, ci, i, oi).astype(sums), axis=[ci, i]
        ),
        name="winograd",
    )
    shape = (x.shape[0], weight.shape[2], *size, weight.shape[5])
    result = te.compute(
        shape,
        lambda n, oo, h, w, oi: _along_both(
            _RESULT, h % STEP, w % STEP, lambda a, b: products(n, oo, a, b, h // STEP * across + w // STEP, oi)
        ),
        name="transform_result",
    )
    if bias is None:
        return result
    return te.compute(
        shape, lambda n, oo, h, w, oi: result(n, oo, h, w, oi) + bias(oo, oi).astype(sums), name="bias_add"
    )


def _along_both(rows: Sequence[Sequence[int]], y: Any, x: Any, element: Callable[[int, int], Any]) -> Any:
    """Apply row `y` of the matrix along the first axis of the elements of a tile, row `x` along the second."""

    def column(s: int) -> Any:
        return _chosen(y, [_combined(row, lambda r: element(r, s)) for row in rows])

    return _chosen(x, [_combined(row, column) for row in rows])


def _chosen(index: Any, values: Sequence[Any]) -> Any:
    """Return the value of that number."""
    *others, value = values
    for number, other in reversed([*enumerate(others)]):
        value = te.Select(index == number, other, value)
    return value


def _combined(factors: Sequence[int], element: Callable[[int], Any]) -> Any:
    """Return the sum of elements with a factor of 1 less those with a factor of -1."""
    total: Any = None
    for k in [k for k, factor in enumerate(factors) if factor == 1]:
        total = element(k) if total is None else total + element(k)
    for k in [k for k, factor in enumerate(factors) if factor == -1]:
        total = total - element(k)
    return total


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_reference, te=_te, accumulator=WIDE)
class WinogradConv2dOp(GraphOp):
    """
    `graph.blocked_conv2d` with a 3 x 3 window that moves by one pixel, whose weights are transformed for tiles of
    2 x 2 results: [4, 4, O/o, I/c, c, o]. A result takes 4 multiplications for each input channel instead of 9, and
    is as accurate as a sum of products; but where an element of the image is not finite, other results of its tile are
    not finite either.

    ```mlir
    %y = graph.winograd_conv2d %x, %w, %bias padding [1, 1, 1, 1] : tensor<1x4x56x56x16xf32>
    ```
    """

    name = "graph.winograd_conv2d"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    padding = ints_prop((0, 0, 0, 0))

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.FLOAT.check(require_same_element(self.operands))
        batch, blocks, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        weight = require_rank(self.weight, 6, "transformed weights")
        *tile, outputs, inputs, block, out_block = weight
        if tile != [TILE, TILE]:
            shape = format_shape(shape_of(self.weight))
            raise VerifyException(f"expected weights of tiles of {TILE} x {TILE} elements, but got the shape {shape}")
        require_dim(inputs, blocks, "blocks of input channels of the weights")
        require_dim(block, size, "input channels of the weights")
        if self.bias is not None:
            shape = require_rank(self.bias, 2, "a bias in blocks")
            for found, expected in zip(shape, (outputs, out_block), strict=True):
                require_dim(found, expected, "size of the bias")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        extents = [window_extent(sizes[axis], WINDOW, 1, 1, axis_padding(padding, axis)) for axis in range(2)]
        return (make_type((batch, outputs, *extents, out_block), element),)
