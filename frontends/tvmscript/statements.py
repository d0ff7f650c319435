"""Statements of a script: loops, conditions, stores, and names for values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Block, Region, SSAValue

from ...analysis.captures import captured_values
from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.names import script_name
from . import arithmetic, blocks, buffers, expressions, flat, loops, rows
from .calls import convert, vector_positions
from .literals import Attr, attribute_of, type_name
from .script_values import (
    BufferValue,
    Helper,
    LoopSpec,
    Method,
    Nest,
    SizeVariable,
    Thread,
    Value,
    is_number,
    kind_of,
)
from .state import BAD_ARGUMENT, UNSUPPORTED, Scope, State

ATTRS, YIELD, REALIZE = "tw.attrs", "tw.yield_", "realize"


def run(s: State, body: Sequence[ast.stmt]) -> None:
    """Read statements, one after the other."""
    for position, node in enumerate(body):
        if s.returning is not None:
            s.fail(UNSUPPORTED, "expected nothing behind a return", node)
        rest = body[position + 1 :]
        with s.at(node):
            if _wraps_rest(s, node, rest):
                return
            handler = s.language.statements.get(type(node), run_default)
            handler(s, node)


def run_default(s: State, node: ast.stmt) -> None:
    """Read a statement as one of TVMScript."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        s.fail(UNSUPPORTED, f"{type(node).__name__} is no statement of {s.language.name}", node)
    handler(s, node)


# Names


def _assign(s: State, node: ast.Assign) -> None:
    if len(node.targets) != 1:
        s.fail(UNSUPPORTED, "expected one target of an assignment", node)
    assign(s, node.targets[0], node.value, node)


def assign(s: State, target: ast.expr, expression: ast.expr, node: ast.stmt) -> None:
    """Read `target = expression`."""
    if isinstance(target, ast.Subscript):
        value = expressions.evaluate(s, expression)
        store(s, target, value)
        return
    special = _BINDINGS.get(expressions.called_name(s, expression) or "")
    if special is not None and isinstance(expression, ast.Call):
        value = special(s, expression, target)
    else:
        value = expressions.evaluate(s, expression)
    bind(s, target, value, node)


