"""Calls of names of the language."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith

from ...diagnostics.text import did_you_mean
from ...dialects import loop
from ...dialects.dtypes import vector_type
from ...dialects.index_expr import Index
from ...te.dtypes import dtype_info
from ...te.printing import print_operation
from . import arithmetic, expressions, externs, flat, loops, opaque, packed, rows
from .buffers import are_dense
from .literals import Attr, parse_attribute, type_from, type_name
from .script_values import (
    BufferType,
    BufferValue,
    FunctionName,
    Helper,
    Method,
    Name,
    Ramp,
    Region,
    ScalarType,
    SizeVariable,
    Special,
    Thread,
    Value,
    is_number,
    kind_of,
)
from .state import BAD_ARGUMENT, UNKNOWN_NAME, UNSUPPORTED, State
from .syntax import ALIASES, CALL_NAMED, COMPARISONS, FUNCTIONS, GENERIC, OPERATORS

DTYPES = (
    "float64", "float32", "float16", "bfloat16", "int64", "int32", "int16", "int8",
    "uint64", "uint32", "uint16", "uint8", "bool",
)  # fmt: skip
_REQUIRED = rows.REQUIRED

_TYPED = (
    "if_then_else", "Select", "likely", "fma", "copysign", "isnan", "sigmoid",
    "shl", "shr", "and", "or", "xor",
)  # fmt: skip
"""Calls that may say the type of their result (`dtype=`), beside functions."""

REFUSED: dict[str, str] = {
    "call_cpacked": "it calls code of the original's runtime; use T.call_packed or T.call_extern",
    "While": "a loop runs over a range; bound it and guard its body",
    "tvm_struct_get": "structures of the original runtime do not exist here",
    "tvm_struct_set": "structures of the original runtime do not exist here",
    "tvm_stack_alloca": "structures of the original runtime do not exist here",
    "preflattened_buffer": "buffers are flattened by a pass",
    "sparse_match_buffer": "declare each array of a sparse matrix as a buffer",
    "Let": "bind the value by an assignment before",
}
"""Names of TVM's language that this one does not have, with an alternative."""

STATEMENTS = (
    "reads", "writes", "where", "block_attr", "func_attr", "init", "block", "axis.spatial", "axis.S", "axis.reduce",
    "axis.R", "axis.remap", "axis.opaque", "attr", "launch_thread", "tw.block", "tw.attrs", "tw.arg_attrs",
    "tw.yield_", "tw.combine", "allocate", "match_buffer", "decl_buffer", "let", "LetStmt", "realize",
)  # fmt: skip
"""Names that are valid only as separate statements, which `statements` and `blocks` read."""


def call(s: State, name: str, node: ast.Call) -> Value:
    """Return the value of a call of a name."""
    typed = next((k for k in node.keywords if k.arg == "dtype"), None)
    if typed is not None and ALIASES.get(name, name) in (*FUNCTIONS, *_TYPED):
        plain = ast.copy_location(ast.Call(node.func, node.args, [k for k in node.keywords if k is not typed]), node)
        result = call(s, name, plain)
        return convert(s, result, type_name(rows.type_of(s, typed.value)))
    special = _SPECIAL.get(name)
    if special is not None:
        return special(s, node)
    if ALIASES.get(name, name) in CALL_NAMED:
        return rows.read_call(s, CALL_NAMED[ALIASES.get(name, name)], node)
    plain = ALIASES.get(name, name)
    if plain in FUNCTIONS or plain in OPERATORS:
        return _function(s, plain, node)
    if name in COMPARISON_NAMES:
        a, b = (expressions.evaluate(s, n) for n in _exactly(s, node, 2))
        return arithmetic.compare(s, COMPARISON_NAMES[name], a, b)
    if _is_dtype(name):
        return scalar(s, name, node)
    if name in REFUSED:
        s.fail(UNSUPPORTED, f"T.{name} is not supported", node, help=REFUSED[name])
    if name in STATEMENTS:
        s.fail(BAD_ARGUMENT, f"T.{name} is a statement of a block or a function, not an expression", node)
    return s.fail(UNKNOWN_NAME, f"unknown name {Name(name)}{did_you_mean(name, known_names())}", node)


COMPARISON_NAMES = dict(zip(("LT", "LE", "GT", "GE", "EQ", "NE"), COMPARISONS, strict=True))


