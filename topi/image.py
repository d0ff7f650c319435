"""Resizing of images, and sampling of images at the positions of a grid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import te
from ..lazy import unknown_name
from ..operators.rearrangement import read_layout
from ..operators.resize import COORDINATES, METHODS, ROUNDINGS
from ..te import Tensor
from ..te.dtypes import dtype_info
from ..te.shapes import as_size
from .arguments import a_list, a_number, a_tensor, apply, floats, one_of, refuse, require_size
from .declared import checked
from .refusals import refused_name

__all__ = ["affine_grid", "crop_and_resize", "grid_sample", "resize1d", "resize2d", "resize3d"]

_INTERPOLATIONS = {"bilinear": "linear", "nearest": "nearest", "bicubic": "cubic"}
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def an_image_of(data: Any, rank: int, layout: str) -> tuple[Tensor, tuple[int, ...]]:
    """Return an image and the axes of its height and width; batch and channels may stand in blocks, as in NCHW1n16c."""
    spatial = "DHW"[-rank:]
    try:
        letters = [letter.name for letter in read_layout(str(layout))]
    except ValueError:
        letters = []
    whole = [letter for letter in letters if letter.isupper()]
    if sorted(whole) != sorted("NC" + spatial) or any(letter in spatial.lower() for letter in letters):
        one_of(layout, _LAYOUTS[rank], "layout")
    return a_tensor(data, f"an {layout} image", len(letters)), tuple(letters.index(letter) for letter in spatial)


def resize1d(
    data: Tensor,
    size: Sequence[Any],
    layout: str = "NCW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    **more: Any,
) -> Tensor:
    """Return a signal at another length; see `resize2d`."""
    return _resize(1, data, size, layout, method, coordinate_transformation_mode, rounding_method, more)


def resize2d(
    data: Tensor,
    size: Sequence[Any],
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    **more: Any,
) -> Tensor:
    """Return an image at another height and width, by the nearest element or between neighbours ("linear").

    The modes are those of ONNX: `coordinate_transformation_mode` says where output pixels lie in the operand,
    `rounding_method` which of two neighbours is the nearest: by default the nearer one where corners align, else the
    first. Beyond the border lies the border. `out_dtype`
    is the type of the result.
    """
    return _resize(2, data, size, layout, method, coordinate_transformation_mode, rounding_method, more)


def resize3d(
    data: Tensor,
    size: Sequence[Any],
    layout: str = "NCDHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    **more: Any,
) -> Tensor:
    """Return a volume at another size; see `resize2d`."""
    return _resize(3, data, size, layout, method, coordinate_transformation_mode, rounding_method, more)


_OF_CUBES = ("bicubic_alpha", "bicubic_exclude", "output_shape")


def _resize(
    rank: int,
    data: Tensor,
    size: Sequence[Any],
    layout: str,
    method: str,
    coordinates: str,
    rounding: str,
    more: dict[str, Any],
) -> Tensor:
    x, axes = an_image_of(data, rank, layout)
    if len(given := a_list(size, "sizes")) != rank:
        refuse("TW0445", f"expected {rank} sizes, but got {given}")
    for key in more.keys() - {"out_dtype", *_OF_CUBES}:
        refuse("TW0447", f"unknown argument {key!r} of resize{rank}d")
    sizes = [as_size(extent, "the size") for extent in given]
    result = apply(
        "resize",
        x,
        axes=axes,
        sizes=sizes,
        method=one_of("nearest" if method == "nearest_neighbor" else method, METHODS, "method"),
        coordinates=one_of(coordinates, COORDINATES, "coordinate mode"),
        rounding=_ROUNDING.get(rounding) or one_of(rounding or _usual(coordinates), ROUNDINGS, "rounding"),
    )
    wanted = more.get("out_dtype")
    return result if wanted in (None, "", x.dtype) else apply("cast", result, to=dtype_info(wanted).name)


def crop_and_resize(
    data: Tensor,
    boxes: Tensor,
    box_indices: Tensor,
    crop_size: Sequence[int],
    layout: str = "NCHW",
    method: str = "bilinear",
    extrapolation_value: float | None = None,
    out_dtype: str | None = None,
) -> Tensor:
    """Return the part of an image that each box (top, left, bottom, right) covers, at one size: bilinear or
    nearest_neighbor. Corners go from 0 to 1 over the image whose number is in `box_indices`; outside of it is
    `extrapolation_value`.
    """
    one_of(layout, ("NCHW", "NHWC"), "layout")
    image = a_tensor(data, f"an {layout} image", 4)
    if layout == "NHWC":
        image = apply("transpose", image, permutation=(0, 3, 1, 2))
    result = checked(
        "crop_and_resize",
        image,
        a_tensor(boxes, "the boxes", 2),
        a_tensor(box_indices, "the numbers of images", 1),
        crop_size=[getattr(size, "value", size) for size in a_list(crop_size, "sizes")],
        method={"bilinear": "linear", "nearest_neighbor": "nearest"}[
            one_of(method, ("bilinear", "nearest_neighbor"), "method")
        ],
        extrapolation_value=a_number(extrapolation_value or 0.0, "extrapolation_value"),
    )
    if layout == "NHWC":
        result = apply("transpose", result, permutation=(0, 2, 3, 1))
    return result if out_dtype in (None, "", result.dtype) else apply("cast", result, to=dtype_info(out_dtype).name)


_ROUNDING = {"round": "round_prefer_ceil"}


def _usual(coordinates: str) -> str:
    """Return the default rounding to the nearest element: halves up where corners align, else down."""
    return "round_prefer_ceil" if coordinates == "align_corners" else "floor"


def affine_grid(data: Tensor, target_shape: Sequence[int]) -> Tensor:
    """Return the positions [n, 2, height, width] that the matrices [n, 2, 3] move the elements of an image of
    `target_shape` to: columns first, and from -1 to 1 between the centres of the outer elements, so that 0 is the
    position of a single one.
    """
    matrix = floats(a_tensor(data, "the matrices", 3), "matrices")
    require_size(matrix.shape[1], 2, "the rows of a matrix")
    require_size(matrix.shape[2], 3, "the columns of a matrix")
    if len(target_shape) != 2:
        refuse("TW0445", f"expected a height and a width, but got {list(target_shape)}")
    height, width = target_shape

    def position(i: Any, size: int) -> te.Expr:
        if size == 1:
            return te.const(0.0, matrix.dtype)
        return i.astype(matrix.dtype) * te.const(2.0 / (size - 1), matrix.dtype) - te.const(1.0, matrix.dtype)

    def moved(n: Any, d: Any, i: Any, j: Any) -> te.Expr:
        return matrix(n, d, 0) * position(j, width) + matrix(n, d, 1) * position(i, height) + matrix(n, d, 2)

    return te.compute((matrix.shape[0], 2, height, width), moved, name="affine_grid")


def grid_sample(
    data: Tensor,
    grid: Tensor,
    method: str = "bilinear",
    layout: str = "NCHW",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Tensor:
    """Return an NCHW image read at the positions of a grid [n, 2, height, width], columns first, as `affine_grid` makes
    them: the nearest element or an interpolation between elements. Beyond the image lie zeros, its border or its
    reflection.
    """
    one_of(layout, ("NCHW",), "layout")
    mode = _INTERPOLATIONS[one_of(method, tuple(_INTERPOLATIONS), "method")]
    padding = one_of(padding_mode, ("zeros", "border", "reflection"), "padding mode")
    positions = apply("transpose", a_tensor(grid, "the grid", 4), permutation=(0, 2, 3, 1))
    image = a_tensor(data, "an NCHW image", 4)
    return checked("grid_sample", image, positions, mode=mode, padding=padding, align_corners=align_corners)


def __getattr__(name: str) -> Any:
    """Return the refused function of a name, which raises when it is called."""
    if (refused := refused_name("topi.image", name)) is not None:
        return refused
    raise unknown_name(__name__, name, __all__)
