"""The names of hybrid script: loops, buffers and functions, as the parser of TVMScript knows them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from ...dialects import loop
from ...dialects.index_expr import Index
from ...te.dtypes import dtype_info
from ..tvmscript import arithmetic, expressions, loops, rows
from ..tvmscript.literals import type_name
from ..tvmscript.script_values import BufferValue, LoopSpec, Name, Nest, Special, Value, kind_of
from ..tvmscript.state import BAD_ARGUMENT, UNSUPPORTED, State
from ..tvmscript.syntax import allocation_type

_MOST_THREADS = 1024
"""The threads of a block on every NVIDIA GPU, which `max_num_threads` gives."""
_MOST_ITERATIONS = 4096
"""The number of iterations that `const_range` unrolls at most."""


@dataclass(frozen=True)
class Unrolled:
    """The result of `const_range`: a loop that is unrolled while the script is read."""

    numbers: range


def _arguments(s: State, node: ast.Call, name: str, least: int, most: int) -> list[ast.expr]:
    if node.keywords or not least <= len(node.args) <= most or any(isinstance(a, ast.Starred) for a in node.args):
        count = str(least) if least == most else f"{least} to {most}"
        s.fail(BAD_ARGUMENT, f"expected {count} arguments of {name}", node)
    return node.args


def _const_range(s: State, node: ast.Call) -> Value:
    bounds = [
        expressions.constant(s, a, int, "a number that is known") for a in _arguments(s, node, "const_range", 1, 2)
    ]
    numbers = range(*bounds)
    if len(numbers) > _MOST_ITERATIONS:
        s.fail(
            UNSUPPORTED,
            f"expected at most {_MOST_ITERATIONS} iterations to write out, but got {len(numbers)}",
            node,
            help="use range or unroll",
        )
    return Unrolled(numbers)


def _bind(s: State, node: ast.Call) -> Value:
    tag, extent = _arguments(s, node, "bind", 2, 2)
    kind = loops.thread_kind(s, expressions.constant(s, tag, str, "the name of a thread"), tag)
    return Nest([LoopSpec((Index.of(0),), loops.bound(s, extent, "min"), kind)])


def declared(s: State, node: ast.Call, name: str) -> tuple[tuple[Index, ...], Any, str]:
    """Return the shape, element type and scope of `allocate` and `output_tensor`."""
    given = rows.bound(s, node, {"shape": rows.REQUIRED, "dtype": "float32", "scope": "global"}, name)
    shape = expressions.evaluate(s, given["shape"])
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    with s.at(given["shape"]):
        extents = tuple(arithmetic.index(s, size) for size in sizes)
    dtype = expressions.constant(s, given["dtype"], str, "an element type") if "dtype" in given else "float32"
    scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else loop.GLOBAL
    with s.at(node):
        return extents, dtype_info(dtype).ir, scope


def allocate(s: State, node: ast.Call) -> Value:
    """Read `allocate(shape, dtype, scope)`: a buffer that is live until the end of the enclosing loop."""
    shape, element, scope = declared(s, node, "allocate")
    op = s.add(loop.AllocOp(allocation_type(shape, element, scope), [e for e in shape if not e.is_constant]))
    return BufferValue(op.res, shape)


def _length(s: State, node: ast.Call) -> Value:
    value = expressions.evaluate(s, _arguments(s, node, "len", 1, 1)[0])
    match value:
        case BufferValue() if value.shape:
            extent = value.shape[0]
            return extent.constant if extent.is_constant else extent
        case tuple() | list() | str():
            return len(value)  # pyright: ignore[reportUnknownArgumentType]
        case _:
            return s.fail(BAD_ARGUMENT, f"expected a list or a tensor with dimensions, but got {kind_of(value)}", node)


def _ceil_div(s: State, node: ast.Call) -> Value:
    a, b = (expressions.evaluate(s, n) for n in _arguments(s, node, "ceil_div", 2, 2))
    return arithmetic.binary(s, "ceildiv", a, b)


def _max_num_threads(s: State, node: ast.Call) -> Value:
    _arguments(s, node, "max_num_threads", 0, 1)
    return _MOST_THREADS


def _limit(s: State, node: ast.Call, sign: int) -> Value:
    dtype = expressions.constant(s, _arguments(s, node, "inf", 1, 1)[0], str, "an element type")
    info = dtype_info(dtype)
    value = sign * float("inf") if info.is_float else info.integer_range[sign > 0]
    return arithmetic.constant(s, value, info.name)


LANGUAGE: dict[str, Value] = {
    "range": Name("serial"),
    "serial": Name("serial"),
    "parallel": Name("parallel"),
    "vectorize": Name("vectorized"),
    "unroll": Name("unroll"),
    "grid": Name("grid"),
    "const_range": Special("const_range", _const_range),
    "bind": Special("bind", _bind),
    "allocate": Special("allocate", allocate),
    "len": Special("len", _length),
    "ceil_div": Special("ceil_div", _ceil_div),
    "max_num_threads": Special("max_num_threads", _max_num_threads),
    "inf": Special("inf", lambda s, node: _limit(s, node, 1)),
    "ninf": Special("ninf", lambda s, node: _limit(s, node, -1)),
    **{
        name: Name(name)
        for name in (
            "exp", "exp2", "log", "log2", "log10", "sqrt", "rsqrt", "tanh", "sin", "cos", "tan", "acos", "asin", "atan",
            "atan2", "erf", "floor", "ceil", "round", "trunc", "power", "fmod", "popcount", "sigmoid", "min", "max",
            "abs", "likely",
            "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        )
    },
}  # fmt: skip
"""Name -> the function by which the parser reads calls of it; the reader of a script adds `output_tensor`."""


def dtype_of_value(s: State, value: Value) -> str:
    """Return the element type of a variable that begins with a value."""
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, Index)):
        return "int32"
    if isinstance(value, float):
        return "float32"
    return type_name(arithmetic.materialized(s, value).type)
