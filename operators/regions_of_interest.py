"""Features of regions of images: samples between elements, their mean or maximum in each cell of a region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements, require_vector
from ..dialects.graph.properties import flag_prop, float_prop, int_prop, string_prop
from ..dialects.graph.types import Tensor, element_of, format_shape, make_type, require_rank, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind
from .sizes import number


def _along(start: Any, extent: Any, cell: Any, sample: Any, cells: int, samples: int) -> Any:
    """The place of a sample of a cell along an axis."""
    step = extent / cells
    return start + cell * step + (sample + 0.5) * step / samples


def _roi_align_te(
    x: te.Tensor,
    rois: te.Tensor,
    images: te.Tensor,
    *,
    height: int,
    width: int,
    samples: int,
    scale: float,
    mode: str,
    aligned: bool,
    sums: str,
) -> te.Tensor:
    cells, offset = (height, width), te.const(0.5 if aligned else 0.0, sums)
    sizes, batch, count = x.shape[2:], x.shape[0], rois.shape[0]

    def corner(r: Any, column: int) -> te.Expr:
        return rois(r, column).astype(sums) * te.const(scale, sums) - offset

    def places(axis: int) -> te.Tensor:
        """[region, cell, sample] -> the place along an axis."""

        def place(r: Any, cell: Any, sample: Any) -> te.Expr:
            start = corner(r, 1 - axis)
            extent = corner(r, 3 - axis) - start
            extent = extent if aligned else te.maximum(extent, te.const(1, sums))
            return _along(start, extent, cell.astype(sums), sample.astype(sums), cells[axis], samples)

        return te.compute((count, cells[axis], samples), place, name=f"place{axis}")

    found = [places(axis) for axis in range(2)]

    def taps(axis: int, r: Any, cell: Any, sample: Any) -> tuple[te.Expr, list[tuple[te.Expr, te.Expr]]]:
        """Whether a place counts, and its two neighbours with their weights."""
        place, size = found[axis](r, cell, sample), number(sizes[axis], sums)
        counts = te.all(place >= -1, place <= size)
        inside = te.maximum(te.minimum(place, size - 1), te.const(0, sums))
        floor = te.floor(inside)
        index = te.maximum(te.minimum(floor.astype("int64"), sizes[axis] - 1), 0)
        return counts, [(1 - (inside - floor), index), (inside - floor, te.minimum(index + 1, sizes[axis] - 1))]

    axes = [te.reduce_axis((0, samples), name) for name in ("sy", "sx")]

    def sampled(r: Any, c: Any, y: Any, z: Any) -> te.Expr:
        image = te.maximum(te.minimum(images(r).astype("int64"), batch - 1), 0)
        (inside_y, rows), (inside_x, columns) = taps(0, r, y, axes[0]), taps(1, r, z, axes[1])
        parts = [a * b * x(image, c, i, j).astype(sums) for a, i in rows for b, j in columns]
        combined = parts[0]
        for part in parts[1:]:
            combined = combined + part if mode == "avg" else te.maximum(combined, part)
        return te.Select(te.all(inside_y, inside_x), combined, te.const(0, sums))

    reduce = te.sum if mode == "avg" else te.max
    shape = (count, x.shape[1], height, width)
    total = te.compute(shape, lambda *i: reduce(sampled(*i), axis=axes), name="roi_align")
    return total if mode == "max" else te.compute(shape, lambda *i: total(*i) / samples**2, name="roi_mean")


def _taps_of(place: np.ndarray, size: int) -> tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]:
    inside = np.clip(place, 0, size - 1)
    index = np.where(np.isnan(inside), 0, np.floor(inside)).astype(np.int64)
    rest = inside - index
    return (place >= -1) & (place <= size), [(1 - rest, index), (rest, np.minimum(index + 1, size - 1))]


def _roi_align_reference(
    x: np.ndarray,
    rois: np.ndarray,
    images: np.ndarray,
    *,
    height: int,
    width: int,
    samples: int,
    scale: float,
    mode: str,
    aligned: bool,
) -> np.ndarray:
    result = np.zeros((len(rois), x.shape[1], height, width), np.float64)
    scaled = rois * rois.dtype.type(scale) - rois.dtype.type(0.5 if aligned else 0)
    for r, (left, top, right, bottom) in enumerate(scaled):
        image = x[np.clip(int(images[r]), 0, len(x) - 1)].astype(np.float64)
        axes: list[tuple[np.ndarray, list[tuple[np.ndarray, np.ndarray]]]] = []
        for start, end, cells, size in ((top, bottom, height, x.shape[2]), (left, right, width, x.shape[3])):
            extent = end - start if aligned else max(end - start, rois.dtype.type(1))
            own = rois.dtype
            cell, sample = np.meshgrid(np.arange(cells, dtype=own), np.arange(samples, dtype=own), indexing="ij")
            axes.append(_taps_of(_along(start, extent, cell, sample, cells, samples), size))
        (inside_y, rows), (inside_x, columns) = axes
        parts = [a[:, :, None, None] * b * image[:, i[:, :, None, None], j] for a, i in rows for b, j in columns]
        combined = sum(parts[1:], parts[0]) if mode == "avg" else np.maximum.reduce(parts)
        combined = np.where(inside_y[:, :, None, None] & inside_x, combined, 0)
        result[r] = combined.mean((2, 4)) if mode == "avg" else combined.max((2, 4))
    return result.astype(x.dtype)


@register_operator(kind=FusionKind.OPAQUE, reference=_roi_align_reference, te=_roi_align_te, accumulator=WIDE)
class RoiAlignOp(GraphOp):
    """
    Regions of images as images of `height` x `width` cells: in each cell `samples` x `samples` places are read,
    linearly between their neighbours, and their mean taken, or the greatest weighted neighbour of all. A region is
    left, top, right and bottom times `scale`, in the image of the number that `images` has; it is moved by half an
    element if `aligned`, else at least one element large.

    ```mlir
    %y = graph.roi_align %x, %rois, %images height 7 width 7 samples 2 : tensor<100x256x7x7xf32>
    ```
    """

    name = "graph.roi_align"

    x = operand_def()
    rois = operand_def()
    images = operand_def()
    y = result_def()

    height = int_prop()
    width = int_prop()
    samples = int_prop(2)
    scale = float_prop(1.0)
    mode = string_prop("avg")
    aligned = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.FLOAT.check(require_same_element((self.x, self.rois)))
        _, channels, _, _ = require_rank(self.x, 4, "an NCHW image")
        count, columns = require_rank(self.rois, 2, "regions")
        require_vector(self.images, count, "images")
        if columns != 4:
            raise VerifyException(f"expected regions of 4 numbers, but got {format_shape(shape_of(self.rois))}")
        if element_of(self.images) not in (i32, i64):
            raise VerifyException(f"expected images of i32 or i64, but got {element_of(self.images)}")
        if self.mode.data not in ("avg", "max"):
            raise VerifyException(f"expected mode avg or max, but got {self.mode.data}")
        cells: Sequence[int] = [value.value.data for value in (self.height, self.width)]
        if min(*cells, self.samples.value.data) < 1:
            raise VerifyException("expected at least one cell and one sample")
        return (make_type((count, channels, *cells), element),)