def known_names() -> list[str]:
    """Return the names that a script may call."""
    return sorted(
        {*_SPECIAL, *CALL_NAMED, *FUNCTIONS, *ALIASES, *DTYPES, *STATEMENTS, *COMPARISON_NAMES, *loops.FUNCTIONS}
    )


def _is_dtype(name: str) -> bool:
    stem = name.partition("x")[0] if not name.startswith("tw.") else ""
    return stem in DTYPES


def _exactly(s: State, node: ast.Call, count: int) -> list[ast.expr]:
    if node.keywords or len(node.args) != count or any(isinstance(a, ast.Starred) for a in node.args):
        s.fail(BAD_ARGUMENT, f"expected {count} arguments", node)
    return node.args


def _function(s: State, name: str, node: ast.Call) -> Value:
    operation, count = FUNCTIONS.get(name, (name, 2))
    variadic = operation in ("max", "min") and len(node.args) > 2
    values = [expressions.evaluate(s, a) for a in (node.args if variadic else _exactly(s, node, count))]
    if count == 1:
        return arithmetic.unary(s, operation, values[0])
    result = values[0]
    for value in values[1:]:
        result = arithmetic.binary(s, operation, result, value)
    return result


# Types, constants, conversions


def scalar(s: State, name: str, node: ast.Call) -> Value:
    """Read `T.float32(x)`: a number or a value of a type; without an argument a size."""
    given = rows.bound(s, node, {"expr": None, "is_size_var": None}, f"T.{name}")
    if "expr" not in given:
        return SizeVariable("")
    value = expressions.evaluate(s, given["expr"])
    with s.at(node):
        type = type_from(name)
        if isinstance(value, str) and value in ("inf", "-inf", "nan"):
            value = float(value)
        if str(type).startswith("vector"):
            element, lanes = name.rsplit("x", 1)
            return arithmetic.broadcast(s, arithmetic.converted(s, value, element), int(lanes))
        return arithmetic.converted(s, value, dtype_info(name).name)


def _cast(s: State, node: ast.Call, order: tuple[str, str]) -> Value:
    given = rows.bound(s, node, rows.required(*order), "T.cast")
    if order[0] == "dtype":
        dtype = rows.type_of(s, given["dtype"])
        return convert(s, expressions.evaluate(s, given["value"]), type_name(dtype))
    value = expressions.evaluate(s, given["value"])
    return convert(s, value, type_name(rows.type_of(s, given["dtype"])))


def convert(s: State, value: Value, name: str) -> Value:
    """Convert a value to another type."""
    if name.partition("x")[0] in DTYPES and "x" in name:
        element, lanes = name.rsplit("x", 1)
        return arithmetic.broadcast(s, arithmetic.converted(s, value, element), int(lanes))
    result = arithmetic.converted(s, value, dtype_info(name).name)
    return Index.of(result) if name == "index" else result


def _size(s: State, node: ast.Call) -> Value:
    rows.bound(s, node, {"dtype": None, "name": None}, "T.var")
    return SizeVariable("")


def _limit(s: State, node: ast.Call, sign: int) -> Value:
    info = dtype_info(type_name(rows.type_of(s, _exactly(s, node, 1)[0])))
    low, high = (info.least, info.largest) if info.is_float else info.integer_range
    return arithmetic.constant(s, low if sign < 0 else high, info.name)


def _attr(s: State, node: ast.Call) -> Value:
    text = expressions.constant(s, _exactly(s, node, 1)[0], str, "the text of an attribute")
    return Attr(parse_attribute(text))


def _index(s: State, node: ast.Call) -> Value:
    """Read `T.tw.index(5)`: a constant index expression."""
    value = expressions.evaluate(s, _exactly(s, node, 1)[0])
    return arithmetic.index(s, value)


def _ramp(s: State, node: ast.Call) -> Value:
    given = rows.bound(s, node, rows.required("base", "stride", "lanes"), "T.ramp")
    base = expressions.index(s, given["base"])
    stride = expressions.constant(s, given["stride"], int, "a number as stride")
    lanes = expressions.constant(s, given["lanes"], int, "a number of lanes")
    if not 0 < lanes <= 4096:
        s.fail(BAD_ARGUMENT, f"expected a number of lanes, but got {lanes}", given["lanes"])
    return Ramp(base, stride, lanes)


