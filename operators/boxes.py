"""
Boxes in images: which of many to keep, and the parts of an image that they cover.

Boxes are chosen one after the other in the order of their scores, in one thread, so the result is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, float_prop, int_prop, ints_prop, string_prop
from ..dialects.graph.types import Tensor, element_of, format_shape, make_type, require_dim, require_rank, shape_of
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .sorting import order_of

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from ..dialects.index_expr import Index
    from .nests.program import Program, Scalar


def _corners(box: Sequence[Any], center: bool, low: Any, high: Any, half: Any) -> tuple[Any, Any, Any, Any]:
    """The least and the greatest coordinates along both axes, of corners in any order or of a centre and sizes."""
    a, b, c, d = box
    if center:
        return b - d * half, a - c * half, b + d * half, a + c * half
    return low(a, c), low(b, d), high(a, c), high(b, d)


def _overlap(one: Sequence[Any], other: Sequence[Any], low: Any, high: Any, zero: Any) -> tuple[Any, Any]:
    """The area that two boxes share, and the one that they cover together."""
    sides = [high(low(one[2 + d], other[2 + d]) - high(one[d], other[d]), zero) for d in (0, 1)]
    shared = sides[0] * sides[1]
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return shared, areas[0] + areas[1] - shared


def _nms_te(
    boxes: te.Tensor,
    scores: te.Tensor,
    *,
    max_output_boxes_per_class: int,
    iou_threshold: float,
    score_threshold: float,
    center_point_box: bool,
) -> list[te.Tensor]:
    from .nests.program import Program

    order = order_of(scores, 2, scores.shape[2], descending=True)
    classes, count, dtype = scores.shape[1], boxes.shape[1], boxes.dtype
    most = _most(max_output_boxes_per_class, count)

    def corners(program: Program, given: SSAValue, batch: Index, box: Any) -> tuple[Any, Any, Any, Any]:
        loaded = [program.load(given, batch, box, d) for d in range(4)]
        half = program.constant(0.5, dtype)
        return _corners(loaded, center_point_box, lambda a, b: a.min(b), lambda a, b: a.max(b), half)

    def statement(
        builder: Any, given: SSAValue, scored: SSAValue, ordered: SSAValue, chosen: SSAValue, total: SSAValue
    ) -> None:
        program = Program(builder)
        none, zero = program.constant(-1, "int64"), program.constant(0, dtype)
        with program.over(program.size(chosen, 0), 3) as (row, d):
            program.store(none, chosen, row, d)
        program.store(program.constant(0, "int64"), total, 0)
        with program.over(program.size(scored, 0), classes) as (batch, kind):
            start = program.load(total, 0)
            with program.loop(0, count) as rank:
                box = program.load(ordered, batch, kind, rank)
                found = program.load(total, 0)
                own = corners(program, given, batch, box)
                good = program.load(scored, batch, kind, box) > score_threshold
                good = good & (found - start < most)
                place = found.min(program.number(program.size(chosen, 0) - 1, "int64"))
                kept = [program.load(chosen, place, d) for d in range(3)]
                names = [program.number(batch, "int64"), program.number(kind, "int64"), box]
                for d in range(3):
                    program.store(good.choose(names[d], kept[d]), chosen, place, d)
                program.store(good.choose(found + 1, found), total, 0)
                with program.loop(start, good.choose(found, start)) as earlier:
                    other = corners(program, given, batch, program.load(chosen, earlier, 2))
                    shared, both = _overlap(own, other, lambda a, b: a.min(b), lambda a, b: a.max(b), zero)
                    hit = (shared / both > iou_threshold) & (both > 0.0)
                    now = program.load(total, 0)
                    program.store(hit.choose(found, now), total, 0)
                taken: Scalar = program.load(total, 0) > found
                for d in range(3):
                    value = program.load(chosen, place, d)
                    program.store((taken & good).choose(value, kept[d]), chosen, place, d)

    rows = scores.shape[0] * classes * most
    return te.extern(
        [(rows, 3), (1,)],
        [boxes, scores, order],
        lambda ins, outs: statement,
        name="non_max_suppression",
        dtype=["int64", "int64"],
    )


def _most(asked: int, count: Any) -> Any:
    """How many boxes of a class are chosen at most."""
    return count if asked < 0 else min(asked, count)


def _nms_reference(
    boxes: np.ndarray,
    scores: np.ndarray,
    *,
    max_output_boxes_per_class: int,
    iou_threshold: float,
    score_threshold: float,
    center_point_box: bool,
) -> tuple[np.ndarray, np.ndarray]:
    kind, count = boxes.dtype.type, boxes.shape[1]
    most = _most(max_output_boxes_per_class, count)
    rows: list[tuple[int, int, int]] = []
    for batch, label in np.ndindex(*scores.shape[:2]):
        row = scores[batch, label]
        chosen: list[int] = []
        # A NaN is the greatest, as everywhere where elements are ordered, and above no threshold.
        for box in sorted(range(count), key=lambda i: (not np.isnan(row[i]), -row[i] if row[i] == row[i] else 0, i)):
            own = _corners(boxes[batch, box], center_point_box, min, max, kind(0.5))
            pairs = [
                _overlap(own, _corners(boxes[batch, k], center_point_box, min, max, kind(0.5)), min, max, kind(0))
                for k in chosen
            ]
            hit = any(both > 0 and shared / both > kind(iou_threshold) for shared, both in pairs)
            if row[box] > kind(score_threshold) and len(chosen) < most and not hit:
                chosen.append(box)
        rows += [(batch, label, box) for box in chosen]
    result = np.full((scores.shape[0] * scores.shape[1] * most, 3), -1, np.int64)
    result[: len(rows)] = np.array(rows, np.int64).reshape(-1, 3)
    return result, np.array([len(rows)], np.int64)


@register_operator(kind=FusionKind.OPAQUE, reference=_nms_reference, te=_nms_te)
class NonMaxSuppressionOp(GraphOp):
    """
    The boxes [batch, boxes, 4] that stay of each class: in the order of the scores [batch, classes, boxes], those above
    the threshold that overlap none that was chosen before by more than `iou_threshold` of what both cover. A box is two
    opposite corners (y, x, y, x), or a centre and sizes (x, y, width, height) where `center_point_box`. The rows of the
    first result are (batch, class, box) and -1 behind them; the second result counts them.

    ```mlir
    %rows, %count = graph.non_max_suppression %boxes, %scores max_output_boxes_per_class 2 iou_threshold 0.5 :
        tensor<4x3xi64>, tensor<1xi64>
    ```
    """

    name = "graph.non_max_suppression"

    boxes = operand_def()
    scores = operand_def()
    chosen = result_def()
    count = result_def()

    max_output_boxes_per_class = int_prop(-1)
    iou_threshold = float_prop(0.0)
    score_threshold = float_prop(float("-inf"))
    center_point_box = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        batch, count, four = require_rank(self.boxes, 3, "boxes")
        batches, classes, scored = require_rank(self.scores, 3, "scores")
        require_dim(four, 4, "coordinates of a box")
        require_dim(batches, batch, "batches of scores")
        require_dim(scored, count, "number of scores")
        if not (isinstance(batch, int) and isinstance(classes, int) and isinstance(count, int)):
            raise VerifyException(f"expected static sizes, but got {format_shape(shape_of(self.scores))}")
        most = _most(self.max_output_boxes_per_class.value.data, count)
        return make_type((batch * classes * most, 3), i64), make_type((1,), i64)


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
    from .nests.program import Program

    sizes, out = x.shape[2:], tuple(output_size)
    shift = 0.5 if half_pixel else 0.0

    def statement(builder: Any, image: SSAValue, boxes: SSAValue, batches: SSAValue, y: SSAValue) -> None:
        program = Program(builder)
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


def _samples(program: Program, extent: Scalar, asked: int) -> Scalar:
    """How many samples a result element takes along an axis: as many as asked, else one a pixel."""
    if asked > 0:
        return program.constant(asked, "int64")
    return extent.unary("ceil").max(0.0).astype("int64")


def _taps(
    program: Program, at: Sequence[Scalar], sizes: Sequence[Any], sums: str
) -> list[tuple[Scalar, Scalar, Scalar]]:
    """The four pixels around a place and their weights; nothing weighs beyond one pixel around the image."""
    rows: list[tuple[Scalar, Scalar, Scalar, Scalar]] = []
    inside: Scalar | None = None
    for place, size in zip(at, sizes, strict=True):
        here = (place >= -1.0) & (place <= float(size))
        inside = here if inside is None else inside & here
        clamped = place.max(0.0).min(float(size - 1))
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
    """Along an axis, the places that each result element samples."""
    kind = type(low)
    extent = high - low if half_pixel else max(high - low, kind(1))
    part = extent / kind(out)
    count = asked if asked > 0 else max(0, int(np.ceil(part)))
    step = part / kind(count) if count else kind(0)
    return [[low + part * kind(p) + (kind(k) + kind(0.5)) * step for k in range(count)] for p in range(out)]


def _sampled(image: np.ndarray, mode: str, h: Any, w: Any) -> np.ndarray:
    """Between the four pixels around a place; for "max" the greatest of their parts."""
    if not (-1 <= h <= image.shape[1] and -1 <= w <= image.shape[2]):
        return np.zeros(image.shape[0], image.dtype)
    parts: list[list[tuple[int, Any]]] = []
    for place, size in zip((h, w), image.shape[1:], strict=True):
        clamped = min(max(place, type(place)(0)), type(place)(size - 1))
        low = min(int(np.floor(clamped)), size - 1)
        part = clamped - type(place)(low)
        parts.append([(low, type(place)(1) - part), (min(low + 1, size - 1), part)])
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
        element = Elements.FLOAT.check(require_same_element((self.x, self.rois)))
        _, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        count, four = require_rank(self.rois, 2, "regions")
        require_dim(four, 4, "coordinates of a region")
        require_dim(require_rank(self.batch_indices, 1, "numbers of images")[0], count, "numbers of images")
        if element_of(self.batch_indices) not in (i32, i64):
            raise VerifyException(f"expected i32 or i64 numbers of images, but got {element_of(self.batch_indices)}")
        if self.mode.data not in ("avg", "max"):
            raise VerifyException(f"expected mode avg or max, but got {self.mode.data}")
        if not all(isinstance(size, int) and size > 0 for size in sizes):
            raise VerifyException(f"expected an image of static size, but got {format_shape(shape_of(self.x))}")
        require_ints((self.sampling_ratio.value.data,), 1, 0, "sampling_ratio")
        out = require_ints(self.output_size.get_values(), 2, 1, "output_size")
        return (make_type((count, channels, *out), element),)
