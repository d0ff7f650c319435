"""Translation of calls of foreign functions."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, SSAValue

from ...analysis.positions import first_element
from ...dialects.loop import CallExternOp, ViewOp
from ...dialects.loop.swizzles import SwizzleAttr, swizzle_of
from ..foreign import ForeignCall
from ..swizzles import in_order, put_back
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_call_extern(emitter: FunctionEmitter, op: CallExternOp) -> None:
    permuted = {v: swizzle for v in op.buffers if (swizzle := _swizzle_of_memory(v)) is not None}
    taken = {v: _take_in_order(emitter, v, swizzle) for v, swizzle in permuted.items()}
    buffers = tuple_text([taken.get(v) or emitter.name(v) for v in op.buffers])
    values, indices = tuple_text(emitter.names(list(op.values))), emitter.indices(op.index_list("indices"))
    call = f"{emitter.bind(ForeignCall(op), 'foreign')}({buffers}, {indices}, {values})"
    if op.res:
        emitter.set(op.res[0], call)
    else:
        emitter.add(call)
    for buffer in dict.fromkeys(a.buffer for _, a in op.accesses if a.writes and a.buffer in permuted):
        back, swizzle = emitter.bind(put_back, "back"), emitter.bind(permuted[buffer], "swizzle")
        emitter.add(f"{back}({swizzle}, {emitter.lines_of(buffer)}, {taken[buffer]}, {first_element(buffer) or 0})")


def _swizzle_of_memory(buffer: SSAValue) -> SwizzleAttr | None:
    """Return the permutation of the pieces of a buffer's memory; None without one."""
    while isinstance(buffer.owner, ViewOp):
        buffer = buffer.owner.buffer
    return None if isinstance(buffer.owner, Block) else swizzle_of(buffer.owner)


def _take_in_order(emitter: FunctionEmitter, buffer: SSAValue, swizzle: SwizzleAttr) -> str:
    """Emit a copy of a buffer with its elements in order, as instructions that permute see them, and return its
    variable."""
    assert isinstance(buffer.type, MemRefType)
    name, shape = emitter.fresh("in_order"), tuple_text([str(n) for n in buffer.type.get_shape()])
    take, permutation = emitter.bind(in_order, "take"), emitter.bind(swizzle, "swizzle")
    emitter.add(f"{name} = {take}({permutation}, {emitter.lines_of(buffer)}, {shape}, {first_element(buffer) or 0})")
    return name


EMIT: dict[str, Emit] = {"loop.call_extern": _emit_call_extern}
