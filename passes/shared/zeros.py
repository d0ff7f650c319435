"""Zero constants, which loads return if their guards fail."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, MemRefType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.loop import LoadOp, enclosing
from ...ir import editor as edit


class Zeros:
    """A zero of each element type at the head of each function that wants one."""

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
