"""Verification before kernels are written: every operation can be written, and every outermost loop is bound to
threads."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import Float64Type, MemRefType
from xdsl.ir import Attribute, Operation

from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.lane_constants import integer_in_lanes
from ....dialects.loop import (
    GLOBAL,
    LOCAL,
    REGISTER,
    SERIAL,
    SHARED,
    UNROLLED,
    WARP,
    AllocOp,
    ForOp,
    LoadOp,
    StoreOp,
    is_of_warp,
    scope_of,
)
from ....dialects.loop.divisors import SAFE_DIVISOR
from ....dialects.loop.shuffles import SAME_LANE, shuffle_of
from ....dialects.loop.storage import is_swizzled
from ....dialects.loop.swizzles import swizzle_of
from ....dialects.loop.widths import copy_bytes, width_of_access
from ....hardware import ASYNC_COPY_BYTES, BLOCK_INDEX
from ...kernels import THREAD, is_nest
from ...legality import refuse, refuse_scope, verify_type
from ...written.types import element_of
from ..fragments import fragment_of
from .arithmetic import ARITHMETIC
from .control import NOT_KERNELS
from .dispatch import is_executable
from .mathematics import MATHEMATICS
from .types import narrow_name

_KINDS = (SERIAL.kind.data, UNROLLED.kind.data, THREAD)
_WIDTHS = (1, 2, 4, 8, 16)
"""The elements that device operations load or store at once."""
_DIVISIONS = ("arith.divui", "arith.floordivsi", "arith.remui")
_MOVES_NARROW = ("arith.bitcast", "arith.select", "loop.call_pure_extern", "vector.broadcast")
_CONVERTS_NARROW = tuple(f"arith.{name}" for name in ("extf", "fptosi", "fptoui", "sitofp", "truncf", "uitofp"))
"""The operations that may take or return narrow floats."""
_SCOPES = (GLOBAL, LOCAL, REGISTER, SHARED, WARP)


def verify_function(function: func.FuncOp) -> None:
    """Raise TW0630 for a loop that no thread runs, TW0601 for the first operation that cannot be written."""
    if function.function_type.outputs:
        refuse(function, f"expected function @{function.sym_name.data} to write its results to arguments")
    for op in function.body.block.ops:
        if isinstance(op, ForOp) and not is_nest(op):
            _refuse_unbound(function, op)
    for op in function.walk():
        if op is function:
            continue
        if isinstance(op, ForOp) and op.kind.kind.data not in _KINDS:
            refuse(op, f"expected a loop of kind {', '.join(_KINDS)}, but got {op.kind.kind.data}")
        if not is_executable(op):
            refuse(op, f"expected an operation that the cuda backend executes, but got {op.name}")
        for value in (*op.operands, *op.results):
            _verify_type(op, value.type)
        _verify_arithmetic(op)
        if isinstance(op, AllocOp) and is_swizzled(op) and scope_of(op.res.type) == SHARED and swizzle_of(op) is None:
            refuse(op, "expected a shared buffer to state how its pieces are permuted")
        if isinstance(op, (LoadOp, StoreOp)):
            _verify_width(op)
            _verify_shuffle(op)


def _verify_arithmetic(op: Operation) -> None:
    """Raise TW0601 for operations that rules should have expanded: arithmetic on narrow floats, conversions that round
    twice, divisions by 0 or with overflow."""
    if op.name in _DIVISIONS and SAFE_DIVISOR not in op.attributes and (integer_in_lanes(op.operands[1]) or 0) <= 0:
        refuse(op, f"expected a divisor of {op.name} that is neither 0 nor -1")
    if not any(narrow_name(v.type) for v in (*op.operands, *op.results)):
        return
    is_computed = op.name in ARITHMETIC or op.name in MATHEMATICS
    if is_computed and op.name not in (*_MOVES_NARROW, *_CONVERTS_NARROW):
        refuse(op, f"expected {op.name} to be computed in f32, but got {op.results[0].type}")
    if op.name in ("arith.sitofp", "arith.uitofp") or (
        op.name == "arith.truncf" and isinstance(element_of(op.operands[0].type), Float64Type)
    ):
        refuse(op, f"expected {op.name} to {op.results[0].type} by way of f32")


def _verify_width(op: LoadOp | StoreOp) -> None:
    """Raise TW0601 for a width that no instruction moves, and for a load or store of an asynchronous copy without its
    counterpart."""
    width, size = width_of_access(op), copy_bytes(op)
    if width not in _WIDTHS or (op.lanes or 1) % width:
        refuse(op, f"expected an access of {', '.join(map(str, _WIDTHS))} elements at once, but got {width}")
    if not size:
        return
    if size not in ASYNC_COPY_BYTES:
        refuse(op, f"expected copies of {', '.join(map(str, ASYNC_COPY_BYTES))} bytes, but got {size}")
    halves = [op.value.owner] if isinstance(op, StoreOp) else [use.operation for use in op.res.uses]
    other = halves[0] if len(halves) == 1 else None
    if not isinstance(other, (LoadOp, StoreOp)) or copy_bytes(other) != size or other.parent is not op.parent:
        refuse(op, f"expected a load and the store of the loaded value to be copies of {size} bytes both")


def _verify_shuffle(op: LoadOp | StoreOp) -> None:
    """Raise TW0601 for an access to memory of a warp that does not state the lane of its element."""
    shuffle = shuffle_of(op)
    if scope_of(op.buffer.type) != WARP:
        return
    if shuffle is None or op.lanes is not None or (isinstance(op, StoreOp) and shuffle.kind != SAME_LANE):
        refuse(
            op,
            "expected scalar accesses to memory of a warp to state their shuffle, which is `#loop.shuffle<own>` "
            "for a store",
        )


def _refuse_unbound(function: func.FuncOp, op: ForOp) -> NoReturn:
    name = name_of(op.induction_variable)
    remedy = 'bind it: s[B].bind(bx, te.thread_axis("blockIdx.x")); the host runs no loops of a program for cuda'
    if any(isinstance(inner, ForOp) and inner.kind.tag.data.startswith(BLOCK_INDEX) for inner in op.walk()):
        remedy = (
            "the host runs no loops of a program for cuda; a kernel runs it where no block reads what another one "
            'computes in an earlier iteration: bind threads of one block only, to "threadIdx.x"'
        )
    fail(
        NOT_KERNELS,
        f"expected loop {name} of @{function.sym_name.data} to be bound to blocks or threads of the GPU, but it is not",
        op=op,
        help=remedy,
    )


def _verify_type(op: Operation, type_: Attribute) -> None:
    if isinstance(type_, MemRefType) and is_of_warp(type_) and scope_of(type_) != WARP:
        fragment_of(type_)
    elif isinstance(type_, MemRefType) and scope_of(type_) not in _SCOPES:
        refuse_scope(op, type_, [*_SCOPES])
    verify_type(op, type_)
