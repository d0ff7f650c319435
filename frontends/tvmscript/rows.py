"""Reader of calls that are one operation each, by the rows of `syntax.CALLS`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from ...diagnostics.text import did_you_mean
from ...dialects import context, loop
from ...dialects.index_expr import Index
from . import arithmetic, expressions, externs
from .literals import Attr, attribute_of, parse_constant_data, type_from
from .script_values import BufferType, BufferValue, Name, ScalarType, Value, kind_of
from .state import BAD_ARGUMENT, State
from .syntax import (
    ARGUMENTS,
    ATTRIBUTE,
    BUFFER,
    BUFFER_TYPE,
    DATA,
    GUARD,
    INDEX,
    INDICES,
    NUMBER,
    REQUIRED,
    TEXT,
    TYPE,
    TYPES,
    VALUE,
    VALUES,
    Call,
    allocation_type,
)

ATTRS = "attrs"
"""The keyword of each of these calls for further attributes of the operation."""


def read_call(s: State, row: Call, node: ast.Call) -> Value:
    """Insert the operation of a row."""
    keywords = {k.arg: k.value for k in node.keywords if k.arg != ATTRS}
    attrs = next((k.value for k in node.keywords if k.arg == ATTRS), None)
    variadic = next((p.name for p in row.parameters if p.is_variadic), None)
    given = bound(s, node, {p.name: p.default for p in row.parameters}, f"T.{row.name}", keywords, variadic)
    values: dict[str, Any] = {}
    for parameter in row.parameters:
        found = given.get(parameter.name)
        if parameter.is_variadic:
            values[parameter.name] = _READERS[parameter.kind](s, node.args[len(row.parameters) - 1 :])
        elif found is None:
            values[parameter.name] = parameter.default
        elif parameter.default is None and isinstance(found, ast.Constant) and found.value is None:
            values[parameter.name] = None
        else:
            values[parameter.name] = _READERS[parameter.kind](s, found)
    with s.at(node):
        op = s.add(row.make(*values.values()))
    set_attributes(s, op, attrs)
    return result_of(op)


def result_of(op: Operation) -> Value:
    """Return the result of an operation: nothing, a value, or a tuple of them."""
    values = tuple(result_of_value(r) for r in op.results)
    return None if not values else values[0] if len(values) == 1 else values


def result_of_value(result: SSAValue) -> Value:
    """Return an SSA value as a script uses it: an index as an index expression, a memref as a buffer."""
    if isinstance(result.type, IndexType):
        return Index.of(result)
    if isinstance(result.type, MemRefType):
        return buffer_of(result)
    return result


def buffer_of(value: SSAValue, shape: tuple[Index, ...] | None = None) -> BufferValue:
    """Return a buffer as a value; extents that are not given are those of its allocation or its type."""
    assert isinstance(value.type, MemRefType)
    if shape is None and isinstance(value.owner, loop.AllocOp):
        shape = value.owner.shape
    return BufferValue(value, shape or tuple(Index.of(n) for n in value.type.get_shape()), name=value.name_hint or "")


def set_attributes(s: State, op: Operation, node: ast.expr | None) -> None:
    """Give an operation the attributes of a dictionary."""
    if node is not None:
        op.attributes |= attributes(s, node)


def attributes(s: State, node: ast.expr) -> dict[str, Attribute]:
    """Read a dictionary of attributes. A target is an argument of `build`, and is left out."""
    if isinstance(node, ast.Dict):
        kept = [(k, v) for k, v in zip(node.keys, node.values, strict=True) if not _is_target(s, v)]
        node = ast.copy_location(ast.Dict([k for k, _ in kept], [v for _, v in kept]), node)
    entries = expressions.constant(s, node, dict, "a dictionary of attributes")
    with s.at(node):
        return {key: attribute_of(value) for key, value in entries.items()}


def _is_target(s: State, node: ast.expr) -> bool:
    return expressions.called_name(s, node) == "target"


def required(*names: str) -> dict[str, Any]:
    """Return parameters without defaults."""
    return dict.fromkeys(names, REQUIRED)


def bound(
    s: State,
    node: ast.Call,
    defaults: Mapping[str, Any],
    what: str,
    keywords: Mapping[str | None, ast.expr] | None = None,
    variadic: str | None = None,
) -> dict[str, ast.expr]:
    """Return the arguments of a call by parameter. Parameters without a default have to be given."""
    names = [name for name in defaults if name != variadic]
    positional = node.args[: len(names)] if variadic else node.args
    if any(isinstance(a, ast.Starred) for a in node.args):
        s.fail(BAD_ARGUMENT, f"expected plain arguments of {what}", node)
    if len(positional) > len(names):
        s.fail(BAD_ARGUMENT, f"expected at most {len(names)} arguments of {what}, but got {len(positional)}", node)
    found = dict(zip(names, positional, strict=False))
    if keywords is None:
        keywords = {k.arg: k.value for k in node.keywords}
    for name, value in keywords.items():
        if name is None or name not in names:
            s.fail(BAD_ARGUMENT, f"{what} has no parameter '{name}'{did_you_mean(str(name), names)}", value)
        if name in found:
            s.fail(BAD_ARGUMENT, f"expected '{name}' of {what} once", value)
        found[name] = value
    missing = [n for n in names if defaults[n] is REQUIRED and n not in found]
    if missing:
        s.fail(BAD_ARGUMENT, f"{what} needs {', '.join(missing)}", node)
    return found


# One reader for each kind of parameter


def value(s: State, node: ast.expr) -> SSAValue:
    """Read an operand, as an SSA value at once, so that operations stand in the order of the text."""
    found = expressions.evaluate(s, node)
    with s.at(node):
        return arithmetic.typed(s, found)


def buffer(s: State, node: ast.expr) -> SSAValue:
    found = expressions.evaluate(s, node)
    if not isinstance(found, BufferValue) or found.base is not None:
        s.fail(BAD_ARGUMENT, f"expected a whole buffer, but got {kind_of(found)}", node)
    return found.value


def operand(s: State, node: ast.expr) -> SSAValue:
    """Read a buffer or a value."""
    found = expressions.evaluate(s, node)
    if isinstance(found, BufferValue) and found.base is None:
        return found.value
    with s.at(node):
        return arithmetic.typed(s, found)


def indices(s: State, node: ast.expr) -> tuple[Index, ...]:
    """Read a tuple or list of integer expressions, or one of them."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(expressions.index(s, part) for part in node.elts)
    found = expressions.evaluate(s, node)
    parts: Any = found if isinstance(found, (tuple, list)) else [found]
    with s.at(node):
        return tuple(arithmetic.index(s, part) for part in parts)


