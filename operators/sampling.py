"""
Sampling of images at fractional positions: grids of positions, offsets of convolutions, regions of interest.

A position is computed for each axis of the image. Its neighbours along the axes are combined with weights that depend
on the distance from each of them, one axis inside the other. Indices are clamped before the access, so that an infinite
or NaN position stays in bounds too.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, int_prop, ints_prop, string_prop
from ..dialects.graph.types import Dim, Tensor, element_of, format_shape, make_type, shape_of
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import dtypes, np, te
from .record import WIDE, FusionKind
from .sizes import number

MODES = ("nearest", "linear", "cubic")
PADDINGS = ("zeros", "border", "reflection")

_Tap: TypeAlias = "tuple[Any, Any, Any]"
"""A neighbour along an axis: its weight, its index within the image, whether it counts (None: it always does)."""

_CUBIC = -0.75
"""The parameter a of cubic convolution (Keys 1981, equation 15)."""


def cubic_weights(t: Any, a: float = _CUBIC) -> list[Any]:
    """Return the weights of the four neighbours of a position at distance t behind the second one (Keys 1981, equation
    4)."""

    def near(d: Any) -> Any:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Any) -> Any:
        return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a

    return [far(t + 1), near(t), near(1 - t), far(2 - t)]


def _weights(mode: str, t: Any) -> list[Any]:
    return [1 - t, t] if mode == "linear" else cubic_weights(t)


def _first(mode: str) -> int:
    """Return the first neighbour, counted from the whole number below a position."""
    return -1 if mode == "cubic" else 0


def _beyond(mode: str) -> int:
    """Return the distance from the image at which all neighbours of a sample are elements of the border."""
    return 2 if mode == "cubic" else 0


def _clamped(index: Any, size: Any) -> Any:
    return te.maximum(te.minimum(index, size - 1), 0)


def _float_type(sums: str) -> str:
    return sums if dtypes.dtype_info(sums).is_float else "float32"


def _interpolated(taps: Sequence[Sequence[_Tap]], read: Callable[..., te.Expr]) -> te.Expr:
    """Return the weighted sum over the neighbours along each axis; `read` gets one index an axis."""

    def along(axis: int, indices: tuple[Any, ...], conditions: tuple[Any, ...]) -> te.Expr:
        if axis == len(taps):
            value = read(*indices)
            return te.Select(te.all(*conditions), value, te.const(0, value.dtype)) if conditions else value
        parts: list[te.Expr] = [
            weight * along(axis + 1, (*indices, index), conditions if counts is None else (*conditions, counts))
            for weight, index, counts in taps[axis]
        ]
        return sum(parts[1:], parts[0])

    return along(0, (), ())


def _linear_taps(position: te.Expr, size: Any) -> list[_Tap]:
    """Return the two neighbours of a position; beyond the image lies zero."""
    floor = te.floor(position)
    taps: list[_Tap] = []
    for step, weight in enumerate(_weights("linear", position - floor)):
        index = floor.astype("int64") + step
        taps.append((weight, _clamped(index, size), te.all(index >= 0, index < size)))
    return taps


class _Border:
    """The extent of an axis: the conversion of positions to indices, and the rule for positions beyond the border."""

    def __init__(self, size: Any, dtype: str, align_corners: bool):
        self.size = size
        self._extent = number(size - 1 if align_corners else size, dtype)
        self._dtype = dtype
        self._aligned = align_corners
        self._low = 0.0 if align_corners else -0.5

    def position(self, x: te.Expr, mode: str, padding: str) -> te.Expr:
        """Return the position of a number from -1 to 1, moved into the image where `padding` asks for that."""
        position = (x + 1) / 2 * self._extent if self._aligned else ((x + 1) * self._extent - 1) / 2
        position = te.round(position) if mode == "nearest" else position
        match padding:
            case "border":
                beyond = _beyond(mode)
                last = number(self.size - 1 + beyond, self._dtype)
                return te.maximum(te.minimum(position, last), te.const(-beyond, self._dtype))
            case "reflection":
                return self._reflected(position)
            case _:
                return position

    def _reflected(self, position: te.Expr) -> te.Expr:
        """Mirror a position at the ends of the axis until it lies between them."""
        extent = te.maximum(self._extent, te.const(1, self._dtype))  # of one aligned element it is nothing
        low, high = te.const(self._low, self._dtype), self._extent + self._low

        def folded(beyond: te.Expr) -> te.Expr:
            turns = te.floor(beyond / extent)
            rest = beyond - turns * extent
            return te.Select(turns - 2 * te.floor(turns / 2) == 0, rest, extent - rest)

        below, above = low + folded(low - position), high - folded(position - high)
        return te.Select(position < low, below, te.Select(position > high, above, position))

    def tap(self, weight: Any, index: te.Expr, padding: str) -> _Tap:
        """Return the neighbour at an index that may lie beyond the image."""
        match padding:
            case "zeros":
                return weight, _clamped(index, self.size), te.all(index >= 0, index < self.size)
            case "reflection":
                inside = self._reflected(index.astype(self._dtype)).astype("int64")
                return weight, _clamped(inside, self.size), None
            case _:
                return weight, _clamped(index, self.size), None


def _grid_sample_te(
    x: te.Tensor, grid: te.Tensor, *, mode: str, padding: str, align_corners: bool = False, sums: str
) -> te.Tensor:
    axes, wide = x.ndim - 2, _float_type(sums)
    outside = grid.shape[:-1]
    borders = [_Border(size, wide, align_corners) for size in x.shape[2:]]

    def positions(axis: int) -> te.Tensor:
        def position(*index: Any) -> te.Expr:
            return borders[axis].position(grid(*index, axes - 1 - axis).astype(wide), mode, padding)

        return te.compute(outside, position, name=f"place{axis}")

    found = [positions(axis) for axis in range(axes)]

    def taps(axis: int, at: Sequence[Any]) -> list[_Tap]:
        position = found[axis](*at)
        if mode == "nearest":
            return [borders[axis].tap(None, position.astype("int64"), padding)]
        floor = te.floor(position)
        start = floor.astype("int64") + _first(mode)
        weights = _weights(mode, position - floor)
        return [borders[axis].tap(weight, start + step, padding) for step, weight in enumerate(weights)]

    def element(n: Any, c: Any, *spatial: Any) -> te.Expr:
        around = [taps(axis, (n, *spatial)) for axis in range(axes)]
        if mode == "nearest":
            value = x(n, c, *(index for ((_, index, _),) in around))
            conditions = [counts for ((_, _, counts),) in around if counts is not None]
            return te.Select(te.all(*conditions), value, te.const(0, x.dtype)) if conditions else value
        return _interpolated(around, lambda *i: x(n, c, *i).astype(wide))

    return te.compute((x.shape[0], x.shape[1], *outside[1:]), element, name="grid_sample")


def _reflected_array(position: np.ndarray, size: int, align_corners: bool) -> np.ndarray:
    low, high = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
    extent = max(high - low, 1.0)
    beyond = np.where(position < low, low - position, position - high)
    turns = np.floor(beyond / extent)
    rest = beyond - turns * extent
    folded = np.where(turns % 2 == 0, rest, extent - rest)
    return np.where(position < low, low + folded, np.where(position > high, high - folded, position))


def _whole(position: np.ndarray) -> np.ndarray:
    """Return positions that are whole numbers as indices; another position lies nowhere."""
    return np.where(np.abs(position) < 2**53, position, -2).astype(np.int64)


def _grid_sample_reference(
    x: np.ndarray, grid: np.ndarray, *, mode: str, padding: str, align_corners: bool = False
) -> np.ndarray:
    around: list[list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = []
    for axis, size in enumerate(x.shape[2:]):
        g = grid[..., x.ndim - 3 - axis]
        position = (g + 1) / 2 * (size - 1) if align_corners else ((g + 1) * size - 1) / 2
        position = np.rint(position) if mode == "nearest" else position
        if padding == "border":
            position = np.clip(position, -_beyond(mode), size - 1 + _beyond(mode))
        elif padding == "reflection":
            position = _reflected_array(position, size, align_corners)
        floor = np.floor(position)
        weights = [np.ones_like(position)] if mode == "nearest" else _weights(mode, position - floor)
        taps: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for step, weight in enumerate(weights, 0 if mode == "nearest" else _first(mode)):
            index = _whole(floor) + step
            if padding == "reflection":
                index = _whole(_reflected_array(index.astype(np.float64), size, align_corners))
            counts = (index >= 0) & (index < size) if padding == "zeros" else np.ones(index.shape, bool)
            taps.append((weight, np.clip(index, 0, size - 1), counts))
        around.append(taps)
    return _combined(x, around, exact=mode == "nearest").astype(x.dtype)


def _combined(
    x: np.ndarray, around: Sequence[Sequence[tuple[np.ndarray, np.ndarray, np.ndarray]]], exact: bool
) -> np.ndarray:
    """Return the weighted sums over all neighbours, in float64, or the neighbour itself if `exact`; images come
    first."""
    total: Any = 0
    for corner in itertools.product(*around):
        indices = [index for _, index, _ in corner]
        rows = np.arange(x.shape[0]).reshape(-1, *(1,) * (indices[0].ndim - 1))
        value = np.moveaxis(x[(rows, slice(None), *indices)], -1, 1)
        counts = np.logical_and.reduce([counts for _, _, counts in corner])[:, None]
        if exact:
            return np.where(counts, value, np.zeros((), x.dtype))
        weight = math.prod((w.astype(np.float64) for w, _, _ in corner[1:]), start=corner[0][0].astype(np.float64))
        total = total + np.where(counts, weight[:, None] * value, 0 * weight[:, None])
    return total


@register_operator(kind=FusionKind.OPAQUE, reference=_grid_sample_reference, te=_grid_sample_te, accumulator=WIDE)
class GridSampleOp(GraphOp):
    """
    Images read at positions: the last dimension of the grid has a position, the last axis first, from -1 at the
    beginning of an axis to 1 at its end. The ends are the outer borders of the outer elements, or with `align_corners`
    their centres. Between elements lies the nearest one, or a linear or cubic interpolation; beyond the image lie
    zeros, its border, or its reflection.

    ```mlir
    %y = graph.grid_sample %x, %grid mode "linear" padding "border" : tensor<1x3x8x8xf32>
    ```
    """

    name = "graph.grid_sample"

    x = operand_def()
    grid = operand_def()
    y = result_def()

    mode = string_prop("linear")
    padding = string_prop("zeros")
    align_corners = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        _check_name(self.mode.data, MODES)
        _check_name(self.padding.data, PADDINGS)
        element = element_of(self.x)
        (Elements.ANY if self.mode.data == "nearest" else Elements.FLOAT).check(element)
        Elements.FLOAT.check(element_of(self.grid))
        shape, grid = shape_of(self.x), shape_of(self.grid)
        if len(shape) < 3 or len(grid) != len(shape) or grid[-1] != len(shape) - 2 or grid[0] != shape[0]:
            raise VerifyException(
                f"expected a grid of positions in images {format_shape(shape)}, but got {format_shape(grid)}"
            )
        return (make_type((*shape[:2], *grid[1:-1]), element),)


def _check_name(name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise VerifyException(f"expected one of {', '.join(known)}, but got {name}")


def in_kernel(number_: Any, kernel: Sequence[int]) -> list[Any]:
    """Return the coordinates in a kernel of its element of this number, row by row."""
    found: list[Any] = []
    for axis, size in enumerate(kernel):
        inner = math.prod(kernel[axis + 1 :])
        found.append(number_ // inner % size if axis else number_ // inner)
    return found


def _deform_columns_te(
    x: te.Tensor,
    offset: te.Tensor,
    mask: te.Tensor | None = None,
    *,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    offset_groups: int,
    sums: str,
) -> te.Tensor:
    axes, count = len(kernel), math.prod(kernel)
    members = x.shape[1] // offset_groups

    def element(n: Any, c: Any, k: Any, *spatial: Any) -> te.Expr:
        group = c // members
        around: list[list[_Tap]] = []
        for axis, at in enumerate(in_kernel(k, kernel)):
            start = spatial[axis] * strides[axis] + at * dilations[axis] - padding[axis]
            moved = offset(n, (group * count + k) * axes + axis, *spatial).astype(sums)
            around.append(_linear_taps(number(start, sums) + moved, x.shape[2 + axis]))
        value = _interpolated(around, lambda *i: x(n, c, *i).astype(sums))
        return value if mask is None else value * mask(n, group * count + k, *spatial).astype(sums)

    return te.compute((*x.shape[:2], count, *offset.shape[2:]), element, name="deform_columns")


def _deform_columns_reference(
    x: np.ndarray,
    offset: np.ndarray,
    mask: np.ndarray | None = None,
    *,
    kernel: Sequence[int],
    strides: Sequence[int],
    padding: Sequence[int],
    dilations: Sequence[int],
    offset_groups: int,
) -> np.ndarray:
    batch, channels = x.shape[:2]
    axes, count, members = len(kernel), math.prod(kernel), channels // offset_groups
    out = offset.shape[2:]
    moved = offset.reshape(batch, offset_groups, count, axes, *out)
    steps = np.indices(out)
    result = np.zeros((batch, channels, count, *out), np.float64)
    for group, k in itertools.product(range(offset_groups), range(count)):
        members_of_group = slice(group * members, (group + 1) * members)
        around: list[list[tuple[np.ndarray, np.ndarray, np.ndarray]]] = []
        for axis, at in enumerate(np.unravel_index(k, kernel)):
            start = steps[axis] * strides[axis] + int(at) * dilations[axis] - padding[axis]
            position = start.astype(offset.dtype) + moved[:, group, k, axis]
            floor, size = np.floor(position), x.shape[2 + axis]
            around.append([])
            for step, weight in enumerate(_weights("linear", position - floor)):
                index = _whole(floor) + step
                around[-1].append((weight, np.clip(index, 0, size - 1), (index >= 0) & (index < size)))
        result[:, members_of_group, k] = _combined(x[:, members_of_group], around, exact=False)
    if mask is not None:
        result *= np.repeat(mask.reshape(batch, offset_groups, count, *out), members, axis=1)
    return result.astype(x.dtype)


@register_operator(kind=FusionKind.OPAQUE, reference=_deform_columns_reference, te=_deform_columns_te, accumulator=WIDE)
class DeformColumnsOp(GraphOp):
    """
    Columns of a deformable convolution, which are multiplied by its weights: for each element of the kernel, the
    channels of the image at its position moved by an offset, interpolated linearly, and times the mask if there is one.
    Elements outside of the image are zero. Each of `offset_groups` groups of channels has separate offsets, one for
    each axis.

    ```mlir
    %y = graph.deform_columns %x, %offset kernel [3, 3] padding [1, 1, 1, 1] : tensor<1x8x9x7x7xf32>
    ```
    """

    name = "graph.deform_columns"

    x = operand_def()
    offset = operand_def()
    mask = opt_operand_def()
    y = result_def()

    kernel = ints_prop()
    strides = ints_prop((1, 1))
    padding = ints_prop((0, 0, 0, 0))
    dilations = ints_prop((1, 1))
    offset_groups = int_prop(1)

    def infer_types(self) -> tuple[Tensor, ...]:
        element, shape = Elements.FLOAT.check(element_of(self.x)), shape_of(self.x)
        axes, groups = len(shape) - 2, self.offset_groups.value.data
        kernel = require_ints(self.kernel.get_values(), axes, 1, "kernel")
        require_ints(self.strides.get_values(), axes, 1, "strides")
        require_ints(self.dilations.get_values(), axes, 1, "dilations")
        require_ints(self.padding.get_values(), 2 * axes, 0, "padding")
        channels, count = shape[1], math.prod(kernel)
        if groups < 1 or (isinstance(channels, int) and channels % groups):
            raise VerifyException(f"expected offset groups that divide {channels} channels, but got {groups}")
        out = self._operand_of(self.offset, groups * count * axes, "offsets")
        if self.mask is not None and self._operand_of(self.mask, groups * count, "a mask") != out:
            raise VerifyException(f"expected a mask for windows {format_shape(out)}")
        return (make_type((shape[0], channels, count, *out), element),)

    def _operand_of(self, value: Any, channels: int, what: str) -> tuple[Dim, ...]:
        """Return the windows that offsets, or a mask, are for."""
        Elements.FLOAT.check(element_of(value))
        image, shape = shape_of(self.x), shape_of(value)
        if len(shape) != len(image) or shape[0] != image[0] or shape[1] != channels:
            raise VerifyException(f"expected {what} of {channels} channels, but got {format_shape(shape)}")
        return shape[2:]
