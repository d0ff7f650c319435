"""Expressions of a script: from the syntax tree to values, operands from left to right."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE, Index
from ...te.dtypes import dtype_info
from ...te.expr import Const
from ...te.scalar_operations import emit_constant
from . import arithmetic, positions
from .literals import type_name
from .script_values import (
    BufferValue,
    Condition,
    FunctionName,
    Helper,
    Method,
    ModuleName,
    Name,
    Ramp,
    Region,
    Value,
    Variable,
    kind_of,
)
from .source import is_module, source_of
from .state import BAD_ARGUMENT, UNSUPPORTED, State
from .syntax import ALWAYS, COMPARISONS, LANE_NAME, OPERATORS

_OPERATORS = {node: name for name, (_, node) in OPERATORS.items()} | {ast.Pow: "pow"}
_COMPARISONS = {node: text for text, node in COMPARISONS.items()}
_MODULES = {"script.tir": "", "script.ir": "I"}
_MARKER = "__tvmscript__"
"""The attribute of objects of `tilewright.script` that holds their name in the language."""


def evaluate(s: State, node: ast.expr) -> Value:
    """Return the value of an expression."""
    handler = HANDLERS.get(type(node))
    if handler is None:
        s.fail(UNSUPPORTED, f"{type(node).__name__} is no expression of {s.language.name}", node)
    with s.at(node):
        value = handler(s, node)
        return Index.of(value) if isinstance(value, SSAValue) and isinstance(value.type, IndexType) else value


def index(s: State, node: ast.expr) -> Index:
    """Return an integer expression as an index expression."""
    value = evaluate(s, node)
    with s.at(node):
        return arithmetic.index(s, value)


def guard(s: State, node: ast.expr) -> tuple[Index, ...]:
    """Return a condition as a conjunction of `e >= 0`; the parts of an `and` one after the other."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return tuple(e for part in node.values for e in guard(s, part))
    value = evaluate(s, node)
    with s.at(node):
        return arithmetic.guard(s, value)


def constant(s: State, node: ast.expr, types: type | tuple[type, ...], what: str) -> Any:
    """Return a value that is known while the script is read."""
    value = arithmetic.literal(s, evaluate(s, node))
    if isinstance(value, Index) and value.is_constant and not value.terms:
        value = value.constant
    if not isinstance(value, types) or (isinstance(value, bool) and types is int):
        s.fail(BAD_ARGUMENT, f"expected {what}, but got {kind_of(value)}", node)
    return value


