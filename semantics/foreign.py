"""Foreign calls in the interpreter: by a Python function that states their meaning, else by the foreign code itself.

A reference makes the interpreter an oracle for foreign code: native results are compared with the registered reference.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Operation

from ..diagnostics import fail
from ..dialects.loop import (
    AccessArgument,
    CallExternOp,
    CallPureExternOp,
    IndexArgument,
    StrideArgument,
    enclosing,
    foreign_code,
)
from .buffers import outside
from .foreign_tables import builtin_reference
from .values import Array, dtype_of, element_of

ForeignReference = Callable[..., Any]
"""A function with the parameters of the foreign function: for an access an array over its box, without extents of one,
which it writes in place; for a stride or an index an int; for a value a numpy scalar. It returns the result, if any."""

_REFERENCES: dict[str, ForeignReference] = {}


def register_extern(symbol: str, reference: ForeignReference) -> None:
    """Register the reference of the foreign function `symbol`; a later registration replaces an earlier one."""
    _REFERENCES[symbol] = reference


def extern_reference(symbol: str) -> ForeignReference | None:
    """Return the registered or builtin reference of the foreign function `symbol`; None without one."""
    return _REFERENCES.get(symbol) or builtin_reference(symbol)


class ForeignCall:
    """One call, ready to run: by its reference, or by the code that its function brings."""

    def __init__(self, op: CallExternOp) -> None:
        self.op = op
        self.arguments = op.arguments
        self.reference = extern_reference(op.callee)
        self.native = None if self.reference is not None else _native(op)

    def __call__(self, buffers: Sequence[Array], indices: Sequence[int], values: Sequence[Any]) -> Any:
        """Call the function, and return its result, None where the call has none. Operands are those of the operation,
        in its order."""
        rest = iter(buffers), iter(indices), iter(values)
        passed = [self._pass(argument, *rest) for argument in self.arguments]
        if self.reference is not None:
            result = self.reference(*passed)
        else:
            assert self.native is not None
            result = self.native(*(p.ctypes.data if isinstance(p, np.ndarray) else _plain(p) for p in passed))
        if not self.op.res:
            return None
        type = self.op.res[0].type
        return int(result) if isinstance(type, IndexType) else dtype_of(type).type(result)

    def _pass(self, argument: Any, buffers: Any, indices: Any, values: Any) -> Any:
        match argument:
            case AccessArgument():
                buffer = next(buffers)
                return _box(self.op, buffer, argument, [next(indices) for _ in argument.index])
            case StrideArgument():
                buffer = next(buffers)
                return buffer.strides[argument.dimension] // buffer.itemsize
            case IndexArgument():
                return next(indices)
            case _:
                return next(values)


def _box(op: CallExternOp, buffer: Array, argument: AccessArgument, first: Sequence[int]) -> Array:
    """Return the box as a view of the buffer, checked to lie within it."""
    for index, extent, pairs in zip(first, buffer.shape, argument.box, strict=True):
        low = index + sum(min((n - 1) * step, 0) for n, step in pairs)
        high = index + sum(max((n - 1) * step, 0) for n, step in pairs)
        if low < 0 or high >= extent:
            outside(op, buffer, [low if low < 0 else high if i is index else i for i in first])
    shape = [n for n, _ in argument.pairs]
    strides = [step * s for pairs, s in zip(argument.box, buffer.strides, strict=True) for _, step in pairs]
    return np.lib.stride_tricks.as_strided(buffer[tuple(slice(i, None) for i in first)], shape, strides)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def native_scalar_function(op: CallPureExternOp, caller: FuncOp) -> Callable[..., Any]:
    """Return the foreign function that a call on scalars calls, or one on vectors for each lane; it takes Python
    numbers."""
    parameters = [_c_type(op, element_of(value.type)) for value in op.values]
    function = _function_type(_c_type(op, element_of(op.res.type)), tuple(parameters))(_address(caller, op.symbol))
    return lambda *operands: function(*map(_plain, operands))


def _native(op: CallExternOp) -> Callable[..., Any]:
    parameters = [_parameter(op, argument) for argument in op.arguments]
    result = _c_type(op, op.res[0].type) if op.res else None
    caller = next(enclosing(op, FuncOp))
    assert isinstance(caller, FuncOp)
    return _function_type(result, tuple(parameters))(_address(caller, op.callee))


def _address(caller: FuncOp, symbol: str) -> int:
    from ..toolchain import load_functions

    sources = tuple((code.language.data, code.code.data) for code in foreign_code(caller))
    return load_functions(sources, (symbol,))[symbol]


@cache
def _function_type(result: Any, parameters: tuple[Any, ...]) -> Any:
    return ctypes.CFUNCTYPE(result, *parameters)


def _parameter(op: CallExternOp, argument: Any) -> Any:
    match argument:
        case AccessArgument():
            return ctypes.c_void_p
        case StrideArgument() | IndexArgument():
            return _c_type(op, argument.type)
        case _:
            return _c_type(op, argument.value.type)


def _c_type(op: Operation, type: Attribute) -> Any:
    dtype = np.dtype(np.int64) if isinstance(type, IndexType) else dtype_of(type, op)
    if dtype.kind not in "biuf" or dtype == np.float16:
        fail("TW0720", f"expected scalars that C passes in foreign calls, but got {type}", op=op)
    return np.ctypeslib.as_ctypes_type(dtype)
