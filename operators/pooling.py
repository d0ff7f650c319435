"""Pooling of images of one to three spatial dimensions, channels first, last or in blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, TypeAlias

from xdsl.dialects.builtin import i64

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements, UnaryOp
from ..dialects.graph.properties import flag_prop, ints_prop
from ..dialects.graph.types import Dim, Tensor, element_of, format_shape, make_type, require_rank, size_error
from ..dialects.graph.windows import require_ints, window_extent
from .blocks import image_in_blocks, on_blocks
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .reduction import arg_reducer
from .sizes import ceil_div, number
from .windows import KERNEL_NAMES, Layout, axis_padding, extents, image_size, inside, windows

Window: TypeAlias = "tuple[Sequence[int], Sequence[int], Sequence[int]]"
"""Strides, padding and dilations."""


def _lowest(dtype: np.dtype) -> Any:
    return np.iinfo(dtype).min if np.issubdtype(dtype, np.integer) else dtype.type(-np.inf)


def _window_axes(kernel: Sequence[int]) -> tuple[int, ...]:
    return tuple(range(-len(kernel), 0))


def _max_reference(x: np.ndarray, *, kernel: Sequence[int], ceil_mode: bool, **window: Any) -> np.ndarray:
    return windows(x, kernel, *_split(window), fill=_lowest(x.dtype), ceil_mode=ceil_mode).max(_window_axes(kernel))


def _split(window: dict[str, Any]) -> Window:
    return window["strides"], window["padding"], window["dilations"]


def _avg_reference(
    x: np.ndarray, *, kernel: Sequence[int], ceil_mode: bool, count_include_pad: bool, **window: Any
) -> np.ndarray:
    """Compute averages: sums in float64, rounded once."""
    strides, padding, dilations = _split(window)
    view = windows(x.astype(np.float64), kernel, strides, padding, dilations, 0.0, ceil_mode)
    sums = view.sum(_window_axes(kernel))
    counts = (
        counts_of_windows(
            sums.shape[2 + axis], axis, x.shape[2 + axis], kernel, strides, padding, dilations, count_include_pad
        )
        for axis in range(len(kernel))
    )
    return (sums / math.prod(np.ix_(*counts))).astype(x.dtype)


def counts_of_windows(
    out: int,
    axis: int,
    size: int,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    include_pad: bool,
) -> np.ndarray:
    """Return the number of elements of each window along an axis by which its sum is divided, at least 1."""
    before, after = axis_padding(padding, axis)
    starts = np.arange(out) * strides[axis] - before
    positions = starts[:, None] + np.arange(kernel[axis]) * dilations[axis]
    low, high = (-before, size + after) if include_pad else (0, size)
    return np.maximum(((positions >= low) & (positions < high)).sum(axis=1), 1)


def _pool(
    x: te.Tensor,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool,
    layout: Layout,
    combine: Any,
    fill: Any,
    name: str,
    sums: str,
) -> te.Tensor:
    """Combine each window in the type `sums`; pixels outside the image read as `fill`, the combiner's identity."""
    sizes, rank = image_size(x, layout), len(kernel)
    out = extents(sizes, kernel, strides, padding, dilations, ceil_mode)
    steps = [te.reduce_axis((0, k), axis) for k, axis in zip(kernel, KERNEL_NAMES[rank], strict=True)]
    window = (kernel, strides, padding, dilations, ceil_mode)
    reach = [_overhang(sizes[axis], out[axis], axis, *window) for axis in range(rank)]

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        walk = zip(at, strides, steps, dilations, padding, strict=False)
        positions = [a * stride + step * dilation - before for a, stride, step, dilation, before in walk]
        value = x(*layout.index(n, c, positions))
        conditions = [
            c
            for position, size, edges in zip(positions, sizes, reach, strict=True)
            for c in inside(position, size, *edges)
        ]
        if conditions:
            value = te.if_then_else(te.all(*conditions), value, te.const(fill, x.dtype))
        return combine(value.astype(sums), axis=steps)

    shape = layout.index(x.shape[0], layout.channels(x.shape), out)
    return te.compute(shape, layout.element(rank, element), name=name)


def _overhang(
    size: Any,
    out: Any,
    axis: int,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    ceil_mode: bool,
) -> tuple[bool, bool]:
    """Return whether windows extend, or may extend, out of the image before and after an axis."""
    before, after = axis_padding(padding, axis)
    if not isinstance(size, int):
        return before > 0, after > 0 or ceil_mode
    last = (out - 1) * strides[axis] - before + dilations[axis] * (kernel[axis] - 1)
    return before > 0, last >= size