def bind(s: State, target: ast.expr, value: Value, node: ast.AST) -> None:
    """Bind names to a value, or to those of a tuple."""
    if isinstance(target, ast.Name):
        if value is None:
            s.fail(BAD_ARGUMENT, f"expected a value for '{target.id}', but got none", node)
        _name(value, target.id)
        s.define(target.id, _renamed(value, target.id), target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        count = len(value) if isinstance(value, (tuple, list)) else 1  # pyright: ignore[reportUnknownArgumentType]
        if not isinstance(value, (tuple, list)) or count != len(target.elts):
            s.fail(BAD_ARGUMENT, f"expected {len(target.elts)} values, but got {count}", target)
        for each, part in zip(target.elts, value, strict=True):  # pyright: ignore
            bind(s, each, part, node)
    else:
        s.fail(UNSUPPORTED, "expected a name or an element of a buffer as target", target)


def _renamed(value: Value, name: str) -> Value:
    if isinstance(value, BufferValue) and not value.name:
        return BufferValue(value.value, value.shape, value.strides, value.base, name, value.extra)
    return value


def _name(value: Value, name: str) -> None:
    """Let messages and later text call a value as the script does."""
    match value:
        case Index():
            found = value.single_value
        case BufferValue(base=None):
            found = value.value
        case SizeVariable():
            value.name = value.name or name
            return
        case _:
            found = value if isinstance(value, SSAValue) else None
    if found is not None and found.name_hint is None:
        found.name_hint = script_name(name)


def _annotated(s: State, node: ast.AnnAssign) -> None:
    if node.value is None:
        s.fail(UNSUPPORTED, "expected a value", node)
    if not isinstance(node.target, ast.Name):
        s.fail(UNSUPPORTED, "expected a name", node.target)
    value = expressions.evaluate(s, node.value)
    type = rows.type_of(s, node.annotation)
    if is_number(value) or isinstance(value, (Index, SSAValue)):
        name = type_name(type)
        if not (isinstance(value, Index) and name in ("int32", "int64", "index")):
            value = convert(s, value, name)
    bind(s, node.target, value, node)


def _augmented(s: State, node: ast.AugAssign) -> None:
    combined = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
    if isinstance(node.target, ast.Subscript):
        store(s, node.target, expressions.evaluate(s, combined))
    else:
        bind(s, node.target, expressions.evaluate(s, combined), node)


def _loaded(target: ast.expr) -> ast.expr:
    """Return a target, as it is read."""
    if isinstance(target, ast.Subscript):
        return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return target


# Stores


def store(s: State, target: ast.Subscript, value: Value) -> None:
    """Read `buffer[…] = value`."""
    buffer = expressions.evaluate(s, target.value)
    if not isinstance(buffer, BufferValue):
        s.fail(BAD_ARGUMENT, f"expected a buffer to store to, but got {kind_of(buffer)}", target)
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    with s.at(target):
        if any(isinstance(part, ast.Slice) for part in parts):
            s.fail(UNSUPPORTED, "expected one element to store", target, help="write a loop over the elements")
        flat.store_at(s, buffer, parts, value)


def _vstore(s: State, method: Method, node: ast.Call) -> None:
    """Read `A.vstore(indices, vector)`."""
    buffer = method.owner
    given = rows.bound(s, node, {"indices": rows.REQUIRED, "value": rows.REQUIRED}, "vstore")
    stored = rows.value(s, given["value"])
    positions = vector_positions(s, rows.indices(s, given["indices"]), type_name(stored.type), buffer)
    indices, lanes = expressions.lanes_in(s, positions)
    s.add(loop.StoreOp(arithmetic.stored(s, stored, buffer.element, lanes), buffer.value, buffer.at(indices)))


# Expressions that stand alone


def _expression(s: State, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return  # a docstring
    name = expressions.called_name(s, node.value)
    call = node.value
    if name == YIELD and isinstance(call, ast.Call):
        s.add(loop.YieldOp(*[rows.value(s, a) for a in call.args]))
    elif name == ATTRS and isinstance(call, ast.Call):
        owner = s.scopes[-1].owner
        if owner is None or len(call.args) != 1:
            s.fail(BAD_ARGUMENT, "expected T.tw.attrs({…}) in a loop, a branch or a T.init", node)
        owner.attributes |= rows.attributes(s, call.args[0])
    elif name == REALIZE and isinstance(call, ast.Call):
        buffers.realize(s, call)
    elif name in blocks.HEADER and isinstance(call, ast.Call):
        s.fail(BAD_ARGUMENT, f"expected T.{name} at the beginning of a block or function", node)
    elif isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "vstore":
        method = expressions.evaluate(s, call.func)
        if not isinstance(method, Method) or not isinstance(method.owner, BufferValue):
            s.fail(BAD_ARGUMENT, "expected a buffer", node)
        _vstore(s, method, call)
    elif not isinstance(call, ast.Call):
        s.fail(UNSUPPORTED, "expected a statement, but got an expression that does nothing", node)
    else:
        expressions.evaluate(s, call)


# Loops and conditions


def _for(s: State, node: ast.For) -> None:
    if node.orelse:
        s.fail(UNSUPPORTED, "expected a loop without else", node.orelse[0])
    nest = expressions.evaluate(s, node.iter)
    if not isinstance(nest, Nest):
        s.fail(
            UNSUPPORTED,
            f"expected a loop over a range, but got {kind_of(nest)}",
            node.iter,
            help="use range, T.serial, T.parallel, T.vectorized, T.unroll, T.thread_binding or T.grid",
        )
    carried = nest.loops[0].carried
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [t.id if isinstance(t, ast.Name) else s.fail(UNSUPPORTED, "expected names", t) for t in targets]
    wanted = len(nest.loops) + len(carried or ())
    if len(names) == 1 and wanted > 1 and not carried:  # one name for all variables
        together = names[0]
        names = [f"{together}_{k}" for k in range(wanted)]

        def inner() -> None:
            variables = [s.lookup(ast.copy_location(ast.Name(name, ast.Load()), node.target)) for name in names]
            s.define(together, tuple(variables), node.target)
            run(s, node.body)

        open_loops(s, nest.loops, names, inner)
        return
    if len(names) != wanted:
        s.fail(BAD_ARGUMENT, f"expected {wanted} names for this loop, but got {len(names)}", node.target)
    if len(set(names)) != len(names):
        s.fail(BAD_ARGUMENT, "expected names that differ", node.target)
    op = open_loops(s, nest.loops, names, lambda: run(s, node.body))
    for name, result in zip(names[1:], op.res, strict=False):
        s.define(name, rows.result_of_value(result), node.target)


def open_loops(s: State, specs: Sequence[LoopSpec], names: Sequence[str], body: Callable[[], None]) -> loop.ForOp:
    """Insert nested loops and their body. Names behind those of the loops are of carried values."""
    first, rest = specs[0], specs[1:]
    carried = first.carried or ()
    op = loop.ForOp(first.lowers, first.uppers, kind=first.kind, iter_args=carried)
    op.attributes |= first.attributes
    op.induction_variable.name_hint = script_name(names[0])
    with s.inside(op.body.block, op) as scope:
        _enter(scope, op, names[: 1 + len(carried)])
        if rest:
            s_node = s.node
            with s.at(s_node):
                open_loops(s, rest, names[1:], body)
        else:
            body()
    _check_yield(s, op)
    if first.noalias is not None:
        captured = captured_values(op)
        if not set(first.noalias) <= set(captured):
            s.fail(BAD_ARGUMENT, "expected buffers of T.tw.captures that the body of the loop uses")
        op.state_captures(captured, first.noalias)
    return s.add(op)


def _enter(scope: Scope, op: loop.ForOp, names: Sequence[str]) -> None:
    for name, argument in zip(names, op.body.block.args, strict=True):
        argument.name_hint = argument.name_hint or script_name(name)
        scope.names[name] = Index.of(argument) if isinstance(argument.type, IndexType) else argument
    scope.loop_variables.add(names[0])


def _check_yield(s: State, op: loop.ForOp) -> None:
    last = op.body.block.last_op
    yields = [o for o in op.body.block.ops if isinstance(o, loop.YieldOp)]
    if len(yields) != bool(op.iter_args) or (yields and yields[0] is not last):
        s.fail(BAD_ARGUMENT, "expected one T.tw.yield_(…) at the end of a loop with carried values, and only there")
    if yields and [v.type for v in yields[0].operands] != [v.type for v in op.iter_args]:
        s.fail(BAD_ARGUMENT, "expected T.tw.yield_(…) with values of the types that the loop starts from")


def _if(s: State, node: ast.If) -> None:
    value = None if _is_conjunction(node.test) else expressions.evaluate(s, node.test)
    if isinstance(value, bool):
        run(s, node.body if value else node.orelse)
        return
    with s.at(node.test):
        guard = expressions.guard(s, node.test) if value is None else arithmetic.guard(s, value)
    op = loop.IfOp(guard, Region(Block()), Region(Block()) if node.orelse else None)
    with s.inside(op.then_body.block, op):
        run(s, node.body)
    if node.orelse:
        with s.inside(op.else_body.block, op):
            run(s, node.orelse)
    s.add(op)


def _is_conjunction(node: ast.expr) -> bool:
    return isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And)


def _while(s: State, node: ast.While) -> None:
    s.fail(
        UNSUPPORTED,
        "a while loop has no counterpart at the loop level, whose loops run over ranges",
        node,
        help="bound it: for i in range(limit), and guard the body by the condition",
    )


def _assert(s: State, node: ast.Assert) -> None:
    """Read `assert condition, "… {} …".format(values)`, or with the values in an f-string."""
    message, values = ("the assertion does not hold", ()) if node.msg is None else _message(s, node.msg)
    guard = expressions.guard(s, node.test)
    s.add(loop.AssertOp(guard, message, values))


def _message(s: State, node: ast.expr) -> tuple[str, tuple[Index, ...]]:
    """Return the text of an assertion, and the values in it."""
    if isinstance(node, ast.JoinedStr):
        found: list[Index] = []
        text = ""
        for part in node.values:
            value = expressions.evaluate(s, part.value if isinstance(part, ast.FormattedValue) else part)
            if isinstance(value, Index):
                found.append(value)
            text += "{}" if isinstance(value, Index) else str(value).replace("{}", "")
        return text, tuple(found)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
        values = tuple(expressions.index(s, a) for a in node.args)
        return expressions.constant(s, node.func.value, str, "a text"), values
    return expressions.constant(s, node, str, "a text").replace("{}", ""), ()


# Statements around others


def _with(s: State, node: ast.With) -> None:
    if len(node.items) > 1:
        inner = ast.copy_location(ast.With(node.items[1:], node.body), node)
        node = ast.copy_location(ast.With(node.items[:1], [inner]), node)
    item = node.items[0]
    name = expressions.called_name(s, item.context_expr)
    call = item.context_expr
    if name is None or name not in _CONTEXTS or not isinstance(call, ast.Call):
        known = ", ".join(f"T.{n}" for n in _CONTEXTS)
        s.fail(UNSUPPORTED, f"expected one of {known} behind with", call)
    _CONTEXTS[name](s, call, item.optional_vars, node.body)


def _wraps_rest(s: State, node: ast.stmt, rest: Sequence[ast.stmt]) -> bool:
    """Read a statement that holds for all that stands behind it, a launch of threads or an attribute; return whether it
    is one."""
    call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
    name = expressions.called_name(s, call)
    if name not in ("launch_thread", "attr") or not isinstance(call, ast.Call):
        return False
    target = node.targets[0] if isinstance(node, ast.Assign) else None
    _CONTEXTS[name](s, call, target, rest)
    return True


def _launch(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt]) -> None:
    """Read `T.launch_thread("threadIdx.x", 128)`, or with the result of `T.env_thread`."""
    names = {"thread": rows.REQUIRED, "extent": rows.REQUIRED}
    given = rows.bound(s, call, names, "T.launch_thread")
    thread = expressions.evaluate(s, given["thread"])
    label = given["thread"].id if isinstance(given["thread"], ast.Name) else None
    tag = thread.tag if isinstance(thread, Thread) else thread
    _threads(s, tag, given["extent"], target, label, body)