# Conditions and choices


def if_then_else(s: State, test: ast.expr, chosen: ast.expr, other: ast.expr) -> Value:
    """Return one of two values, of which only the chosen one's loads happen."""
    if isinstance(test, ast.Constant):
        return expressions.evaluate(s, chosen if test.value else other)
    conditions = expressions.guard(s, test)
    if expressions.is_load(s, other) and not expressions.is_load(s, chosen):
        conditions, chosen, other = arithmetic.negated(s, conditions), other, chosen
    outside = arithmetic.negated(s, conditions) if _needs_condition(s, other) else ()
    with s.where(outside):
        otherwise = expressions.evaluate(s, other)
    if expressions.is_load(s, chosen) and isinstance(chosen, ast.Subscript):
        buffer = expressions.evaluate(s, chosen.value)
        element = type_name(buffer.element)
        if is_number(otherwise) or arithmetic.dtype_of(s, arithmetic.resolved(s, otherwise)) == element:
            default = arithmetic.converted(s, otherwise, element)
            with s.where(conditions):
                parts = chosen.slice.elts if isinstance(chosen.slice, ast.Tuple) else [chosen.slice]
                expressions.check_rank(s, buffer, len(parts))
                positions = [expressions.position(s, part) for part in parts]
                return expressions.load(s, buffer, positions, default)
    with s.where(conditions):
        value = expressions.evaluate(s, chosen)
    first, second = arithmetic.agreeing(s, value, otherwise)
    return s.emit(arith.SelectOp(s.emit(loop.TestOp(conditions)), first, second))


_RISKY = (
    "truncdiv",
    "truncmod",
    "floordiv",
    "floormod",
    "ceildiv",
    "indexdiv",
    "indexmod",
    "FloorDiv",
    "FloorMod",
    "tw.load",
)


def _needs_condition(s: State, node: ast.expr) -> bool:
    """Return whether an expression may be evaluated only under its condition: it loads, divides or calls helpers."""
    for part in ast.walk(node):
        if isinstance(part, (ast.Subscript, ast.FloorDiv, ast.Mod)):
            return True
        if isinstance(part, ast.Call) and expressions.called_name(s, part) in (None, *_RISKY):
            return True
    return False


def _if_then_else(s: State, node: ast.Call) -> Value:
    names = rows.required("cond", "true_value", "false_value")
    given = rows.bound(s, node, names, "T.if_then_else")
    return if_then_else(s, given["cond"], given["true_value"], given["false_value"])


def _select(s: State, node: ast.Call) -> Value:
    names = rows.required("condition", "true_value", "false_value")
    given = rows.bound(s, node, names, "T.Select")
    condition, a, b = (expressions.evaluate(s, given[n]) for n in names)
    return arithmetic.select(s, condition, a, b)


def _logical(s: State, node: ast.Call, op: str) -> Value:
    if node.keywords or not node.args:
        s.fail(BAD_ARGUMENT, "expected conditions", node)
    return arithmetic.logical(s, op, [expressions.evaluate(s, a) for a in node.args])


def _not(s: State, node: ast.Call) -> Value:
    value = expressions.evaluate(s, _exactly(s, node, 1)[0])
    return not value if isinstance(value, bool) else arithmetic.unary(s, "not", value)


def _same(s: State, node: ast.Call) -> Value:
    return expressions.evaluate(s, _exactly(s, node, 1)[0])


def _classified(s: State, node: ast.Call, name: str) -> Value:
    """Compute isnan, isinf and isfinite by comparisons."""
    value = arithmetic.typed(s, expressions.evaluate(s, _exactly(s, node, 1)[0]))
    if name == "isnan":
        return arithmetic.compare(s, "!=", value, value)
    if not dtype_info(arithmetic.dtype_of(s, value)).is_float:
        return name == "isfinite"
    size = arithmetic.unary(s, "abs", value)
    return arithmetic.compare(s, "==" if name == "isinf" else "<", size, float("inf"))


def _sigmoid(s: State, node: ast.Call) -> Value:
    value = expressions.evaluate(s, _exactly(s, node, 1)[0])
    power = arithmetic.unary(s, "exp", arithmetic.unary(s, "neg", value))
    return arithmetic.binary(s, "div", 1.0, arithmetic.binary(s, "add", 1.0, power))


