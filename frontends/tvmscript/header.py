"""The arguments of a function, and the buffers that it matches them with.

A size that is the extent of an argument by itself is read from the argument (`loop.dim`), in the order of the
arguments; then the shapes of arguments with such sizes are stated (`loop.bind`). An argument whose strides are not
those of a dense buffer becomes a view with these strides, as by `build(binds=…)`; callers pass strides that are
symbolic.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, IndexType, MemRefType, i64
from xdsl.ir import Attribute, BlockArgument, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.names import STRIDES_ATTRIBUTE, script_name
from ...passes.shared.nests.symbolic_sizes import row_major_strides
from . import arithmetic, expressions, rows
from .calls import DTYPES
from .literals import type_from
from .script_values import BufferType, BufferValue, HandleValue, Name, ScalarType, SizeVariable
from .state import BAD_ARGUMENT, UNSUPPORTED, State

FUNCTION_ATTR, ARGUMENT_ATTRS = "func_attr", "tw.arg_attrs"
_SIZES = ("var", "size_var")
_MATCHES = ("match_buffer", "Buffer", "decl_buffer", "buffer_decl")
_INTEGERS = ("int32", "int64", "index")


@dataclass
class Declared:
    """A buffer argument."""

    name: str
    position: int
    node: ast.AST
    shape: list[Any]
    """Constants, nodes of expressions, or None for an extent that nothing states."""
    element: Attribute
    scope: str
    strides: list[ast.expr] | None = None
    argument: SSAValue | None = None
    sizes: list[Index | None] = field(default_factory=list[Index | None])


@dataclass
class Parameter:
    """A parameter of the function, in the order of the script."""

    name: str
    node: ast.arg
    type: Any


@dataclass
class Header:
    """The beginning of a function: its parameters, buffers and attributes."""

    parameters: list[Parameter] = field(default_factory=list[Parameter])
    buffers: list[Declared] = field(default_factory=list[Declared])
    attributes: dict[str, Attribute] = field(default_factory=dict[str, Attribute])
    argument_attributes: dict[str, tuple[ast.AST, dict[str, Attribute]]] = field(
        default_factory=dict[str, tuple[ast.AST, dict[str, Attribute]]]
    )
    strides: dict[SSAValue, list[int]] = field(default_factory=dict[SSAValue, list[int]])
    order: list[str] | None = None
    """Names of arguments and sizes in the order of callers, where that is another one than that of the arguments."""
    names: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    passed_strides: list[SSAValue] = field(default_factory=list[SSAValue])
    """The arguments for strides that callers say, which stand before all others."""


def read_header(s: State, node: ast.FunctionDef) -> tuple[Header, Sequence[ast.stmt]]:
    """Read the header of a function; return it, and the statements behind it."""
    header = Header()
    _check_signature(s, node)
    for parameter in node.args.args:
        with s.at(parameter):
            _read_parameter(s, header, parameter)
    body = list(node.body)
    while body and _read_statement(s, header, body[0]):
        body.pop(0)
    body = [node for node in body if not (_is_header(s, node) and _read_statement(s, header, node))]
    _add_arguments(s, header)
    return header, body


def _is_header(s: State, node: ast.stmt) -> bool:
    """Return whether a statement behind others belongs to the header: the buffer of a handle."""
    call = node.value if isinstance(node, ast.Assign) else None
    name = expressions.called_name(s, call)
    return name in _MATCHES and isinstance(call, ast.Call) and _handle_of(s, name, call) is not None


def _handle_of(s: State, name: str, call: ast.Call) -> HandleValue | None:
    """Return the argument that a buffer is matched with, or that it is declared on as its data."""
    node = call.args[0] if name == "match_buffer" and call.args else None
    if name != "match_buffer":
        node = next((each.value for each in call.keywords if each.arg == "data"), node)
        node = call.args[2] if node is None and len(call.args) > 2 else node
    handle = s.scopes[-1].names.get(node.id) if isinstance(node, ast.Name) else None
    return handle if isinstance(handle, HandleValue) and handle.buffer is None else None


def _check_signature(s: State, node: ast.FunctionDef) -> None:
    args = node.args
    odd = [*args.posonlyargs, *args.kwonlyargs, *(a for a in (args.vararg, args.kwarg) if a), *args.defaults]
    if odd:
        s.fail(UNSUPPORTED, "expected plain parameters", odd[0])


def _read_parameter(s: State, header: Header, parameter: ast.arg) -> None:
    if parameter.annotation is None:
        s.fail(BAD_ARGUMENT, f"expected a type of '{parameter.arg}'", parameter, help="T.Buffer(…), T.handle, T.int32")
    annotation = parameter.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.copy_location(ast.parse(annotation.value, mode="eval").body, annotation)
        except SyntaxError:
            s.fail(BAD_ARGUMENT, f"expected a type of '{parameter.arg}'", annotation)
        for part in ast.walk(annotation):
            ast.copy_location(part, parameter.annotation)
    shape = None
    if expressions.called_name(s, annotation) == "Buffer" and isinstance(annotation, ast.Call):
        shape = _shape_node(annotation)
        type = _declaration(s, annotation, shape)
    elif expressions.called_name(s, annotation) == "handle":
        type = Name("handle")  # the element type of the pointer is stated at the declaration of its buffer
    else:
        type = _type(s, expressions.evaluate(s, annotation), annotation)
    position = len(header.parameters)
    header.parameters.append(Parameter(parameter.arg, parameter, type))
    if isinstance(type, BufferType):
        listed = _dimensions(s, shape) if shape is not None else list(type.shape)
        header.buffers.append(Declared(parameter.arg, position, parameter, listed, type.element, type.scope))
        return
    name = parameter.arg
    value = HandleValue(name) if type == Name("handle") else SizeVariable(name) if _is_size(type) else None
    s.scopes[-1].names[name] = value


def _type(s: State, found: Any, node: ast.AST) -> Any:
    if isinstance(found, (BufferType, ScalarType)) or found == Name("handle"):
        return found
    if isinstance(found, Name) and found.name in (*DTYPES, "index"):
        return ScalarType(type_from(found.name))
    return s.fail(BAD_ARGUMENT, "expected T.Buffer(…), T.handle or a type of scalars", node)


def _is_size(type: Any) -> bool:
    return isinstance(type, ScalarType) and not type.is_exact and type.element in map(type_from, _INTEGERS)


def _shape_node(call: ast.Call) -> ast.expr | None:
    return call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "shape"), None)


def _declaration(s: State, call: ast.Call, shape: ast.expr | None) -> BufferType:
    """Return the type of a buffer, its shape left out, whose names may be sizes."""
    plain = ast.copy_location(ast.Tuple([], ast.Load()), call)
    args = [plain, *call.args[1:]] if call.args else []
    keywords = [ast.keyword(k.arg, plain if k.arg == "shape" else k.value) for k in call.keywords]
    for keyword in keywords:
        ast.copy_location(keyword, call)
    if shape is None:
        s.fail(BAD_ARGUMENT, "expected the shape of T.Buffer", call)
    declared = expressions.evaluate(s, ast.copy_location(ast.Call(call.func, args, keywords), call))
    assert isinstance(declared, BufferType)
    return declared


def _dimensions(s: State, node: ast.expr | None) -> list[Any]:
    """Return the extents that a shape lists: constants are evaluated, sizes stay nodes."""
    if node is None:
        return []
    if isinstance(node, (ast.Tuple, ast.List)):
        return [each for part in node.elts for each in _dimension_or_more(s, part)]
    if isinstance(node, ast.Name) and any(isinstance(sc.names.get(node.id), SizeVariable) for sc in s.scopes):
        return [node]
    found = expressions.evaluate(s, node)
    return list(found) if isinstance(found, (tuple, list)) else [_dimension(s, node)]


def _dimension_or_more(s: State, node: ast.expr) -> list[Any]:
    return _dimensions(s, node.value) if isinstance(node, ast.Starred) else [_dimension(s, node)]


def _dimension(s: State, node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        if not node.value.isidentifier():
            s.fail(BAD_ARGUMENT, f"expected the name of a size, but got {node.value!r}", node)
        s.scopes[-1].names.setdefault(node.value, SizeVariable(node.value))
        return ast.copy_location(ast.Name(node.value, ast.Load()), node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and any(isinstance(sc.names.get(part.id), SizeVariable) for sc in s.scopes):
            return node
    found = arithmetic.literal(s, expressions.evaluate(s, node))
    if found == Name("tw.any"):
        return None
    if isinstance(found, SizeVariable):
        s.fail(BAD_ARGUMENT, "expected a size that has a name", node)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found < 2**63:
        s.fail(BAD_ARGUMENT, "expected an extent of 0 or more", node)
    return found


# Statements at the top


def _read_statement(s: State, header: Header, node: ast.stmt) -> bool:
    """Take a statement into the header; False where it is none of those."""
    with s.at(node):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return True
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            return _read_sizes_together(s, node, node.targets[0])
        call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
        name = expressions.called_name(s, call)
        if name is None or not isinstance(call, ast.Call):
            return False
        if isinstance(node, ast.Expr):
            return _read_attributes(s, header, name, call)
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if not isinstance(target, ast.Name):
            return False
        if _is_size_call(s, call):
            s.scopes[-1].names[target.id] = SizeVariable(target.id)
            return True
        return name in _MATCHES and _read_match(s, header, target, name, call)


def _is_size_call(s: State, node: ast.expr) -> bool:
    """Return whether an expression makes a size: `T.int32()` or `T.var("int32")`."""
    name = expressions.called_name(s, node)
    return name in _SIZES or (name in _INTEGERS and isinstance(node, ast.Call) and not node.args and not node.keywords)


def _read_sizes_together(s: State, node: ast.Assign, targets: ast.Tuple) -> bool:
    """Read `n, m = T.int32(), T.int32()`."""
    made = node.value.elts if isinstance(node.value, ast.Tuple) else []
    if len(made) != len(targets.elts) or not all(_is_size_call(s, each) for each in made):
        return False
    for target in targets.elts:
        if not isinstance(target, ast.Name):
            return False
        s.scopes[-1].names[target.id] = SizeVariable(target.id)
    return True


def _read_attributes(s: State, header: Header, name: str, call: ast.Call) -> bool:
    if name == FUNCTION_ATTR:
        if len(call.args) != 1 or call.keywords:
            s.fail(BAD_ARGUMENT, "expected a dictionary of attributes", call)
        header.attributes |= rows.attributes(s, call.args[0])
        return True
    if name != ARGUMENT_ATTRS:
        return False
    if len(call.args) != 2 or call.keywords or not isinstance(call.args[0], ast.Name):
        s.fail(BAD_ARGUMENT, "expected an argument and its attributes", call)
    header.argument_attributes[call.args[0].id] = (call, rows.attributes(s, call.args[1]))
    return True


def _read_match(s: State, header: Header, target: ast.Name, name: str, call: ast.Call) -> bool:
    """Read `A = T.match_buffer(a, (n, 64), "float32", strides=…)` of a handle, or `A = T.Buffer((n, 64), data=a)`."""
    handle = _handle_of(s, name, call)
    if handle is None:
        return False
    defaults = {
        "param": rows.REQUIRED, "shape": rows.REQUIRED, "dtype": "float32", "data": None, "strides": None,
        "elem_offset": None, "scope": "global", "align": None, "offset_factor": None, "buffer_type": None,
        "axis_separators": None, "type": None,
    }  # fmt: skip
    if name != "match_buffer":
        del defaults["param"]
    given = rows.bound(s, call, defaults, f"T.{name}")
    if name != "match_buffer":
        given.pop("data")
    element = rows.type_of(s, given["dtype"]) if "dtype" in given else type_from("float32")
    scope = expressions.constant(s, given["scope"], str, "a scope") if "scope" in given else loop.GLOBAL
    kinds = (None, "", "default", "auto")
    for name, plain in (("data", (None,)), ("elem_offset", (None, 0)), ("buffer_type", kinds), ("type", kinds)):
        if name in given and expressions.evaluate(s, given[name]) not in plain:
            s.fail(UNSUPPORTED, f"expected an argument without {name}", given[name], help="state its strides")
    strides = given.get("strides")
    listed: list[ast.expr] | None = None
    if strides is not None and not (isinstance(strides, ast.Constant) and strides.value is None):
        if not isinstance(strides, (ast.Tuple, ast.List)):
            s.fail(BAD_ARGUMENT, "expected a list of strides", strides)
        listed = strides.elts or None
    position = next(k for k, p in enumerate(header.parameters) if p.name == handle.name)
    if any(b.position == position for b in header.buffers):
        s.fail(BAD_ARGUMENT, f"expected one buffer for '{handle.name}'", call)
    shape = _dimensions(s, given["shape"])
    if listed is not None and len(listed) != len(shape):
        s.fail(BAD_ARGUMENT, f"expected {len(shape)} strides, but got {len(listed)}", strides)
    header.buffers.append(Declared(target.id, position, call, shape, element, scope, listed))
    return True


# Arguments of the function


def _add_arguments(s: State, header: Header) -> None:
    """Block arguments for the parameters, and the operations that state the shapes of buffers."""
    header.buffers.sort(key=lambda b: b.position)
    buffers = {b.position: b for b in header.buffers}
    determined = {
        d.id for b in header.buffers for d in b.shape if isinstance(d, ast.Name)
    }  # sizes that shapes determine
    for position, parameter in enumerate(header.parameters):
        if parameter.type == Name("handle") and position not in buffers:
            message = f"expected T.match_buffer of '{parameter.name}' at the top of the function"
            s.fail(BAD_ARGUMENT, message, parameter.node)
        if position in buffers:
            buffers[position].argument = _add(s, header, _type_of(buffers[position]), buffers[position].name)
        elif _is_size(parameter.type) and parameter.name in determined:
            header.order = header.order or []
        else:
            _add_scalar(s, header, parameter)
    if header.order is not None:
        header.order = [buffers[k].name if k in buffers else p.name for k, p in enumerate(header.parameters)]
    for declared in header.buffers:
        with s.at(declared.node):
            _read_sizes(s, declared)
    for declared in header.buffers:
        with s.at(declared.node):
            _state_shape(s, header, declared)


def _add(s: State, header: Header, type: Attribute, name: str, position: int | None = None) -> BlockArgument:
    argument = s.block.insert_arg(type, len(s.block.args) if position is None else position)
    argument.name_hint = script_name(name)
    header.names[argument] = name
    return argument


def _add_scalar(s: State, header: Header, parameter: Parameter) -> None:
    assert isinstance(parameter.type, ScalarType)
    is_size = _is_size(parameter.type)
    argument = _add(s, header, IndexType() if is_size else parameter.type.element, parameter.name)
    known = s.scopes[-1].names.get(parameter.name)
    if isinstance(known, SizeVariable):
        known.index = Index.of(argument)
        s.scopes[-1].names[parameter.name] = known.index
    else:
        s.scopes[-1].names[parameter.name] = rows.result_of_value(argument)


def _type_of(declared: Declared) -> MemRefType:
    shape = [n if isinstance(n, int) else DYNAMIC_INDEX for n in declared.shape]
    return loop.buffer_type(shape, declared.element, declared.scope)


def _read_sizes(s: State, declared: Declared) -> None:
    """Emit a `loop.dim` for each size that stands alone as an extent, where it is met first."""
    assert declared.argument is not None
    for d, part in enumerate(declared.shape):
        if not isinstance(part, ast.Name):
            continue
        variable = s.scopes[-1].names.get(part.id)
        if isinstance(variable, SizeVariable) and variable.index is None:
            with s.at(part):
                dim = s.add(loop.DimOp(declared.argument, d, name_hint=script_name(part.id)))
            variable.index = Index.of(dim.res)
            s.scopes[-1].names[part.id] = variable.index


def _state_shape(s: State, header: Header, declared: Declared) -> None:
    """State the shape and the strides of an argument, and its name."""
    argument = declared.argument
    assert argument is not None
    shape: list[Index] = []
    for part in declared.shape:
        extent = DYNAMIC_INDEX if part is None else part if isinstance(part, int) else expressions.index(s, part)
        shape.append(Index.of(extent))
        if isinstance(extent, Index) and extent.is_constant:
            s.fail(BAD_ARGUMENT, "expected a size here")
    is_open = any(n is None for n in declared.shape)
    strides = None if declared.strides is None else _strides(s, header, declared)
    extra = 0
    value: SSAValue = argument
    if strides is not None and not is_open and tuple(strides) != _dense(s, shape):
        value, extra = _strided(s, header, argument, shape, strides)
    elif not is_open and any(not isinstance(n, int) for n in declared.shape):
        s.add(loop.BindOp(argument, shape, row_major_strides(shape, s.emit)))
    buffer = BufferValue(value, tuple(shape), None if strides is None else tuple(strides), None, declared.name, extra)
    s.scopes[-1].names[declared.name] = buffer
    handle = header.parameters[declared.position].name
    if handle != declared.name:
        known = s.scopes[-1].names[handle]
        if isinstance(known, HandleValue):
            known.buffer = buffer


def _dense(s: State, shape: list[Index]) -> tuple[Index, ...] | None:
    """Return the strides of a dense buffer, where all but one extent are constant."""
    if sum(not e.is_constant for e in shape[1:]) > 1:
        return None
    return row_major_strides(shape, s.emit)


def _strides(s: State, header: Header, declared: Declared) -> list[Index]:
    """Return strides as index expressions; a stride that is a new size becomes an argument before all others."""
    found: list[Index] = []
    for d, node in enumerate(declared.strides or ()):
        value = expressions.evaluate(s, node)
        if isinstance(value, SizeVariable) and value.index is None:
            argument = _add(s, header, IndexType(), f"{declared.name}_stride{d}", len(header.passed_strides))
            header.passed_strides.append(argument)
            value.index = Index.of(argument)
            if isinstance(node, ast.Name):
                s.scopes[-1].names[node.id] = value.index
        found.append(arithmetic.index(s, value))
    return found


def _strided(
    s: State, header: Header, argument: SSAValue, shape: Sequence[Index], strides: Sequence[Index]
) -> tuple[SSAValue, int]:
    """Emit a view of an argument with declared strides."""
    assert isinstance(argument.type, MemRefType)
    noted = [e.constant if e.is_constant else DYNAMIC_INDEX for e in strides]
    if any(not e.is_constant and e.single_value not in header.passed_strides for e in strides):
        s.fail(UNSUPPORTED, "expected strides that are numbers, or sizes that stand nowhere else")
    header.strides[argument] = noted
    extra = [Index.of(1)] if strides[-1] != Index.of(1) else []
    type = MemRefType(argument.type.element_type, [DYNAMIC_INDEX] * (len(shape) + len(extra)))
    view = s.add(loop.ViewOp(argument, 0, type, argument.name_hint))
    s.add(loop.BindOp(view.res, [*shape, *extra], [*strides, *extra]))
    return view.res, len(extra)


def strides_attribute(strides: Sequence[int]) -> dict[str, Attribute]:
    """Return the attribute that states the strides of an argument to callers."""
    return {STRIDES_ATTRIBUTE: DenseArrayBase.from_list(i64, list(strides))}