def _threads(
    s: State, tag: Value, extent: ast.expr, target: ast.expr | None, label: str | None, body: Sequence[ast.stmt]
) -> None:
    kind = loops.thread_kind(s, tag, extent)
    spec = LoopSpec((Index.of(0),), loops.bound(s, extent, "min"), kind)
    if target is not None and not isinstance(target, ast.Name):
        s.fail(UNSUPPORTED, "expected a name", target)
    name = target.id if isinstance(target, ast.Name) else label or "thread"
    open_loops(s, [spec], [name], lambda: run(s, body))


def _is_scope_of(s: State, buffer: ast.expr, scope: ast.expr) -> bool:
    """Return whether a text is the scope that a buffer has been declared in, or empty."""
    value = expressions.evaluate(s, buffer)
    return isinstance(value, BufferValue) and expressions.constant(s, scope, str, "a scope") in ("", value.scope)


def _attr(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt]) -> None:
    """Read `T.attr(node, key, value)`: threads and pragmas of the loop around; attributes that only TVM needs
    are errors."""
    names = rows.required("node", "attr_key", "value")
    given = rows.bound(s, call, names, "T.attr")
    key = expressions.constant(s, given["attr_key"], str, "a text")
    if key in ("thread_extent", "virtual_thread"):
        thread = expressions.evaluate(s, given["node"])
        tag = "vthread" if key == "virtual_thread" else thread.tag if isinstance(thread, Thread) else thread
        label = given["node"].id if isinstance(given["node"], ast.Name) else None
        _threads(s, tag, given["value"], target, label, body)
        return
    if key == "realize_scope" and _is_scope_of(s, given["node"], given["value"]):
        run(s, body)
        return
    owner = next((sc.owner for sc in reversed(s.scopes) if isinstance(sc.owner, (loop.ForOp, loop.BlockOp))), None)
    if not key.startswith("pragma_") or owner is None:
        s.fail(
            UNSUPPORTED,
            f"expected thread_extent, or a pragma of a loop around, but got the attribute '{key}'",
            call,
            help="use annotations={…} of a loop, or T.block_attr",
        )
    value: dict[str, Attribute] = {}
    with s.at(given["value"]):
        value[f"pragma.{key.removeprefix('pragma_')}"] = attribute_of(expressions.evaluate(s, given["value"]))
    owner.attributes |= value
    run(s, body)