def called_name(s: State, node: ast.AST | None) -> str | None:
    """Return the name of the language that an expression calls; None where it is no such call."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        return None
    root = node.func
    while isinstance(root, ast.Attribute):
        root = root.value
    if not isinstance(root, ast.Name) or any(root.id in scope.names for scope in s.scopes):
        return None
    if root.id not in s.source.names and root.id not in s.language.names:
        return None
    function = evaluate(s, node.func)
    return function.name if isinstance(function, Name) else None


# Names and constants


def _constant(s: State, node: ast.Constant) -> Value:
    if isinstance(node.value, (bool, int, float, str, type(None))):
        if isinstance(node.value, int) and node.value.bit_length() > 64:
            s.fail(BAD_ARGUMENT, "expected a number of at most 64 bits", node)
        return node.value
    return s.fail(UNSUPPORTED, f"a {type(node.value).__name__} is no constant of {s.language.name}", node)


def _name(s: State, node: ast.Name) -> Value:
    return as_value(s, s.lookup(node), node)


def as_value(s: State, found: Any, node: ast.AST) -> Value:
    """Return an object from outside of the script as a value of it; of a variable its value."""
    if isinstance(found, Variable):
        return load(s, found.buffer, [Index.of(0)])
    if isinstance(found, ModuleType):
        return _module_name(found)
    marker = getattr(found, _MARKER, None) if not isinstance(found, SSAValue) else None
    if isinstance(marker, str):
        return Name(marker)
    if isinstance(found, FunctionType) and s.source.runs_python:
        return _helper(found)
    if isinstance(found, Const):
        return found.value if found.dtype == "index" else emit_constant(s.emit, found.value, dtype_info(found.dtype).ir)
    item = getattr(found, "item", None)
    if item is not None and getattr(found, "shape", None) == () and not isinstance(found, SSAValue):
        return item()  # a scalar of numpy
    return found


def _module_name(module: ModuleType) -> Value:
    for name, prefix in _MODULES.items():
        if is_module(module, name):
            return Name(prefix)
    return module


def _helper(function: FunctionType) -> Value:
    """Return a Python function as a helper, whose body is read where it is called."""
    source = source_of(function)
    found = next((n for n in ast.walk(source.tree) if isinstance(n, (ast.FunctionDef, ast.Lambda))), None)
    return function if found is None else Helper(function.__name__, found, source)


def _attribute(s: State, node: ast.Attribute) -> Value:
    owner = evaluate(s, node.value)
    name = node.attr
    match owner:
        case Name():
            joined = f"{owner.name}.{name}" if owner.name else name
            return _CONSTANTS.get(joined) or Name(joined)
        case ModuleType():
            if s.source.runs_python and hasattr(owner, name):
                return as_value(s, getattr(owner, name), node)
            return s.fail(BAD_ARGUMENT, f"'{owner.__name__}' has no '{name}' that a script can use", node)
        case BufferValue():
            return _buffer_attribute(s, owner, name, node)
        case SSAValue() | Index() | Condition():
            if name == "dtype":
                return type_name(owner.type) if isinstance(owner, SSAValue) else arithmetic.dtype_of(s, owner)
            return Method(owner, name)
        case ModuleName() if name in s.functions:
            return FunctionName(name)
        case _:
            return _outside_attribute(s, owner, name, node)


LANE_INDEX = Index.of(LANE)
_CONSTANTS: dict[str, Value] = {LANE_NAME: LANE_INDEX, ALWAYS: Condition(())}


def _outside_attribute(s: State, owner: Any, name: str, node: ast.AST) -> Value:
    plain = (int, float, str, tuple, list)
    if s.source.runs_python and not name.startswith("_") and not isinstance(owner, Helper):
        found = getattr(owner, name, None)
        if isinstance(found, (*plain, FunctionType)) or getattr(found, "shape", None) == ():
            return as_value(s, found, node)
    return s.fail(BAD_ARGUMENT, f"expected a value with '{name}', but got {kind_of(owner)}", node)


def _buffer_attribute(s: State, buffer: BufferValue, name: str, node: ast.AST) -> Value:
    match name:
        case "shape":
            return tuple(e.constant if e.is_constant else e for e in buffer.shape)
        case "strides":
            return _strides(buffer)
        case "dtype":
            return type_name(buffer.element)
        case "data":
            return buffer.as_flat()
        case "name":
            return buffer.name
        case "elem_offset":
            return 0  # `data` of a part is the address of its first element
        case "vload" | "vstore" | "access_ptr" | "scope":
            return Method(buffer, name)
        case _:
            return s.fail(BAD_ARGUMENT, f"a buffer has no '{name}' in TVMScript", node)


def _strides(buffer: BufferValue) -> tuple[Value, ...]:
    """Return the strides of a buffer, where they are stated or follow from sizes that are known; else nothing."""
    if buffer.strides is not None:
        return tuple(buffer.strides)
    shape = buffer.type.get_shape()[: len(buffer.type.get_shape()) - buffer.extra]
    if any(n < 0 for n in shape):
        return ()
    dense = [math.prod(shape[d + 1 :]) for d in range(len(shape))]
    return tuple(dense[len(dense) - len(buffer.shape) :])


# Operators


def _tuple(s: State, node: ast.Tuple | ast.List) -> Value:
    parts: list[Value] = []
    for part in node.elts:
        if isinstance(part, ast.Starred):
            parts += constant(s, part.value, (tuple, list), "a tuple of constants")
        else:
            parts.append(evaluate(s, part))
    return tuple(parts) if isinstance(node, ast.Tuple) else parts


def _dict(s: State, node: ast.Dict) -> Value:
    result: dict[Any, Any] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            s.fail(UNSUPPORTED, "expected keys in a dictionary", node)
        result[constant(s, key, str, "a text as key")] = arithmetic.literal(s, evaluate(s, value))
    return result


def _binary(s: State, node: ast.BinOp) -> Value:
    op = _OPERATORS.get(type(node.op))
    if op is None:
        s.fail(UNSUPPORTED, f"{type(node.op).__name__} is no operator of {s.language.name}", node)
    a, b = evaluate(s, node.left), evaluate(s, node.right)
    joined = (tuple, list, str)
    if op == "add" and isinstance(a, joined) and type(a) is type(b):
        return a + b
    return arithmetic.binary(s, op, a, b)


def _unary(s: State, node: ast.UnaryOp) -> Value:
    value = evaluate(s, node.operand)
    match node.op:
        case ast.USub():
            return arithmetic.unary(s, "neg", value)
        case ast.UAdd():
            return value
        case ast.Invert():
            return arithmetic.unary(s, "not", value)
        case _:
            return not value if isinstance(value, bool) else arithmetic.unary(s, "not", _truth(s, value))


def _truth(s: State, value: Value) -> Value:
    return value if isinstance(value, Condition) else arithmetic.truth(s, value)


def _compare(s: State, node: ast.Compare) -> Value:
    parts: list[Value] = []
    left = evaluate(s, node.left)
    for op, right_node in zip(node.ops, node.comparators, strict=True):
        right = evaluate(s, right_node)
        text = _COMPARISONS.get(type(op))
        if text is None:
            s.fail(UNSUPPORTED, f"{type(op).__name__} is no comparison of {s.language.name}", node)
        parts.append(arithmetic.compare(s, text, left, right))
        left = right
    return arithmetic.logical(s, "and", parts)


def _logical(s: State, node: ast.BoolOp) -> Value:
    op = "and" if isinstance(node.op, ast.And) else "or"
    return arithmetic.logical(s, op, [evaluate(s, v) for v in node.values])


def _format(s: State, node: ast.JoinedStr) -> Value:
    text = ""
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.format_spec is not None or part.conversion != -1:
                s.fail(UNSUPPORTED, "expected plain values in a text", node)
            text += str(constant(s, part.value, (int, float, str), "a constant"))
        else:
            text += str(evaluate(s, part))
    return text


# Elements of buffers


def _subscript(s: State, node: ast.Subscript) -> Value:
    owner = evaluate(s, node.value)
    match owner:
        case BufferValue():
            return element(s, owner, node.slice)
        case Region():
            return s.fail(UNSUPPORTED, "expected an element of a buffer, but got one of a region", node)
        case tuple() | list() if isinstance(node.slice, ast.Tuple):  # `rows[i, j]` of constants is `rows[i][j]`
            inner: ast.expr = node.value
            for part in node.slice.elts:
                inner = ast.copy_location(ast.Subscript(inner, part, ast.Load()), node)
            return evaluate(s, inner)
        case tuple() | list() | dict() | str():
            key = constant(s, node.slice, (int, str), "a number or a key that is known")
            try:
                return owner[key]  # pyright: ignore
            except (IndexError, KeyError, TypeError):
                return s.fail(BAD_ARGUMENT, f"this has nothing at {key!r}", node)
        case Name(name="Buffer"):
            return evaluate(s, ast.copy_location(ast.Call(node.value, _parts(node.slice), []), node))
        case _:
            return s.fail(BAD_ARGUMENT, f"expected a buffer, but got {kind_of(owner)}", node)


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def element(s: State, buffer: BufferValue, where: ast.expr) -> Value:
    """Return the value of a buffer at an index: its element, a vector, or a region where the index has slices."""
    parts = _parts(where)
    if any(isinstance(part, ast.Slice) for part in parts):
        return region(s, buffer, parts)
    return load(s, buffer, positions.positions(s, buffer, parts))


def check_rank(s: State, buffer: BufferValue, count: int) -> None:
    if count != len(buffer.shape):
        s.fail(BAD_ARGUMENT, f"expected {len(buffer.shape)} indices of '{buffer.name}', but got {count}")


def position(s: State, node: ast.expr) -> Index | Ramp:
    """Return an index, or the lanes of a vector access."""
    value = evaluate(s, node)
    if isinstance(value, Ramp):
        return value
    with s.at(node):
        return arithmetic.index(s, value)


def region(s: State, buffer: BufferValue, parts: list[ast.expr]) -> Region:
    """Return a box of a buffer, whose sides are slices or single indices."""
    check_rank(s, buffer, len(parts))
    box: list[tuple[Index, Index]] = []
    for part, extent in zip(parts, buffer.shape, strict=True):
        if isinstance(part, ast.Slice):
            if part.step is not None:
                s.fail(UNSUPPORTED, "expected a slice without a step", part)
            low = Index.of(0) if part.lower is None else index(s, part.lower)
            high = extent if part.upper is None else index(s, part.upper)
            box.append((low, high - low))
        else:
            box.append((index(s, part), Index.of(1)))
    return Region(buffer, tuple(box))


def lanes_in(s: State, positions: list[Index | Ramp]) -> tuple[list[Index], int | None]:
    """Return indices over the lane, and how many lanes there are."""
    lanes = {p.lanes for p in positions if isinstance(p, Ramp)}
    if len(lanes) > 1:
        s.fail(BAD_ARGUMENT, "expected one number of lanes in an access")
    indices = [p.base + LANE_INDEX * p.stride if isinstance(p, Ramp) else p for p in positions]
    if not lanes and any(e.uses_lane for e in indices):
        s.fail(BAD_ARGUMENT, "expected an access of one element without the lane", help="use T.tw.load(…, lanes=n)")
    return indices, next(iter(lanes), None)


def load(s: State, buffer: BufferValue, positions: list[Index | Ramp], otherwise: SSAValue | None = None) -> SSAValue:
    """Read an element, where the conditions around the expression hold; else it is `otherwise`, or 0."""
    indices, lanes = lanes_in(s, positions)
    where = buffer.at(indices)
    if not s.path:
        return s.emit(loop.LoadOp(buffer.value, where, lanes=lanes))
    if otherwise is None:
        otherwise = arithmetic.constant(s, 0, dtype_info(type_name(buffer.element)).name)
    return s.emit(loop.LoadOp(buffer.value, where, s.path, otherwise, lanes))


def is_load(s: State, node: ast.expr) -> bool:
    """Return whether an expression is one element of a buffer."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name)):
        return False
    return any(isinstance(scope.names.get(node.value.id), BufferValue) for scope in s.scopes)


HANDLERS: dict[type[ast.expr], Callable[[State, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Tuple: _tuple,
    ast.List: _tuple,
    ast.Dict: _dict,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _logical,
    ast.JoinedStr: _format,
    ast.Subscript: _subscript,
}
"""The function that reads each kind of expression; `calls` adds further kinds."""
