"""Constants, arith, math and vector: one line for each operation."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from ...dialects.quotients import DEFINED
from ..constants import constant_value
from ..elementwise import ELEMENTWISE, implementation, scalar_implementation, scalar_text
from ..integers import check_divisor
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_constant(emitter: FunctionEmitter, op: arith.ConstantOp) -> None:
    value = constant_value(op.value, op.result.type, op)
    emitter.alias(op.result, str(value) if isinstance(value, int) else emitter.bind(value, "c"))


def _emit_elementwise(emitter: FunctionEmitter, op: Operation) -> None:
    operands = emitter.names(op.operands)
    if DEFINED in op.attributes:
        emitter.add(f"{emitter.bind(check_divisor, 'check')}({emitter.op(op)}, {operands[1]})")
    scalars = not emitter.is_grid and not any(isinstance(v.type, VectorType) for v in (*op.operands, *op.results))
    text = scalar_text(op) if scalars else None
    if text is None:
        function: Any = scalar_implementation(op) if scalars else implementation(op)
        text = f"{emitter.bind(function, op.name.split('.')[1])}({', '.join(operands)})"
    results = [emitter.define(r) for r in op.results]
    target = results[0] if len(results) == 1 else tuple_text(results)
    emitter.add(f"{target} = {text.format(*operands)}")


def _emit_broadcast(emitter: FunctionEmitter, op: vector.BroadcastOp) -> None:
    type = op.vector.type
    assert isinstance(type, VectorType)
    function, shape = emitter.bind(np.full, "full"), tuple_text([str(n) for n in type.get_shape()])
    emitter.set(op.vector, f"{function}({shape}, {emitter.name(op.source)})")


EMIT: dict[str, Emit] = {
    "arith.constant": _emit_constant,
    "vector.broadcast": _emit_broadcast,
    **dict.fromkeys(ELEMENTWISE, _emit_elementwise),
}