def _max_te(
    x: te.Tensor,
    *,
    kernel: Sequence[int],
    ceil_mode: bool,
    layout: Layout | None = None,
    blocked: bool = False,
    **window: Any,
) -> te.Tensor:
    layout, name = layout or Layout(blocked=blocked), f"max_pool{len(kernel)}d"
    fill = _lowest(np.dtype(x.dtype)) if x.dtype != "bfloat16" else float("-inf")

    def pool(x: te.Tensor, kernel: Sequence[int], window: Window, name: str) -> te.Tensor:
        return _pool(x, kernel, *window, ceil_mode, layout, te.max, fill, name, x.dtype)

    if not _in_two_steps(kernel, window["strides"]):
        return pool(x, kernel, _split(window), name)
    *rows, row = (_along(axis, len(kernel), kernel, *_split(window)) for axis in range(len(kernel)))
    for axis, (part, along) in enumerate(rows):
        x = pool(x, part, along, f"{name}_axis{axis}")
    return pool(x, *row, name)


def _in_two_steps(kernel: Sequence[int], strides: Sequence[int]) -> bool:
    """Return whether taking the greatest elements axis by axis is at least a third fewer comparisons than taking those
    of whole windows. Less does not pay for writing and reading the elements between two axes."""
    steps = [size * math.prod(strides[axis + 1 :]) for axis, size in enumerate(kernel)]
    return 3 * sum(steps) <= 2 * math.prod(kernel)


def _along(
    axis: int,
    rank: int,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
) -> tuple[list[int], Window]:
    """Return the part of a window along one axis: kernel, strides, padding and dilations of a window that is 1
    elsewhere."""

    def only(values: Sequence[int], other: int) -> list[int]:
        return [value if n % rank == axis else other for n, value in enumerate(values)]

    return only(kernel, 1), (only(strides, 1), only(padding, 0), only(dilations, 1))


