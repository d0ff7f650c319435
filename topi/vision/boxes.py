"""Boxes that stay of many."""

from __future__ import annotations

from typing import Any

from ...te import Tensor
from ..arguments import a_tensor, an_integer, one_of, refuse
from ..declared import checked


def all_class_non_max_suppression(
    boxes: Tensor,
    scores: Tensor,
    max_output_boxes_per_class: Any,
    iou_threshold: Any,
    score_threshold: Any,
    output_format: str = "onnx",
) -> list[Tensor]:
    """
    The boxes [batch, boxes, 4] that stay of each class of the scores [batch, classes, boxes]: rows (batch, class, box),
    and how many there are. Thresholds are numbers.
    """
    one_of(output_format, ("onnx",), "format of the result")
    numbers = [_number(each) for each in (iou_threshold, score_threshold)]
    return list(
        checked(
            "non_max_suppression",
            a_tensor(boxes, "the boxes", 3),
            a_tensor(scores, "the scores", 3),
            max_output_boxes_per_class=an_integer(_number(max_output_boxes_per_class), "the number of boxes"),
            iou_threshold=float(numbers[0]),
            score_threshold=float(numbers[1]),
        )
    )


def _number(value: Any) -> Any:
    own = getattr(value, "value", value)
    if not isinstance(own, (int, float)):
        refuse(
            "TW0447",
            f"expected a number as a limit of boxes, but got {value!r}",
            help="give it when the program is built",
        )
    return own
