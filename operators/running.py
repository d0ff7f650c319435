"""Cumulative sums and products along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..dialects.graph.families import Elements, UnaryOp
from ..dialects.graph.properties import flag_prop, int_prop
from ..dialects.graph.types import Tensor, normalize_axis, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import WIDE, FusionKind


def _running_te(name: str, first: int, combine: Callable[[te.Expr, te.Expr], te.Expr]) -> Callable[..., te.Tensor]:
    """Return a recurrence that starts from the combiner's identity, so that an axis without elements has a first step
    too: step t combines the first t elements.
    """

    def body(x: te.Tensor, *, sums: str, axis: int, exclusive: bool = False, reverse: bool = False) -> te.Tensor:
        axis %= x.ndim
        count = x.shape[axis]
        others = (*x.shape[:axis], *x.shape[axis + 1 :])

        def combined(t: Any, *index: Any) -> te.Expr:
            position = count - t if reverse else t - 1
            return combine(state(t - 1, *index), x(*index[:axis], position, *index[axis:]).astype(sums))

        state = te.placeholder((count + 1, *others), sums, "running")
        start = te.compute((1, *others), lambda *i: te.const(first, sums), name="start")
        totals = te.scan(
            start, te.compute((count + 1, *others), combined, name="combined"), state, name="running_total"
        )

        def element(*index: Any) -> te.Expr:
            before = count - 1 - index[axis] if reverse else index[axis]
            return totals(before if exclusive else before + 1, *index[:axis], *index[axis + 1 :])

        return te.compute(x.shape, element, name=name)

    return body


def _running_reference(function: str, first: int) -> Callable[..., np.ndarray]:
    def reference(x: np.ndarray, *, axis: int, exclusive: bool = False, reverse: bool = False) -> np.ndarray:
        forward = np.flip(x, axis) if reverse else x
        total = getattr(np, function)(forward, axis=axis, dtype=x.dtype)
        if exclusive:
            total = np.roll(total, 1, axis)
            total[(slice(None),) * (axis % x.ndim) + (slice(0, 1),)] = first
        return np.flip(total, axis) if reverse else total

    return reference


class _RunningOp(UnaryOp):
    """Elements combined along an axis, each step a result."""

    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    axis = int_prop()
    exclusive = flag_prop()
    reverse = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        normalize_axis(self.axis.value.data, len(shape_of(self.x)))
        return super().infer_types()


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=_running_reference("cumsum", 0),
    te=_running_te("cumsum", 0, lambda a, b: a + b),
    accumulator=WIDE,
)
class CumsumOp(_RunningOp):
    """
    The sum of the elements up to each one along an axis, itself left out if `exclusive`, from the end if `reverse`.

    ```mlir
    %y = graph.cumsum %x axis 1 exclusive : tensor<2x8xf32>
    ```
    """

    name = "graph.cumsum"


@register_operator(
    kind=FusionKind.OPAQUE,
    reference=_running_reference("cumprod", 1),
    te=_running_te("cumprod", 1, lambda a, b: a * b),
    accumulator=WIDE,
)
class CumprodOp(_RunningOp):
    """
    The product of the elements up to each one along an axis, itself left out if `exclusive`, from the end if `reverse`.

    ```mlir
    %y = graph.cumprod %x axis 1 exclusive : tensor<2x8xf32>
    ```
    """

    name = "graph.cumprod"