def guards(s: State, node: ast.expr) -> tuple[Index, ...]:
    """Read a list of conditions, or one."""
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(e for part in node.elts for e in _guard(s, part))
    return _guard(s, node)


def _guard(s: State, node: ast.expr) -> tuple[Index, ...]:
    return expressions.guard(s, node)


def type_of(s: State, node: ast.expr) -> Attribute:
    """Read a type, by its name."""
    return as_type(s, expressions.evaluate(s, node), node)


def as_type(s: State, found: Value, node: ast.AST) -> Attribute:
    """Return the type that a value names: a text, `T.float32`, or a dtype of numpy."""
    if isinstance(found, ScalarType):
        return found.element
    name = found.name if isinstance(found, Name) else found
    if not isinstance(name, str):
        name = getattr(found, "name", None) or getattr(found, "__name__", None)
    if not isinstance(name, str):
        s.fail(BAD_ARGUMENT, f"expected the name of a type, but got {kind_of(found)}", node)
    with s.at(node):
        return type_from(name)


def types(s: State, node: ast.expr) -> tuple[Attribute, ...]:
    found = expressions.evaluate(s, node)
    listed: Any = found if isinstance(found, (tuple, list)) else [found]
    return tuple(as_type(s, each, node) for each in listed)


def buffer_type(s: State, node: ast.expr) -> MemRefType:
    """Read the type of a buffer, as `T.Buffer(…)` declares it."""
    found = expressions.evaluate(s, node)
    if not isinstance(found, BufferType):
        s.fail(BAD_ARGUMENT, f"expected T.Buffer(…), but got {kind_of(found)}", node)
    with s.at(node):
        shape = tuple(Index.of(-1) if n is None else arithmetic.index(s, n) for n in found.shape)
        return allocation_type(shape, found.element, found.scope)


def _data(s: State, node: ast.expr) -> tuple[Attribute, MemRefType]:
    text = expressions.constant(s, node, str, "the text of elements")
    with s.at(node):
        return parse_constant_data(text)


def _attribute(s: State, node: ast.expr) -> Attribute:
    found = expressions.evaluate(s, node)
    with s.at(node):
        return found.attribute if isinstance(found, Attr) else attribute_of(found)


_READERS: dict[str, Callable[[State, Any], Any]] = {
    VALUE: value,
    VALUES: lambda s, nodes: tuple(operand(s, node) for node in nodes),
    BUFFER: buffer,
    INDEX: expressions.index,
    INDICES: indices,
    GUARD: guards,
    NUMBER: lambda s, node: expressions.constant(s, node, int, "a number"),
    TEXT: lambda s, node: expressions.constant(s, node, str, "a text"),
    TYPE: type_of,
    TYPES: types,
    BUFFER_TYPE: buffer_type,
    DATA: _data,
    ATTRIBUTE: _attribute,
    ARGUMENTS: lambda s, nodes: tuple(externs.argument(s, node) for node in nodes),
}


def read_generic(s: State, node: ast.Call) -> Value:
    """Read `T.tw.op(name, operands…, types=[…], props={…}, attrs={…})`: any operation without regions."""
    if not node.args:
        s.fail(BAD_ARGUMENT, "expected the name of an operation", node)
    name = expressions.constant(s, node.args[0], str, "the name of an operation")
    operands = [operand(s, a) for a in node.args[1:]]
    keywords = {k.arg: k.value for k in node.keywords}
    unknown = next((k for k in keywords if k not in ("types", "props", ATTRS)), None)
    if unknown is not None or None in keywords:
        s.fail(BAD_ARGUMENT, f"T.tw.op has no parameter '{unknown}'", node)
    results = types(s, keywords["types"]) if "types" in keywords else ()
    properties = attributes(s, keywords["props"]) if "props" in keywords else {}
    others = attributes(s, keywords[ATTRS]) if ATTRS in keywords else {}
    with s.at(node):
        kind = context().get_optional_op(name)
        if kind is None or name.partition(".")[0] not in ("arith", "math", "vector", "loop", "memref", "func"):
            s.fail(BAD_ARGUMENT, f"'{name}' is no operation of the loop level", node)
        op = kind.create(operands=operands, result_types=results, properties=properties, attributes=others)
        op.verify()
        s.add(op)
    return result_of(op)
