"""Prefetches, by LLVM's intrinsic: reads of the data cache that never fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import MemRefType

from ....dialects.loop import PrefetchOp
from .buffers import Buffer, address, plan_access

if TYPE_CHECKING:
    from .function import FunctionEmitter

_READ, _DATA = 0, 1
_LOCALITY = {1: 3, 2: 2}
"""The intrinsic's number for each cache."""


def prepare_prefetch(op: PrefetchOp) -> Callable[[FunctionEmitter], None]:
    type = op.buffer.type
    assert isinstance(type, MemRefType)
    plan = plan_access(type, op.index, None)

    def run(emitter: FunctionEmitter) -> None:
        buffer = emitter.buffer(op.buffer)
        assert isinstance(buffer, Buffer), "the verifier keeps registers out"
        pointer = address(emitter.writer, emitter.addressable(op, buffer), plan.first)
        emitter.module.declare("void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        locality = _LOCALITY[op.cache]
        emitter.code.line(f"call void @llvm.prefetch.p0(ptr {pointer}, i32 {_READ}, i32 {locality}, i32 {_DATA})")

    return run
