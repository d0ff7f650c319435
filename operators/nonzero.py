"""The positions of the nonzero elements of a vector, in order, written by one thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i64
from xdsl.irdl import operand_def, result_def

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.types import Tensor, element_of, make_type, require_rank
from ..renamed import with_earlier_members
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from ..dialects.index_expr import Index
    from .nests.nest_builder import Scalar


def _nonzero_te(x: te.Tensor) -> tuple[te.Tensor, ...]:
    from .nests.nest_builder import NestBuilder

    def statement(builder: Any, given: SSAValue, positions: SSAValue, total: SSAValue) -> None:
        """Write each position behind those found so far; it only counts where the element is not 0."""
        program = NestBuilder(builder)
        nothing, one = program.constant(0, "int64"), program.constant(1, "int64")
        zero, size = program.constant(0, x.dtype), program.size(given, 0)

        def step(i: Index, found: list[Scalar]) -> list[Scalar]:
            position = program.number(i, "int64")
            program.store(position, positions, found[0].min(position))
            return [found[0] + program.load(given, i).differs(zero).choose(one, nothing)]

        (found,) = program.fold(0, size, [nothing], step)
        program.store(found, total, 0)
        with program.loop(found, size) as i:
            program.store(nothing, positions, i)

    shapes = [tuple(x.shape), (1,)]
    positions, count = te.extern(shapes, [x], lambda ins, outs: statement, name="nonzero", dtype=["int64", "int64"])
    return positions, count


def _nonzero_reference(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    positions = np.zeros(len(x), np.int64)
    (found,) = np.nonzero(x)
    positions[: len(found)] = found
    return positions, np.array([len(found)], np.int64)


@with_earlier_members
@register_operator(kind=FusionKind.OPAQUE, reference=_nonzero_reference, te=_nonzero_te)
class NonzeroOp(GraphOp):
    """
    The positions of the elements of a vector that are not 0, or are true, in order, with zeros after them; and the
    number of these elements.

    ```mlir
    %positions, %count = graph.nonzero %x : tensor<7xi64>, tensor<1xi64>
    ```
    """

    name = "graph.nonzero"

    x = operand_def()
    positions = result_def()
    count = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.ANY.check(element_of(self.x))
        (size,) = require_rank(self.x, 1, "a vector")
        return make_type((size,), i64), make_type((1,), i64)
