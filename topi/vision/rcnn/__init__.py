"""Regions of interest of an image, pooled or sampled to a fixed size."""

from __future__ import annotations

from typing import Any

from ....lazy import unknown_name
from ....te import Tensor
from ...arguments import a_number, a_tensor, an_integer, apply, one_of, refuse
from ...declared import checked
from ...nn.windows import one_each
from ...refusals import refused_name

__all__ = ["roi_align_nchw", "roi_align_nhwc", "roi_pool_nchw"]

MODES: dict[Any, str] = {0: "avg", 1: "max"}
"""The numbers that modes have."""


def roi_align_nchw(
    data: Tensor, rois: Tensor, pooled_size: Any, spatial_scale: float, mode: Any = "avg", sample_ratio: int = -1
) -> Tensor:
    """Return for each row of `rois` (number of the image, left, top, right, bottom) a result of `pooled_size`: means of
    samples between pixels, or the greatest part of a pixel. `sample_ratio` samples along each axis, or one a pixel
    where it is below 1. The mode is "avg" or 0, "max" or 1.
    """
    x, regions = a_tensor(data, "an NCHW image", 4), a_tensor(rois, "the regions", 2)
    kind = mode.decode() if isinstance(mode, bytes) else mode
    batch, box = _split(regions)
    return checked(
        "roi_align",
        x,
        box,
        batch,
        output_size=one_each(pooled_size, 2, "the pooled size"),
        spatial_scale=a_number(spatial_scale, "spatial_scale"),
        sampling_ratio=max(0, an_integer(sample_ratio, "sample_ratio")),
        mode=one_of(MODES.get(kind, kind), ("avg", "max"), "mode"),
    )


def roi_align_nhwc(
    data: Tensor, rois: Tensor, pooled_size: Any, spatial_scale: float, mode: Any = "avg", sample_ratio: int = -1
) -> Tensor:
    """Return `roi_align_nchw` of an NHWC image."""
    x = apply("transpose", a_tensor(data, "an NHWC image", 4), permutation=(0, 3, 1, 2))
    result = roi_align_nchw(x, rois, pooled_size, spatial_scale, mode, sample_ratio)
    return apply("transpose", result, permutation=(0, 2, 3, 1))


def roi_pool_nchw(data: Tensor, rois: Tensor, pooled_size: Any, spatial_scale: float) -> Tensor:
    """Return for each row of `rois` (number of the image, left, top, right, bottom) the greatest pixels of its
    parts."""
    x, regions = a_tensor(data, "an NCHW image", 4), a_tensor(rois, "the regions", 2)
    batch, box = _split(regions)
    return checked(
        "roi_pool",
        x,
        box,
        batch,
        output_size=one_each(pooled_size, 2, "the pooled size"),
        spatial_scale=a_number(spatial_scale, "spatial_scale"),
    )


def _split(rois: Tensor) -> tuple[Tensor, Tensor]:
    """Return the numbers of the images, and the corners."""
    if rois.shape[1] != 5:
        refuse("TW0444", f"expected rows of a number and four coordinates as regions, but got {rois.shape}")
    rows = rois.shape[0]
    number = apply("slice", rois, starts=(0, 0), sizes=(rows, 1), steps=(1, 1))
    flat = apply("reshape", number, shape=(rows,), literal=True)
    corners = apply("slice", rois, starts=(0, 1), sizes=(rows, 4), steps=(1, 1))
    return apply("cast", flat, to="int64"), corners


def __getattr__(name: str) -> Any:
    """Return the refused function of a name, which raises when it is called."""
    if (refused := refused_name("topi.vision.rcnn", name)) is not None:
        return refused
    raise unknown_name(__name__, name, __all__)
