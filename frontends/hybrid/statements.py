"""Statements of hybrid script that differ from TVMScript.

A name that is assigned several times is a variable in a buffer of one element; a name that is assigned once is an SSA
value. Loops over `const_range` are unrolled while the script is read.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.names import script_name
from ...te.dtypes import dtype_info
from ..tvmscript import arithmetic, expressions, statements
from ..tvmscript.literals import type_name
from ..tvmscript.script_values import BufferValue, Condition, Value, Variable, is_number
from ..tvmscript.state import BAD_ARGUMENT, UNSUPPORTED, Scope, State
from .vocabulary import Unrolled, dtype_of_value


class Variables:
    """The names of a function that are assigned several times."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[ast.AST, frozenset[int]]] = {}

    def is_variable(self, tree: ast.AST, target: ast.Name) -> bool:
        """Return whether the name that `target` assigns, in a source `tree`, is a variable."""
        if id(tree) not in self._known:
            self._known[id(tree)] = tree, frozenset(_several(tree))
        return id(target) in self._known[id(tree)][1]


def _several(tree: ast.AST) -> list[int]:
    found: list[int] = []
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        targets = [t for node in ast.walk(function) for t in _targets(node)]
        changed = [n.target for n in ast.walk(function) if isinstance(n, ast.AugAssign)]
        augmented = {t.id for t in changed if isinstance(t, ast.Name)}
        counts = Counter(t.id for t in targets)
        found += [id(t) for t in targets if counts[t.id] > 1 or t.id in augmented]
    return found


def _targets(node: ast.AST) -> list[ast.Name]:
    """Return the names that an assignment gives values to."""
    match node:
        case ast.Assign():
            return [n for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name) and _is_stored(n)]
        case ast.AnnAssign(target=ast.Name() as target):
            return [target]
        case _:
            return []


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def assign(s: State, node: ast.Assign, variables: Variables) -> None:
    """Read `name = value`, or `buffer[…] = value`."""
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Name):
        statements.run_default(s, node)
        return
    value = expressions.evaluate(s, node.value)
    if not variables.is_variable(s.source.tree, target) or not _is_scalar(value):
        statements.bind(s, target, value, node)
        return
    found = _visible(s, target.id)
    if found is None:
        found = _declare(s, target.id, value)
    elif not isinstance(found, Variable):
        s.fail(BAD_ARGUMENT, f"expected another name than '{target.id}', which is no variable", target)
    _set(s, found, value, target)


def augmented(s: State, node: ast.AugAssign) -> None:
    """Read `name += value`, or `buffer[…] += value`."""
    if not isinstance(node.target, ast.Name):
        statements.run_default(s, node)
        return
    found = _visible(s, node.target.id)
    if not isinstance(found, Variable):
        s.fail(
            BAD_ARGUMENT,
            f"expected a variable, but '{node.target.id}' has no value that can change here",
            node.target,
            help=f"give it one before: {node.target.id} = 0.0",
        )
    read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
    combined = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
    _set(s, found, expressions.evaluate(s, combined), node)


def _is_scalar(value: Value) -> bool:
    return is_number(value) or isinstance(value, (Index, Condition, SSAValue))


def _visible(s: State, name: str) -> Value:
    return next((scope.names[name] for scope in reversed(s.scopes) if name in scope.names), None)


def _declare(s: State, name: str, value: Value) -> Variable:
    element = dtype_info(dtype_of_value(s, value)).ir
    op = s.add(loop.AllocOp(loop.buffer_type([1], element, loop.LOCAL), []))
    op.res.name_hint = script_name(name)
    variable = Variable(BufferValue(op.res, (Index.of(1),), name=name))
    s.scopes[-1].names[name] = variable
    return variable


def _set(s: State, variable: Variable, value: Value, node: ast.AST) -> None:
    known = type_name(variable.buffer.element)
    with s.at(node):
        if is_number(value) or isinstance(value, (Index, Condition)):
            stored = arithmetic.converted(s, value, known)
        else:
            stored = arithmetic.materialized(s, value)
        if stored.type != variable.buffer.element:
            other = type_name(stored.type)
            name = variable.buffer.name
            s.fail(
                BAD_ARGUMENT,
                f"expected a value of type {known}, which '{name}' began with, but got {other}",
                help=f"convert the value, {known}(…), or begin with {other}(…)",
            )
        s.add(loop.StoreOp(stored, variable.buffer.value, (Index.of(0),)))


def for_loop(s: State, node: ast.For) -> None:
    """Read `for i in …`; one over `const_range` is written out."""
    if not _is_written_out(s, node.iter):
        statements.run_default(s, node)
        return
    found = expressions.evaluate(s, node.iter)
    assert isinstance(found, Unrolled)
    if node.orelse or not isinstance(node.target, ast.Name):
        s.fail(UNSUPPORTED, "expected one name and no else of a loop over const_range", node)
    for number in found.numbers:
        s.scopes.append(Scope())
        try:
            s.scopes[-1].names[node.target.id] = number
            statements.run(s, node.body)
        finally:
            s.scopes.pop()


def _is_written_out(s: State, node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "const_range"


def results(s: State, node: ast.Return) -> Sequence[Any]:
    """Return the values that the function returns, as a sequence."""
    if node.value is None:
        return ()
    value = expressions.evaluate(s, node.value)
    return value if isinstance(value, (tuple, list)) else (value,)  # pyright: ignore[reportUnknownVariableType]
