"""Translation of constants, arith, math and vector: one line for each operation."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from ...diagnostics import fail
from ...dialects.loop.divisors import SAFE_DIVISOR
from ..constants import constant_value
from ..elementwise import ELEMENTWISE, implementation, scalar_implementation, scalar_text
from ..poison import may_be_poison
from ..values import is_index
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_constant(emitter: FunctionEmitter, op: arith.ConstantOp) -> None:
    value = constant_value(op.value, op.result.type, op)
    emitter.alias(op.result, str(value) if isinstance(value, int) else emitter.bind(value, "c"))


def _emit_elementwise(emitter: FunctionEmitter, op: Operation) -> None:
    operands = emitter.names(op.operands)
    scalars = not emitter.is_grid and not any(isinstance(v.type, VectorType) for v in (*op.operands, *op.results))
    text = scalar_text(op) if scalars else None
    if text is None:
        function: Any = scalar_implementation(op) if scalars else implementation(op)
        text = f"{emitter.bind(function, op.name.split('.')[1])}({', '.join(operands)})"
    if SAFE_DIVISOR in op.attributes:
        emitter.add(f"{emitter.bind(check_divisor, 'divisor')}({emitter.op(op)}, {operands[1]})")
    results = [emitter.define(r) for r in op.results]
    target = results[0] if len(results) == 1 else tuple_text(results)
    emitter.add(f"{target} = {text.format(*operands)}")
    if emitter.program.poison is not None and len(results) == 1 and may_be_poison(op):
        watch = emitter.bind(emitter.program.poison.watch(op), "poison")
        emitter.add(f"{target} = {watch}({', '.join([target, *operands])})")


def _emit_broadcast(emitter: FunctionEmitter, op: vector.BroadcastOp) -> None:
    type = op.vector.type
    assert isinstance(type, VectorType)
    function, shape = emitter.bind(np.full, "full"), tuple_text([str(n) for n in type.get_shape()])
    emitter.set(op.vector, f"{function}({shape}, {emitter.name(op.source)})")


def _emit_extract(emitter: FunctionEmitter, op: vector.ExtractOp) -> None:
    (lane,) = _lane_of(op)
    element = f"{emitter.name(op.vector)}[{lane}]"
    emitter.set(op.result, f"int({element})" if is_index(op.result.type) else element)


def _emit_insert(emitter: FunctionEmitter, op: vector.InsertOp) -> None:
    (lane,) = _lane_of(op)
    emitter.set(op.result, f"{emitter.name(op.dest)}.copy()")
    emitter.add(f"{emitter.name(op.result)}[{lane}] = {emitter.name(op.source)}")


def _lane_of(op: vector.ExtractOp | vector.InsertOp) -> tuple[int, ...]:
    """Return the lane of an element. Raises TW0720 for parts of vectors of several dimensions, and for lanes that
    vary."""
    position = op.get_mixed_position()
    lanes = tuple(lane for lane in position if isinstance(lane, int))
    if len(position) != 1 or len(lanes) != 1:
        fail("TW0720", f"expected {op.name} of one element at a constant, but got position {position}", op=op)
    return lanes


def check_divisor(op: Operation, divisor: Any) -> None:
    """Raise TW0732 where a divisor that is stated to be safe is 0, or -1 of a type with more bits than one."""
    values = np.asarray(divisor)
    is_signed = op.name.endswith("si") and values.dtype != np.bool_
    if not np.all(values) or (is_signed and np.any(values == -1)):
        fail("TW0732", f"expected a divisor that is neither 0 nor -1, but got {divisor}", op=op)


EMIT: dict[str, Emit] = {
    "arith.constant": _emit_constant,
    "vector.broadcast": _emit_broadcast,
    "vector.extract": _emit_extract,
    "vector.insert": _emit_insert,
    **dict.fromkeys(ELEMENTWISE, _emit_elementwise),
}
