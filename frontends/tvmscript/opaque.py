"""Calls of TVM's builtin functions on buffers, which are kept as calls of foreign functions of the same names.

    T.evaluate(T.tvm_fill_fragment(C.data, 16, 16, 16, 0, T.float32(0), dtype="handle"))

Such a call states the buffers that it reads and updates, but not the elements, so it counts as an access of the whole
buffer. Programs with such calls can be scheduled, printed and compared. No target implements the functions, so building
such a program is an error.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, StringAttr

from ...dialects import loop
from . import arithmetic, expressions, externs, rows
from .literals import type_from
from .script_values import BufferValue, PassedArgument, Value, kind_of
from .state import BAD_ARGUMENT, State

ACCESS_POINTER, TYPE_ANNOTATION = "tvm_access_ptr", "type_annotation"
PREFIX, TEXTS = "tir.", "texts"

MODES: Mapping[str, Mapping[int, str]] = {
    "tvm_load_matrix_sync": {0: "update", 5: "read"},
    "tvm_store_matrix_sync": {0: "read", 5: "update"},
    "tvm_fill_fragment": {0: "update"},
    "tvm_mma_sync": {0: "update", 2: "read", 4: "read", 6: "read"},
    "tvm_bmma_sync": {0: "update", 2: "read", 4: "read", 6: "read"},
}
"""Function -> its accesses of buffers, by the position of the argument. All other buffers are read."""


def call(s: State, name: str, node: ast.Call) -> Value:
    """Read `T.tvm_load_matrix_sync(B.data, 16, 16, 16, 0, A.access_ptr("r"), 16, "row_major")`."""
    if node.keywords:
        s.fail(BAD_ARGUMENT, f"T.{name} has no parameter '{node.keywords[0].arg}'", node.keywords[0].value)
    arguments: list[loop.Argument] = []
    texts: list[str] = []
    for position, each in enumerate(node.args):
        value = expressions.evaluate(s, each)
        with s.at(each):
            if isinstance(value, str):
                texts.append(value)
            elif isinstance(value, BufferValue):
                arguments.append(externs.whole(s, value, MODES[name].get(position, "read")).argument)
            else:
                arguments += _passed(s, value)
    op = s.add(loop.CallExternOp(PREFIX + name, arguments, []))
    if texts:
        op.attributes[TEXTS] = ArrayAttr([StringAttr(text) for text in texts])
    return None


def _passed(s: State, value: Value) -> list[loop.Argument]:
    """Return the arguments of a value: of a pointer into a buffer the buffer, and the number of the element behind
    it."""
    if isinstance(value, PassedArgument):
        offset = [] if value.offset is None else [loop.IndexArgument(value.offset, type_from("int32"))]
        return [value.argument, *offset]
    return [externs.passed_value(s, value)]


def access_pointer(s: State, node: ast.Call) -> PassedArgument:
    """Read `T.tvm_access_ptr(T.type_annotation("float16"), A.data, offset, extent, 1)`: 1 reads, 2 writes, 3 does
    both."""
    names = rows.required("ptype", "data", "offset", "extent", "rw_mask")
    given = rows.bound(s, node, {**names, "dtype": "handle"}, f"T.{ACCESS_POINTER}")
    buffer = expressions.evaluate(s, given["data"])
    if not isinstance(buffer, BufferValue):
        s.fail(BAD_ARGUMENT, f"expected the data of a buffer, but got {kind_of(buffer)}", given["data"])
    mode = expressions.constant(s, given["rw_mask"], int, "a number as mode")
    offset, extent = (arithmetic.index(s, expressions.evaluate(s, given[n])) for n in ("offset", "extent"))
    with s.at(node):
        return externs.part(s, buffer, mode, offset, extent)


def type_annotation(s: State, node: ast.Call) -> Any:
    """Read `T.type_annotation("float16")`: the name of a type."""
    given = rows.bound(s, node, {"dtype": rows.REQUIRED}, f"T.{TYPE_ANNOTATION}")
    return expressions.evaluate(s, given["dtype"])


def multiply_shift(s: State, node: ast.Call) -> Value:
    """Read `T.q_multiply_shift(x, y, q, s)`: `round(x * y * 2**(s - q))` of numbers with q bits behind the point."""
    given = rows.bound(s, node, {**rows.required("x", "y", "q", "s"), "dtype": "int32"}, "T.q_multiply_shift")
    x, y = (expressions.evaluate(s, given[n]) for n in ("x", "y"))
    bits, shift = (expressions.constant(s, given[n], int, "a number of bits") for n in ("q", "s"))
    right = bits - min(shift, 0)
    if not 0 < right < 63 or not -32 < shift < 32:
        s.fail(BAD_ARGUMENT, f"expected bits and a shift within 64 bits, but got {bits} and {shift}", node)
    wide: Value = arithmetic.converted(s, x, "int64")
    if shift > 0:
        wide = arithmetic.binary(s, "shl", wide, shift)
    product = arithmetic.binary(s, "mul", wide, arithmetic.converted(s, y, "int64"))
    rounded = arithmetic.binary(s, "add", product, 1 << (right - 1))
    return arithmetic.converted(s, arithmetic.binary(s, "shr", rounded, right), "int32")
