"""Reductions over axes, a family whose ops are lines of a table; places of extremes, and running sums."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import i64
from xdsl.irdl import irdl_op_definition
from xdsl.utils.exceptions import VerifyException

from .base import operations_in
from .elementwise import Elements, UnaryOp
from .properties import flag_prop, int_prop, ints_prop
from .types import Tensor, element_of, make_type, normalize_axes, normalize_axis, shape_of


class ReduceOp(UnaryOp):
    """Combines all elements along `axes`; `keepdims` leaves them as dimensions of size 1."""

    axes = ints_prop()
    keepdims = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        element = self.ELEMENTS.check(element_of(self.x))
        shape = shape_of(self.x)
        axes = normalize_axes(self.axes.get_values(), len(shape))
        kept = [1 if axis in axes else dim for axis, dim in enumerate(shape)]
        if self.keepdims is None:
            kept = [dim for axis, dim in enumerate(shape) if axis not in axes]
        return (make_type(kept, element),)


def _op(kind: str, meaning: str, elements: Elements) -> type[ReduceOp]:
    example = f"%y = graph.reduce_{kind} %x axes [2, 3] keepdims : tensor<1x8x1x1xf32>"
    members = {
        "name": f"graph.reduce_{kind}",
        "ELEMENTS": elements,
        "__annotations__": {"ELEMENTS": ClassVar[Elements]},
        "__doc__": f"{meaning} along axes.\n\n```mlir\n{example}\n```\n",
        "__module__": __name__,
    }
    return irdl_op_definition(type(f"Reduce{kind.capitalize()}Op", (ReduceOp,), members))


ReduceSumOp = _op("sum", "The sum", Elements.NUMBER)
ReduceMeanOp = _op("mean", "The mean", Elements.FLOAT)
ReduceMaxOp = _op("max", "The greatest element", Elements.NUMBER)
ReduceMinOp = _op("min", "The least element", Elements.NUMBER)
ReduceProdOp = _op("prod", "The product", Elements.NUMBER)


class _ArgOp(UnaryOp):
    """The place of one element along an axis."""

    ELEMENTS: ClassVar[Elements] = Elements.NUMBER

    axis = int_prop()
    keepdims = flag_prop()
    last = flag_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        self.ELEMENTS.check(element_of(self.x))
        shape = shape_of(self.x)
        axis = normalize_axis(self.axis.value.data, len(shape))
        if shape[axis] == 0:
            raise VerifyException(f"expected elements along axis {axis}, but there are none")
        middle = () if self.keepdims is None else (1,)
        return (make_type((*shape[:axis], *middle, *shape[axis + 1 :]), i64),)


@irdl_op_definition
class ArgmaxOp(_ArgOp):
    """
    The place of the greatest element along an axis: of equals the first, with `last` the last; a NaN is the greatest.

    ```mlir
    %y = graph.argmax %x axis 1 keepdims : tensor<2x1xi64>
    ```
    """

    name = "graph.argmax"


@irdl_op_definition
class ArgminOp(_ArgOp):
    """
    The place of the least element along an axis: of equals the first, with `last` the last; a NaN is the least.

    ```mlir
    %y = graph.argmin %x axis 1 last : tensor<2xi64>
    ```
    """

    name = "graph.argmin"


@irdl_op_definition
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


OPERATIONS = operations_in(globals())
