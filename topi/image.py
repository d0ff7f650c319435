"""Images at another size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..operators.resize import COORDINATES, METHODS, ROUNDINGS
from ..te import Tensor
from ..te.shapes import as_size
from .arguments import a_tensor, apply, one_of, refuse

_LAYOUTS = {"NCHW": (2, 3), "NHWC": (1, 2)}


def resize2d(
    data: Tensor,
    size: Sequence[Any],
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "round_prefer_floor",
) -> Tensor:
    """
    An image at another height and width, by the nearest element or between neighbours ("linear").

    The modes are those of ONNX: `coordinate_transformation_mode` says where output pixels lie in the operand,
    `rounding_method` which of two neighbours is the nearest. Beyond the border lies the border.
    """
    axes = _LAYOUTS[one_of(layout, list(_LAYOUTS), "layout")]
    x = a_tensor(data, f"an {layout} image", 4)
    if len(size) != 2:
        refuse("TW0445", f"expected a height and a width, but got {list(size)}")
    sizes = [as_size(extent, "the size") for extent in size]
    return apply(
        "resize",
        x,
        axes=axes,
        sizes=sizes,
        method=one_of(method, METHODS, "method"),
        coordinates=one_of(coordinate_transformation_mode, COORDINATES, "coordinate mode"),
        rounding=one_of(rounding_method, ROUNDINGS, "rounding"),
    )
