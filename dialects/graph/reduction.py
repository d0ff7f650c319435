"""Reductions over axes: one family, each op a line of a table."""

from __future__ import annotations

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from .base import operations_in
from .elementwise import Elements, UnaryOp
from .properties import flag_prop, ints_prop
from .types import Tensor, element_of, make_type, normalize_axes, shape_of


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

OPERATIONS = operations_in(globals())