# Buffers


def buffer_declaration(s: State, args: list[ast.expr], keywords: list[ast.keyword]) -> BufferType:
    """Read `T.Buffer((64, "n"), "float32", scope="shared")`, as the type of an argument."""
    node = ast.Call(ast.Name("Buffer"), args, keywords, lineno=s.node.lineno, col_offset=s.node.col_offset)  # type: ignore
    defaults = {
        "shape": _REQUIRED, "dtype": "float32", "data": None, "strides": None, "elem_offset": None, "scope": "global",
        "align": None, "offset_factor": None, "buffer_type": None, "axis_separators": None,
    }  # fmt: skip
    given = rows.bound(s, node, defaults, "T.Buffer")
    for name in ("data", "strides", "elem_offset"):
        if name in given and expressions.evaluate(s, given[name]) is not None:
            s.fail(
                UNSUPPORTED,
                f"expected T.Buffer without {name} as the type of an argument",
                given[name],
                help="take a T.handle and use T.match_buffer, which has strides; T.tw.view is another buffer's memory",
            )
    shape = expressions.evaluate(s, given["shape"])
    sizes: tuple[Any, ...] = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    element = rows.type_of(s, given["dtype"]) if "dtype" in given else type_from("float32")
    scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else "global"
    return BufferType(tuple(None if n == Name("tw.any") else n for n in sizes), element, scope)


def method(s: State, what: Method, node: ast.Call) -> Value:
    """Call a method of a buffer or of a value."""
    match what.owner, what.name:
        case BufferValue() as buffer, "vload":
            given = rows.bound(s, node, {"indices": _REQUIRED, "dtype": None}, "vload")
            dtype = rows.type_of(s, given["dtype"]) if "dtype" in given else buffer.element
            positions = vector_positions(s, rows.indices(s, given["indices"]), type_name(dtype), buffer)
            return expressions.load(s, buffer, positions)
        case BufferValue() as buffer, "access_ptr":
            return externs.pointer(s, buffer, node)
        case BufferValue() as buffer, "scope":
            return buffer.scope
        case BufferValue(), _:
            return s.fail(BAD_ARGUMENT, f"'{what.name}' is a statement, not an expression", node)
        case value, "astype":
            return convert(s, value, type_name(rows.type_of(s, _exactly(s, node, 1)[0])))
        case _:
            return s.fail(BAD_ARGUMENT, f"a value has no method '{what.name}'", node)


def vector_positions(s: State, indices: tuple[Index, ...], dtype: str, buffer: BufferValue) -> list[Index | Ramp]:
    """Return the indices at which `vload` and `vstore` access a buffer: lanes run along the last dimension."""
    expressions.check_rank(s, buffer, len(indices))
    type = type_from(dtype)
    if type == buffer.element:
        return [*indices]
    lanes = dtype.rpartition("x")[2]
    if not lanes.isdigit() or vector_type(buffer.element, int(lanes)) != type:
        s.fail(BAD_ARGUMENT, f"expected a vector of {type_name(buffer.element)}, but got {dtype}")
    return [*indices[:-1], Ramp(indices[-1], 1, int(lanes))]


def call_function(s: State, name: str, arguments: list[Value]) -> Value:
    """Emit a call of another function of the module."""
    operands = [a.value if isinstance(a, BufferValue) else arithmetic.typed(s, a) for a in arguments]
    expected = s.functions.get(name)
    if expected is not None and len(expected) != len(operands):
        s.fail(BAD_ARGUMENT, f"expected {len(expected)} arguments of '{name}', but got {len(operands)}")
    row = CALL_NAMED["tw.call"]
    s.add(row.make((), name, operands))
    return None


def _evaluate(s: State, node: ast.Call) -> Value:
    value = expressions.evaluate(s, _exactly(s, node, 1)[0])
    if isinstance(value, (Region, Name)):
        s.fail(BAD_ARGUMENT, f"expected a value, but got {kind_of(value)}", node)
    return None


