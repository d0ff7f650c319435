"""Substitution of subexpressions in expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, cast

from . import expr as expressions
from .dtypes import dtype_info
from .expr import Axis, CalledFunction, Expr, Var, as_expr
from .te_errors import te_error
from .tensor import Tensor


def typed_value(variable: Var | Axis, value: Any) -> Expr:
    """Return the replacement of a variable, in its type. Raises TW0451 for a float instead of an integer, and the
    reverse."""
    given, dtype = as_expr(value, variable.dtype), variable.stored if isinstance(variable, Var) else "int32"
    if dtype_info(given.dtype).kind != dtype_info(variable.dtype).kind:
        te_error(
            "TW0451",
            f"expected a value of type {dtype} for {variable.name!r}, but got `{given}` of {given.dtype}",
            help=f"convert it with astype('{dtype}')",
        )
    return given if given.dtype == "index" else expressions.cast(variable.dtype, given)


def substitute(root: Expr, values: Mapping[Expr, Expr], tensors: Mapping[Tensor, Tensor]) -> Expr:
    """Return `root` with other expressions and other tensors read in it; sums may be too deep for a recursion."""
    done: dict[Expr, Expr] = dict(values)
    stack = [root]
    while stack:
        node = stack[-1]
        waiting = [operand for operand in node.operands if operand not in done]
        if node in done or not waiting:
            stack.pop()
            done.setdefault(node, _rebuilt(node, done, tensors))
        else:
            stack.extend(waiting)
    return done[root]


def _rebuilt(node: Expr, done: Mapping[Expr, Expr], tensors: Mapping[Tensor, Tensor]) -> Expr:
    changed: dict[str, Any] = {}
    for name, value in _parts(node):
        new = _replaced(value, done, tensors)
        if new is not value:
            changed[name] = new
    if not changed:
        return node
    made = replace(cast(Any, node), **changed)
    if node.called is not None:
        args = tuple(substitute(each, done, tensors) for each in node.called.args)
        object.__setattr__(made, "called", CalledFunction(node.called.name, args))
    return made


def _parts(node: Expr) -> Iterator[tuple[str, Any]]:
    """Yield the fields of a node that hold operands or tensors; the bounds of an axis are none of them."""
    if not isinstance(node, Axis):
        yield from ((f.name, getattr(node, f.name)) for f in fields(cast(Any, node)) if f.init)


def _replaced(value: Any, done: Mapping[Expr, Expr], tensors: Mapping[Tensor, Tensor]) -> Any:
    if isinstance(value, Tensor):
        return tensors.get(value, value)
    if isinstance(value, Expr):
        return done.get(value, value)
    if isinstance(value, tuple):
        items = cast("tuple[Any, ...]", value)
        new = tuple(_replaced(item, done, tensors) for item in items)
        return new if any(a is not b for a, b in zip(new, items, strict=True)) else items
    return value
