"""Bitcasts: the bits of elements as elements of another type of the same width."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..dialects.dtypes import dtype_name, element_type, numpy_dtype
from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.properties import type_prop
from ..dialects.graph.types import Tensor, element_of, make_type, shape_of
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _bitcast_te(x: te.Tensor, *, to: str) -> te.Tensor:
    """Reinterpret bits. Integers are converted, which keeps their bits; between integers and floats an operation does
    it."""
    if "int" in x.dtype and "int" in to:
        return te.compute(x.shape, lambda *i: x(*i).astype(to), name="bitcast")
    if x.dtype == to:
        return te.compute(x.shape, lambda *i: x(*i), name="bitcast")

    def statement(builder: Any, source: SSAValue, target: SSAValue) -> None:
        from .nests.updates import Nest

        Nest(builder, x.dtype, "none").bitcast(source, target, element_type(to))

    return te.extern(x.shape, [x], lambda ins, outs: statement, name="bitcast", dtype=to)


def _bitcast_reference(x: np.ndarray, *, to: str) -> np.ndarray:
    return np.ascontiguousarray(x).view(numpy_dtype(to)).reshape(x.shape)


@register_operator(kind=FusionKind.OPAQUE, reference=_bitcast_reference, te=_bitcast_te)
class BitcastOp(GraphOp):
    """
    The same bits as elements of another type of as many bits.

    ```mlir
    %y = graph.bitcast %x to i32 : tensor<4xi32>
    ```
    """

    name = "graph.bitcast"

    x = operand_def()
    y = result_def()

    to = type_prop()

    def infer_types(self) -> tuple[Tensor, ...]:
        types: Sequence[Any] = [Elements.NUMBER.check(type_) for type_ in (element_of(self.x), self.to)]
        widths = [numpy_dtype(dtype_name(type_)).itemsize * 8 for type_ in types]
        if widths[0] != widths[1]:
            raise VerifyException(f"expected a type of {widths[0]} bits, but got {self.to}")
        return (make_type(shape_of(self.x), self.to),)
