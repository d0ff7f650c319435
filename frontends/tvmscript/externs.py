"""Arguments of calls of foreign functions."""

from __future__ import annotations

import ast
from typing import Any

from xdsl.ir import Attribute

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.loop.extern_arguments import MODES
from . import arithmetic, expressions, rows
from .literals import type_from
from .state import BAD_ARGUMENT, UNSUPPORTED, State
from .values import BufferValue, Name, PassedArgument, Ramp, Value, kind_of

_NUMBER = "int32"
"""What a number of Python is passed as."""
INDEX_ARGUMENT, STRIDE = "tw.index_argument", "tw.stride"
ACCESSES = {f"tw.{mode}": mode for mode in MODES}
_POINTER_MODES: dict[object, str] = {"r": "read", "w": "write", "rw": "update", 1: "read", 2: "write", 3: "update"}


def argument(s: State, node: ast.expr) -> loop.Argument:
    """An argument that is passed to a foreign function."""
    value = expressions.evaluate(s, node)
    with s.at(node):
        return passed(s, value)


def passed(s: State, value: Value) -> loop.Argument:
    """A value as an argument; of a buffer all elements may be updated."""
    match value:
        case PassedArgument():
            return value.argument
        case BufferValue():
            return whole(s, value, "update").argument
        case bool():
            return loop.ValueArgument(arithmetic.constant(s, value, "bool"))
        case int():
            return loop.IndexArgument(Index.of(value), type_from(_NUMBER))
        case Index():
            return loop.IndexArgument(value, type_from(_NUMBER))
        case _:
            return loop.ValueArgument(arithmetic.typed(s, value))


def whole(s: State, buffer: BufferValue, mode: str) -> PassedArgument:
    """The address of a buffer, all of which is accessed."""
    if not all(e.is_constant for e in buffer.shape) or buffer.base is not None:
        s.fail(
            UNSUPPORTED,
            f"expected a buffer of known size, but got '{buffer.name}'",
            help="say which elements the call accesses: T.tw.read(A[i, j], [[], [(16, 1)]])",
        )
    box = loop.box_of([e.constant for e in buffer.shape])
    zeros = tuple(Index.of(0) for _ in buffer.shape)
    return PassedArgument(loop.AccessArgument(mode, buffer.value, zeros, box))


def pointer(s: State, buffer: BufferValue, node: ast.Call) -> PassedArgument:
    """`A.access_ptr("r")`: the address of a whole buffer; the modes are r, w and rw."""
    given = rows.bound(s, node, {"access_mask": "rw", "offset": 0}, "access_ptr")
    mode = "rw" if "access_mask" not in given else expressions.constant(s, given["access_mask"], (str, int), "a mode")
    known = _POINTER_MODES.get(mode)
    if known is None:
        s.fail(BAD_ARGUMENT, f"expected a mode of r, w or rw, but got {mode!r}", node)
    if "offset" in given and expressions.evaluate(s, given["offset"]) != 0:
        s.fail(UNSUPPORTED, "expected the address of a whole buffer", node, help="use T.tw.read(A[i], box)")
    return whole(s, buffer, known)


def access(s: State, mode: str, node: ast.Call) -> PassedArgument:
    """`T.tw.read(A[i, j], [[], [(16, 1)]])`: an element, and for each dimension pairs of extent and step."""
    given = rows.bound(s, node, {"element": rows.REQUIRED, "box": None}, f"T.tw.{mode}")
    buffer, index = element(s, given["element"])
    box: Any = [()] * len(index)
    if "box" in given:
        box = expressions.constant(s, given["box"], (list, tuple), "a list of pairs for each dimension")
    with s.at(node):
        pairs = tuple(tuple(_pair(s, pair) for pair in _listed(s, dimension)) for dimension in box)
        return PassedArgument(loop.AccessArgument(mode, buffer.value, buffer.at(index), pairs))


def _listed(s: State, dimension: Any) -> Any:
    return dimension if isinstance(dimension, (list, tuple)) else s.fail(BAD_ARGUMENT, "expected a list of pairs")


def _pair(s: State, pair: Any) -> tuple[int, int]:
    if isinstance(pair, (list, tuple)) and len(pair) == 2 and all(type(n) is int for n in pair):
        return int(pair[0]), int(pair[1])
    return s.fail(BAD_ARGUMENT, f"expected a pair of an extent and a step, but got {kind_of(pair)}")


def element(s: State, node: ast.expr) -> tuple[BufferValue, list[Index]]:
    """An element that is named and not read."""
    if not isinstance(node, ast.Subscript):
        s.fail(BAD_ARGUMENT, "expected an element of a buffer", node)
    buffer = expressions.evaluate(s, node.value)
    if not isinstance(buffer, BufferValue):
        s.fail(BAD_ARGUMENT, f"expected an element of a buffer, but got one of {kind_of(buffer)}", node)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    with s.at(node):
        expressions.check_rank(s, buffer, len(parts))
        index: list[Index] = []
        for part in parts:
            where = expressions.place(s, part)
            if isinstance(where, Ramp):
                s.fail(BAD_ARGUMENT, "expected one element", part)
            index.append(where)
    return buffer, index


def index_argument(s: State, node: ast.Call) -> PassedArgument:
    """`T.tw.index_argument(i * 4, "int32")`."""
    given = rows.bound(s, node, {"value": rows.REQUIRED, "dtype": rows.REQUIRED}, "T.tw.index_argument")
    value = expressions.index(s, given["value"])
    return PassedArgument(loop.IndexArgument(value, rows.type_of(s, given["dtype"])))


def stride(s: State, node: ast.Call) -> PassedArgument:
    """`T.tw.stride(A, 0, "int32")`."""
    names = {"buffer": rows.REQUIRED, "dimension": rows.REQUIRED, "dtype": rows.REQUIRED}
    given = rows.bound(s, node, names, "T.tw.stride")
    buffer = rows.buffer(s, given["buffer"])
    dimension = expressions.constant(s, given["dimension"], int, "a number")
    return PassedArgument(loop.StrideArgument(buffer, dimension, rows.type_of(s, given["dtype"])))


def call(s: State, node: ast.Call) -> Value:
    """`T.call_extern("int32", "f", …)`: the address of each buffer, the values of other arguments."""
    if len(node.args) < 2:
        s.fail(BAD_ARGUMENT, "expected a type and the name of a function", node)
    found = expressions.evaluate(s, node.args[0])
    nothing = found in ("void", "") or found == Name("void")
    results: list[Attribute] = [] if nothing else [rows.as_type(s, found, node.args[0])]
    name = expressions.constant(s, node.args[1], str, "the name of a function")
    arguments = [argument(s, a) for a in node.args[2:]]
    return rows.result_of(s.add(loop.CallExternOp(name, arguments, results)))
