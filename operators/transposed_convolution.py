"""
Transposed convolutions of one to three spatial dimensions: the gradient of a convolution with respect to its image.

The image is dilated by the strides, and convolved with the mirrored weights [inputs, outputs of a group, window].
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import int_prop, ints_prop
from ..dialects.graph.types import Dim, Tensor, UnknownSize, make_type, require_dim, require_rank
from ..dialects.graph.windows import require_ints
from .convolution import convolve
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .windows import KERNEL_NAMES, Layout


def _reach(kernel: Sequence[int], dilations: Sequence[int]) -> list[int]:
    return [dilation * (size - 1) + 1 for size, dilation in zip(kernel, dilations, strict=True)]


def _extents(
    sizes: Sequence[Any],
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilations: Sequence[int],
) -> list[Any]:
    """Return the spatial sizes of the result."""
    rank = len(kernel)
    rows = zip(sizes, strides, _reach(kernel, dilations), padding, padding[rank:], output_padding, strict=False)
    return [(size - 1) * step + reach - low - high + more for size, step, reach, low, high, more in rows]


def _body(
    x: te.Tensor,
    weight: te.Tensor,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
    sums: str,
    out_dtype: str | None = None,
) -> te.Tensor:
    layout, kernel = Layout(), [int(size) for size in weight.shape[2:]]  # pyright: ignore[reportArgumentType]
    rank, outputs = len(kernel), weight.shape[1]
    out = _extents(x.shape[2:], kernel, strides, padding, output_padding, dilations)
    border = [reach - 1 - low for reach, low in zip(_reach(kernel, dilations), padding, strict=False)]
    image = _spread(x, strides, border, [n + r - 1 for n, r in zip(out, _reach(kernel, dilations), strict=True)])
    inputs = x.shape[1] // groups
    i = te.reduce_axis((0, inputs), "i")
    window = [te.reduce_axis((0, k), name) for k, name in zip(kernel, KERNEL_NAMES[rank], strict=True)]

    def element(n: Any, o: Any, at: Sequence[Any]) -> te.Expr:
        channel = i if groups == 1 else o // outputs * inputs + i
        positions = [a + k * dilation for a, k, dilation in zip(at, window, dilations, strict=True)]
        mirrored = [size - 1 - k for size, k in zip(kernel, window, strict=True)]
        tap = weight(channel, o if groups == 1 else o % outputs, *mirrored)
        return te.sum(image(n, channel, *positions).astype(sums) * tap.astype(sums), axis=(i, *window))

    shape = layout.index(x.shape[0], outputs * groups, out)
    return te.compute(shape, layout.element(rank, element, "o"), name=f"conv{rank}d_transpose")


def _spread(x: te.Tensor, strides: Sequence[int], border: Sequence[int], sizes: Sequence[Any]) -> te.Tensor:
    """Return the image of these sizes with its pixels at distances of `strides` behind a border, and zeros between and
    around."""
    layout = Layout()

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        conditions: list[Any] = []
        positions: list[Any] = []
        for a, step, low, size in zip(at, strides, border, x.shape[2:], strict=True):
            position = a - low
            conditions += [
                position >= 0,
                position < (size - 1) * step + 1,
                *([position % step == 0] if step > 1 else []),
            ]
            positions.append(position // step)
        return te.if_then_else(te.all(*conditions), x(n, c, *positions), te.const(0, x.dtype))

    return te.compute((*x.shape[:2], *sizes), layout.element(len(strides), element), name="taken_apart")


def _reference(
    x: np.ndarray,
    weight: np.ndarray,
    *,
    strides: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilations: Sequence[int],
    groups: int,
) -> np.ndarray:
    inputs, outputs, *kernel = weight.shape
    rank, reach = len(kernel), _reach(kernel, dilations)
    spread = np.zeros((*x.shape[:2], *((n - 1) * s + 1 for n, s in zip(x.shape[2:], strides, strict=True))), x.dtype)
    spread[(slice(None), slice(None), *(slice(None, None, s) for s in strides))] = x
    amounts = [(0, 0), (0, 0), *((r - 1, r - 1) for r in reach)]
    mirrored = np.flip(weight, tuple(range(2, 2 + rank))).reshape(groups, inputs // groups, outputs, *kernel)
    filters = mirrored.swapaxes(1, 2).reshape(groups * outputs, inputs // groups, *kernel)
    whole = convolve(
        np.pad(spread, amounts),
        filters,
        strides=(1,) * rank,
        padding=(0,) * (2 * rank),
        dilations=dilations,
        groups=groups,
    )
    out = _extents(x.shape[2:], kernel, strides, padding, output_padding, dilations)
    more = [max(0, low + n - size) for size, low, n in zip(whole.shape[2:], padding, out, strict=False)]
    grown = np.pad(whole, [(0, 0), (0, 0), *((0, m) for m in more)])
    return grown[(slice(None), slice(None), *(slice(low, low + n) for low, n in zip(padding, out, strict=False)))]


class _TransposedOp(GraphOp):
    """A transposed convolution of so many spatial dimensions."""

    RANK: ClassVar[int]

    x = operand_def()
    weight = operand_def()
    y = result_def()

    groups = int_prop(1)

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.NUMBER.check(require_same_element(self.operands))
        rank, values = self.RANK, dict(self.values)
        batch, channels, *sizes = require_rank(self.x, rank + 2, "an image")
        inputs, outputs, *kernel = require_rank(self.weight, rank + 2, "weights")
        self._check_channels(channels, inputs)
        strides = require_ints(values["strides"], rank, 1, "strides")  # pyright: ignore[reportArgumentType]
        padding = require_ints(values["padding"], 2 * rank, 0, "padding")  # pyright: ignore[reportArgumentType]
        dilations = require_ints(values["dilations"], rank, 1, "dilations")  # pyright: ignore[reportArgumentType]
        more = require_ints(values["output_padding"], rank, 0, "output_padding")  # pyright: ignore[reportArgumentType]
        known = [size for size in (*kernel, *sizes, outputs) if isinstance(size, int)]
        if len(known) != 2 * rank + 1:
            raise UnknownSize("expected an image and weights of static sizes")
        if any(add >= max(step, dilation) for add, step, dilation in zip(more, strides, dilations, strict=True)):
            raise VerifyException(f"expected output_padding below strides or dilations, but got {list(more)}")
        out = _extents(known[rank:-1], known[:rank], strides, padding, more, dilations)
        if any(size < 0 or extent == 0 for size, extent in zip(out, known[rank:-1], strict=True)):
            raise VerifyException(f"expected padding of at most the whole result, but got {list(padding)}")
        result: list[Dim] = [batch, known[-1] * self.groups.value.data, *out]
        return (make_type(result, element),)

    def _check_channels(self, channels: Dim, inputs: Dim) -> None:
        require_dim(inputs, channels, "input channels of the weights")
        groups = self.groups.value.data
        if groups < 1 or not isinstance(channels, int) or channels % groups:
            raise VerifyException(f"expected groups that divide {channels or '?'} channels, but got {groups}")


_KIND: Any = {"kind": FusionKind.OUT_ELEMENTWISE, "reference": _reference, "te": _body, "accumulator": WIDE}


@register_operator(**_KIND)
class Conv1dTransposeOp(_TransposedOp):
    """
    The transposed convolution of an NCW image with weights [inputs, outputs of a group, width].

    ```mlir
    %y = graph.conv1d_transpose %x, %w strides [2] padding [1, 1] : tensor<1x8x15xf32>
    ```
    """

    name = "graph.conv1d_transpose"
    RANK: ClassVar[int] = 1

    strides = ints_prop((1,))
    padding = ints_prop((0, 0))
    output_padding = ints_prop((0,))
    dilations = ints_prop((1,))


@register_operator(**_KIND)
class Conv2dTransposeOp(_TransposedOp):
    """
    The transposed convolution of an NCHW image with weights [inputs, outputs of a group, height, width]: pixel h adds
    x * weight[r] to row h*s - top + r*d of the result. `output_padding` adds rows and columns at its end.

    ```mlir
    %y = graph.conv2d_transpose %x, %w strides [2, 2] output_padding [1, 1] : tensor<1x8x17x17xf32>
    ```
    """

    name = "graph.conv2d_transpose"
    RANK: ClassVar[int] = 2

    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    output_padding = ints_prop((0, 0))
    dilations = ints_prop((1, 1))


@register_operator(**_KIND)
class Conv3dTransposeOp(_TransposedOp):
    """
    The same of volumes: an NCDHW image with weights [inputs, outputs of a group, depth, height, width].

    ```mlir
    %y = graph.conv3d_transpose %x, %w strides [2, 2, 2] : tensor<1x8x7x7x7xf32>
    ```
    """

    name = "graph.conv3d_transpose"
    RANK: ClassVar[int] = 3

    strides = ints_prop((1, 1, 1))
    padding = ints_prop((0, 0, 0, 0, 0, 0))
    output_padding = ints_prop((0, 0, 0))
    dilations = ints_prop((1, 1, 1))
