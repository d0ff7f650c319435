"""Calls of registered Python functions by name, as `tir.call_packed` in `te.extern`.

    T.evaluate(T.call_packed("mine.scale", A, B, 2.0))

The function gets an array for each buffer, and each number and text as it is. `T.tvm_call_packed` is the same call
after TVM's lowering, in which `T.tvm_stack_make_array` describes each array.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from xdsl.dialects.builtin import IndexType

from ...dialects import loop
from ...dialects.index_expr import Index
from ...runtime import packed
from ...semantics.foreign import register_extern
from . import arithmetic, expressions, externs, rows
from .literals import type_from, type_name
from .script_values import BufferValue, Value, kind_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State

_ARRAY = ("data", "shape", "strides", "ndim", "arr_dtype", "elem_offset")


@dataclass(frozen=True)
class _Shape:
    """The sizes that `T.tvm_stack_make_shape` lists."""

    sizes: tuple[Value, ...]


def call(s: State, node: ast.Call) -> Value:
    """Read `T.call_packed("mine.scale", A, 2.0)`."""
    arguments = _plain(s, node, "T.call_packed")
    if not arguments:
        s.fail(BAD_ARGUMENT, "expected the name of a registered function", node)
    name = expressions.constant(s, arguments[0], str, "the name of a registered function")
    parameters: list[object] = []
    passed: list[loop.Argument] = []
    whole: list[int] = []
    for each in arguments[1:]:
        value = expressions.evaluate(s, each)
        with s.at(each):
            if isinstance(value, BufferValue):
                whole.append(len(passed))
                parameters.append([type_name(value.element), [e.constant for e in value.shape if e.is_constant]])
                passed += _array(s, value)
            elif isinstance(value, str):
                parameters.append({"text": value})
            else:
                parameter, argument = _number(s, value)
                parameters.append(parameter)
                passed.append(argument)
    symbol = packed.symbol_of(name, parameters)
    register_extern(symbol, packed.reference(name, parameters))
    op = s.add(loop.CallExternOp(symbol, passed, [type_from("int32")]))
    s.open_calls[op] = whole
    return rows.result_of(op)


def _array(s: State, buffer: BufferValue) -> list[loop.Argument]:
    strides = [loop.StrideArgument(buffer.value, d, type_from("int32")) for d in range(len(buffer.shape))]
    return [externs.whole(s, buffer, "update").argument, *strides]


def _number(s: State, value: Value) -> tuple[str, loop.Argument]:
    match value:
        case bool():
            return "bool", loop.ValueArgument(arithmetic.constant(s, int(value), "int32"))
        case int():
            return "int32", loop.IndexArgument(Index.of(value), type_from("int32"))
        case float():
            return "float64", loop.ValueArgument(arithmetic.constant(s, value, "float64"))
        case Index():
            return "int64", loop.IndexArgument(value, IndexType())
        case _:
            given = arithmetic.typed(s, value)
            return type_name(given.type), loop.ValueArgument(given)


def make_shape(s: State, node: ast.Call) -> Value:
    """Read `T.tvm_stack_make_shape(128, 128, dtype="handle")`."""
    return _Shape(tuple(expressions.evaluate(s, each) for each in _plain(s, node, "T.tvm_stack_make_shape")))


def make_array(s: State, node: ast.Call) -> Value:
    """Read `T.tvm_stack_make_array(A.data, shape, 0, 2, 0.0, 0, dtype="handle")`: the buffer itself, all of it."""
    given = rows.bound(s, node, {**rows.required(*_ARRAY), "dtype": "handle"}, "T.tvm_stack_make_array")
    buffer, shape = (expressions.evaluate(s, given[part]) for part in ("data", "shape"))
    if not isinstance(buffer, BufferValue) or buffer.base is not None:
        s.fail(BAD_ARGUMENT, f"expected the data of a buffer, but got {kind_of(buffer)}", given["data"])
    sizes = [arithmetic.index(s, size) for size in shape.sizes] if isinstance(shape, _Shape) else None
    plain = [expressions.evaluate(s, given[part]) for part in ("strides", "elem_offset")]
    if sizes != [*buffer.shape] or any(value not in (0, Index.of(0)) for value in plain):
        s.fail(UNSUPPORTED, f"expected the array to be all of the dense buffer '{buffer.name}'", node)
    return buffer


def _plain(s: State, node: ast.Call, name: str) -> list[ast.expr]:
    """Return the arguments of a call, which has no keyword but `dtype`."""
    for keyword in node.keywords:
        if keyword.arg != "dtype":
            s.fail(BAD_ARGUMENT, f"{name} has no parameter '{keyword.arg}'", keyword.value)
    return node.args
