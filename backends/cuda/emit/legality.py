"""What stands before writing: is every operation one that can be written as a kernel, and does every loop have its
threads?"""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, Operation

from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.loop import GLOBAL, LOCAL, REGISTER, SERIAL, SHARED, UNROLLED, WARP, ForOp, is_of_warp, scope_of
from ...kernels import THREAD, is_nest
from ...legality import refuse, verify_type
from ..fragments import fragment_of
from .control import NOT_KERNELS
from .dispatch import is_executable

_KINDS = (SERIAL.kind.data, UNROLLED.kind.data, THREAD)
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


def _refuse_unbound(function: func.FuncOp, op: ForOp) -> NoReturn:
    name = name_of(op.induction_variable)
    fail(
        NOT_KERNELS,
        f"expected loop {name} of @{function.sym_name.data} to be bound to blocks or threads of the GPU, but it is not",
        op=op,
        help='bind it: s[B].bind(bx, te.thread_axis("blockIdx.x")); the host runs no loops of a program for cuda',
    )


def _verify_type(op: Operation, type_: Attribute) -> None:
    if isinstance(type_, MemRefType) and is_of_warp(type_) and scope_of(type_) != WARP:
        fragment_of(type_)
    elif isinstance(type_, MemRefType) and scope_of(type_) not in _SCOPES:
        refuse(op, f"expected a buffer of scope {', '.join(_SCOPES)}, but got {scope_of(type_)}")
    verify_type(op, type_)
