"""What stands before writing: is every operation one that can be written in C?"""

from __future__ import annotations

from collections.abc import Collection
from typing import NoReturn

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, NoneAttr, VectorType
from xdsl.ir import Attribute, Operation

from ...diagnostics import fail
from ...dialects.loop import GLOBAL, LOCAL, PARALLEL, REGISTER, SERIAL, UNROLLED, ForOp, scope_of
from .dispatch import is_executable
from .types import element_of, is_supported

_HELP = "run the passes down to this backend's level; `opt-tool --print-pipeline` shows them"
_KINDS = tuple(kind.kind.data for kind in (SERIAL, PARALLEL, UNROLLED))


def verify_executable(module: ModuleOp) -> None:
    """Raise TW0601 for the first operation that cannot be written in C."""
    for op in module.ops:
        if not isinstance(op, func.FuncOp):
            _refuse(op, f"expected functions at the top of the module, but got {op.name}")
        verify_function(op, _KINDS, (GLOBAL, LOCAL, REGISTER))


def verify_function(function: func.FuncOp, kinds: Collection[str], scopes: Collection[str]) -> None:
    """Raise TW0601 for the first operation of a function that cannot be written with these loops and buffers."""
    if function.function_type.outputs:
        _refuse(function, f"expected function @{function.sym_name.data} to write its results to arguments")
    for op in function.walk():
        if op is function:
            continue
        if not is_executable(op):
            _refuse(op, f"expected an operation that the c backend executes, but got {op.name}")
        for value in (*op.operands, *op.results):
            _verify_type(op, value.type, scopes)
        if isinstance(op, ForOp) and op.kind.kind.data not in kinds:
            kind, tag = op.kind.kind.data, op.kind.tag.data
            message = f"expected a loop of kind {', '.join(kinds)}, but got {f'{kind} {tag}'.rstrip()}"
            help_ = 'c has no threads of a GPU: build for "opencl", or make the loop parallel' if tag else _HELP
            fail("TW0601", message, op=op, help=help_)
        if isinstance(op, ForOp) and op.kind == PARALLEL and op.iter_args:
            _refuse(op, "expected a parallel loop to carry no values from one iteration to the next")


def _verify_type(op: Operation, type_: Attribute, scopes: Collection[str]) -> None:
    if isinstance(type_, MemRefType):
        if scope_of(type_) not in scopes:
            _refuse(op, f"expected a buffer of scope {', '.join(scopes)}, but got {scope_of(type_)}")
        if not isinstance(type_.layout, NoneAttr):
            _refuse(op, f"expected a buffer in row-major order, but got {type_}")
        element = type_.element_type
    else:
        if isinstance(type_, VectorType) and type_.get_num_dims() != 1:
            _refuse(op, f"expected a vector of rank 1, but got {type_}")
        element = element_of(type_)
    if not is_supported(element):
        _refuse(op, f"expected elements of f64, f32, f16, bf16, index or i1 to i64, but got {element}")


def _refuse(op: Operation, message: str) -> NoReturn:
    fail("TW0601", message, op=op, help=_HELP)
