"""The spelling of each operation in TVMScript: the one table that the parser and the printer read.

Three kinds of rows:

- `OPERATORS` and `FUNCTIONS`: arithmetic. A row names an operation of tensor expressions, which with the type of its
  operands determines the operation of the IR (`te.scalar_operations`).
- `CALLS`: one operation each, written as a call. A row has the parameters of the call in order, a function that builds
  the operation from them, and one that reads them from an operation. The printer rebuilds the operation from the
  parameters: if the result differs, as with a property that has no parameter, it prints `T.tw.op`, which states every
  property.
- Python statements, such as loops, conditions, blocks and stores, have no row: `LOOPS` names the kinds of loops.

Names that begin with `tw.` are extensions of the classic language, for constructs that it cannot express.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, VectorType, f32
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Operation

from ...dialects import loop
from ...dialects.dtypes import vector_type
from ...dialects.index_expr import Index

OPERATORS: dict[str, tuple[str, type[ast.operator]]] = {
    "add": ("+", ast.Add),
    "sub": ("-", ast.Sub),
    "mul": ("*", ast.Mult),
    "div": ("/", ast.Div),
    "floordiv": ("//", ast.FloorDiv),
    "floormod": ("%", ast.Mod),
    "shl": ("<<", ast.LShift),
    "shr": (">>", ast.RShift),
    "and": ("&", ast.BitAnd),
    "or": ("|", ast.BitOr),
    "xor": ("^", ast.BitXor),
}
"""Operation of tensor expressions -> its operator."""

COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
    "==": ast.Eq,
    "!=": ast.NotEq,
}

FUNCTIONS: dict[str, tuple[str, int]] = {
    **{
        name: (name, 1)
        for name in (
            "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "sin", "cos", "tan", "asin",
            "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "floor", "ceil", "round", "trunc",
            "abs", "popcount", "clz",
        )
    },
    "max": ("max", 2),
    "min": ("min", 2),
    "pow": ("pow", 2),
    "atan2": ("atan2", 2),
    "fmod": ("fmod", 2),
    "ceildiv": ("ceildiv", 2),
    "truncdiv": ("truncdiv", 2),
    "truncmod": ("truncmod", 2),
}  # fmt: skip
"""Function of a script -> operation of tensor expressions, and its operands."""

ALIASES: dict[str, str] = {
    "fabs": "abs",
    "nearbyint": "round",
    "power": "pow",
    "Max": "max",
    "Min": "min",
    "indexdiv": "floordiv",
    "indexmod": "floormod",
    "FloorDiv": "floordiv",
    "FloorMod": "floormod",
    "Add": "add",
    "Sub": "sub",
    "Mul": "mul",
    "Div": "div",
    "bitwise_and": "and",
    "bitwise_or": "or",
    "bitwise_xor": "xor",
    "Broadcast": "broadcast",
    "shift_left": "shl",
    "shift_right": "shr",
}
"""Other names of functions and operators, which the parser takes."""

LOOPS: dict[str, str] = {
    "serial": "serial",
    "parallel": "parallel",
    "vectorized": "vectorized",
    "unrolled": "unroll",
    "thread": "thread_binding",
    "vthread": "thread_binding",
}
"""Kind of a loop -> its function."""
VTHREAD = "vthread"
"""The thread that a loop of this kind is bound to, and the beginning of the classic names of it."""

REQUIRED: Any = object()

VALUE, VALUES, BUFFER, INDEX, INDICES, GUARD = "value", "values", "buffer", "index", "indices", "guard"
NUMBER, TEXT, TYPE, TYPES, BUFFER_TYPE, DATA, ATTRIBUTE = (
    "number", "text", "type", "types", "buffer type", "data", "attribute"
)  # fmt: skip
ARGUMENTS = "arguments"


@dataclass(frozen=True)
class Parameter:
    """A parameter of a call. `values` and `arguments` take all remaining positional arguments."""

    name: str
    kind: str
    default: Any = REQUIRED

    @property
    def is_variadic(self) -> bool:
        return self.kind in (VALUES, ARGUMENTS)


@dataclass(frozen=True)
class Call:
    """An operation that is written as a call."""

    name: str
    operation: type[Operation]
    parameters: tuple[Parameter, ...]
    make: Callable[..., Operation]
    take: Callable[[Any], tuple[Any, ...]]


def _call(name: str, operation: type[Operation], parameters: str, make: Any, take: Any, **defaults: Any) -> Call:
    """Return a row; `parameters` lists `name: kind` pairs."""
    pairs = [tuple(part.split(": ")) for part in parameters.split(", ")] if parameters else []
    rows = tuple(Parameter(n, kind, defaults.get(n, REQUIRED)) for n, kind in pairs)
    return Call(name, operation, rows, make, take)


def allocation_type(shape: tuple[Index, ...], element: Attribute, scope: str) -> MemRefType:
    """Return the type of a buffer whose extents are index expressions."""
    return loop.buffer_type([e.constant if e.is_constant else DYNAMIC_INDEX for e in shape], element, scope)


def _alloc(shape: tuple[Index, ...], dtype: Attribute, scope: str) -> Operation:
    return loop.AllocOp(allocation_type(shape, dtype, scope), [e for e in shape if not e.is_constant])


def _load(
    buffer: Any, indices: tuple[Index, ...], where: tuple[Index, ...], otherwise: Any, lanes: int | None
) -> Operation:
    return loop.LoadOp(buffer, indices, where, otherwise, lanes)


def _assertion(where: tuple[Index, ...], message: str, values: tuple[Index, ...]) -> Operation:
    return loop.AssertOp(where, message, values)


def _lanes(value: Any) -> int | None:
    return value.type.get_shape()[0] if isinstance(value.type, VectorType) else None


CALLS: tuple[Call, ...] = (
    _call(
        "alloc_buffer", loop.AllocOp, "shape: indices, dtype: type, scope: text", _alloc,
        lambda op: (op.shape, op.res.type.element_type, loop.scope_of(op.res.type)), dtype=f32, scope="global",
    ),
    _call(
        "tw.load", loop.LoadOp, "buffer: buffer, indices: indices, where: guard, otherwise: value, lanes: number",
        _load, lambda op: (op.buffer, op.index, op.conditions, op.otherwise, op.lanes),
        where=(), otherwise=None, lanes=None,
    ),
    _call(
        "tw.store", loop.StoreOp, "buffer: buffer, indices: indices, value: value, where: guard",
        lambda buffer, indices, value, where: loop.StoreOp(value, buffer, indices, where),
        lambda op: (op.buffer, op.index, op.value, op.conditions), where=(),
    ),
    _call(
        "tw.dim", loop.DimOp, "buffer: buffer, dimension: number", loop.DimOp,
        lambda op: (op.buffer, op.dimension.value.data),
    ),
    _call(
        "tw.bind", loop.BindOp, "buffer: buffer, shape: indices, strides: indices", loop.BindOp,
        lambda op: (op.buffer, op.index_list("shape"), op.index_list("strides")),
    ),
    _call(
        "tw.view", loop.ViewOp, "buffer: buffer, offset: index, type: buffer type", loop.ViewOp,
        lambda op: (op.buffer, op.byte_offset, op.res.type),
    ),
    _call(
        "tw.data", loop.ConstantOp, "data: data", lambda data: loop.ConstantOp(*data),
        lambda op: ((op.value, op.res.type),),
    ),
    _call("tw.apply", loop.ApplyOp, "e: index, lanes: number", loop.ApplyOp,
          lambda op: (op.index, _lanes(op.res)), lanes=None),
    _call("tw.test", loop.TestOp, "where: guard, lanes: number", loop.TestOp,
          lambda op: (op.conditions, _lanes(op.res)), lanes=None),
    _call("tw.delinearize", loop.DelinearizeOp, "fused: value, extents: indices", loop.DelinearizeOp,
          lambda op: (op.fused, op.sizes)),
    _call("tw.check", loop.AssertOp, "where: guard, message: text, values: indices", _assertion,
          lambda op: (op.conditions, op.message.data, op.message_values), values=()),
    _call("tw.print", loop.PrintOp, "message: text, indices: indices, value: value, where: guard",
          loop.PrintOp, lambda op: (op.message.data, op.index, op.value, op.conditions), where=()),
    _call("tw.prefetch", loop.PrefetchOp, "buffer: buffer, indices: indices, cache: number", loop.PrefetchOp,
          lambda op: (op.buffer, op.index, op.cache), cache=1),
    _call("tw.prefetch_ahead", loop.PrefetchAheadOp, "buffer: buffer, ahead: number, of: value, cache: number",
          loop.PrefetchAheadOp, lambda op: (op.buffer, op.ahead.value.data, op.of, op.cache), of=None, cache=1),
    _call("tvm_storage_sync", loop.BarrierOp, "scope: text", loop.BarrierOp, lambda op: (op.scope.data,),
          scope="shared"),
    _call("tw.async_commit", loop.AsyncCommitOp, "", loop.AsyncCommitOp, lambda op: ()),
    _call("tw.async_wait", loop.AsyncWaitOp, "left: number", loop.AsyncWaitOp,
          lambda op: (op.left.value.data,), left=0),
    _call("call_intrin", loop.CallIntrinOp, "dtype: type, name: text, values: values",
          lambda dtype, name, values: loop.CallIntrinOp(name, values, dtype),
          lambda op: (op.res.type, op.symbol, tuple(op.values))),
    _call("call_pure_extern", loop.CallPureExternOp, "dtype: type, name: text, values: values",
          lambda dtype, name, values: loop.CallPureExternOp(name, values, dtype),
          lambda op: (op.res.type, op.symbol, tuple(op.values))),
    _call("tw.call_extern", loop.CallExternOp, "types: types, name: text, passed: arguments",
          lambda types, name, passed: loop.CallExternOp(name, passed, types),
          lambda op: (tuple(r.type for r in op.res), op.callee, op.arguments)),
    _call("tw.call", CallOp, "types: types, name: text, values: values",
          lambda types, name, values: CallOp(name, values, types),
          lambda op: (tuple(r.type for r in op.results), op.callee.root_reference.data, tuple(op.operands))),
    _call("tw.constant", arith.ConstantOp, "value: attribute", arith.ConstantOp, lambda op: (op.value,)),
    _call("Select", arith.SelectOp, "condition: value, true_value: value, false_value: value", arith.SelectOp,
          lambda op: (op.cond, op.lhs, op.rhs)),
    _call("reinterpret", arith.BitcastOp, "dtype: type, value: value",
          lambda dtype, value: arith.BitcastOp(value, dtype), lambda op: (op.result.type, op.input)),
    _call("broadcast", vector.BroadcastOp, "value: value, lanes: number",
          lambda value, lanes: vector.BroadcastOp(value, vector_type(value.type, lanes)),
          lambda op: (op.source, _lanes(op.vector))),
    _call("fma", math.FmaOp, "x: value, y: value, z: value", math.FmaOp, lambda op: (op.a, op.b, op.c)),
    _call("copysign", math.CopySignOp, "x: value, y: value", math.CopySignOp, lambda op: (op.lhs, op.rhs)),
)  # fmt: skip
"""The operations that are written as calls."""

CALL_NAMED: Mapping[str, Call] = {row.name: row for row in CALLS}
CALL_OF: Mapping[type[Operation], Call] = {row.operation: row for row in CALLS}

GENERIC = "tw.op"
"""The call that represents any operation without regions."""

LANE_NAME, ALWAYS, ANY_SIZE = "tw.lane", "tw.always", "tw.any"
"""The lane of a vector access, the condition that always holds, and an extent that a type leaves open."""
