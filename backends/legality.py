"""Legality checks that all backends share: element types, parallel loops, memory spaces."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NoReturn

from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    Float32Type,
    Float64Type,
    IndexType,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    VectorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..diagnostics import fail
from ..dialects.dtypes import is_storage
from ..dialects.loop import PARALLEL, UNROLLED, AllocOp, ForOp, enclosing, scope_of
from ..dialects.loop.memory_spaces import CPU_MEMORY_SPACES, IN_ARENA, IN_REGISTERS, memory_space_of

LOWER_FIRST = "run the passes down to this backend's level; `opt-tool --print-pipeline` shows them"
"""The help for operations of an earlier level."""
_WIDTHS = (1, 8, 16, 32, 64)
_OTHERS = (IndexType, Float16Type, BFloat16Type, Float32Type, Float64Type)

_MOVES = ("arith.bitcast", "arith.constant", "arith.extui", "arith.select", "arith.trunci")
"""The operations, besides accesses, that are legal on elements of storage types: they only move bits."""


def refuse(op: Operation, message: str) -> NoReturn:
    """Raise TW0601 for an operation that passes should have lowered."""
    fail("TW0601", message, op=op, help=LOWER_FIRST)


def refuse_scope(op: Operation, type_: MemRefType, scopes: Sequence[str]) -> NoReturn:
    """Raise TW0601 for a buffer in a scope that the backend does not have."""
    known = f"{', '.join(scopes[:-1])} or {scopes[-1]}"
    message = f"expected a buffer of scope {known}, but got {scope_of(type_)}"
    remedy = f"give set_scope, or the cache_read or cache_write that makes the buffer, the scope {known}"
    fail("TW0601", message, op=op, help=remedy)


def verify_type(op: Operation, type_: Attribute) -> None:
    """Raise TW0601 for a type of an operation that no backend supports. Each backend checks the scopes of buffers
    itself."""
    if isinstance(type_, MemRefType):
        if not isinstance(type_.layout, NoneAttr):
            refuse(op, f"expected a buffer in row-major order, but got {type_}")
        element = type_.element_type
    elif isinstance(type_, VectorType):
        if type_.get_num_dims() != 1:
            refuse(op, f"expected a vector of rank 1, but got {type_}")
        element = type_.element_type
    else:
        element = type_
    if is_storage(element):
        if op.dialect_name() in ("arith", "math") and op.name not in _MOVES:
            refuse(op, f"expected arithmetic of wider elements, but got {op.name} of {type_}")
        return
    is_integer = isinstance(element, IntegerType) and element.width.data in _WIDTHS
    if not is_integer and not isinstance(element, _OTHERS):
        known = "f64, f32, f16, bf16, index, i1 to i64 or a type that is only stored"
        refuse(op, f"expected elements of {known}, but got {element}")


def verify_parallel(op: ForOp) -> None:
    """Raise TW0601 for a parallel loop that carries values, stands in another one, or does not state its captures."""
    if op.kind != PARALLEL:
        return
    if op.iter_args:
        refuse(op, "expected a parallel loop to carry no values from one iteration to the next")
    if any(isinstance(around, ForOp) and around.kind == PARALLEL for around in enclosing(op, ForOp)):
        refuse(op, "expected no parallel loop within another one")
    if not op.states_captures:
        refuse(op, "expected a parallel loop that states its captures")


def verify_memory(op: AllocOp, kinds: Collection[str] = CPU_MEMORY_SPACES) -> None:
    """Raise TW0601 for a buffer in none of these memory spaces, and for registers of unknown size."""
    memory = memory_space_of(op)
    if memory is None or memory.kind not in kinds:
        refuse(op, f"expected a buffer whose memory space is {', '.join(kinds)}, but got {memory or 'none'}")
    if memory.kind == IN_REGISTERS and not op.res.type.has_static_shape():
        fail("TW0601", f"expected a register buffer to have constant extents, but got {op.res.type}", op=op)
    if memory.kind == IN_ARENA and not all(_is_written_out(around) for around in enclosing(op, Operation)):
        refuse(op, "expected a buffer in the arena to be allocated by the function itself")


def _is_written_out(around: Operation) -> bool:
    """Return whether the operations in `around` are emitted in line: functions, modules and unrolled loops."""
    return isinstance(around, (FuncOp, ModuleOp)) or (isinstance(around, ForOp) and around.kind == UNROLLED)
