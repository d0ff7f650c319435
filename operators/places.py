"""The places of the elements of a vector that are not 0, in order: one behind another, written by one thread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import i64
from xdsl.irdl import operand_def, result_def

from ..dialects.graph.base import GraphOp
from ..dialects.graph.families import Elements
from ..dialects.graph.types import Tensor, element_of, make_type, require_rank
from .declaration import register_operator
from .deferred import np, te
from .record import FusionKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


def _nonzero_te(x: te.Tensor) -> tuple[te.Tensor, ...]:
    from .nests.program import Program

    zero = te.const(0, x.dtype) if x.dtype != "bool" else te.const(False, "bool")
    marks = te.compute(x.shape, lambda i: (x[i] != zero).astype("int64"), name="marks")

    def statement(builder: Any, marked: SSAValue, places: SSAValue, total: SSAValue) -> None:
        program = Program(builder)
        nothing = program.constant(0, "int64")
        program.store(nothing, total, 0)
        with program.loop(0, program.size(places, 0)) as i:
            program.store(nothing, places, i)
        with program.loop(0, program.size(marked, 0)) as i:
            found, mark = program.load(total, 0), program.load(marked, i)
            program.store((mark > 0).choose(program.number(i, "int64"), nothing), places, found)
            program.store(found + mark, total, 0)

    shapes = [tuple(x.shape), (1,)]
    places, count = te.extern(shapes, [marks], lambda ins, outs: statement, name="nonzero", dtype=["int64", "int64"])
    return places, count


def _nonzero_reference(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    places = np.zeros(len(x), np.int64)
    (found,) = np.nonzero(x)
    places[: len(found)] = found
    return places, np.array([len(found)], np.int64)


@register_operator(kind=FusionKind.OPAQUE, reference=_nonzero_reference, te=_nonzero_te)
class NonzeroOp(GraphOp):
    """
    The places of the elements of a vector that are not 0, or are true, in order, and zeros behind them; and how many
    there are.

    ```mlir
    %places, %count = graph.nonzero %x : tensor<7xi64>, tensor<1xi64>
    ```
    """

    name = "graph.nonzero"

    x = operand_def()
    places = result_def()
    count = result_def()

    def infer_types(self) -> tuple[Tensor, ...]:
        Elements.ANY.check(element_of(self.x))
        (size,) = require_rank(self.x, 1, "a vector")
        return make_type((size,), i64), make_type((1,), i64)
