"""Regions of interest of an image, pooled to a fixed size. The number of pixels in a result depends on data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, float_prop, int_prop, ints_prop, string_prop
from ..dialects.graph.types import (
    Tensor,
    element_of,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
    size_error,
)
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from .nests.nest_builder import NestBuilder, Scalar


def _align_te(
    x: te.Tensor,
    rois: te.Tensor,
    batch_indices: te.Tensor,
    *,
    output_size: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: str,
    half_pixel: bool,
    sums: str,
) -> te.Tensor:
    from .nests.nest_builder import NestBuilder

    sizes, out = x.shape[2:], tuple(output_size)
    shift = 0.5 if half_pixel else 0.0

    def statement(builder: Any, image: SSAValue, boxes: SSAValue, batches: SSAValue, y: SSAValue) -> None:
        program = NestBuilder(builder)
        with program.loop(0, program.size(boxes, 0)) as r:
            batch = program.load(batches, r)
            corners = [program.load(boxes, r, d).astype(sums) * spatial_scale - shift for d in range(4)]
            lows, highs = (corners[1], corners[0]), (corners[3], corners[2])
            extents = [
                high - low if half_pixel else (high - low).max(1.0) for low, high in zip(lows, highs, strict=True)
            ]
            bins = [extent / float(n) for extent, n in zip(extents, out, strict=True)]
            counts = [_samples(program, each, sampling_ratio) for each in bins]
            steps = [each / count.astype(sums) for each, count in zip(bins, counts, strict=True)]
            with program.over(program.size(image, 1), *out) as (c, p, q):
                starts = [low + each * program.number(i, sums) for low, each, i in zip(lows, bins, (p, q), strict=True)]
                first = program.constant(0.0 if mode == "avg" else float("-inf"), sums)
                program.store(first, y, r, c, p, q)
                with program.loop(0, counts[0]) as i, program.loop(0, counts[1]) as j:
                    at = [
                        s + (program.number(k, sums) + 0.5) * step
                        for s, k, step in zip(starts, (i, j), steps, strict=True)
                    ]
                    taps = _taps(program, at, sizes, sums)
                    values = [program.load(image, batch, c, a, b).astype(sums) * weight for a, b, weight in taps]
                    before = program.load(y, r, c, p, q)
                    if mode == "avg":
                        after = before + (values[0] + values[1] + values[2] + values[3])
                    else:
                        after = before.max(values[0].max(values[1]).max(values[2].max(values[3])))
                    program.store(after, y, r, c, p, q)
                total = (counts[0] * counts[1]).max(1).astype(sums)
                result = program.load(y, r, c, p, q)
                if mode == "avg":
                    result = result / total
                else:
                    result = (counts[0] * counts[1] > 0).choose(result, program.constant(0, sums))
                program.store(result, y, r, c, p, q)

    shape = (rois.shape[0], x.shape[1], *out)
    return te.extern(shape, [x, rois, batch_indices], lambda ins, outs: statement, name="roi_align", dtype=sums)


def _samples(program: NestBuilder, extent: Scalar, asked: int) -> Scalar:
    """Return the number of samples of a result element along an axis: `asked` if positive, else one for each pixel."""
    if asked > 0:
        return program.constant(asked, "int64")
    return extent.unary("ceil").max(0.0).astype("int64")


def _taps(
    program: NestBuilder, at: Sequence[Scalar], sizes: Sequence[Any], sums: str
) -> list[tuple[Scalar, Scalar, Scalar]]:
    """Return the four pixels around a position and their weights; nothing weighs beyond one pixel around the image."""
    rows: list[tuple[Scalar, Scalar, Scalar, Scalar]] = []
    inside: Scalar | None = None
    for position, size in zip(at, sizes, strict=True):
        here = (position >= -1.0) & (position <= float(size))
        inside = here if inside is None else inside & here
        clamped = position.max(0.0).min(float(size - 1))
        low = clamped.unary("floor")
        part = clamped - low
        first = low.astype("int64").max(0).min(size - 1)
        rows.append((first, (first + 1).min(size - 1), program.constant(1.0, sums) - part, part))
    assert inside is not None
    zero = program.constant(0, sums)
    (h0, h1, a0, a1), (w0, w1, b0, b1) = rows
    pairs = ((h0, w0, a0 * b0), (h0, w1, a0 * b1), (h1, w0, a1 * b0), (h1, w1, a1 * b1))
    return [(h, w, inside.choose(weight, zero)) for h, w, weight in pairs]


def _align_reference(
    x: np.ndarray,
    rois: np.ndarray,
    batch_indices: np.ndarray,
    *,
    output_size: Sequence[int],
    spatial_scale: float,
    sampling_ratio: int,
    mode: str,
    half_pixel: bool,
) -> np.ndarray:
    kind = rois.dtype.type
    shift = kind(0.5 if half_pixel else 0)
    result = np.zeros((len(rois), x.shape[1], *output_size), x.dtype)
    for r, (box, batch) in enumerate(zip(rois, batch_indices, strict=True)):
        left, top, right, bottom = (value * kind(spatial_scale) - shift for value in box)
        axes = [
            _axis(*row, half_pixel, sampling_ratio)
            for row in zip((top, left), (bottom, right), output_size, strict=True)
        ]
        for p, q in np.ndindex(*output_size):
            samples = [_sampled(x[batch], mode, a, b) for a in axes[0][p] for b in axes[1][q]]
            if samples:
                stacked = np.stack(samples)
                result[r, :, p, q] = stacked.sum(0) / kind(len(samples)) if mode == "avg" else stacked.max(0)
    return result


def _axis(low: Any, high: Any, out: int, half_pixel: bool, asked: int) -> list[list[Any]]:
    """Return, along an axis, the positions that each result element samples."""
    kind = type(low)
    extent = high - low if half_pixel else max(high - low, kind(1))
    part = extent / kind(out)
    count = asked if asked > 0 else max(0, int(np.ceil(part)))
    step = part / kind(count) if count else kind(0)
    return [[low + part * kind(p) + (kind(k) + kind(0.5)) * step for k in range(count)] for p in range(out)]


def _sampled(image: np.ndarray, mode: str, h: Any, w: Any) -> np.ndarray:
    """Interpolate between the four pixels around a position; for "max" the greatest of their parts."""
    if not (-1 <= h <= image.shape[1] and -1 <= w <= image.shape[2]):
        return np.zeros(image.shape[0], image.dtype)
    parts: list[list[tuple[int, Any]]] = []
    for position, size in zip((h, w), image.shape[1:], strict=True):
        clamped = min(max(position, type(position)(0)), type(position)(size - 1))
        low = min(int(np.floor(clamped)), size - 1)
        part = clamped - type(position)(low)
        parts.append([(low, type(position)(1) - part), (min(low + 1, size - 1), part)])
    values = [image[:, i, j] * (a * b) for i, a in parts[0] for j, b in parts[1]]
    return values[0] + values[1] + values[2] + values[3] if mode == "avg" else np.max(values, axis=0)


@register_operator(kind=FusionKind.OPAQUE, reference=_align_reference, te=_align_te, accumulator=WIDE)
class RoiAlignOp(GraphOp):
    """
    For each region (left, top, right, bottom) of an image, whose number is in `batch_indices`, a result of
    `output_size` pixels: the mean of samples within each part of the region, or the greatest part of a pixel, both
    between the four pixels around. `sampling_ratio` samples are taken along each axis, or where it is 0 one for each
    pixel. With `half_pixel` coordinates are those of pixels' corners, else a region has at least one pixel.

    ```mlir
    %y = graph.roi_align %x, %rois, %batch output_size [3, 2] sampling_ratio 2 : tensor<5x3x3x2xf32>
    ```
    """

    name = "graph.roi_align"

    x = operand_def()
    rois = operand_def()
    batch_indices = operand_def()
    y = result_def()

    output_size = ints_prop()
    spatial_scale = float_prop(1.0)
    sampling_ratio = int_prop(0)
    mode = string_prop("avg")
    half_pixel = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        if self.mode.data not in ("avg", "max"):
            raise VerifyException(f"expected mode avg or max, but got {self.mode.data}")
        require_ints((self.sampling_ratio.value.data,), 1, 0, "sampling_ratio")
        out = require_ints(self.output_size.get_values(), 2, 1, "output_size")
        return (_result_type(self.x, self.rois, self.batch_indices, out),)


def _pool_te(
    x: te.Tensor, rois: te.Tensor, batch_indices: te.Tensor, *, output_size: Sequence[int], spatial_scale: float
) -> te.Tensor:
    from .nests.nest_builder import NestBuilder

    out, dtype = tuple(output_size), x.dtype

    def statement(builder: Any, image: SSAValue, boxes: SSAValue, batches: SSAValue, y: SSAValue) -> None:
        program = NestBuilder(builder)
        with program.loop(0, program.size(boxes, 0)) as r:
            batch = program.load(batches, r)
            corners = [(program.load(boxes, r, d) * spatial_scale).unary("round").astype("int64") for d in range(4)]
            rows = [(corners[1], corners[3], out[0]), (corners[0], corners[2], out[1])]
            with program.over(program.size(image, 1), *out) as (c, *at):
                bounds = [
                    _part(program, row, p, program.size(image, 2 + d))
                    for d, (row, p) in enumerate(zip(rows, at, strict=True))
                ]
                (top, bottom), (left, right) = bounds
                filled = (bottom > top) & (right > left)
                lowest = program.constant(float("-inf"), dtype)
                program.store(filled.choose(lowest, program.constant(0, dtype)), y, r, c, *at)
                with program.loop(top, bottom) as h, program.loop(left, right) as w:
                    program.store(program.load(y, r, c, *at).max(program.load(image, batch, c, h, w)), y, r, c, *at)

    shape = (rois.shape[0], x.shape[1], *out)
    return te.extern(shape, [x, rois, batch_indices], lambda ins, outs: statement, name="roi_pool", dtype=dtype)


def _part(program: NestBuilder, row: tuple[Scalar, Scalar, int], position: Any, size: Any) -> tuple[Scalar, Scalar]:
    """Return the start and the end of a part of a region, limited to an image."""
    first, last, count = row
    extent = ((last - first) + 1).max(1).astype("float32") / float(count)
    number, most = program.number(position, "float32"), program.number(size, "int64")
    low = (number * extent).unary("floor").astype("int64") + first
    high = ((number + 1.0) * extent).unary("ceil").astype("int64") + first
    return low.max(0).min(most), high.max(0).min(most)


def _pool_reference(
    x: np.ndarray, rois: np.ndarray, batch_indices: np.ndarray, *, output_size: Sequence[int], spatial_scale: float
) -> np.ndarray:
    result = np.zeros((len(rois), x.shape[1], *output_size), x.dtype)
    one = np.float32(1)
    for r, (box, batch) in enumerate(zip(rois, batch_indices, strict=True)):
        left, top, right, bottom = (int(np.round(value * rois.dtype.type(spatial_scale))) for value in box)
        for position in np.ndindex(*output_size):
            bounds: list[slice] = []
            for p, low, high, out, size in zip(
                position, (top, left), (bottom, right), output_size, x.shape[2:], strict=True
            ):
                part = np.float32(max(high - low + 1, 1)) / np.float32(out)
                begin, end = int(np.floor(np.float32(p) * part)), int(np.ceil((np.float32(p) + one) * part))
                bounds.append(slice(min(max(begin + low, 0), size), min(max(end + low, 0), size)))
            window = x[batch][(slice(None), *bounds)]
            if window.shape[1] > 0 and window.shape[2] > 0:
                result[(r, slice(None), *position)] = window.max((1, 2))
    return result


@register_operator(kind=FusionKind.OPAQUE, reference=_pool_reference, te=_pool_te)
class RoiPoolOp(GraphOp):
    """
    For each region (left, top, right, bottom) of an image, whose number is in `batch_indices`, a result of
    `output_size` pixels: the greatest pixel of each part of the region, whose corners are rounded to pixels; 0 where a
    part has none.

    ```mlir
    %y = graph.roi_pool %x, %rois, %batch output_size [3, 2] spatial_scale 0.5 : tensor<5x3x3x2xf32>
    ```
    """

    name = "graph.roi_pool"

    x = operand_def()
    rois = operand_def()
    batch_indices = operand_def()
    y = result_def()

    output_size = ints_prop()
    spatial_scale = float_prop(1.0)

    def infer_types(self) -> tuple[Tensor, ...]:
        out = require_ints(self.output_size.get_values(), 2, 1, "output_size")
        return (_result_type(self.x, self.rois, self.batch_indices, out),)


def _result_type(x: SSAValue, rois: SSAValue, batches: SSAValue, out: Sequence[int]) -> Tensor:
    """Return the type of the result of regions of an image, after a check of the operands."""
    element = Elements.FLOAT.check(require_same_element((x, rois)))
    _, channels, *sizes = require_rank(x, 4, "an NCHW image")
    count, four = require_rank(rois, 2, "regions")
    require_dim(four, 4, "coordinates of a region")
    require_dim(require_rank(batches, 1, "numbers of images")[0], count, "numbers of images")
    if element_of(batches) not in (i32, i64):
        raise VerifyException(f"expected i32 or i64 numbers of images, but got {element_of(batches)}")
    if not all(isinstance(size, int) and size > 0 for size in sizes):
        raise size_error(*sizes)(f"expected an image of static size, but got {format_shape(shape_of(x))}")
    return make_type((count, channels, *out), element)
