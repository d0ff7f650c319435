"""Guards, the conditions of `loop.if`, `loop.test`, loads and stores: changes, and zeros for loads that they skip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop import LoadOp, enclosing
from ...ir import editor as edit

GuardedOp: TypeAlias = "loop.IfOp | loop.LoadOp | loop.StoreOp | loop.TestOp"
"""An op with `conditions`."""


def set_conditions(op: GuardedOp, conditions: Sequence[Index]) -> None:
    """Give `op` fewer conditions; without any a `loop.if` is replaced by its first region, a load loses its `else`."""
    if conditions or isinstance(op, (loop.StoreOp, loop.TestOp)):
        op.set_index_lists(guard=conditions)
    elif isinstance(op, loop.IfOp):
        keep_region(op, op.then_body.block)
    else:
        plain = loop.LoadOp(op.buffer, op.index, lanes=op.lanes)
        plain.location = op.location
        edit.change(plain).attributes = dict(op.attributes)
        edit.replace(op, plain)


def keep_region(op: loop.IfOp, block: Block | None) -> None:
    """Replace a `loop.if` by the operations of one of its regions, or by nothing."""
    if block is not None:
        edit.insert(edit.detach_all(block), InsertPoint.before(op))
    edit.erase(op)


class Zeros:
    """Constants 0 at the beginning of functions, one for each element type that is used."""

    def __init__(self) -> None:
        self._made: dict[tuple[Operation, Attribute], SSAValue] = {}

    def before(self, load: LoadOp) -> SSAValue:
        """Return a zero that `load` can give where its guard fails."""
        function = next(enclosing(load, FuncOp))
        assert isinstance(load.buffer.type, MemRefType)
        element = load.buffer.type.element_type
        if (function, element) not in self._made:
            self._made[function, element] = self._make(function, element, load)
        return self._made[function, element]

    def _make(self, function: Operation, element: Attribute, load: LoadOp) -> SSAValue:
        assert isinstance(function, FuncOp)
        signless = IntegerType(element.width.data) if isinstance(element, IntegerType) else element
        constant = arith.ConstantOp(_zero(signless))
        made: list[Operation] = [constant]
        if signless != element:  # constants are signless, elements of unsigned buffers are not
            made.append(arith.BitcastOp(constant.result, element))
        for op in made:
            op.location = load.location
            edit.rename(op.results[0], "zero")
        edit.insert(made, InsertPoint.at_start(function.body.block))
        return made[-1].results[0]


def _zero(element: Attribute) -> IntegerAttr[IntegerType | IndexType] | FloatAttr[AnyFloat]:
    if isinstance(element, (IntegerType, IndexType)):
        return IntegerAttr(0, element)
    assert isinstance(element, AnyFloat)
    return FloatAttr(0.0, element)