def _let(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt]) -> None:
    """Read `with T.let(x, value):`."""
    if target is not None or len(call.args) != 2 or not isinstance(call.args[0], ast.Name):
        s.fail(UNSUPPORTED, "expected T.let(name, value)", call)
    value = expressions.evaluate(s, call.args[1])
    s.scopes.append(Scope())
    try:
        s.scopes[-1].names[call.args[0].id] = value
        _name(value, call.args[0].id)
        run(s, body)
    finally:
        s.scopes.pop()


def _let_statement(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt]) -> None:
    """Read `with T.LetStmt(value) as x:` and `with T.LetStmt(value, var=x):`."""
    given = rows.bound(s, call, {"value": rows.REQUIRED, "type_annotation": None, "var": None}, "T.LetStmt")
    variable = target if target is not None else given.get("var")
    if not isinstance(variable, ast.Name):
        s.fail(UNSUPPORTED, "expected a name behind `as`, or as var", call)
    _let(s, ast.copy_location(ast.Call(call.func, [variable, given["value"]], []), call), None, body)


def _bound_buffer(s: State, call: ast.Call, target: ast.expr | None, body: Sequence[ast.stmt]) -> None:
    """Read `with T.allocate(…) as A:` and `with T.decl_buffer(…) as A:`."""
    if not isinstance(target, ast.Name):
        s.fail(UNSUPPORTED, "expected a name behind `as`", call)
    assign(s, target, call, ast.copy_location(ast.Expr(call), call))
    run(s, body)


