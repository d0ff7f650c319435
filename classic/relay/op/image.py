"""Resizing of images, and sampling of images at positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....diagnostics.expectations import coded_names
from ....dialects.dtypes import numpy_dtype
from ....te.dtypes import dtype_info
from ..building import apply, cast_to, permuted, refuse, static, tensor, type_
from ..expr import Expr, const
from .transform import numbers
from .windows import laid_out

__all__ = ["affine_grid", "crop_and_resize", "grid_sample", "resize1d", "resize2d", "resize3d"]

_METHODS = {
    "bilinear": "linear", "linear": "linear", "nearest": "nearest", "nearest_neighbor": "nearest",
    "trilinear": "linear",
}  # fmt: skip


def resize1d(
    data: Any, size: Any, roi: Any = None, layout: str = "NCW", method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel", rounding_method: str = "", cubic_alpha: float = -0.5,
    cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: str | None = None,
) -> Expr:  # fmt: skip
    """Return a signal at another length; see `resize2d`."""
    return resized(data, size, layout, method, coordinate_transformation_mode, rounding_method, out_dtype)


def resize2d(
    data: Any, size: Any, roi: Any = None, layout: str = "NCHW", method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel", rounding_method: str = "", cubic_alpha: float = -0.5,
    cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: str | None = None,
) -> Expr:  # fmt: skip
    """Return an image at another height and width, by the nearest element or between neighbours.

    `coordinate_transformation_mode` maps output pixels to positions in the operand, `rounding_method` selects the
    nearest of two neighbours: by default the nearer one where corners align, else the first.
    """
    return resized(data, size, layout, method, coordinate_transformation_mode, rounding_method, out_dtype)


def resize3d(
    data: Any, size: Any, roi: Any = None, layout: str = "NCDHW", method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel", rounding_method: str = "", cubic_alpha: float = -0.5,
    cubic_exclude: int = 0, extrapolation_value: float = 0.0, out_dtype: str | None = None,
) -> Expr:  # fmt: skip
    """Return a volume at another size; see `resize2d`."""
    return resized(data, size, layout, method, coordinate_transformation_mode, rounding_method, out_dtype)


def resized(
    data: Any, size: Any, layout: str, method: str, coordinates: str, rounding: str = "", out_dtype: str | None = None
) -> Expr:
    """Return an image with other sizes along the axes of its height, width and depth."""
    if method not in _METHODS:
        refuse(
            f"resize: expected one of {', '.join(_METHODS)} as method, but got {method!r}",
            help="import a model with a Resize node from ONNX, which has cubic interpolation",
        )
    x = tensor(data)
    axes = [k for k, letter in enumerate(layout) if letter in "DHW"]
    sizes = [size] if isinstance(size, int) else numbers(size, "sizes")
    sizes = sizes * len(axes) if len(sizes) == 1 else sizes
    result = apply(
        "resize",
        x,
        axes=tuple(axes),
        sizes=tuple(sizes),
        method=_METHODS[method],
        coordinates=coordinates,
        rounding=_rounding(rounding, coordinates),
    )
    return cast_to(result, dtype_info(out_dtype).name) if out_dtype else result


def _rounding(given: str, coordinates: str) -> str:
    if given == "round" or (not given and coordinates == "align_corners"):
        return "round_prefer_ceil"
    return given or "floor"


def crop_and_resize(
    data: Any, boxes: Any, box_indices: Any, crop_size: Sequence[int], layout: str, method: str = "bilinear",
    extrapolation_value: float = 0.0, out_dtype: str | None = None,
) -> Expr:  # fmt: skip
    """Return the part of an image in each box (top, left, bottom, right), in `crop_size` elements."""
    rest = {"crop_size": tuple(numbers(crop_size, "sizes")), "extrapolation_value": float(extrapolation_value)}
    if method not in ("bilinear", "nearest_neighbor"):
        refuse(f"crop_and_resize: expected 'bilinear' or 'nearest_neighbor' as method, but got {method!r}")
    image = laid_out(data, layout, "NCHW")
    result = apply("crop_and_resize", image, tensor(boxes), tensor(box_indices), method=_METHODS[method], **rest)
    moved = laid_out(result, "NCHW", layout)
    return cast_to(moved, dtype_info(out_dtype).name) if out_dtype else moved


def affine_grid(data: Any, target_shape: Sequence[int]) -> Expr:
    """Return the positions [n, 2, height, width] that matrices [n, 2, 3] move the elements of an image to, columns
    first."""
    matrix, (height, width) = tensor(data), numbers(target_shape, "a height and a width")
    lines = [np.linspace(-1, 1, size) if size > 1 else np.zeros(1) for size in (height, width)]
    rows, columns = np.meshgrid(*lines, indexing="ij")
    positions = np.stack([columns.ravel(), rows.ravel(), np.ones(height * width)])
    batch = static(type_(matrix).shape[0], "the number of matrices")
    moved = apply("matmul", matrix, const(positions.astype(numpy_dtype(type_(matrix).dtype))))
    return apply("reshape", moved, shape=(batch, 2, height, width))


def grid_sample(
    data: Any, grid: Any, method: str = "bilinear", layout: str = "NCHW", padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Expr:  # fmt: skip
    """Return an image read at the positions of a grid [n, 2, height, width], columns first, as `affine_grid` makes
    them."""
    mode = {**_METHODS, "bicubic": "cubic"}.get(method, method)
    positions = permuted(tensor(grid), (0, 2, 3, 1))
    image = laid_out(data, layout, "NCHW")
    return apply("grid_sample", image, positions, mode=mode, padding=padding_mode, align_corners=bool(align_corners))


coded_names(globals(), __all__)
