"""Crops of images, resized to one size, as in networks that classify detected regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import float_prop, ints_prop, string_prop
from ..dialects.graph.types import (
    Tensor,
    element_of,
    format_shape,
    make_type,
    require_dim,
    require_rank,
    shape_of,
)
from ..dialects.graph.windows import require_ints
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .sizes import number

METHODS = ("linear", "nearest")


def _wide(dtype: str) -> str:
    return dtype if dtype == "float64" else "float32"


def _te(
    x: te.Tensor,
    boxes: te.Tensor,
    batch_indices: te.Tensor,
    *,
    crop_size: Sequence[int],
    method: str,
    extrapolation_value: float,
) -> te.Tensor:
    kind, sums = _wide(boxes.dtype), _wide(x.dtype)
    positions = [_positions_te(boxes, axis, x.shape[2 + axis], out, kind) for axis, out in enumerate(crop_size)]

    def element(n: Any, c: Any, i: Any, j: Any) -> te.Expr:
        at = [position(n, k) for position, k in zip(positions, (i, j), strict=True)]
        edges = zip(at, x.shape[2:], strict=True)
        inside = te.all(*(c for position, size in edges for c in (position >= 0, position <= number(size - 1, kind))))
        image = batch_indices(n)

        def pixel(h: te.Expr, w: te.Expr) -> te.Expr:
            return x(image, c, h.astype("int64"), w.astype("int64")).astype(sums)

        if method == "nearest":
            value = pixel(te.round(at[0]), te.round(at[1]))
        else:
            (top, left), (bottom, right) = map(te.floor, at), map(te.ceil, at)
            down, along = ((position - low).astype(sums) for position, low in zip(at, (top, left), strict=True))
            upper = pixel(top, left) + (pixel(top, right) - pixel(top, left)) * along
            lower = pixel(bottom, left) + (pixel(bottom, right) - pixel(bottom, left)) * along
            value = upper + (lower - upper) * down
        return te.if_then_else(inside, value, te.const(extrapolation_value, sums)).astype(x.dtype)

    return te.compute((boxes.shape[0], x.shape[1], *crop_size), element, name="crop_and_resize")


def _positions_te(boxes: te.Tensor, axis: int, size: Any, out: int, kind: str) -> te.Tensor:
    """Compute the coordinates along an axis, in the image, of the elements of each crop."""
    most = number(size - 1, kind)

    def position(n: Any, k: Any) -> te.Expr:
        low, high = boxes(n, axis).astype(kind), boxes(n, 2 + axis).astype(kind)
        if out == 1:
            return te.const(0.5, kind) * (low + high) * most
        return low * most + most * (high - low) / te.const(out - 1, kind) * k.astype(kind)

    return te.compute((boxes.shape[0], out), position, name="rows" if axis == 0 else "columns")


def _reference(
    x: np.ndarray,
    boxes: np.ndarray,
    batch_indices: np.ndarray,
    *,
    crop_size: Sequence[int],
    method: str,
    extrapolation_value: float,
) -> np.ndarray:
    image, corners = (each.astype(_wide(each.dtype.name)) for each in (x, boxes))
    result = np.full((len(boxes), x.shape[1], *crop_size), extrapolation_value, image.dtype)
    for n, (box, batch) in enumerate(zip(corners, batch_indices, strict=True)):
        rows, columns = (
            _positions(box[axis], box[2 + axis], x.shape[2 + axis], out) for axis, out in enumerate(crop_size)
        )
        for i, j in np.ndindex(*crop_size):
            if 0 <= rows[i] <= x.shape[2] - 1 and 0 <= columns[j] <= x.shape[3] - 1:
                result[n, :, i, j] = _read(image[batch], rows[i], columns[j], method)
    return result.astype(x.dtype)


def _positions(low: Any, high: Any, size: int, out: int) -> Any:
    kind = type(low)
    if out == 1:
        return [kind(0.5) * (low + high) * kind(size - 1)]
    return low * kind(size - 1) + kind(size - 1) * (high - low) / kind(out - 1) * np.arange(out, dtype=kind)


def _read(image: np.ndarray, h: Any, w: Any, method: str) -> np.ndarray:
    if method == "nearest":
        return image[:, int(np.round(h)), int(np.round(w))]
    (top, bottom), (left, right) = ((int(np.floor(p)), int(np.ceil(p))) for p in (h, w))
    along, down = image.dtype.type(w - left), image.dtype.type(h - top)
    upper, lower = (image[:, r, left] + (image[:, r, right] - image[:, r, left]) * along for r in (top, bottom))
    return upper + (lower - upper) * down


@register_operator(kind=FusionKind.OPAQUE, reference=_reference, te=_te)
class CropAndResizeOp(GraphOp):
    """
    For each box (top, left, bottom, right) of an image, whose number is in `batch_indices`, its part of the image in
    `crop_size` elements. Corners are parts of the way from the first element of the image to its last one, and the
    outer elements of the crop lie on them; one element lies in the middle. Each is the nearest element ("nearest",
    halves to the even one) or between the four around it ("linear"), and `extrapolation_value` outside of the image.

    ```mlir
    %y = graph.crop_and_resize %x, %boxes, %batch crop_size [7, 11] : tensor<5x3x7x11xf32>
    ```
    """

    name = "graph.crop_and_resize"

    x = operand_def()
    boxes = operand_def()
    batch_indices = operand_def()
    y = result_def()

    crop_size = ints_prop()
    method = string_prop("linear")
    extrapolation_value = float_prop(0.0)

    def infer_types(self) -> tuple[Tensor, ...]:
        element = Elements.FLOAT.check(element_of(self.x))
        Elements.FLOAT.check(element_of(self.boxes))
        if self.method.data not in METHODS:
            raise VerifyException(f"expected method linear or nearest, but got {self.method.data}")
        out = require_ints(self.crop_size.get_values(), 2, 1, "crop_size")
        _, channels, *sizes = require_rank(self.x, 4, "an NCHW image")
        count, four = require_rank(self.boxes, 2, "boxes")
        require_dim(four, 4, "coordinates of a box")
        require_dim(require_rank(self.batch_indices, 1, "numbers of images")[0], count, "numbers of images")
        if element_of(self.batch_indices) not in (i32, i64):
            raise VerifyException(f"expected i32 or i64 numbers of images, but got {element_of(self.batch_indices)}")
        if 0 in sizes:
            raise VerifyException(f"expected an image with elements, but got {format_shape(shape_of(self.x))}")
        return (make_type((count, channels, *out), element),)
