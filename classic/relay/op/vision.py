"""Non-maximum suppression of boxes, and regions of interest of images."""

from __future__ import annotations

from typing import Any

from ....diagnostics.expectations import coded_names
from ..building import apply, cast_to, refuse, tensor, type_
from ..expr import Constant, Expr, Tuple
from .transform import numbers, reshape, strided_slice
from .windows import laid_out, one_each

__all__ = [
    "all_class_non_max_suppression",
    "get_valid_counts",
    "non_max_suppression",
    "roi_align",
    "roi_pool",
]


def _number(given: Any, what: str) -> float:
    """Return a number that a program states, as one or as a constant."""
    if isinstance(given, Constant):
        return given.data.numpy().item()
    if isinstance(given, Expr):
        refuse(f"expected {what} to be known while compiling, but got an expression")
    return given


def get_valid_counts(data: Any, score_threshold: Any, id_index: int = 0, score_index: int = 1) -> Tuple:
    """Return the number of rows [batch, boxes, elements] whose score is above the threshold, these rows at the front,
    and the index of each among all; -1 stands behind them."""
    threshold = float(_number(score_threshold, "the threshold"))
    found = apply(
        "valid_boxes", tensor(data), score_threshold=threshold, id_index=int(id_index), score_index=int(score_index)
    )
    return Tuple(list(found))


def non_max_suppression(
    data: Any, valid_count: Any, indices: Any, max_output_size: Any = -1, iou_threshold: Any = 0.5,
    force_suppress: bool = False, top_k: int = -1, coord_start: int = 2, score_index: int = 1, id_index: int = 0,
    return_indices: bool = True, invalid_to_bottom: bool = False,
) -> Expr:  # fmt: skip
    """Return the rows [batch, boxes, elements] in the order of their scores, without those that overlap one of the same
    class before; these are -1. With `return_indices` the indices of the kept rows, and their count."""
    boxes, chosen, count = apply(
        "suppress_boxes",
        tensor(data),
        tensor(valid_count),
        tensor(indices),
        max_output_size=int(_number(max_output_size, "the number of boxes")),
        iou_threshold=float(_number(iou_threshold, "the threshold")),
        top_k=int(top_k),
        coord_start=int(coord_start),
        score_index=int(score_index),
        id_index=int(id_index),
        force_suppress=bool(force_suppress),
        return_indices=bool(return_indices),
        invalid_to_bottom=bool(invalid_to_bottom),
    )
    return Tuple([chosen, count]) if return_indices else boxes


def all_class_non_max_suppression(
    boxes: Any, scores: Any, max_output_boxes_per_class: Any = -1, iou_threshold: Any = -1.0,
    score_threshold: Any = -1.0, output_format: str = "onnx",
) -> Tuple:  # fmt: skip
    """Return the boxes [batch, boxes, 4] that stay of each class of the scores [batch, classes, boxes]: rows (batch,
    class, box), and how many there are."""
    if output_format != "onnx":
        refuse(f"all_class_non_max_suppression: expected 'onnx' as output_format, but got {output_format!r}")
    found = apply(
        "non_max_suppression",
        tensor(boxes),
        tensor(scores),
        max_output_boxes_per_class=int(_number(max_output_boxes_per_class, "the number of boxes")),
        iou_threshold=float(_number(iou_threshold, "the threshold")),
        score_threshold=float(_number(score_threshold, "the threshold")),
    )
    return Tuple(list(found))


def _regions(rois: Any) -> tuple[Expr, Expr]:
    """Return rows (image, left, top, right, bottom) as regions and the numbers of their images."""
    rows = tensor(rois)
    count = type_(rows).concrete_shape[0]
    return (
        strided_slice(rows, [0, 1], [count, 5]),
        cast_to(reshape(strided_slice(rows, [0, 0], [count, 1]), (count,)), "int64"),
    )


def roi_align(
    data: Any, rois: Any, pooled_size: Any, spatial_scale: float, sample_ratio: int = -1, layout: str = "NCHW",
    mode: str = "avg",
) -> Expr:  # fmt: skip
    """Return samples of each region (image, left, top, right, bottom) of images, by their mean or the greatest."""
    size = tuple(one_each(pooled_size, 2, "pooled_size"))
    rest = {"spatial_scale": float(spatial_scale), "sampling_ratio": max(int(sample_ratio), 0)}
    image = laid_out(data, layout, "NCHW")
    result = apply("roi_align", image, *_regions(rois), output_size=size, mode=mode, **rest)
    return laid_out(result, "NCHW", layout)


def roi_pool(data: Any, rois: Any, pooled_size: Any, spatial_scale: float, layout: str = "NCHW") -> Expr:
    """Return the greatest pixel of each part of each region of an image."""
    size = tuple(numbers(one_each(pooled_size, 2, "pooled_size"), "sizes"))
    image = laid_out(data, layout, "NCHW")
    result = apply("roi_pool", image, *_regions(rois), output_size=size, spatial_scale=float(spatial_scale))
    return laid_out(result, "NCHW", layout)


coded_names(globals(), __all__)
