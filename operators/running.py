"""Sums that run along an axis."""

from __future__ import annotations

from typing import Any, ClassVar

from ..dialects.graph.families import Elements, UnaryOp
from ..dialects.graph.properties import flag_prop, int_prop
from ..dialects.graph.types import Tensor, normalize_axis, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind


def _cumsum_te(x: te.Tensor, *, sums: str, axis: int, exclusive: bool = False, reverse: bool = False) -> te.Tensor:
    """
    A recurrence that starts from zero, so that an axis without elements has a first step too: step t is the sum of the
    first t elements.
    """
    axis %= x.ndim
    count = x.shape[axis]
    others = (*x.shape[:axis], *x.shape[axis + 1 :])

    def added(t: Any, *index: Any) -> te.Expr:
        place = count - t if reverse else t - 1
        return state(t - 1, *index) + x(*index[:axis], place, *index[axis:]).astype(sums)

    state = te.placeholder((count + 1, *others), sums, "running")
    zero = te.compute((1, *others), lambda *i: te.const(0, sums), name="zero")
    totals = te.scan(zero, te.compute((count + 1, *others), added, name="added"), state, name="running_sum")

    def element(*index: Any) -> te.Expr:
        before = count - 1 - index[axis] if reverse else index[axis]
        return totals(before if exclusive else before + 1, *index[:axis], *index[axis + 1 :])

    return te.compute(x.shape, element, name="cumsum")


def _cumsum_reference(x: np.ndarray, *, axis: int, exclusive: bool = False, reverse: bool = False) -> np.ndarray:
    forward = np.flip(x, axis) if reverse else x
    total = np.cumsum(forward, axis=axis, dtype=x.dtype)
    result = total - forward if exclusive else total
    return np.flip(result, axis) if reverse else result


@register_operator(kind=FusionKind.OPAQUE, reference=_cumsum_reference, te=_cumsum_te, accumulator=WIDE)
class CumsumOp(UnaryOp):
    """
    The sum of the elements up to each one along an axis, itself left out if `exclusive`, from the end if `reverse`.

    ```mlir
    %y = graph.cumsum %x axis 1 exclusive : tensor<2x8xf32>
    ```
    """

    name = "graph.cumsum"
    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    axis = int_prop()
    exclusive = flag_prop()
    reverse = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        normalize_axis(self.axis.value.data, len(shape_of(self.x)))
        return super().infer_types()
