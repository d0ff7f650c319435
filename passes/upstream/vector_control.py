"""Loops and conditions that pass vectors on, as such that write buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from .control import emitter
from .region_values import RegionValues
from .vector_values import Elements, VectorValues, store, vector_type


class VectorControl(RegionValues[Elements]):
    """Takes vectors out of what loops carry and conditions give."""

    what = "vectors"

    def __init__(self, values: VectorValues, body: Callable[[Block], None]) -> None:
        super().__init__(body)
        self.values = values

    def is_held(self, type: Attribute) -> bool:
        return isinstance(type, VectorType)

    def begin(self, op: Operation, position: int, init: SSAValue) -> Elements:
        made = self.room(op, position)
        store(made, op, self.values.of(init, op).read)
        return made

    def room(self, op: Operation, position: int) -> Elements:
        result = op.results[position]
        return self.values.allocate(vector_type(result, op), emitter(InsertPoint.before(op), op), result.name_hint)

    def note(self, value: SSAValue, held: Elements) -> None:
        self.values.elements[value] = held

    def write(self, last: Operation, targets: Mapping[int, Elements]) -> None:
        buffers = {each.buffer for each in targets.values()}
        sources: dict[int, Elements] = {}
        for k, target in targets.items():
            source = self.values.keep(last.operands[k], last)
            if source.buffer in buffers and source.buffer is not target.buffer:
                source = self.values.fill(source.type, last, source.read)
            sources[k] = source
        for k, target in targets.items():
            if sources[k].buffer is not target.buffer:
                store(target, last, sources[k].read)
