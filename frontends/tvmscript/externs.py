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
from .script_values import BufferValue, Name, PassedArgument, Ramp, Value, kind_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State

_NUMBER = "int32"
"""The dtype of a Python number as an argument."""
INDEX_ARGUMENT, STRIDE = "tw.index_argument", "tw.stride"
ACCESSES = {f"tw.{mode}": mode for mode in MODES}
_POINTER_MODES: dict[object, str] = {"r": "read", "w": "write", "rw": "update", 1: "read", 2: "write", 3: "update"}


def argument(s: State, node: ast.expr) -> loop.Argument:
    """Return an argument that is passed to a foreign function."""
    value = expressions.evaluate(s, node)
    with s.at(node):
        return passed_value(s, value)


def passed_value(s: State, value: Value) -> loop.Argument:
    """Return a value as an argument; of a buffer all elements may be updated."""
    match value:
        case PassedArgument(offset=None):
            return value.argument
        case PassedArgument():
            return s.fail(UNSUPPORTED, "expected the address of a whole buffer", help="use T.tw.read(A[i, j], box)")
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
    """Return the address of a buffer, all of which is accessed."""
    if not all(e.is_constant for e in buffer.shape):
        s.fail(
            UNSUPPORTED,
            f"expected a buffer of known size, but got '{buffer.name}'",
            help="say which elements the call accesses: T.tw.read(A[i, j], [[], [(16, 1)]])",
        )
    first = buffer.at([Index.of(0)] * len(buffer.shape))
    left_out = [1] * (len(first) - len(buffer.shape) - buffer.extra)
    box = loop.box_of([*left_out, *(e.constant for e in buffer.shape), *[1] * buffer.extra])
    return PassedArgument(loop.AccessArgument(mode, buffer.value, first, box))


def part(s: State, buffer: BufferValue, mode: object, offset: Index, extent: Index | None) -> PassedArgument:
    """Return the address of an element of a buffer, by its number, and how many elements behind it are accessed."""
    known = _POINTER_MODES.get(mode)
    if known is None:
        s.fail(BAD_ARGUMENT, f"expected a mode of r, w or rw, but got {mode!r}")
    if len(buffer.shape) == 1 and buffer.base is None and extent is not None and extent.is_constant:
        box = (((extent.constant, 1),) if extent.constant != 1 else (),)
        return PassedArgument(loop.AccessArgument(known, buffer.value, buffer.at([offset]), box))
    argument = whole(s, buffer, known).argument
    return PassedArgument(argument, None if offset.is_constant and offset.constant == 0 else offset)


def pointer(s: State, buffer: BufferValue, node: ast.Call) -> PassedArgument:
    """Read `A.access_ptr("r", offset=4, extent=16)`: the modes are r, w and rw; without an extent the whole buffer."""
    names = {"access_mask": "rw", "ptr_type": None, "content_lanes": 1, "offset": 0, "extent": None}
    given = rows.bound(s, node, names, "access_ptr")
    mode = "rw" if "access_mask" not in given else expressions.constant(s, given["access_mask"], (str, int), "a mode")
    offset = expressions.index(s, given["offset"]) if "offset" in given else Index.of(0)
    extent = expressions.index(s, given["extent"]) if "extent" in given else None
    with s.at(node):
        return part(s, buffer, mode, offset, extent)


def access(s: State, mode: str, node: ast.Call) -> PassedArgument:
    """Read `T.tw.read(A[i, j], [[], [(16, 1)]])`: an element, and for each dimension pairs of extent and step."""
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
    """Return the buffer and the indices of an element that is named and not read."""
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
            where = expressions.position(s, part)
            if isinstance(where, Ramp):
                s.fail(BAD_ARGUMENT, "expected one element", part)
            index.append(where)
    return buffer, index


def index_argument(s: State, node: ast.Call) -> PassedArgument:
    """Read `T.tw.index_argument(i * 4, "int32")`."""
    given = rows.bound(s, node, {"value": rows.REQUIRED, "dtype": rows.REQUIRED}, "T.tw.index_argument")
    value = expressions.index(s, given["value"])
    return PassedArgument(loop.IndexArgument(value, rows.type_of(s, given["dtype"])))


def stride(s: State, node: ast.Call) -> PassedArgument:
    """Read `T.tw.stride(A, 0, "int32")`."""
    names = {"buffer": rows.REQUIRED, "dimension": rows.REQUIRED, "dtype": rows.REQUIRED}
    given = rows.bound(s, node, names, "T.tw.stride")
    buffer = rows.buffer(s, given["buffer"])
    dimension = expressions.constant(s, given["dimension"], int, "a number")
    return PassedArgument(loop.StrideArgument(buffer, dimension, rows.type_of(s, given["dtype"])))


def call(s: State, node: ast.Call) -> Value:
    """Read `T.call_extern("int32", "f", …)` or `T.call_extern("f", …, dtype="int32")`.

    The function gets the address of each buffer, and the values of other arguments.
    """
    stated = next((k.value for k in node.keywords if k.arg == "dtype"), None)
    if len(node.keywords) != (stated is not None):
        s.fail(BAD_ARGUMENT, "expected no keyword but dtype", node)
    passed = list(node.args) if stated is None else [stated, *node.args]
    if len(passed) < 2:
        s.fail(BAD_ARGUMENT, "expected a type and the name of a function", node)
    found = expressions.evaluate(s, passed[0])
    nothing = found in ("void", "", "handle") or found in (Name("void"), Name("handle"))
    results: list[Attribute] = [] if nothing else [rows.as_type(s, found, passed[0])]
    name = expressions.constant(s, passed[1], str, "the name of a function")
    values = [expressions.evaluate(s, a) for a in passed[2:]]
    arguments: list[loop.Argument] = []
    for given, value in zip(passed[2:], values, strict=True):
        with s.at(given):
            arguments.append(passed_value(s, value))
    op = s.add(loop.CallExternOp(name, arguments, results))
    s.open_calls[op] = [n for n, value in enumerate(values) if isinstance(value, BufferValue)]
    return rows.result_of(op)
