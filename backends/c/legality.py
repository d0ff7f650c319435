"""Verification before C is written: every operation has to be one that the backend writes."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Attribute, Operation

from ...diagnostics import fail
from ...dialects.loop import GLOBAL, LOCAL, PARALLEL, REGISTER, SERIAL, UNROLLED, AllocOp, ForOp, scope_of
from ...dialects.loop.memory_spaces import IN_ARENA, IN_REGISTERS, ON_HEAP, ON_STACK
from ...traversal import operations
from ..legality import LOWER_FIRST, refuse, refuse_scope, verify_memory, verify_parallel, verify_type
from .dispatch import is_executable

_KINDS = tuple(kind.kind.data for kind in (SERIAL, PARALLEL, UNROLLED))


def verify_executable(module: ModuleOp) -> None:
    """Raise TW0601 for the first operation that cannot be written in C."""
    for op in module.ops:
        if not isinstance(op, func.FuncOp):
            refuse(op, f"expected functions at the top of the module, but got {op.name}")
        verify_function(op, _KINDS, (GLOBAL, LOCAL, REGISTER))
        for alloc in operations(op):
            if isinstance(alloc, AllocOp):
                verify_memory(alloc, (IN_REGISTERS, ON_STACK, IN_ARENA, ON_HEAP))


def verify_function(function: func.FuncOp, kinds: Collection[str], scopes: Collection[str]) -> None:
    """Raise TW0601 for the first operation of a function that cannot be written with these loops and buffers."""
    if function.function_type.outputs:
        refuse(function, f"expected function @{function.sym_name.data} to write its results to arguments")
    for op in function.walk():
        if op is function:
            continue
        if not is_executable(op):
            refuse(op, f"expected an operation that the c backend executes, but got {op.name}")
        for value in (*op.operands, *op.results):
            _verify_type(op, value.type, scopes)
        if isinstance(op, ForOp) and op.kind.kind.data not in kinds:
            kind, tag = op.kind.kind.data, op.kind.tag.data
            message = f"expected a loop of kind {', '.join(kinds)}, but got {f'{kind} {tag}'.rstrip()}"
            help_ = 'c has no threads of a GPU: build for "opencl", or make the loop parallel' if tag else LOWER_FIRST
            fail("TW0601", message, op=op, help=help_)
        if isinstance(op, ForOp):
            verify_parallel(op)


def _verify_type(op: Operation, type_: Attribute, scopes: Collection[str]) -> None:
    if isinstance(type_, MemRefType) and scope_of(type_) not in scopes:
        refuse_scope(op, type_, [*scopes])
    verify_type(op, type_)