def _combine(s: State, node: ast.Call) -> Value:
    """Read `r = T.tw.combine(f, [accumulated…], [added…], identities)`, where f returns the combined values."""
    names = rows.required("function", "accumulated", "added", "identities")
    attrs = next((k.value for k in node.keywords if k.arg == rows.ATTRS), None)
    keywords = {k.arg: k.value for k in node.keywords if k.arg != rows.ATTRS}
    given = rows.bound(s, node, names, "T.tw.combine", keywords)
    function = expressions.evaluate(s, given["function"])
    if not isinstance(function, Helper):
        s.fail(BAD_ARGUMENT, f"expected a function, but got {kind_of(function)}", given["function"])
    accumulated, added = _values(s, given["accumulated"]), _values(s, given["added"])
    identities = expressions.evaluate(s, given["identities"])
    with s.at(node):
        attribute = identities.attribute if isinstance(identities, Attr) else attribute_of(identities)
        region = _region(s, function, [*accumulated, *added], node)
        op = loop.CombineOp(accumulated, added, attribute, region)
        op.verify()
        s.add(op)
    rows.set_attributes(s, op, attrs)
    return rows.result_of(op)


def _values(s: State, node: ast.expr) -> list[SSAValue]:
    if not isinstance(node, (ast.List, ast.Tuple)):
        s.fail(BAD_ARGUMENT, "expected a list of values", node)
    return [rows.value(s, part) for part in node.elts]


def _region(s: State, function: Helper, operands: Sequence[SSAValue], node: ast.Call) -> Region:
    block = Block(arg_types=[v.type for v in operands])
    with s.inside(block):
        result = s.run_helper(s, function, [rows.result_of_value(a) for a in block.args], node)
        results = result if isinstance(result, tuple) else (result,)
        with s.at(node):
            s.add(loop.YieldOp(*[arithmetic.typed(s, r) for r in results]))
    parameters = function.node.args.args
    for argument, parameter in zip(block.args, parameters, strict=False):
        argument.name_hint = script_name(parameter.arg)
    return Region(block)


def _function(s: State, node: ast.FunctionDef) -> None:
    """Define a helper within a function."""
    s.define(node.name, Helper(node.name, node, s.source, list(s.scopes)), node)


def _return(s: State, node: ast.Return) -> None:
    if s.depth == 0:
        if node.value is not None and not isinstance(node.value, ast.Constant):
            s.fail(UNSUPPORTED, "expected a function that stores its results", node)
        return
    if len(s.scopes) != s.depth_of_scopes:
        s.fail(UNSUPPORTED, "expected a return at the end of a function, outside of loops and branches", node)
    value = None if node.value is None else expressions.evaluate(s, node.value)
    s.returning = [value]


def _pass(s: State, node: ast.Pass) -> None:
    pass


_BINDINGS: dict[str, Callable[[State, ast.Call, ast.expr], Value]] = {
    **buffers.BINDINGS,
    "tw.combine": lambda s, call, target: _combine(s, call),
}
"""Calls that make sense on the right of an assignment alone."""

_CONTEXTS: dict[str, Callable[[State, ast.Call, ast.expr | None, Sequence[ast.stmt]], None]] = {
    "block": lambda s, call, target, body: blocks.block(s, call, target, body, run),
    "tw.block": lambda s, call, target, body: blocks.block(s, call, target, body, run),
    "launch_thread": _launch,
    "attr": _attr,
    "let": _let,
    "LetStmt": _let_statement,
    "allocate": _bound_buffer,
    "decl_buffer": _bound_buffer,
}

_HANDLERS: dict[type[ast.stmt], Callable[[State, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Expr: _expression,
    ast.For: _for,
    ast.If: _if,
    ast.While: _while,
    ast.Assert: _assert,
    ast.With: _with,
    ast.FunctionDef: _function,
    ast.Return: _return,
    ast.Pass: _pass,
}
