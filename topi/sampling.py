"""Images read at places that a grid states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import te
from ..te import Tensor
from .arguments import a_tensor, apply, floats, one_of, refuse, require_size
from .declared import checked

_METHODS = {"bilinear": "linear", "nearest": "nearest", "bicubic": "cubic"}


def affine_grid(data: Tensor, target_shape: Sequence[int]) -> Tensor:
    """
    The places [n, 2, height, width] that the matrices [n, 2, 3] move the elements of an image of `target_shape` to:
    columns first, and from -1 to 1 between the centres of the outer elements, so that 0 is the place of a single one.
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
    """
    An NCHW image read at the places of a grid [n, 2, height, width], columns first, as `affine_grid` makes them: the
    nearest element or an interpolation between elements. Beyond the image lie zeros, its border or its reflection.
    """
    one_of(layout, ("NCHW",), "layout")
    mode = _METHODS[one_of(method, tuple(_METHODS), "method")]
    padding = one_of(padding_mode, ("zeros", "border", "reflection"), "padding mode")
    positions = apply("transpose", a_tensor(grid, "the grid", 4), permutation=(0, 2, 3, 1))
    image = a_tensor(data, "an NCHW image", 4)
    return checked("grid_sample", image, positions, mode=mode, padding=padding, align_corners=align_corners)
