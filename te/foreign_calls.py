"""Emission of calls of foreign functions (`te.foreign`), as operations on buffers of the IR."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from ..dialects import loop
from ..dialects.index_expr import Index
from .dtypes import dtype_info
from .expr import Const, Expr, Read, walk
from .foreign import MATRIX_CALLS, Buffer, Call, Pointer, Stride
from .scalar_operations import number_attribute
from .shapes import Size
from .te_errors import te_error

_MODES = {"r": "read", "w": "write", "rw": "update"}


@dataclass(frozen=True)
class CallContext:
    """The context of a call."""

    builder: Builder
    buffers: Mapping[Buffer, SSAValue]
    modes: Mapping[Buffer, str]
    """The effect of a call on a buffer that is passed as such."""
    caller: str
    """The name of the code around, for messages."""
    argument: Callable[[Expr], loop.Argument] | None = None
    """Makes an argument of an expression that is no number, where expressions can stand."""
    of_sizes: bool = False
    """True if `argument` accepts only expressions of sizes."""


def call_operation(call: Call, context: CallContext) -> loop.CallExternOp:
    """Return the operation that makes the call, at the user's line. Raises TW0466 for a value that cannot be an
    argument."""
    if call.symbol in MATRIX_CALLS:
        refuse_tiles(call)
    arguments = [_argument(given, context) for given in call.arguments]
    results = [] if call.dtype in ("", "void", "handle") else [dtype_info(call.dtype).ir]
    operation = loop.CallExternOp(call.symbol, arguments, results)
    operation.location = call.origin.location if call.origin is not None else operation.location
    return operation


def refuse_tiles(call: Call) -> NoReturn:
    """Refuse a call on tiles of matrices that is no statement of a tensor intrinsic's body."""
    te_error(
        "TW0466",
        f"expected '{call.symbol}' in the body of te.decl_tensor_intrin, alone or with calls, but it stands elsewhere",
        help="tensorize a block with the intrinsic",
    )


def _argument(given: Any, context: CallContext) -> loop.Argument:
    match given:
        case Buffer():
            return _argument(given.access_ptr(context.modes.get(given, "rw")), context)
        case Pointer():
            shape = [_constant_size(n, given.buffer, context.caller) for n in given.buffer.shape]
            box = loop.box_of([n - o for n, o in zip(shape, given.offset, strict=True)])
            index = tuple(Index.of(o) for o in given.offset)
            mode = given.mode if given.is_stated else _MODES[context.modes.get(given.buffer, "rw")]
            return loop.AccessArgument(mode, _value(given.buffer, context), index, box)
        case Stride(expected=None):
            return loop.StrideArgument(_value(given.buffer, context), given.dimension, i32)
        case Stride(expected=int(number)):
            return loop.IndexArgument(Index.of(number), i32)
        case Const() if dtype_info(given.dtype).is_integer:
            return loop.IndexArgument(Index.of(int(given.value)), dtype_info(given.dtype).ir)
        case Const():
            constant = arith.ConstantOp(number_attribute(given.value, dtype_info(given.dtype).ir))
            return loop.ValueArgument(context.builder.insert(constant).result)
        case Expr() if context.argument is not None and not (context.of_sizes and _reads(given)):
            return context.argument(given)
        case _:
            te_error("TW0466", f"expected buffers, pointers, strides and numbers in calls, but got `{given}`")


def _reads(expr: Expr) -> bool:
    """Return whether an expression reads elements of tensors."""
    return any(isinstance(node, Read) for node in walk(expr))


def _value(buffer: Buffer, context: CallContext) -> SSAValue:
    if buffer not in context.buffers:
        te_error("TW0466", f"expected {context.caller} to use only buffers that it is given, but got {buffer.name!r}")
    return context.buffers[buffer]


def _constant_size(size: Size, buffer: Buffer, caller: str) -> int:
    if not isinstance(size, int):
        te_error(
            "TW0466",
            f"expected constant sizes of buffer {buffer.name!r}, which {caller} passes to foreign code, but got {size}",
            help="what foreign code touches has to be known; return a Python function that builds the statement",
        )
    return size