def _avg_te(
    x: te.Tensor,
    *,
    kernel: Sequence[int],
    ceil_mode: bool,
    count_include_pad: bool,
    sums: str,
    layout: Layout | None = None,
    blocked: bool = False,
    **window: Any,
) -> te.Tensor:
    strides, padding, dilations = _split(window)
    layout = layout or Layout(blocked=blocked)
    total = _pool(x, kernel, strides, padding, dilations, ceil_mode, layout, te.sum, 0, "pool_sum", sums)
    sizes, out = layout.spatial(x.shape), layout.spatial(total.shape)

    def count(index: Any, axis: int) -> Any:
        """Return the number of elements of a window that count along an axis: a number, or an expression of the output
        index."""
        around = axis_padding(padding, axis)
        before, after = around if count_include_pad else (0, 0)
        low, high = -before, sizes[axis] + after
        if -around[0] >= low and not _reaches(out[axis], sizes[axis], axis, after):
            return kernel[axis]
        start = index * strides[axis] - around[0]
        first = te.maximum((low - start + dilations[axis] - 1) // dilations[axis], 0)
        end = te.minimum((high - start + dilations[axis] - 1) // dilations[axis], kernel[axis])
        may_be_empty = not count_include_pad and max(around) > dilations[axis] * (kernel[axis] - 1)
        return te.maximum(end - first, 1) if may_be_empty else end - first

    def _reaches(extent: Any, size: Any, axis: int, after: int) -> bool:
        """Return whether the last window may extend past the elements that count. Without ceil mode it ends in the
        padding."""
        around = axis_padding(padding, axis)
        if not isinstance(size, int):
            return ceil_mode or around[1] > after
        last = (extent - 1) * strides[axis] - around[0] + dilations[axis] * (kernel[axis] - 1)
        return last >= size + after

    def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
        counted = math.prod(count(index, axis) for axis, index in enumerate(at))
        return total(*layout.index(n, c, at)) / number(counted, sums)

    return te.compute(total.shape, layout.element(len(kernel), element), name=f"avg_pool{len(kernel)}d")


def _global_reference(x: np.ndarray) -> np.ndarray:
    return x.astype(np.float64).mean(axis=tuple(range(2, x.ndim)), keepdims=True).astype(x.dtype)


def _global_te(x: te.Tensor, *, sums: str, layout: Layout | None = None, blocked: bool = False) -> te.Tensor:
    layout = layout or Layout(blocked=blocked)
    sizes = layout.spatial(x.shape)
    names = KERNEL_NAMES[len(sizes)] if len(sizes) != 2 else ("h", "w")
    inner = [te.reduce_axis((0, size), name) for size, name in zip(sizes, names, strict=True)]
    shape = layout.index(x.shape[0], layout.channels(x.shape), [1] * len(sizes))

    def element(n: Any, c: Any, _: Sequence[Any]) -> te.Expr:
        return te.sum(x(*layout.index(n, c, inner)).astype(sums), axis=inner)

    total = te.compute(shape, layout.element(len(sizes), element), name="pool_sum")
    divisor = number(math.prod(sizes), sums)
    return te.compute(total.shape, lambda *i: total(*i) / divisor, name="global_avg_pool")


def _adaptive_bounds(index: Any, size: Any, out: int) -> tuple[Any, Any]:
    """Return the start and the end of the window of an output index; the image is divided as evenly as possible."""
    return index * size // out, ceil_div((index + 1) * size, out)


def _adaptive_count(index: Any, size: int, out: int) -> Any:
    start, end = _adaptive_bounds(index, size, out)
    return end - start if size % out else size // out


def _adaptive_reference(function: str) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, *, output_size: Sequence[int]) -> np.ndarray:
        result = np.empty((*x.shape[:2], *output_size), x.dtype)
        for position in np.ndindex(*output_size):
            bounds = (_adaptive_bounds(*three) for three in zip(position, x.shape[2:], output_size, strict=True))
            window = x[(..., *(slice(*pair) for pair in bounds))]
            result[(..., *position)] = getattr(np, function)(window, axis=tuple(range(2, x.ndim)))
        return result

    return reference


def _adaptive_te(kind: str) -> Callable[..., te.Tensor]:
    name = "pool_sum" if kind == "avg" else "adaptive_max_pool"

    def body(x: te.Tensor, *, output_size: Sequence[int], layout: Layout | None = None, sums: str = "") -> te.Tensor:
        sums = sums or x.dtype
        layout = layout or Layout()
        combine: Any = te.sum if kind == "avg" else te.max
        sizes, rank = layout.spatial(x.shape), len(output_size)
        widest = [-(-s // o) + 1 if s % o else s // o for s, o in zip(sizes, output_size, strict=True)]
        steps = [te.reduce_axis((0, size), axis) for size, axis in zip(widest, KERNEL_NAMES[rank], strict=True)]
        fill = 0 if kind == "avg" else _lowest(np.dtype(x.dtype))

        def element(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
            bounds = [_adaptive_bounds(*three) for three in zip(at, sizes, output_size, strict=True)]
            positions = [start + step for (start, _), step in zip(bounds, steps, strict=True)]
            rows = zip(positions, bounds, sizes, output_size, strict=True)
            conditions = [position < end for position, (_, end), size, out in rows if size % out]
            value = x(*layout.index(n, c, positions))
            if conditions:
                value = te.if_then_else(te.all(*conditions), value, te.const(fill, x.dtype))
            return combine(value.astype(sums), axis=steps)

        shape = layout.index(x.shape[0], layout.channels(x.shape), output_size)
        total = te.compute(shape, layout.element(rank, element), name=name)
        if kind == "max":
            return total

        def mean(n: Any, c: Any, at: Sequence[Any]) -> te.Expr:
            count = math.prod(_adaptive_count(*three) for three in zip(at, sizes, output_size, strict=True))
            return total(*layout.index(n, c, at)) / number(count, sums)

        return te.compute(shape, layout.element(rank, mean), name="adaptive_avg_pool")

    return body


def flat_number(position: Sequence[Any], shape: Sequence[Any], columns_first: bool) -> Any:
    """Return the number of an element of a tensor; columns of its images one after the other, or rows."""
    lead, spatial = list(zip(position[:2], shape[:2], strict=True)), list(zip(position[2:], shape[2:], strict=True))
    number: Any = 0
    for index, size in (*lead, *(reversed(spatial) if columns_first else spatial)):
        number = number * size + index
    return number


def positions_te(
    x: te.Tensor, *, kernel: Sequence[int], ceil_mode: bool, columns_first: bool = False, **window: Any
) -> te.Tensor:
    strides, padding, dilations = _split(window)
    rank = len(kernel)
    sizes, out = x.shape[2:], extents(x.shape[2:], kernel, strides, padding, dilations, ceil_mode)
    steps = [te.reduce_axis((0, k), axis) for k, axis in zip(kernel, KERNEL_NAMES[rank], strict=True)]
    reducer = arg_reducer("max", last=False)

    def element(*index: Any) -> tuple[te.Expr, ...]:
        walk = zip(index[2:], strides, steps, dilations, padding, strict=False)
        at = [a * stride + step * dilation - before for a, stride, step, dilation, before in walk]
        within = te.all(
            *(c for position, size in zip(at, sizes, strict=True) for c in inside(position, size, True, True))
        )
        number = flat_number((*index[:2], *at), x.shape, columns_first).astype("int64")
        value = te.if_then_else(within, x(*index[:2], *at), te.const(_lowest(np.dtype(x.dtype)), x.dtype))
        return reducer((te.Select(within, number, te.max_value("int64")), value), axis=steps)

    return te.compute((*x.shape[:2], *out), element, name="max_places")[0]


def positions_reference(
    x: np.ndarray, *, kernel: Sequence[int], ceil_mode: bool, columns_first: bool = False, **window: Any
) -> np.ndarray:
    numbers = np.asarray(flat_number([*np.indices(x.shape)], x.shape, columns_first), np.int64)
    views = [
        windows(each, kernel, *_split(window), fill, ceil_mode) for each, fill in ((x, _lowest(x.dtype)), (numbers, -1))
    ]
    values, positions = (view.reshape(*view.shape[: x.ndim], math.prod(kernel)) for view in views)
    best = values.max(-1, keepdims=True)
    hits = ((values == best) | (np.isnan(values) & np.isnan(best))) & (positions >= 0)
    return np.where(hits, positions, np.iinfo(np.int64).max).min(-1)


class _ImageOp(UnaryOp):
    """An operator on an image, which keeps its channels."""

    blocked = flag_prop()

    def image(self) -> tuple[Dim, Dim, list[Dim], list[Dim]]:
        """Return batch, channels (or blocks of them), height and width, and the size of a block where there is one."""
        if self.blocked is None:
            batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
            return batch, channels, sizes, []
        batch, channels, *sizes, size = require_rank(self.x, 5, "an image with blocks of channels")
        return batch, channels, sizes, [size]


def pooled_sizes(op: GraphOp, sizes: Sequence[Dim]) -> list[Dim]:
    """Return the sizes of the result of a window slid over spatial axes of these sizes."""
    rank = len(sizes)
    values: dict[str, Any] = dict(op.values)
    kernel = require_ints(values["kernel"], rank, 1, "kernel")
    strides = require_ints(values["strides"], rank, 1, "strides")
    padding = require_ints(values["padding"], 2 * rank, 0, "padding")
    dilations = require_ints(values["dilations"], rank, 1, "dilations")
    extents: list[Dim] = []
    for axis in range(rank):
        window = (kernel[axis], strides[axis], dilations[axis], axis_padding(padding, axis))
        extents.append(window_extent(sizes[axis], *window, ceil=values["ceil_mode"]))
    return extents


class _Pool2dOp(_ImageOp):
    """A window slid over height and width."""

    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    ceil_mode = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        batch, channels, sizes, block = self.image()
        return (make_type((batch, channels, *pooled_sizes(self, sizes), *block), element),)


class _Pool3dOp(UnaryOp):
    """A window slid over depth, height and width."""

    kernel = ints_prop()
    strides = ints_prop((1, 1, 1))
    padding = ints_prop((0, 0, 0, 0, 0, 0))
    dilations = ints_prop((1, 1, 1))
    ceil_mode = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        batch, channels, *sizes = require_rank(self.x, 5, "an NCDHW image")
        return (make_type((batch, channels, *pooled_sizes(self, sizes)), element),)


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE, reference=on_blocks(_max_reference), te=_max_te, in_blocks=image_in_blocks
)
class MaxPool2dOp(_Pool2dOp):
    """
    The greatest element of each window, without the padding. For a window of padding alone it is the least value of the
    type.

    ```mlir
    %y = graph.max_pool2d %x kernel [3, 3] strides [2, 2] padding [1, 1, 1, 1] : tensor<1x64x56x56xf32>
    ```
    """

    name = "graph.max_pool2d"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE,
    reference=on_blocks(_avg_reference),
    te=_avg_te,
    in_blocks=image_in_blocks,
    accumulator=WIDE,
)
class AvgPool2dOp(_Pool2dOp):
    """
    The mean of each window: over the elements inside the image, or with `count_include_pad` over those inside the
    image and its padding. Elements beyond the padding, which windows reach in ceil mode, are never counted. The mean of
    no elements is 0.

    ```mlir
    %y = graph.avg_pool2d %x kernel [3, 3] strides [1, 1] padding [1, 1, 1, 1] count_include_pad : tensor<1x8x7x7xf32>
    ```
    """

    name = "graph.avg_pool2d"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    count_include_pad = flag_prop()


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=positions_reference, te=positions_te)
class MaxPositions2dOp(UnaryOp):
    """
    The linear index of the greatest element of each window among all elements of the operand; of equal elements, the
    least index. Elements are counted row by row, or with `columns_first` column by column of an image.

    ```mlir
    %y = graph.max_places2d %x kernel [2, 2] strides [2, 2] : tensor<1x64x28x28xi64>
    ```
    """

    name = "graph.max_places2d"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    ceil_mode = flag_prop()
    columns_first = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        self.ELEMENTS.check(element_of(self.x))
        batch, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        return (make_type((batch, channels, *pooled_sizes(self, sizes)), i64),)


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_max_reference, te=_max_te)
class MaxPool3dOp(_Pool3dOp):
    """
    The greatest element of each window of volumes, without the padding.

    ```mlir
    %y = graph.max_pool3d %x kernel [3, 3, 3] strides [2, 2, 2] : tensor<1x8x7x7x7xf32>
    ```
    """

    name = "graph.max_pool3d"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_avg_reference, te=_avg_te, accumulator=WIDE)
