"""Resampling along an axis: weighted sums of a few elements, whose positions and weights are tensors."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import i32, i64
from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements, require_constants_inside
from ..dialects.graph.properties import int_prop
from ..dialects.graph.types import Tensor, element_of, format_shape, make_type, normalize_axis, require_rank, shape_of
from ..renamed import with_earlier_members
from .declaration import register_operator
from .deferred import np, te
from .indexing import chosen_array
from .record import WIDE, FusionKind


def _resample_te(x: te.Tensor, positions: te.Tensor, weights: te.Tensor, *, axis: int, sums: str) -> te.Tensor:
    axis %= x.ndim
    size, (out, taps) = x.shape[axis], positions.shape
    k = te.reduce_axis((0, taps), "k")

    def element(*index: Any) -> te.Expr:
        position = te.maximum(te.minimum(positions(index[axis], k), size - 1), 0)
        value = x(*index[:axis], position, *index[axis + 1 :]).astype(sums)
        return te.sum(value * weights(index[axis], k).astype(sums), axis=k)

    return te.compute((*x.shape[:axis], out, *x.shape[axis + 1 :]), element, name="resample")


def _resample_reference(x: np.ndarray, positions: np.ndarray, weights: np.ndarray, *, axis: int) -> np.ndarray:
    axis %= x.ndim
    taken = np.take(x, chosen_array(positions, x.shape[axis], "clip"), axis=axis).astype(np.float64)
    wide = weights.astype(np.float64).reshape((1,) * axis + weights.shape + (1,) * (x.ndim - axis - 1))
    return (taken * wide).sum(axis + 1).astype(x.dtype)


@with_earlier_members
@register_operator(kind=FusionKind.OUT_ELEMENTWISE, reference=_resample_reference, te=_resample_te, accumulator=WIDE)
class ResampleOp(GraphOp):
    """
    The operand with other elements along an axis: each is the sum of a few of the operand's, at the positions and with
    the weights of a row. A position beyond the end of the axis means the element at that end.

    ```mlir
    %y = graph.resample %x, %positions, %weights axis 2 : tensor<1x3x20x16xf32>
    ```
    """

    name = "graph.resample"

    x = operand_def()
    positions = operand_def()
    weights = operand_def()
    y = result_def()

    axis = int_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element, shape = Elements.FLOAT.check(element_of(self.x)), shape_of(self.x)
        Elements.FLOAT.check(element_of(self.weights))
        axis = normalize_axis(self.axis.value.data, len(shape))
        out, _ = require_rank(self.positions, 2, "positions")
        if shape_of(self.weights) != shape_of(self.positions):
            wanted, found = format_shape(shape_of(self.positions)), format_shape(shape_of(self.weights))
            raise VerifyException(f"expected weights of shape {wanted}, but got {found}")
        if element_of(self.positions) not in (i32, i64):
            raise VerifyException(f"expected positions of i32 or i64, but got {element_of(self.positions)}")
        require_constants_inside(self.positions, shape[axis])
        return (make_type((*shape[:axis], out, *shape[axis + 1 :]), element),)
