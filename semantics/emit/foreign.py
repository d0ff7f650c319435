"""Calls of foreign functions."""

from __future__ import annotations

from ...dialects.loop import CallExternOp
from ..foreign import ForeignCall
from .function import Emit, FunctionEmitter
from .text import tuple_text


def _emit_call_extern(emitter: FunctionEmitter, op: CallExternOp) -> None:
    buffers, values = (tuple_text(emitter.names(list(v))) for v in (op.buffers, op.values))
    indices = emitter.indices(op.index_list("indices"))
    call = f"{emitter.bind(ForeignCall(op), 'foreign')}({buffers}, {indices}, {values})"
    if op.res:
        emitter.set(op.res[0], call)
    else:
        emitter.add(call)


EMIT: dict[str, Emit] = {"loop.call_extern": _emit_call_extern}