class AvgPool3dOp(_Pool3dOp):
    """
    The mean of each window of volumes, counted as `graph.avg_pool2d` does.

    ```mlir
    %y = graph.avg_pool3d %x kernel [3, 3, 3] strides [2, 2, 2] : tensor<1x8x7x7x7xf32>
    ```
    """

    name = "graph.avg_pool3d"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    count_include_pad = flag_prop()


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE,
    reference=on_blocks(_global_reference),
    te=_global_te,
    in_blocks=image_in_blocks,
    accumulator=WIDE,
)
class GlobalAvgPoolOp(_ImageOp):
    """
    The mean over height and width, which become 1.

    ```mlir
    %y = graph.global_avg_pool %x : tensor<1x2048x1x1xf32>
    ```
    """

    name = "graph.global_avg_pool"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        batch, channels, _, block = self.image()
        return (make_type((batch, channels, 1, 1, *block), element),)


class _AdaptiveOp(UnaryOp):
    """An image cut into as many windows as the result has elements, as evenly as whole elements allow."""

    output_size = ints_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        wanted = self.output_size.get_values()
        out = require_ints(wanted, len(wanted), 1, "output_size")
        batch, channels, *sizes = require_rank(self.x, 2 + len(out), "an image with its channels first")
        if not all(isinstance(size, int) and size > 0 for size in sizes):
            raise size_error(*sizes)(f"expected static sizes of an image, but got {format_shape(sizes)}")
        return (make_type((batch, channels, *out), element),)


@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_adaptive_reference("max"), te=_adaptive_te("max"))
class AdaptiveMaxPoolOp(_AdaptiveOp):
    """
    The greatest element of each window of an image that is cut into `output_size` windows. Windows overlap where the
    image does not divide.

    ```mlir
    %y = graph.adaptive_max_pool %x output_size [7, 7] : tensor<1x8x7x7xf32>
    ```
    """

    name = "graph.adaptive_max_pool"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER


@register_operator(
    kind=FusionKind.OUT_ELEMENTWISE, reference=_adaptive_reference("mean"), te=_adaptive_te("avg"), accumulator=WIDE
)
class AdaptiveAvgPoolOp(_AdaptiveOp):
    """
    The mean of each window of an image that is cut into `output_size` windows.

    ```mlir
    %y = graph.adaptive_avg_pool %x output_size [7, 7] : tensor<1x8x7x7xf32>
    ```
    """

    name = "graph.adaptive_avg_pool"
    ELEMENTS: ClassVar[Elements] = Elements.FLOAT
