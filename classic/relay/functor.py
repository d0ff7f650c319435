"""Visitors and mutators of expressions and functions: `ExprVisitor`, `ExprMutator`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...diagnostics import fail
from ...diagnostics.locations import caller_location
from .expr import Call, Constant, Expr, Tuple, TupleGetItem, Var, expression
from .functions import NO_EXPRESSION, Function, handle, operations_behind, rebuilt
from .names import Op


class ExprFunctor:
    """Calls the method of the kind of an expression; each expression is visited once."""

    def __init__(self) -> None:
        self.memo_map: dict[Any, Any] = {}

    def visit(self, expr: Any) -> Any:
        """Return the result of the method for an expression, a function of a module, or its body."""
        found = expr if isinstance(expr, Op) else expression(expr)
        if found not in self.memo_map:
            self._prepare(found)
            self.memo_map[found] = self._visit(found)
        return self.memo_map[found]

    def _prepare(self, expr: Any) -> None:
        """Visit deeply nested operands first: networks are deeper than Python's stack."""
        if not isinstance(expr, Expr) or isinstance(expr, Function):
            return
        below = operations_behind(expr.values)
        if len(below) <= _DEEPEST:
            return
        for operation in below[:-1]:
            found = Constant(operation) if operation.name == "graph.constant" else Call.on(operation)
            if found not in self.memo_map:
                self.memo_map[found] = self._visit(found)

    def _visit(self, expr: Any) -> Any:
        for kind, method in _METHODS:
            if type(expr) is kind:
                return getattr(self, method)(expr)
        return fail(NO_EXPRESSION, f"expected an expression, but got {expr!r}", location=caller_location())

    def visit_function(self, fn: Function) -> Any:
        """Visit a function."""
        raise NotImplementedError

    def visit_var(self, var: Var) -> Any:
        """Visit a variable."""
        raise NotImplementedError

    def visit_call(self, call: Call) -> Any:
        """Visit a call."""
        raise NotImplementedError

    def visit_constant(self, const: Constant) -> Any:
        """Visit a constant."""
        raise NotImplementedError

    def visit_tuple(self, tup: Tuple) -> Any:
        """Visit a tuple."""
        raise NotImplementedError

    def visit_tuple_getitem(self, op: TupleGetItem) -> Any:
        """Visit a part of a tuple."""
        raise NotImplementedError

    def visit_op(self, op: Op) -> Any:
        """Visit an operator."""
        raise NotImplementedError


_DEEPEST = 64
"""The most operations that a visitor reaches by calling itself."""

_METHODS: tuple[tuple[type, str], ...] = (
    (Function, "visit_function"),
    (Call, "visit_call"),
    (Var, "visit_var"),
    (Constant, "visit_constant"),
    (Tuple, "visit_tuple"),
    (TupleGetItem, "visit_tuple_getitem"),
    (Op, "visit_op"),
)


class ExprVisitor(ExprFunctor):
    """Visits every subexpression once; operands come first if an overriding method calls the method of this class."""

    def visit_function(self, fn: Function) -> Any:
        for param in fn.params:
            self.visit(param)
        self.visit(fn.body)

    def visit_var(self, var: Var) -> Any:
        pass

    def visit_call(self, call: Call) -> Any:
        self.visit(call.op)
        for each in call.args:
            self.visit(each)

    def visit_constant(self, const: Constant) -> Any:
        pass

    def visit_tuple(self, tup: Tuple) -> Any:
        for each in tup.fields:
            self.visit(each)

    def visit_tuple_getitem(self, op: TupleGetItem) -> Any:
        self.visit(op.tuple_value)

    def visit_op(self, op: Op) -> Any:
        pass


class ExprMutator(ExprFunctor):
    """Rebuilds an expression from the results of its methods for the subexpressions."""

    def visit_function(self, fn: Function) -> Any:
        params = [self.visit(param) for param in fn.params]
        return Function(params, self.visit(fn.body), attrs=fn.attrs)

    def visit_var(self, var: Var) -> Any:
        return var

    def visit_call(self, call: Call) -> Any:
        """Return the call of the same operator on the new operands. Branches and loops keep their regions."""
        operation = call.operation
        if operation.regions:
            return self._with_regions(call)
        args = [self.visit(each) for each in call.args]
        new = self.visit(call.op)
        return call if args == call.args and new == call.op else Call(new, args, call.attrs)

    def _with_regions(self, call: Call) -> Any:
        from .functions import inputs_of

        mapping = {value: self.visit(handle(value)).value for value in inputs_of(call.operation)}
        if all(new is old for old, new in mapping.items()):
            return call
        call.operation.clone(mapping)
        return rebuilt(call, mapping)

    def visit_constant(self, const: Constant) -> Any:
        return const

    def visit_tuple(self, tup: Tuple) -> Any:
        return Tuple([self.visit(each) for each in tup.fields])

    def visit_tuple_getitem(self, op: TupleGetItem) -> Any:
        return TupleGetItem(self.visit(op.tuple_value), op.index)

    def visit_op(self, op: Op) -> Any:
        return op


class MixedModeVisitor(ExprVisitor):
    """The same as `ExprVisitor`, which does not recurse deeply either."""


def post_order_visit(expr: Any, fvisit: Callable[[Expr], Any]) -> None:
    """Call a function with each part of an expression, operands first."""

    class Visitor(ExprVisitor):
        def _visit(self, expr: Any) -> Any:
            result = super()._visit(expr)
            fvisit(expr)
            return result

    Visitor().visit(expr)
