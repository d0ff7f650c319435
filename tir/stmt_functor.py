"""Visitors of statements: `post_order_visit`, `substitute` and `ir_transform`, over the operations of the IR.

Each returns a copy of the statements and leaves its arguments unchanged. A visitor sees all operations in program
order, including operations that only compute values.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block as Body
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ..diagnostics import fail
from ..diagnostics.expectations import expect_type
from ..diagnostics.text import did_you_mean
from ..dialects import loop
from ..dialects.index_expr import Index
from ..dialects.ir_module import Function, operation_of, view_of
from ..ir import editor as edit
from ..lazy import be_face
from ..te.expr import Axis, Expr, Var, as_expr, walk
from ..te.substitution import substitute as substitute_in
from ..te.substitution import typed_value
from ..traversal import operations
from .bodies import ops_behind
from .statements import BAD_STATEMENT, NAMED, LoopVar, SeqStmt, Stmt, index_of, statements_of

__all__ = ["ir_transform", "post_order_visit", "pre_order_visit", "renew_defs", "substitute"]

Visitor: TypeAlias = Callable[[Stmt], "Stmt | SeqStmt | None"]


def post_order_visit(stmt: Stmt | SeqStmt | Expr, fvisit: Callable[[Any], object]) -> None:
    """Call `fvisit` with every operation of the statements, each after those that it holds.

    Of an expression of te, it is called with the expressions in it.
    """
    _check_visitor(fvisit)
    if isinstance(stmt, Expr):
        for node in reversed(list(walk(stmt))):
            fvisit(node)
        return
    for op in _tops(stmt):
        _visit(op, fvisit)


def _check_visitor(fvisit: object) -> None:
    if not callable(fvisit):
        fail(BAD_STATEMENT, f"expected a function to call with every node, but got {fvisit!r}")


def _visit(op: Operation, fvisit: Callable[[Stmt], object]) -> None:
    for body in _bodies(op):
        for inner in list(body.ops):
            _visit(inner, fvisit)
    fvisit(Stmt.of(op))


def pre_order_visit(stmt: Stmt | SeqStmt, fvisit: Callable[[Stmt], object]) -> None:
    """Call `fvisit` with every operation of the statements, each before those that it holds; False leaves these out."""
    _check_visitor(fvisit)
    waiting = list(reversed(_tops(stmt)))
    while waiting:
        op = waiting.pop()
        if fvisit(Stmt.of(op)) is not False:
            waiting += [inner for body in reversed(_bodies(op)) for inner in reversed(list(body.ops))]


def substitute(node: Any, vmap: Mapping[Var, Any]) -> Any:
    """Return a copy of statements with variables of loops replaced by integer expressions, or an expression with others
    in it.

    A number is itself. A variable of `te.var` in these is free until `tir.For` binds it. Raises TilewrightError TW0255
    for a key that is no variable of a loop.
    """
    if not isinstance(vmap, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        fail(BAD_STATEMENT, f"substitute: expected a mapping of variables to values, but got {vmap!r}")
    if isinstance(node, Expr):
        return substitute_in(node, {variable: _value_of(variable, value) for variable, value in vmap.items()}, {})
    if isinstance(node, (bool, int, float)):
        return node
    result, _ = _copied(node)
    start = Body()
    builder = Builder(InsertPoint.at_end(start))
    for variable, expression in vmap.items():
        if not isinstance(variable, LoopVar):
            fail(BAD_STATEMENT, f"substitute: expected the variable of a loop, but got {variable!r}")
        _replace(result.held, variable, index_of(as_expr(expression), result.free, builder), builder)
    if start.first_op is not None:
        if result.held.first_op is None:
            edit.append(result.held, *edit.detach_all(start))
        else:
            edit.insert(edit.detach_all(start), InsertPoint.before(result.held.first_op))
    return result


def _value_of(variable: Any, value: Any) -> Expr:
    """Return the expression for a variable of `te.var` or an axis, in its type."""
    if not isinstance(variable, (Var, Axis)):
        fail(BAD_STATEMENT, f"substitute: expected a variable of te.var or an axis, but got {variable!r}")
    return typed_value(variable, value)


def _replace(block: Body, variable: LoopVar, replacement: Index, builder: Builder) -> None:
    value, plain = variable.value, None
    for op in (op for top in list(block.ops) for op in operations(top)):
        if value not in op.operands:
            continue
        if isinstance(op, loop.IndexedOp):
            op.set_index_lists(
                **{name: [e.substitute({value: replacement}) for e in es] for name, es in op.index_lists().items()}
            )
        for position, operand in enumerate(op.operands):
            if operand is value:
                plain = plain or builder.insert(loop.ApplyOp(replacement))
                edit.change(op).operands[position] = plain.res


def renew_defs(func: Function | FuncOp) -> Function:
    """Return a copy of a function, which shares no variable and no buffer with it."""
    expect_type("func", func, Function, FuncOp)
    return view_of(operation_of(func).clone())


def ir_transform(
    stmt: Stmt | SeqStmt,
    preorder: Visitor | None,
    postorder: Visitor | None,
    only_enable: Sequence[str] | None = None,
) -> SeqStmt:
    """Return a copy of the statements in which the visitors have replaced some.

    `preorder` is called with each operation, and its result replaces the operation, unless that is None: then the body
    of the operation is visited, and `postorder` is called with the operation. `only_enable` names the kinds that the
    visitors are called with, such as "tir.For". Raises TilewrightError TW0255 for an unknown kind, and where an
    operation whose value is used would be replaced by statements.
    """
    result, origins = _copied(stmt)
    _Transformer(preorder, postorder, _enabled(only_enable), origins, result).run(result.held)
    return result


class _Transformer:
    """The application of the visitors to a copy."""

    def __init__(
        self,
        preorder: Visitor | None,
        postorder: Visitor | None,
        enabled: tuple[type[Stmt], ...],
        origins: Mapping[Operation, Operation],
        result: SeqStmt,
    ) -> None:
        self.preorder, self.postorder, self.enabled = preorder, postorder, enabled
        self.origins, self.result = origins, result

    def run(self, body: Body) -> bool:
        """Visit the operations of a body; returns whether one was replaced."""
        return sum(self._visit(op) for op in list(body.ops)) > 0

    def _visit(self, op: Operation) -> bool:
        if self._replaced(op, self.preorder, self.origins.get(op)):
            return True
        changed = sum(self.run(body) for body in _bodies(op)) > 0
        return self._replaced(op, self.postorder, None if changed else self.origins.get(op)) or changed

    def _replaced(self, op: Operation, visitor: Visitor | None, origin: Operation | None) -> bool:
        face = Stmt.of(op, origin)
        if visitor is None or not isinstance(face, self.enabled):
            return False
        made = visitor(face)
        if made is None or (isinstance(made, Stmt) and made.op is op):
            return False
        if any(result.uses for result in op.results):
            fail(BAD_STATEMENT, "ir_transform: expected None for an operation whose value is used", op=op)
        statements = SeqStmt([made])
        self.result.free |= statements.free
        edit.insert(edit.detach_all(statements.held), InsertPoint.before(op), of=op)
        edit.erase(op)
        return True


def _enabled(only_enable: Sequence[str] | None) -> tuple[type[Stmt], ...]:
    for name in only_enable or ():
        if name not in NAMED:
            known = ", ".join(NAMED)
            fail(BAD_STATEMENT, f"ir_transform: expected kinds of {known}, but got {name!r}{did_you_mean(name, NAMED)}")
    return tuple(NAMED[name] for name in only_enable or ("tir.Stmt",))


def _copied(stmt: Stmt | SeqStmt) -> tuple[SeqStmt, dict[Operation, Operation]]:
    stmt = _statements(stmt)
    if isinstance(stmt, SeqStmt):
        return stmt.copied()
    clone, block = stmt.op.clone(), Body()
    edit.append(block, clone)
    origins = dict(zip(clone.walk(), stmt.op.walk(), strict=True))
    return SeqStmt.of(block, dict(stmt.free), is_attached=False), origins


def _statements(given: Any) -> Stmt | SeqStmt:
    given = statements_of(given)
    if not isinstance(given, (Stmt, SeqStmt)):
        fail(BAD_STATEMENT, f"expected statements to visit, but got {given!r} of type {type(given).__name__}")
    return given


def _tops(stmt: Stmt | SeqStmt) -> list[Operation]:
    stmt = _statements(stmt)
    return (
        [stmt.op]
        if isinstance(stmt, Stmt)
        else [op for op in ops_behind(stmt.held, stmt.after) if op.name != "func.return"]
    )


def _bodies(op: Operation) -> list[Body]:
    return [block for region in op.regions for block in region.blocks]


be_face(sys.modules[__name__])