def _print(s: State, node: ast.Call) -> Value:
    """Read `T.print(value)` or `T.print(value, "label")`: a line for each time that it runs."""
    given = rows.bound(s, node, {"value": None, "label": None}, "T.print")
    if "value" not in given:
        s.fail(BAD_ARGUMENT, "expected a value to print", node)
    label = expressions.evaluate(s, given["label"]) if "label" in given else ""
    if not isinstance(label, str):
        s.fail(BAD_ARGUMENT, f"expected a text as label, but got {kind_of(label)}", node)
    with s.at(node):
        value = arithmetic.materialized(s, expressions.evaluate(s, given["value"]))
        s.add(print_operation(s.emit, value, label, s.source.location(node), s.block, s.path))
    return value


def _without_type(node: ast.Call) -> ast.Call:
    """Return a call that stands for statements, without the type of a result."""
    return ast.copy_location(ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "dtype"]), node)


def _env_thread(s: State, node: ast.Call) -> Value:
    return Thread(expressions.constant(s, _exactly(s, node, 1)[0], str, "the name of a thread"))


def _intrinsic(s: State, node: ast.Call) -> Value:
    """Read `T.call_intrin`: functions that have operations become these, others are called by their names."""
    if len(node.args) > 1:
        name = expressions.constant(s, node.args[1], str, "a name").removeprefix("tir.")
        if name in opaque.MODES:
            return opaque.call(s, name, ast.copy_location(ast.Call(node.func, node.args[2:], []), node))
        if name in FUNCTIONS and len(node.args) - 2 == FUNCTIONS[name][1]:
            dtype = rows.type_of(s, node.args[0])
            operands = [expressions.evaluate(s, a) for a in node.args[2:]]
            operation = FUNCTIONS[name][0]
            combine = arithmetic.unary if len(operands) == 1 else arithmetic.binary
            return convert(s, combine(s, operation, *operands), type_name(dtype))
        node = ast.copy_location(ast.Call(node.func, [*node.args], node.keywords), node)
        node.args[1] = ast.copy_location(ast.Constant(name), node)
    return rows.read_call(s, CALL_NAMED["call_intrin"], node)


def _is_default(s: State, call: ast.Call, keyword: ast.keyword) -> bool:
    """Return whether an argument of an allocation is the default: strides without gaps, an offset of 0."""
    if keyword.arg == "align":
        return True
    value = expressions.evaluate(s, keyword.value)
    if keyword.arg == "strides":
        shape = next((k.value for k in call.keywords if k.arg == "shape"), call.args[0] if call.args else None)
        return shape is not None and are_dense(rows.indices(s, shape), value)
    if keyword.arg == "elem_offset" and value is not None:
        return not isinstance(value, str) and expressions.index(s, keyword.value) == Index.of(0)
    return value in (None, 0, 1, -1, "default", ())


def _allocation(s: State, node: ast.Call) -> Value:
    """Read `T.alloc_buffer`: TVM's other parameters than the scope must have their default values."""
    plain = {"data", "strides", "elem_offset", "align", "offset_factor", "buffer_type", "axis_separators"}
    kept: list[ast.keyword] = []
    for keyword in node.keywords:
        if keyword.arg not in plain:
            kept.append(keyword)
        elif not _is_default(s, node, keyword):
            s.fail(UNSUPPORTED, f"expected no {keyword.arg} of an allocation", keyword.value)
    return rows.read_call(s, CALL_NAMED["alloc_buffer"], ast.copy_location(ast.Call(node.func, node.args, kept), node))


