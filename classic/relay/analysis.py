"""Analyses of expressions."""

from __future__ import annotations

from typing import Any

from .expr import Call, Expr, Var, expression
from .functions import Function, free_vars
from .functor import post_order_visit
from .names import Op

__all__ = ["all_vars", "bound_vars", "count_layers", "free_vars", "list_op_freqs", "post_order_visit", "well_formed"]


def all_vars(expr: Any) -> list[Var]:
    """Return the variables of an expression, and the parameters of a function."""
    found: list[Var] = []
    post_order_visit(expr, lambda each: found.append(each) if isinstance(each, Var) else None)
    return found


def bound_vars(expr: Any) -> list[Var]:
    """Return the parameters of a function; an expression has none."""
    found = expression(expr)
    return list(found.params) if isinstance(found, Function) else []


def list_op_freqs(mod: Any) -> dict[str, int]:
    """Return the number of calls of each operator, by its classic name."""
    counts: dict[str, int] = {}

    def count(each: Expr) -> None:
        if isinstance(each, Call):
            counts[each.op.name] = counts.get(each.op.name, 0) + 1

    for function in mod.functions.values() if hasattr(mod, "functions") else [mod]:
        post_order_visit(function, count)
    return counts


def count_layers(expr: Any, valid_ops: Any) -> int:
    """Return the greatest number of calls of some operators on a path through an expression."""
    names = {getattr(each, "name", each) for each in valid_ops}
    depth: dict[Expr, int] = {}

    def measure(each: Any) -> None:
        if isinstance(each, Call):
            deepest = max(
                (depth[part] for arg in each.args for part in (arg, *_parts(arg)) if part in depth), default=0
            )
            depth[each] = deepest + (each.op.name in names)
        elif not isinstance(each, (Function, Op)):
            depth[each] = max((depth[part] for part in _parts(each) if part in depth), default=0)

    post_order_visit(expr, measure)
    return max(depth.values(), default=0)


def _parts(given: Any) -> list[Expr]:
    return list(getattr(given, "fields", ())) or ([given.tuple_value] if hasattr(given, "tuple_value") else [])


def well_formed(expr: Any) -> bool:
    """Return whether all variables of a function are its parameters."""
    return not free_vars(expr)
