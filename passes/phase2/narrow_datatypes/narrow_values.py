"""The 32-bit forms of 64-bit integers, with which `narrow-datatypes` computes."""

from __future__ import annotations

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ....dialects import loop
from ....dialects.index_expr import LANE, Index
from ....ir import editor as edit


class NarrowValues:
    """Narrow forms of values, each created once, at the definition of the value."""

    def __init__(self) -> None:
        self._narrow: dict[SSAValue, SSAValue] = {}

    def set(self, value: SSAValue, narrow: SSAValue) -> None:
        """Set the narrow form of `value`."""
        edit.rename(narrow, narrow.name_hint or value.name_hint)
        self._narrow[value] = narrow

    def of(self, value: SSAValue) -> SSAValue:
        """Return the narrow integer of `value`, made at the first call."""
        if value not in self._narrow:
            self.set(value, self._make(value))
        return self._narrow[value]

    def widened(self, value: SSAValue) -> SSAValue:
        """Return the narrow integer of `value`, extended to its type."""
        narrow = self._narrow[value]
        if narrow.type == value.type:
            return narrow
        widen = arith.IndexCastOp if isinstance(_element(value.type), IndexType) else arith.ExtSIOp
        result = self._after(narrow, widen(narrow, value.type))  # pyright: ignore[reportArgumentType]
        edit.rename(result, value.name_hint)
        return result

    @staticmethod
    def type_of(type: Attribute) -> Attribute:
        """Return the narrow type that replaces `type`."""
        return VectorType(i32, type.shape, type.scalable_dims) if isinstance(type, VectorType) else i32

    @staticmethod
    def insert_before(op: Operation, *made: Operation) -> None:
        for each in made:
            each.location = op.location
        edit.insert(list(made), InsertPoint.before(op))

    def _make(self, value: SSAValue) -> SSAValue:
        match value.owner:
            case arith.ConstantOp() as op:
                return self._after(value, arith.ConstantOp(_narrow_constant(op)))
            case arith.ExtSIOp() | arith.ExtUIOp() | arith.IndexCastOp() as op if _is_narrow(op.input.type):
                return self._extended(op, value)
            case loop.ApplyOp() as op if isinstance(value.type, VectorType) and is_linear(op):
                return self._lanes(op, value.type)
            case _:
                return self._cut_off(value)

    def _extended(self, op: arith.ExtSIOp | arith.ExtUIOp | arith.IndexCastOp, value: SSAValue) -> SSAValue:
        """Return the narrow form of an extension: an extension to 32 bits, or its input."""
        if _element(op.input.type) == i32:
            return op.input
        extend = arith.ExtUIOp if isinstance(op, arith.ExtUIOp) else arith.ExtSIOp
        return self._after(value, extend(op.input, self.type_of(value.type)))  # pyright: ignore[reportArgumentType]

    def _lanes(self, op: loop.ApplyOp, type: VectorType) -> SSAValue:
        """Return an expression of the lane: its value for the first lane, and the steps from there."""
        count, step = type.get_shape()[0], op.index.coefficient(LANE)
        first = loop.ApplyOp(op.index.substitute({LANE: 0}))
        narrowed = arith.IndexCastOp(first.res, i32)
        spread = vector.BroadcastOp(narrowed.result, VectorType(i32, [count]))
        steps = [lane * step for lane in range(count)]
        lanes = arith.ConstantOp(DenseIntOrFPElementsAttr.from_list(VectorType(i32, [count]), steps))
        total = arith.AddiOp(spread.vector, lanes.result)
        self.insert_before(op, first, narrowed, spread, lanes, total)
        return total.result

    def _cut_off(self, value: SSAValue) -> SSAValue:
        narrow = arith.IndexCastOp if isinstance(_element(value.type), IndexType) else arith.TruncIOp
        return self._after(value, narrow(value, self.type_of(value.type)))  # pyright: ignore[reportArgumentType]

    @staticmethod
    def _after(value: SSAValue, made: Operation) -> SSAValue:
        """Insert an operation where `value` is defined; its result."""
        owner = value.owner
        if isinstance(owner, Operation):
            edit.insert(made, InsertPoint.after(owner), of=owner)
        else:
            edit.insert(made, InsertPoint.at_start(owner))
        return made.results[0]


def _element(type: Attribute) -> Attribute:
    return type.element_type if isinstance(type, VectorType) else type


def _is_narrow(type: Attribute) -> bool:
    element = _element(type)
    return isinstance(element, IntegerType) and element.width.data <= 32


def is_linear(op: loop.ApplyOp) -> bool:
    """Return whether the value grows from lane to lane by a small constant."""
    step = op.index.coefficient(LANE)
    return step != 0 and abs(step) < 1 << 16 and not (op.index - Index.of(LANE) * step).uses_lane


def _narrow_constant(op: arith.ConstantOp) -> IntegerAttr[IntegerType] | DenseIntOrFPElementsAttr[IntegerType]:
    if isinstance(op.value, IntegerAttr):
        return IntegerAttr(op.value.value.data, i32)
    assert isinstance(op.value, DenseIntOrFPElementsAttr) and isinstance(op.result.type, VectorType)
    numbers = [n for n in op.value.iter_values() if isinstance(n, int)]
    return DenseIntOrFPElementsAttr.from_list(VectorType(i32, op.result.type.get_shape()), numbers)
