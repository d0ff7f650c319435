"""
Boxes that are rows of a class, a score and four coordinates, in any order, beside a count of the rows that hold one.

Rows are moved and selected one after the other, in one thread, so the result is deterministic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i32
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import flag_prop, float_prop, int_prop
from ..dialects.graph.types import Tensor, element_of, make_type, require_dim, require_rank, tensor_type
from ..renamed import with_earlier_members
from .boxes import NO_BOX, corners_of, overlap
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind
from .sorting import argsort_on_cpu, order_of

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _counts_te(x: te.Tensor, *, score_threshold: float, id_index: int, score_index: int) -> list[te.Tensor]:
    from .nests.nest_builder import NestBuilder

    def statement(builder: Any, given: SSAValue, counts: SSAValue, boxes: SSAValue, positions: SSAValue) -> None:
        program = NestBuilder(builder)
        none, width = program.constant(NO_BOX, "int32"), program.size(given, 2)
        with program.loop(0, program.size(given, 0)) as b:
            program.store(program.constant(0, "int32"), counts, b)
            with program.loop(0, program.size(given, 1)) as j:
                program.store(none, positions, b, j)
                with program.loop(0, width) as k:
                    program.store(program.constant(NO_BOX, x.dtype), boxes, b, j, k)
                found = program.load(counts, b)
                good = program.load(given, b, j, score_index) > score_threshold
                if id_index >= 0:
                    good = good & (program.load(given, b, j, id_index) >= 0.0)
                with program.loop(0, width) as k:
                    kept = program.load(boxes, b, found, k)
                    program.store(good.choose(program.load(given, b, j, k), kept), boxes, b, found, k)
                position = good.choose(program.number(j, "int32"), program.load(positions, b, found))
                program.store(position, positions, b, found)
                program.store(good.choose(found + 1, found), counts, b)

    batch, count, _ = x.shape
    return te.extern(
        [(batch,), x.shape, (batch, count)],
        [x],
        lambda ins, outs: statement,
        name="valid_boxes",
        dtype=["int32", x.dtype, "int32"],
    )


def _counts_reference(
    x: np.ndarray, *, score_threshold: float, id_index: int, score_index: int
) -> tuple[np.ndarray, ...]:
    boxes, positions = np.full_like(x, NO_BOX), np.full(x.shape[:2], NO_BOX, np.int32)
    counts = np.zeros(len(x), np.int32)
    for b, rows in enumerate(x):
        good = rows[:, score_index] > x.dtype.type(score_threshold)
        good &= (rows[:, id_index] >= 0) if id_index >= 0 else True
        (found,) = np.nonzero(good)
        counts[b] = len(found)
        boxes[b, : len(found)], positions[b, : len(found)] = rows[found], found
    return counts, boxes, positions


@with_earlier_members
@register_operator(kind=FusionKind.OPAQUE, reference=_counts_reference, te=_counts_te)
class ValidBoxesOp(GraphOp):
    """
    The rows [batch, boxes, elements] whose score is above the threshold, and whose class is not negative where
    `id_index` is not, moved to the front: their count, the rows, and their original positions. The rest is -1.

    ```mlir
    %count, %rows, %positions = graph.valid_boxes %x score_threshold 0.5 score_index 1 :
        tensor<2xi32>, tensor<2x9x6xf32>, tensor<2x9xi32>
    ```
    """

    name = "graph.valid_boxes"

    x = operand_def()
    count = result_def()
    boxes = result_def()
    positions = result_def()

    score_threshold = float_prop(0.0)
    id_index = int_prop(0)
    score_index = int_prop(1)

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(element_of(self.x))
        batch, count, width = require_rank(self.x, 3, "boxes")
        _require_columns(width, self.score_index.value.data, max(0, self.id_index.value.data))
        return make_type((batch,), i32), tensor_type(self.x), make_type((batch, count), i32)


def _suppress_te(x: te.Tensor, valid_count: te.Tensor, indices: te.Tensor, **options: Any) -> list[te.Tensor]:
    def order_by(scores: te.Tensor) -> te.Tensor:
        return order_of(scores, 1, scores.shape[1], descending=True)

    return _suppressed(x, valid_count, indices, order_by, leaves=False, **options)


def _suppress_on_cpu(x: te.Tensor, valid_count: te.Tensor, indices: te.Tensor, **options: Any) -> list[te.Tensor]:
    def order_by(scores: te.Tensor) -> te.Tensor:
        return argsort_on_cpu(scores, axis=1, descending=True)

    return _suppressed(x, valid_count, indices, order_by, leaves=True, **options)


def _suppressed(
    x: te.Tensor,
    valid_count: te.Tensor,
    indices: te.Tensor,
    order_by: Callable[[te.Tensor], te.Tensor],
    *,
    leaves: bool,
    max_output_size: int,
    iou_threshold: float,
    top_k: int,
    coord_start: int,
    score_index: int,
    id_index: int,
    force_suppress: bool,
    return_indices: bool,
    invalid_to_bottom: bool,
) -> list[te.Tensor]:
    from .nests.nest_builder import NestBuilder
    from .nests.scored import NUMBERS, Columns, ScoredRows
    from .nests.suppression import KeptBoxes

    batch, count, _ = x.shape
    columns = Columns(coord_start, score_index, id_index)

    def statement(builder: Any, *buffers: SSAValue) -> None:
        given, counts, numbers, ordered, boxes, chosen, total, corners, going, waiting = buffers
        program = NestBuilder(builder)
        kept = KeptBoxes(program, corners, going, leaves)
        options = (columns, max_output_size, iou_threshold, force_suppress)
        rows = ScoredRows(program, given, boxes, chosen, total, kept, waiting, *options)
        with program.loop(0, program.size(given, 0)) as b:
            valid = program.load(counts, b).max(0).min(program.number(program.size(given, 1), "int32"))
            rows.clear(b)
            if iou_threshold > 0:
                with program.loop(0, valid.min(top_k) if top_k > 0 else valid) as j:
                    rows.put(b, j, program.index(program.load(ordered, b, j)))
                rows.suppress(b, valid)
            else:
                with program.loop(0, valid) as j:
                    rows.put(b, j, j)
            rows.count(b, numbers if return_indices else None)
            if invalid_to_bottom and not return_indices:
                rows.move_to_front(b)

    results = te.extern(
        [x.shape, (batch, count), (batch, 1), (NUMBERS, KeptBoxes.room_for(count)), (1,), (1,)],
        [x, valid_count, indices, order_by(_valid_scores(x, valid_count, score_index))],
        lambda ins, outs: statement,
        name="suppress_boxes",
        dtype=[x.dtype, "int32", "int32", x.dtype, "bool", "int32"],
    )
    return results[:3]


def _valid_scores(x: te.Tensor, valid_count: te.Tensor, score_index: int) -> te.Tensor:
    """Return the scores of rows, less than all others for those behind the valid ones."""
    least = te.const(float("-inf"), x.dtype)
    return te.compute(
        x.shape[:2],
        lambda b, j: te.Select(j.astype("int32") < valid_count[b], x[b, j, score_index], least),
        name="scores",
    )


def _suppress_reference(
    x: np.ndarray,
    valid_count: np.ndarray,
    indices: np.ndarray,
    *,
    max_output_size: int,
    iou_threshold: float,
    top_k: int,
    coord_start: int,
    score_index: int,
    id_index: int,
    force_suppress: bool,
    return_indices: bool,
    invalid_to_bottom: bool,
) -> tuple[np.ndarray, ...]:
    boxes, chosen = np.full_like(x, NO_BOX), np.full(x.shape[:2], NO_BOX, np.int32)
    total, kind = np.zeros((len(x), 1), np.int32), x.dtype.type
    for b, rows in enumerate(x):
        valid = min(max(int(valid_count[b]), 0), len(rows))
        order = list(range(valid))
        if iou_threshold > 0:
            score = rows[:, score_index]
            order.sort(key=lambda i: (not np.isnan(score[i]), -score[i] if score[i] == score[i] else 0, i))
            order = order[: top_k if top_k > 0 else None]
        kept: list[int] = []
        for j, row in enumerate(order):
            active = [
                e
                for e in kept
                if rows[e, score_index] > 0
                and (id_index < 0 or rows[e, id_index] >= 0)
                and (force_suppress or id_index < 0 or rows[e, id_index] == rows[row, id_index])
            ]
            corners, *others = (
                corners_of(rows[e, coord_start : coord_start + 4], False, min, max, None) for e in (row, *active)
            )
            pairs = [overlap(corners, other, min, max, kind(0)) for other in others]
            hit = any(both > 0 and shared / both >= kind(iou_threshold) for shared, both in pairs)
            full = sum(rows[e, score_index] > 0 for e in kept) == max_output_size
            if iou_threshold <= 0 or not (full or (hit and rows[row, score_index] > 0)):
                kept.append(row)
                boxes[b, j], chosen[b, j] = rows[row], row
        total[b] = len(kept)
        if return_indices:
            found = [n for n in indices[b][kept] if n >= 0]
            chosen[b], total[b] = NO_BOX, len(found)
            chosen[b, : len(found)] = found
        elif invalid_to_bottom:
            good = boxes[b][boxes[b, :, 0] >= 0]
            boxes[b], total[b] = NO_BOX, len(good)
            boxes[b, : len(good)] = good
    return boxes, chosen, total


@register_operator(kind=FusionKind.OPAQUE, reference=_suppress_reference, te=_suppress_te, te_on_cpu=_suppress_on_cpu)
class SuppressBoxesOp(GraphOp):
    """
    The first `valid_count` rows [batch, boxes, elements] in the order of their scores, without those that overlap an
    earlier row by `iou_threshold` or more (intersection over union): of the same class, unless `force_suppress` or
    there is no class (`id_index` is negative). Rows whose score is not positive neither suppress nor are suppressed. At
    most `top_k` rows are considered, where that is positive, and `max_output_size` are kept, unless it is negative. The
    other rows are -1. The further results are the index of each row in the operand, and the count of rows.

    With `return_indices` the index of a row is taken from `indices`, and indices are moved to the front; with
    `invalid_to_bottom` the rows whose first element is not negative are moved to the front. A threshold that is not
    positive keeps all.

    ```mlir
    %rows, %numbers, %count = graph.suppress_boxes %x, %valid, %indices iou_threshold 0.7 :
        tensor<2x9x6xf32>, tensor<2x9xi32>, tensor<2x1xi32>
    ```
    """

    name = "graph.suppress_boxes"

    x = operand_def()
    valid_count = operand_def()
    indices = operand_def()
    boxes = result_def()
    chosen = result_def()
    count = result_def()

    max_output_size = int_prop(-1)
    iou_threshold = float_prop(0.5)
    top_k = int_prop(-1)
    coord_start = int_prop(2)
    score_index = int_prop(1)
    id_index = int_prop(0)
    force_suppress = flag_prop()
    return_indices = flag_prop()
    invalid_to_bottom = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.FLOAT.check(element_of(self.x))
        batch, count, width = require_rank(self.x, 3, "boxes")
        start, score, kind = (each.value.data for each in (self.coord_start, self.score_index, self.id_index))
        _require_columns(width, start, start + 3, score, max(0, kind))
        require_dim(require_rank(self.valid_count, 1, "counts")[0], batch, "number of counts")
        batches, numbers = require_rank(self.indices, 2, "indices")
        require_dim(batches, batch, "batches of indices")
        require_dim(numbers, count, "number of indices")
        for operand, what in ((self.valid_count, "counts"), (self.indices, "indices")):
            if element_of(operand) != i32:
                raise VerifyException(f"expected i32 {what}, but got {element_of(operand)}")
        return tensor_type(self.x), make_type((batch, count), i32), make_type((batch, 1), i32)


def _require_columns(width: Any, *columns: int) -> None:
    if not isinstance(width, int):
        raise VerifyException(f"expected a static number of elements of a box, but got {width or '?'}")
    for column in columns:
        if not 0 <= column < width:
            raise VerifyException(f"expected a position among {width} elements of a box, but got {column}")
