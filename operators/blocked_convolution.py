"""
Convolutions of images in blocked layout, NCHW[c], and the conversions to and from this layout.

Weights are stored in the order in which the loops read them: a vector has the weights of one block of output channels
for one input channel and one position in the window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.dtypes import is_integer
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import MoveOp, product_element, require_held
from ..dialects.graph.properties import int_prop, ints_prop, opt_type_prop, string_prop
from ..dialects.graph.types import (
    Dim,
    Shape,
    Tensor,
    UnknownSize,
    element_of,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
)
from ..dialects.graph.windows import axis_padding, require_ints, window_extent
from .blocks import BYTES, from_blocks, put_into_blocks, to_blocks
from .convolution import convolve, padded
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .windows import KERNEL_NAMES, Layout, extents

_DEPTHWISE, _PLAIN, _DENSE = 4, 5, 6
"""Rank of the weights: each channel alone; an image that is NCHW; both sides in blocks."""

RANK = 2

BYTE_TYPES = {"u": "uint8", "s": "int8"}
"""The types of bytes, by the first letter that `WORDS` has for them."""

WORDS = ("u8s8", "u8s8_fits", "u8u8", "s8s8", "s8u8")
"""The types of the bytes of image and weights that words may have."""


def require_words(words: str, x: SSAValue, weight: SSAValue) -> None:
    """Raise VerifyException where factors are no words of bytes of the types that `words` names; "" says nothing."""
    if words and words not in WORDS:
        raise VerifyException(f"expected words to be one of {', '.join(WORDS)}, but got {words}")
    if words and {element_of(x), element_of(weight)} != {i32}:
        raise VerifyException(f"expected factors of i32, as `words` says, but got {x.type} and {weight.type}")


def _reference(
    x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None, *, groups: int, words: str = "", **values: Any
) -> Any:
    if words:
        x, weight, values = _bytes_of(x, weight, words, values)
    image = x if weight.ndim == _PLAIN else from_blocks(x)
    filters = _unpacked(weight)
    total = None if bias is None else bias.reshape(-1)
    result = convolve(image, filters, total, groups=len(filters) if weight.ndim == _DEPTHWISE else groups, **values)
    return put_into_blocks(result, weight.shape[0], weight.shape[-1])


def _bytes_of(x: np.ndarray, weight: np.ndarray, words: str, values: dict[str, Any]) -> Any:
    """Return the bytes of an image of words, with its margin, and of weights; and the other arguments for these."""
    top, left, bottom, right = values["padding"]
    border = [(0, 0), (0, 0), (top, bottom), (left, right), (0, 0)]
    image = np.pad(x, border, constant_values=values["pad_value"])
    taps = np.ascontiguousarray(weight)[..., np.newaxis].view(BYTE_TYPES[words[2]])
    *around, quarter, out, _ = taps.shape
    taps = np.moveaxis(taps, -1, -2).reshape(*around, quarter * BYTES, out)
    rest = {"padding": (0, 0, 0, 0), "pad_value": 0, "out_dtype": "int32"}
    return image.view(BYTE_TYPES[words[0]]), taps, {**values, **rest}


def _unpacked(weight: np.ndarray) -> np.ndarray:
    """Unpack weights to OIHW."""
    match weight.ndim:
        case 4:
            blocks, *kernel, o = weight.shape
            return np.moveaxis(weight, -1, 1).reshape(blocks * o, 1, *kernel)
        case 5:
            blocks, *filters, o = weight.shape
            return np.moveaxis(weight, -1, 1).reshape(blocks * o, *filters)
        case _:
            outputs, inputs, *kernel, c, o = weight.shape
            return weight.transpose(0, 5, 1, 4, 2, 3).reshape(outputs * o, inputs * c, *kernel)


def _te(
    x: te.Tensor,
    weight: te.Tensor,
    bias: te.Tensor | None = None,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    sums: str,
    pad_value: int = 0,
    out_dtype: str | None = None,
    words: str = "",
) -> te.Tensor:
    layout, blocked = Layout(blocked=weight.ndim != _PLAIN), Layout(blocked=True)
    image = padded(x, padding, layout, pad_value) if any(padding) else x
    kernel = weight.shape[1 : 1 + RANK] if weight.ndim == _DEPTHWISE else weight.shape[2 : 2 + RANK]
    size = extents(layout.spatial(x.shape), kernel, strides, padding, dilations)
    window = [te.reduce_axis((0, k), name) for k, name in zip(kernel, KERNEL_NAMES[RANK], strict=True)]
    channels = _ChannelAxes(weight, groups)
    start = bias if words else None  # a sum of integers starts from the bias

    def element(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        steps = zip(at, strides, window, dilations, strict=True)
        positions = [a * stride + k * dilation for a, stride, k, dilation in steps]
        pixel, tap = image(*layout.index(n, channels.read(o), positions)), weight(*channels.tap(o, window))
        product = product_of_words(pixel, tap, words) if words else pixel.astype(sums) * tap.astype(sums)
        return te.sum(product, axis=channels.around(window), init=None if start is None else start(*o))

    shape = blocked.index(x.shape[0], (weight.shape[0], weight.shape[-1]), size)
    result = te.compute(shape, blocked.element(RANK, element, "o"), name="conv2d")
    if bias is None or start is not None:
        return result

    def shifted(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        return result(*blocked.index(n, o, at)) + bias(*o).astype(sums)

    return te.compute(shape, blocked.element(RANK, shifted, "o"), name="bias_add")


def product_of_words(pixel: te.Expr, tap: te.Expr, words: str) -> te.Expr:
    """Return the sum of the products of four bytes each. There is no intrinsic for s8u8: the operands are swapped."""
    if words == "s8u8":
        return te.call_intrin("int32", "dot4_u8s8", tap, pixel)
    return te.call_intrin("int32", f"dot4_{words}", pixel, tap)


class _ChannelAxes:
    """The reduce axes over channels for weights of a given rank, and the indices of image and weights along them."""

    def __init__(self, weight: te.Tensor, groups: int):
        self.rank = weight.ndim
        self.outer = te.reduce_axis((0, weight.shape[1]), "ci") if self.rank != _DEPTHWISE else None
        self.inner = te.reduce_axis((0, weight.shape[-2]), "i") if self.rank == _DENSE else None
        self.groups, self.inputs, self.outputs = groups, weight.shape[1], weight.shape[0]

    def around(self, window: Sequence[te.Axis]) -> list[te.Axis]:
        """Return all reduce axes, in the order in which the weights are stored."""
        return [axis for axis in (self.outer, *window, self.inner) if axis is not None]

    def read(self, o: tuple[Any, Any]) -> Any:
        """Return the channel of the image that adds to output channel `o`."""
        if self.rank != _DENSE:
            return o if self.rank == _DEPTHWISE else self.outer
        first = 0 if self.groups == 1 else o[0] // (self.outputs // self.groups) * self.inputs
        assert self.outer is not None
        return first + self.outer, self.inner

    def tap(self, o: tuple[Any, Any], window: Sequence[te.Axis]) -> list[Any]:
        """Return the index of the weight that adds to output channel `o` over `window`."""
        return [o[0], *self.around(window), o[1]]


def _block_reference(x: np.ndarray, *, size: int) -> np.ndarray:
    return to_blocks(x, size)


def _block_te(x: te.Tensor, *, size: int) -> te.Tensor:
    batch, channels, *sizes = x.shape
    shape = (batch, channels // size, *sizes, size)
    return te.compute(shape, lambda n, b, h, w, c: x(n, b * size + c, h, w), name="block_channels")


def _unblock_te(x: te.Tensor) -> te.Tensor:
    batch, blocks, *sizes, size = x.shape
    shape = (batch, blocks * size, *sizes)
    return te.compute(shape, lambda n, c, h, w: x(n, c // size, h, w, c % size), name="unblock_channels")


@register_operator(kind=FusionKind.INJECTIVE, reference=_block_reference, te=_block_te)
class BlockChannelsOp(MoveOp):
    """
    An NCHW image with its channels in blocks of `size`, which divides their number.

    y[n, b, h, w, c] = x[n, b * size + c, h, w]

    ```mlir
    %y = graph.block_channels %x size 8 : tensor<1x8x56x56x8xf32>
    ```
    """

    name = "graph.block_channels"

    size = int_prop()

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        size = self.size.value.data
        if not isinstance(channels, int) or size < 1 or channels % size:
            raise VerifyException(f"expected a size that divides the channels of {format_shape(shape)}, but got {size}")
        return (batch, channels // size, *sizes, size)


def _words_te(x: te.Tensor) -> te.Tensor:
    *around, size = x.shape

    def word(*index: Any) -> te.Expr:
        *before, last = index
        parts = [x(*before, last * BYTES + k).astype("uint8").astype("int32") for k in range(BYTES)]
        return parts[0] | parts[1] << 8 | parts[2] << 16 | parts[3] << 24

    return te.compute((*around, size // BYTES), word, name="words")


def _words_reference(x: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(x).view(np.int32)


@register_operator(kind=FusionKind.OPAQUE, reference=_words_reference, te=_words_te)
class WordsOp(GraphOp):
    """
    Four bytes side by side as one i32, the first of them lowest: a view, which copies nothing.

    ```mlir
    %y = graph.words %x : tensor<1x4x56x56x4xi32>
    ```
    """

    name = "graph.words"
    KEEPS_ORDER: ClassVar[bool] = True

    x = operand_def()
    y = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = element_of(self.x)
        if not is_integer(element) or element.width.data != 8:
            raise VerifyException(f"expected integers of 8 bits, but got {element}")
        *around, size = shape_of(self.x) or (0,)
        if not isinstance(size, int) or size % BYTES:
            shape = format_shape(shape_of(self.x))
            raise VerifyException(
                f"expected a last dimension of a multiple of {BYTES} bytes, but got the shape {shape}"
            )
        return (make_type((*around, size // BYTES), i32),)


@register_operator(kind=FusionKind.INJECTIVE, reference=from_blocks, te=_unblock_te)
class UnblockChannelsOp(MoveOp):
    """
    The NCHW image of an image with its channels in blocks, the inverse of `graph.block_channels`.

    y[n, b * size + c, h, w] = x[n, b, h, w, c]

    ```mlir
    %y = graph.unblock_channels %x : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.unblock_channels"

    def infer_shape(self, shape: Shape) -> Sequence[Dim]:
        batch, blocks, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        if not (isinstance(blocks, int) and isinstance(size, int)):
            raise UnknownSize("expected static numbers of channels")
        return (batch, blocks * size, *sizes)


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_reference, te=_te, accumulator=WIDE)
class BlockedConv2dOp(GraphOp):
    """
    `graph.conv2d` of an image with its channels in blocks of c, whose result has blocks of o; the bias is [O/o, o].
    `pad_value` and `out_dtype` are as there. The rank of the weights says how channels are connected:

    - [O/o, I/c, R, S, c, o]: every output channel sees all channels of its group
    - [O/o, I, R, S, o]: the same, of an image that is NCHW, in one group
    - [C/c, R, S, c]: each channel sees itself alone

    With `words`, image and weights of the first form hold bytes, four of neighbouring channels in an i32
    (`graph.words`): [N, I/c, H, W, c/4] and [O/o, I/c, R, S, c/4, o]. `words` says of which types they are, those of
    the image first: u8s8, u8u8, s8s8, s8u8, or u8s8_fits where the sum of the first two products of four, and that of
    the last two, have no more than 16 bits, whatever the image holds. A `pad_value` is a word.

    ```mlir
    %y = graph.blocked_conv2d %x, %w, %bias strides [2, 2] padding [1, 1, 1, 1] : tensor<1x16x28x28x8xf32>
    ```
    """

    name = "graph.blocked_conv2d"

    x = operand_def()
    weight = operand_def()
    bias = opt_operand_def()
    y = result_def()

    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    groups = int_prop(1)
    pad_value = int_prop(0)
    out_dtype = opt_type_prop()
    words = string_prop("")

    def infer_types(self) -> tuple[Tensor, ...]:
        element = product_element([self.x, self.weight], self.out_dtype, self.bias)
        self._check_words()
        require_held(element_of(self.x), self.pad_value.value.data, "a pad_value")
        outputs, out_block, kernel = self._check_channels()
        strides = require_ints(self.strides.get_values(), 2, 1, "strides")
        padding = require_ints(self.padding.get_values(), 4, 0, "padding")
        dilations = require_ints(self.dilations.get_values(), 2, 1, "dilations")
        if self.bias is not None:
            shape = require_rank(self.bias, 2, "a bias in blocks")
            for found, expected in zip(shape, (outputs, out_block), strict=True):
                require_dim(found, expected, "size of the bias")
        batch, _, *sizes = shape_of(self.x)[:4]
        extents: list[Dim] = []
        for axis in range(2):
            if not isinstance(size := kernel[axis], int):
                raise UnknownSize("expected weights of static shape")
            window = (size, strides[axis], dilations[axis], axis_padding(padding, axis))
            extents.append(window_extent(sizes[axis], *window))
        return (make_type((batch, outputs, *extents, out_block), element),)

    def _check_words(self) -> None:
        require_words(self.words.data, self.x, self.weight)
        if self.words.data and len(shape_of(self.weight)) != _DENSE:
            raise VerifyException("expected an image and weights in blocks, as `words` says")

    def _check_channels(self) -> tuple[Dim, Dim, Sequence[Dim]]:
        """Return blocks of output channels, their size, and the extents of the window."""
        groups = self.groups.value.data
        weight = shape_of(self.weight)
        match len(weight):
            case 6:
                outputs, inputs, *kernel, block, out_block = weight
                _, blocks, _, _, size = require_rank(self.x, 5, "an image with blocks of channels")
                if not isinstance(blocks, int) or not isinstance(outputs, int):
                    raise UnknownSize("expected static numbers of channels")
                if groups < 1 or blocks % groups or outputs % groups:
                    raise VerifyException(
                        f"expected groups that divide {blocks} and {outputs} blocks of channels, but got {groups}"
                    )
                require_dim(inputs, blocks // groups, "blocks of input channels of the weights")
            case 5:
                outputs, block, *kernel, out_block = weight
                size = require_rank(self.x, 4, "an NCHW image")[1]
            case 4:
                outputs, *kernel, block = weight
                _, blocks, _, _, size = require_rank(self.x, 5, "an image with blocks of channels")
                require_dim(outputs, blocks, "blocks of channels of the weights")
                out_block = block
            case rank:
                raise VerifyException(f"expected weights of rank 4 to 6, but got rank {rank}")
        if len(weight) != 6 and groups != 1:
            raise VerifyException(f"expected one group where the weights have rank {len(weight)}, but got {groups}")
        require_dim(block, size, "input channels of the weights")
        return outputs, out_block, kernel
