"""
Non-maximum suppression of boxes in images.

Boxes are selected one after the other in the order of their scores, in one thread, so the result is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i64
from xdsl.irdl import operand_def, result_def

from ..dialects.graph.base import GraphOp, require_same_element
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, float_prop, int_prop
from ..dialects.graph.sizes import product_of, smaller_of
from ..dialects.graph.types import Tensor, make_type, require_dim, require_rank
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .sorting import order_of

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from ..dialects.index_expr import Index
    from .nests.suppression import Suppression


NO_BOX = -1
"""The elements of rows and the indices where there is no box."""


def corners_of(box: Sequence[Any], center: bool, low: Any, high: Any, half: Any) -> tuple[Any, Any, Any, Any]:
    """Return the least and the greatest coordinates along both axes, of corners in any order or of a centre and
    sizes."""
    a, b, c, d = box
    if center:
        return b - d * half, a - c * half, b + d * half, a + c * half
    return low(a, c), low(b, d), high(a, c), high(b, d)


def overlap(one: Sequence[Any], other: Sequence[Any], low: Any, high: Any, zero: Any) -> tuple[Any, Any]:
    """Return the area that two boxes share, and the area that they cover together."""
    sides = [high(low(one[2 + d], other[2 + d]) - high(one[d], other[d]), zero) for d in (0, 1)]
    shared = sides[0] * sides[1]
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)]
    return shared, areas[0] + areas[1] - shared


def _nms_te(boxes: te.Tensor, scores: te.Tensor, **options: Any) -> list[te.Tensor]:
    """Suppress boxes that are taken in the order of all scores."""
    order = order_of(scores, 2, scores.shape[2], descending=True)

    def next_of(suppression: Suppression, ordered: tuple[SSAValue, ...], batch: Index, kind: Index) -> Any:
        program = suppression.program
        return program.size(ordered[0], 2), lambda rank: program.load(ordered[0], batch, kind, rank)

    return _suppressed(boxes, scores, [order], [], [], next_of, leaves=False, **options)


def _nms_on_cpu(boxes: te.Tensor, scores: te.Tensor, **options: Any) -> list[te.Tensor]:
    """Suppress boxes above the threshold, taken one after the other from a heap, until there are as many as are asked
    for."""
    from .nests.heap import positions_of, words_of

    def next_of(suppression: Suppression, words: tuple[SSAValue, ...], batch: Index, kind: Index) -> Any:
        return suppression.from_heap(words, batch, kind)

    types = words_of(scores.dtype)
    shapes = [(positions_of(scores.shape[2]),)] * len(types)
    return _suppressed(boxes, scores, [], shapes, types, next_of, leaves=True, **options)


def _suppressed(
    boxes: te.Tensor,
    scores: te.Tensor,
    order: Sequence[te.Tensor],
    shapes: Sequence[Any],
    types: Sequence[str],
    next_of: Callable[[Suppression, tuple[SSAValue, ...], Index, Index], Any],
    *,
    leaves: bool,
    max_output_boxes_per_class: int,
    iou_threshold: float,
    score_threshold: float,
    center_point_box: bool,
) -> list[te.Tensor]:
    """Return the rows that are chosen and their number. `next_of` gets the buffers of `order`, or those of the given
    shapes and types."""
    from .nests.nest_builder import NestBuilder
    from .nests.suppression import COUNTERS, SIDES, KeptBoxes, Suppression

    most = _most(max_output_boxes_per_class, boxes.shape[1])
    limit = None if max_output_boxes_per_class < 0 else max_output_boxes_per_class

    def statement(builder: Any, given: SSAValue, scored: SSAValue, *others: SSAValue) -> None:
        ordered, results = others[: len(order)], others[len(order) :]
        chosen, total, counters, corners, going, *words = results
        program = NestBuilder(builder)
        kept = KeptBoxes(program, corners, going, leaves)
        thresholds = (limit, iou_threshold, score_threshold, center_point_box)
        suppression = Suppression(program, given, scored, chosen, total, counters, kept, *thresholds)
        suppression.run(lambda batch, kind: next_of(suppression, (*ordered, *words), batch, kind))

    rows = scores.shape[0] * scores.shape[1] * most
    results = te.extern(
        [(rows, 3), (1,), (COUNTERS,), (SIDES, KeptBoxes.room_for(most)), (1,), *shapes],
        [boxes, scores, *order],
        lambda ins, outs: statement,
        name="non_max_suppression",
        dtype=["int64", "int64", "int64", boxes.dtype, "bool", *types],
    )
    return results[:2]


def _most(asked: int, count: Any) -> Any:
    """Return the greatest number of boxes of a class that are chosen."""
    if asked < 0:
        return count
    return min(asked, count) if isinstance(count, int) else te.minimum(count, asked)


def _nms_reference(
    boxes: np.ndarray,
    scores: np.ndarray,
    *,
    max_output_boxes_per_class: int,
    iou_threshold: float,
    score_threshold: float,
    center_point_box: bool,
) -> tuple[np.ndarray, np.ndarray]:
    kind, count = boxes.dtype.type, boxes.shape[1]
    most = _most(max_output_boxes_per_class, count)
    rows: list[tuple[int, int, int]] = []
    for batch, label in np.ndindex(*scores.shape[:2]):
        row = scores[batch, label]
        chosen: list[int] = []
        # A NaN is the greatest, as everywhere where elements are ordered, and above no threshold.
        for box in sorted(range(count), key=lambda i: (not np.isnan(row[i]), -row[i] if row[i] == row[i] else 0, i)):
            corners = corners_of(boxes[batch, box], center_point_box, min, max, kind(0.5))
            pairs = [
                overlap(corners, corners_of(boxes[batch, k], center_point_box, min, max, kind(0.5)), min, max, kind(0))
                for k in chosen
            ]
            hit = any(both > 0 and shared / both > kind(iou_threshold) for shared, both in pairs)
            if row[box] > kind(score_threshold) and len(chosen) < most and not hit:
                chosen.append(box)
        rows += [(batch, label, box) for box in chosen]
    result = np.full((scores.shape[0] * scores.shape[1] * most, 3), -1, np.int64)
    result[: len(rows)] = np.array(rows, np.int64).reshape(-1, 3)
    return result, np.array([len(rows)], np.int64)


@register_operator(kind=FusionKind.OPAQUE, reference=_nms_reference, te=_nms_te, te_on_cpu=_nms_on_cpu)
class NonMaxSuppressionOp(GraphOp):
    """
    The boxes [batch, boxes, 4] that are kept for each class: in the order of the scores [batch, classes, boxes], those
    above the threshold that overlap no earlier kept box by more than `iou_threshold` (intersection over union). A box
    is two opposite corners (y, x, y, x), or a centre and sizes (x, y, width, height) where `center_point_box`. The rows
    of the first result are (batch, class, box) and -1 behind them; the second result counts them.

    ```mlir
    %rows, %count = graph.non_max_suppression %boxes, %scores max_output_boxes_per_class 2 iou_threshold 0.5 :
        tensor<4x3xi64>, tensor<1xi64>
    ```
    """

    name = "graph.non_max_suppression"

    boxes = operand_def()
    scores = operand_def()
    chosen = result_def()
    count = result_def()

    max_output_boxes_per_class = int_prop(-1)
    iou_threshold = float_prop(0.0)
    score_threshold = float_prop(float("-inf"))
    center_point_box = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(require_same_element(self.operands))
        batch, count, four = require_rank(self.boxes, 3, "boxes")
        batches, classes, scored = require_rank(self.scores, 3, "scores")
        require_dim(four, 4, "coordinates of a box")
        require_dim(batches, batch, "batches of scores")
        require_dim(scored, count, "number of scores")
        asked = self.max_output_boxes_per_class.value.data
        most = count if asked < 0 else smaller_of(count, asked)
        known = [str(size) for size in (batch, classes, most) if size is not None]
        rows = product_of(1, known) if len(known) == 3 else None
        return make_type((rows, 3), i64), make_type((1,), i64)