_SPECIAL: dict[str, Callable[[State, ast.Call], Value]] = {
    GENERIC: rows.read_generic,
    "alloc_buffer": _allocation,
    "load": flat.load,
    "print": _print,
    "store": flat.store,
    "Cast": lambda s, node: _cast(s, node, ("dtype", "value")),
    "cast": lambda s, node: _cast(s, node, ("value", "dtype")),
    "var": _size,
    "size_var": _size,
    "min_value": lambda s, node: _limit(s, node, -1),
    "max_value": lambda s, node: _limit(s, node, 1),
    "tw.attr": _attr,
    "tw.index": _index,
    "index": _index,
    "ramp": _ramp,
    "Ramp": _ramp,
    "if_then_else": _if_then_else,
    "Select": _select,
    "And": lambda s, node: _logical(s, node, "and"),
    "Or": lambda s, node: _logical(s, node, "or"),
    "all": lambda s, node: _logical(s, node, "and"),
    "any": lambda s, node: _logical(s, node, "or"),
    "Not": _not,
    "likely": _same,
    "meta_var": _same,
    "isnan": lambda s, node: _classified(s, node, "isnan"),
    "isinf": lambda s, node: _classified(s, node, "isinf"),
    "isfinite": lambda s, node: _classified(s, node, "isfinite"),
    "sigmoid": _sigmoid,
    "Buffer": lambda s, node: buffer_declaration(s, node.args, node.keywords),
    "evaluate": _evaluate,
    "env_thread": _env_thread,
    "call_intrin": _intrinsic,
    "call_extern": externs.call,
    "call_packed": packed.call,
    "tvm_call_packed": packed.call,
    "tvm_stack_make_array": packed.make_array,
    "tvm_stack_make_shape": packed.make_shape,
    opaque.ACCESS_POINTER: opaque.access_pointer,
    opaque.TYPE_ANNOTATION: opaque.type_annotation,
    "q_multiply_shift": opaque.multiply_shift,
    externs.INDEX_ARGUMENT: externs.index_argument,
    externs.STRIDE: externs.stride,
    "tw.scalar": lambda s, node: ScalarType(rows.type_of(s, _exactly(s, node, 1)[0]), is_exact=True),
    **{name: (lambda s, node, mode=mode: externs.access(s, mode, node)) for name, mode in externs.ACCESSES.items()},
    **{name: (lambda s, node, name=name: opaque.call(s, name, _without_type(node))) for name in opaque.MODES},
    **{name: (lambda s, node, name=name: loops.read(s, name, node)) for name in loops.FUNCTIONS},
    "syncthreads": lambda s, node: rows.read_call(s, CALL_NAMED["tvm_storage_sync"], node),
}


# Calls of names of the script


def _read_call(s: State, node: ast.Call) -> Value:
    function = expressions.evaluate(s, node.func)
    match function:
        case Name():
            return call(s, function.name, node)
        case Special():
            return function.read(s, node)
        case Method():
            return method(s, function, node)
        case Helper():
            return s.run_helper(s, function, _positional(s, node), node)
        case FunctionName():
            return call_function(s, function.name, _positional(s, node))
        case _:
            return _outside_call(s, function, node)


def _positional(s: State, node: ast.Call) -> list[Value]:
    if node.keywords:
        s.fail(UNSUPPORTED, "expected positional arguments", node.keywords[0])
    values = [expressions.evaluate(s, a) for a in node.args if not isinstance(a, ast.Starred)]
    if len(values) != len(node.args):
        s.fail(UNSUPPORTED, "expected plain arguments", node)
    return values


def _outside_call(s: State, function: Any, node: ast.Call) -> Value:
    """Call a function of Python on constants: one of numbers by its name, or one of the user's."""
    if not callable(function):
        s.fail(BAD_ARGUMENT, f"expected a function, but got {kind_of(function)}", node)
    if function is range:
        return call(s, "serial", node)
    arguments = [_plain(a) for a in _positional(s, node)]
    name = getattr(function, "__name__", "")
    is_constant = all(isinstance(a, (int, float, str, tuple, list)) for a in arguments)
    if function in (min, max) and not is_constant and len(arguments) > 1:
        result = arguments[0]
        for other in arguments[1:]:
            result = arithmetic.binary(s, name, result, other)
        return result
    if function is abs and not is_constant and len(arguments) == 1:
        return arithmetic.unary(s, "abs", arguments[0])
    known = function in (len, int, float, bool, min, max, abs)
    if not is_constant or not (known or s.source.runs_python):
        s.fail(
            UNSUPPORTED,
            f"expected a function of {s.language.name}, or constants as arguments of '{name or function!r}'",
            node,
            help="functions of Python that a script may call are those with source, and those of constants",
        )
    try:
        return expressions.as_value(s, function(*arguments), node)
    except Exception as error:
        return s.fail(BAD_ARGUMENT, f"'{name}' failed: {type(error).__name__}: {error}", node)


def _plain(value: Value) -> Value:
    return value.constant if isinstance(value, Index) and value.is_constant else value


def _conditional(s: State, node: ast.IfExp) -> Value:
    return if_then_else(s, node.test, node.body, node.orelse)


expressions.HANDLERS |= {ast.Call: _read_call, ast.IfExp: _conditional}
