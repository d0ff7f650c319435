"""Calls of scalar functions by name: intrinsics, which targets lower by lowering rules, and functions of libraries.

C = te.compute((n,), lambda i: te.call_intrin("float32", "mylog", A[i]))
D = te.compute((n,), lambda i: te.call_pure_extern("float32", "cbrtf", A[i]))
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.expectations import expect_type
from ..diagnostics.text import did_you_mean
from ..dialects.loop.barrier import BARRIER_SCOPES
from ..semantics.intrinsics import OPERATIONS, find_intrinsic, intrinsic_names, plain_name
from . import functions
from .dtypes import dtype_info
from .expr import Expr, as_expr, cast
from .foreign import MATRIX_CALLS, matrix_call
from .foreign import Call as ForeignCall
from .te_errors import te_error

_BARRIER = "tvm_storage_sync"
UNKNOWN = "TW0530"
BAD_OPERANDS = "TW0531"

_FUNCTIONS = {
    **{name: name for name in (*OPERATIONS, *functions.DEFINITIONS) if hasattr(functions, name)},
    "fabs": "abs",
    "if_then_else": "if_then_else",
    "likely": "likely",
    "maximum": "maximum",
    "minimum": "minimum",
}
"""The functions of this package under the names that calls use."""


@dataclass(frozen=True)
class Callee:
    """The callee of a call, spelled as lowering rules expect that dispatch on `call.op.name`: "tir.exp"."""

    name: str


@dataclass(frozen=True, eq=False, repr=False)
class Call(Expr):
    """A call of an intrinsic, or of a library's function where `is_extern`, with its operands as `args`."""

    symbol: str
    args: tuple[Expr, ...]
    dtype: str
    is_extern: bool = False

    @property
    def operands(self) -> tuple[Expr, ...]:
        return self.args

    @property
    def op(self) -> Callee:
        """The operation that is called: "tir." and the intrinsic's name, or "tir.call_pure_extern"."""
        return Callee("tir.call_pure_extern" if self.is_extern else f"tir.{self.symbol}")


@dataclass(frozen=True, eq=False, repr=False)
class PackedCall(Expr):
    """A call of a Python function on scalars, executed each time that its value is computed."""

    name: str
    """The name under which the function is registered."""
    symbol: str
    args: tuple[Expr, ...]
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return self.args


@dataclass(frozen=True, eq=False)
class ValuedCall(ForeignCall):
    """A call that is a statement; as an element of a compute it is `value`, the same call as an expression."""

    value: PackedCall | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Reinterpreted(Expr):
    """A bitcast: the bits of a number as a number of another type, such as of a signed integer as a float."""

    operand: Expr
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, repr=False)
class Barrier(Expr):
    """A barrier of the threads of a GPU's block. It is a statement, and has no value."""

    scope: str
    dtype: str = field(default="int32", init=False)


def call_intrin(dtype: Any, name: str, *args: Any) -> Expr:
    """Return a call of the intrinsic `name`, whose result has type `dtype`; a prefix "tir." is left out.

    Calls on tiles of matrices (`foreign.MATRIX_CALLS`) are statements for the body of a tensor intrinsic;
    `tvm_storage_sync` of a scope is a statement, which a `tir.ir_builder` emits.

    Raises TilewrightError TW0530 for a name that `register_intrinsic` does not know, TW0531 for a type or a number of
    operands that the intrinsic is not defined for.
    """
    expect_type("name", name, str)
    plain = plain_name(name)
    if plain in MATRIX_CALLS:
        return matrix_call(plain, *args)  # pyright: ignore[reportReturnType]
    if plain == _BARRIER:
        scope = str(args[0]).partition(".")[0] if len(args) == 1 else ""
        if scope not in BARRIER_SCOPES:
            te_error(BAD_OPERANDS, f"expected a scope of {', '.join(BARRIER_SCOPES)} in '{plain}', but got {args}")
        return Barrier(scope)
    result = dtype_info(dtype).name
    if plain == "reinterpret" and len(args) == 1:
        return reinterpret(result, args[0])
    operands = tuple(as_expr(a, result) for a in args)
    if plain in _FUNCTIONS:
        return cast(result, getattr(functions, _FUNCTIONS[plain])(*operands))
    intrinsic = find_intrinsic(plain)
    if intrinsic is None:
        near = did_you_mean(plain, intrinsic_names())
        te_error(UNKNOWN, f"unknown intrinsic '{plain}'{near}", help="make it known with register_intrinsic")
    if intrinsic.dtypes is not None and result not in intrinsic.dtypes:
        known = ", ".join(intrinsic.dtypes)
        te_error(BAD_OPERANDS, f"expected intrinsic '{plain}' to give {known}, but got {result}")
    if intrinsic.arity is not None and intrinsic.arity != len(operands):
        te_error(BAD_OPERANDS, f"expected {intrinsic.arity} operands of '{plain}', but got {len(operands)}")
    return Call(plain, operands, result)


call_pure_intrin = call_intrin


def reinterpret(dtype: Any, value: Any) -> Expr:
    """Return the bits of a number as one of another type of as many bits. Raises TW0531 for types that are not
    alike."""
    to, operand = dtype_info(dtype), as_expr(value)
    given = dtype_info("int64" if operand.dtype == "index" else operand.dtype)
    if to.bits != given.bits or any(d.is_bool or d.is_storage for d in (to, given)):
        te_error(BAD_OPERANDS, f"expected a number of {to.bits} bits as {to.name}, but got `{operand}` of {given.name}")
    if to.is_float == given.is_float:
        if to.is_float and to.name != given.name:
            return reinterpret(to.name, reinterpret(f"int{to.bits}", operand))
        return cast(to.name, operand)
    signed = operand if given.is_float else cast(f"int{to.bits}", operand)
    return cast(to.name, Reinterpreted(signed, to.name if to.is_float else f"int{to.bits}"))


def call_pure_extern(dtype: Any, symbol: str, *args: Any) -> Expr:
    """Return a call of a C function without effects: `call_pure_extern("float32", "logf", x)`.

    It is found in the code that the function brings, or in the process. Numbers take the type of the result.
    """
    result = dtype_info(dtype).name
    return Call(symbol, tuple(as_expr(a, result) for a in args), result, is_extern=True)
