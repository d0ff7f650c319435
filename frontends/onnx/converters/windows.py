"""Kernel, strides, padding and dilations of convolution and pooling, and images of rank 3 as images of rank 4."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ....dialects import graph
from ..node import Node, Value, rank, shape, static_dim


@dataclass(frozen=True)
class Window:
    """A window over the spatial axes; padding is the begins of all axes, then the ends."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    padding: tuple[int, ...]
    dilations: tuple[int, ...]

    def as_2d(self) -> Window:
        """Return a window over one axis as one over two, of which the first has size 1; others as they are."""
        if len(self.kernel) != 1:
            return self
        before, after = self.padding
        return Window((1, *self.kernel), (1, *self.strides), (0, before, 0, after), (1, *self.dilations))


def read_window(node: Node, kernel: Sequence[int]) -> Window:
    """Read the window of a node; padding is computed where `auto_pad` asks for it."""
    axes = len(kernel)
    strides = tuple(node.attr("strides") or (1,) * axes)
    dilations = tuple(node.attr("dilations") or (1,) * axes)
    padding = tuple(node.attr("pads") or (0,) * (2 * axes))
    if not len(strides) == len(dilations) == axes or len(padding) != 2 * axes:
        node.fail("TW0303", f"expected strides, dilations and pads for {axes} axes")
    mode = node.attr("auto_pad", "NOTSET")
    if mode == "VALID":
        padding = (0,) * (2 * axes)
    elif mode in ("SAME_UPPER", "SAME_LOWER"):
        padding = _same_padding(node, kernel, strides, dilations, upper=mode == "SAME_UPPER")
    elif mode != "NOTSET":
        node.fail("TW0303", f"expected auto_pad to be NOTSET, VALID, SAME_UPPER or SAME_LOWER, but got {mode}")
    return Window(tuple(kernel), strides, padding, dilations)


def _same_padding(
    node: Node, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int], upper: bool
) -> tuple[int, ...]:
    """Return padding for as many outputs as inputs divided by the stride, rounded up; an odd element goes after the
    image if `upper`."""
    before: list[int] = []
    after: list[int] = []
    for axis, size in enumerate(shape(node.input(0))[2:]):
        extent = static_dim(node, size, f"the image's size along axis {2 + axis}")
        windows = -(-extent // strides[axis])
        reach = dilations[axis] * (kernel[axis] - 1) + 1
        total = max((windows - 1) * strides[axis] + reach - extent, 0)
        less, more = total // 2, total - total // 2
        before.append(less if upper else more)
        after.append(more if upper else less)
    return (*before, *after)


def on_images(node: Node, x: Value, build: Callable[[Value], Value]) -> Value:
    """Apply `build` to an NCHW image or a volume; one of rank 3 gets a height of 1 for the while."""
    match rank(x):
        case 4 | 5:
            return build(x)
        case 3:
            return node.emit(graph.SqueezeOp, build(node.emit(graph.UnsqueezeOp, x, axes=(2,))), axes=(2,))
        case other:
            node.fail("TW0302", f"expected one to three spatial dimensions, but got {other - 2}")
