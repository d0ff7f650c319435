"""
Depthwise convolutions of bytes on blocks of channels: for each channel, four vertically adjacent taps form a word.

A row of words is computed from the rows of the image that a row of results reads. The row is small, and each word is
used by all columns of the window. Sums of four products are `dot4`, as in convolutions over channels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from xdsl.dialects.builtin import i32
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.dtypes import dtype_name
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import require_held
from ..dialects.graph.properties import int_prop, ints_prop, string_prop
from ..dialects.graph.types import Dim, Tensor, UnknownSize, element_of, make_type, require_dim, require_rank
from ..dialects.graph.windows import axis_padding, require_ints, window_extent
from .blocked_convolution import BYTE_TYPES, RANK, WORDS, product_of_words
from .blocks import BYTES, from_blocks, to_blocks
from .convolution import convolve
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .windows import KERNEL_NAMES, Layout, extents, inside

BLOCKED = Layout(blocked=True)
BITS = 8
"""Of a byte."""


def _reference(
    x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, *, rows: int, words: str, **values: Any
) -> np.ndarray:
    taps = np.ascontiguousarray(weight)[..., np.newaxis].view(BYTE_TYPES[words[2]])
    blocks, quarters, columns, size, _ = taps.shape
    filters = np.moveaxis(taps, -1, 2).reshape(blocks, quarters * BYTES, columns, size)[:, :rows]
    filters = np.moveaxis(filters, -1, 1).reshape(blocks * size, 1, rows, columns)
    total = None if bias is None else bias.reshape(-1)
    result = convolve(from_blocks(x), filters, total, groups=len(filters), out_dtype="int32", **values)
    return to_blocks(result, size)


def _te(
    x: te.Tensor,
    weight: te.Tensor,
    bias: te.Tensor | None = None,
    *,
    rows: int,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    pad_value: int,
    words: str,
) -> te.Tensor:
    blocks, _, columns, size = weight.shape
    quarters = -(-rows // BYTES)
    out = extents(BLOCKED.spatial(x.shape), (rows, columns), strides, padding, dilations)
    image = _rows_of_words(x, quarters, out[0], rows, strides[0], padding, dilations[0], pad_value)
    window = [te.reduce_axis((0, n), name) for n, name in zip((quarters, columns), KERNEL_NAMES[RANK], strict=True)]

    def element(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        quarter, column = window
        word = image(n, o[0], at[0], quarter, at[1] * strides[1] + column * dilations[1], o[1])
        product = product_of_words(word, weight(o[0], quarter, column, o[1]), words)
        return te.sum(product, axis=window, init=None if bias is None else bias(*o))

    shape = BLOCKED.index(x.shape[0], (blocks, size), out)
    return te.compute(shape, BLOCKED.element(RANK, element, "o"), name="conv2d")


def _rows_of_words(
    x: te.Tensor, quarters: int, out: Any, rows: int, stride: int, padding: Sequence[int], dilation: int, value: int
) -> te.Tensor:
    """Return, for each row of results, the rows of the image that it reads, four in a word, with columns of the
    margin."""
    (batch, blocks, height, width, size), (top, left, bottom, right) = x.shape, padding

    def byte(n: Any, b: Any, h: Any, row: Any, w: Any, c: Any) -> te.Expr:
        at = h * stride - top + row * dilation
        conditions = [*inside(at, height, top, bottom), *inside(w, width, left, right)]
        pixel = x(n, b, at, w, c)
        pixel = te.if_then_else(te.all(*conditions), pixel, te.const(value, x.dtype)) if conditions else pixel
        if quarters > 1 and rows % BYTES:
            pixel = te.if_then_else(row < rows, pixel, te.const(0, x.dtype))
        return pixel.astype("uint8").astype("int32")

    def word(n: Any, b: Any, h: Any, q: Any, w: Any, c: Any) -> te.Expr:
        parts = [byte(n, b, h, q * BYTES + k, w - left, c) for k in range(min(rows, BYTES))]
        return reduce(or_, (part << (BITS * k) if k else part for k, part in enumerate(parts)))

    return te.compute((batch, blocks, out, quarters, left + width + right, size), word, name="rows")


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_reference, te=_te)
class DepthwiseOfWordsOp(GraphOp):
    """
    A convolution of each channel alone, of bytes in blocks of channels [N, C/c, H, W, c]; sums are of i32.

    The window has `rows` rows. Weights are words [C/c, Q, S, c]: byte k of word q belongs to row 4 q + k; bytes
    beyond the last row are ignored. The bias is [C/c, c]. `words` states the types of the bytes, as in
    `graph.blocked_conv2d`; `pad_value` is a byte of the image.

    ```mlir
    %y = graph.depthwise_of_words %x, %w rows 3 padding [1, 1, 1, 1] words "u8s8" : tensor<1x6x56x56x16xi32>
    ```
    """

    name = "graph.depthwise_of_words"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    rows = int_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    pad_value = int_prop(0)
    words = string_prop("u8s8")

    def infer_types(self) -> tuple[Tensor, ...]:
        self._check_elements()
        batch, blocks, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        outputs, quarters, columns, block = require_rank(self.weight, 4, "weights of one word a column")
        require_dim(outputs, blocks, "blocks of channels of the weights")
        require_dim(block, size, "channels of a block of the weights")
        if not isinstance(quarters, int) or not isinstance(columns, int):
            raise UnknownSize("expected weights of static shape")
        rows = self.rows.value.data
        if rows < 1 or -(-rows // BYTES) != quarters:
            raise VerifyException(f"expected rows of which {quarters} words have four each, but got {rows}")
        if self.bias is not None:
            for found, expected in zip(require_rank(self.bias, 2, "a bias in blocks"), (blocks, size), strict=True):
                require_dim(found, expected, "size of the bias")
        return (make_type((batch, blocks, *self._extents(sizes, (rows, columns)), size), i32),)

    def _check_elements(self) -> None:
        """Check the types of the operands against `words`."""
        if self.words.data not in WORDS:
            raise VerifyException(f"expected words to be one of {', '.join(WORDS)}, but got {self.words.data}")
        byte, found = BYTE_TYPES[self.words.data[0]], dtype_name(element_of(self.x))
        if found != byte:
            raise VerifyException(f"expected an image of {byte}, as `words` says, but got {found}")
        for value, name in ((self.weight, "weights"), (self.bias, "a bias")):
            if value is not None and element_of(value) != i32:
                raise VerifyException(f"expected {name} of i32, but got {value.type}")
        require_held(element_of(self.x), self.pad_value.value.data, "a pad_value")

    def _extents(self, sizes: Sequence[Dim], kernel: tuple[int, int]) -> list[Dim]:
        strides = require_ints(self.strides.get_values(), RANK, 1, "strides")
        padding = require_ints(self.padding.get_values(), 2 * RANK, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), RANK, 1, "dilations")
        return [
            window_extent(sizes[axis], kernel[axis], strides[axis], dilations[axis], axis_padding(padding, axis))
            for axis in range(RANK)
        ]
