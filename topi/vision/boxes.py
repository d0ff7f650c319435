"""Selection of boxes: valid counts and non-maximum suppression."""

from __future__ import annotations

from typing import Any

from ...te import Tensor
from ..arguments import a_number, a_tensor, an_integer, one_of, refuse
from ..declared import checked


def all_class_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_boxes_per_class: Any,
    iou_threshold: Any,
    score_threshold: Any,
    output_format: str = "onnx",
) -> list[Tensor]:
    """Return the boxes [batch, boxes, 4] that are kept for each class of the scores [batch, classes, boxes]: rows
    (batch, class, box), and how many there are. Thresholds are numbers.
    """
    one_of(output_format, ("onnx",), "format of the result")
    return list(
        checked(
            "non_max_suppression",
            a_tensor(boxes, "the boxes", 3),
            a_tensor(scores, "the scores", 3),
            max_output_boxes_per_class=an_integer(_number(max_output_boxes_per_class), "the number of boxes"),
            iou_threshold=a_number(iou_threshold, "iou_threshold"),
            score_threshold=a_number(score_threshold, "score_threshold"),
        )
    )


def get_valid_counts(
    data: Tensor, score_threshold: Any = 0, id_index: int = 0, score_index: int = 1
) -> tuple[Tensor, Tensor, Tensor]:
    """Move the valid boxes to the front, and return their count, the moved rows, and the former position of each.

    `data` is [batch, boxes, elements]. A box is valid if its score is above the threshold and its class is not
    negative; with a negative `id_index` the class does not count. Behind the valid boxes all elements are -1.
    """
    return checked(
        "valid_boxes",
        a_tensor(data, "the boxes", 3),
        score_threshold=a_number(score_threshold, "score_threshold"),
        id_index=an_integer(id_index, "the index of the class"),
        score_index=an_integer(score_index, "the index of the score"),
    )


def non_max_suppression(
    data: Tensor,
    valid_count: Tensor,
    indices: Tensor,
    max_output_size: Any = -1,
    iou_threshold: Any = 0.5,
    force_suppress: bool = False,
    top_k: int = -1,
    coord_start: int = 2,
    score_index: int = 1,
    id_index: int = 0,
    return_indices: bool = True,
    invalid_to_bottom: bool = False,
) -> Tensor | list[Tensor]:
    """Return the rows [batch, boxes, elements] in the order of their scores, without those that overlap one of the same
    class before; -1 replaces these. With `return_indices` instead the numbers in `indices` of the rows that stay, and
    their count. See `graph.suppress_boxes`.
    """
    boxes, numbers, count = checked(
        "suppress_boxes",
        a_tensor(data, "the boxes", 3),
        a_tensor(valid_count, "the counts", 1),
        a_tensor(indices, "the indices", 2),
        max_output_size=an_integer(_number(max_output_size), "the number of boxes"),
        iou_threshold=a_number(iou_threshold, "iou_threshold"),
        top_k=an_integer(top_k, "the number of boxes to look at"),
        coord_start=an_integer(coord_start, "the index of the coordinates"),
        score_index=an_integer(score_index, "the index of the score"),
        id_index=an_integer(id_index, "the index of the class"),
        force_suppress=bool(force_suppress),
        return_indices=bool(return_indices),
        invalid_to_bottom=bool(invalid_to_bottom),
    )
    return [numbers, count] if return_indices else boxes


def _number(value: Any) -> Any:
    number = getattr(value, "value", value)
    if not isinstance(number, (int, float)):
        refuse(
            "TW0447",
            f"expected a number as a limit of boxes, but got {value!r}",
            help="give it when the program is built",
        )
    return number
