"""Derivatives of a compute's body with respect to its reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from .derivatives import by_operands, has_derivative
from .expr import Axis, Cast, Choice, Expr, Read, Reduce, cast, choice, const, unary
from .printing import Printed
from .shapes import same_size
from .te_errors import te_error
from .tensor import Tensor

NOT_DIFFERENTIABLE = "TW0467"


@dataclass(frozen=True)
class Contribution:
    """The derivative by a read at each point of `axes`: `value` where the conditions hold, and 0 elsewhere."""

    read: Read
    value: Expr
    conditions: tuple[Expr, ...]
    axes: tuple[Axis, ...]


def contributions_of(root: Expr, g: Expr, dependent: set[Tensor], axes: Sequence[Axis]) -> list[Contribution]:
    """Return the contributions of the reads in `root`, an expression at the points of `axes`, whose derivative is `g`.

    Only reads of `dependent` tensors get any. Raises TW0467 for an operation that no rule is known for.
    """
    order = _users_first(root, dependent)
    opposites: dict[Expr, Expr] = {}
    pending: dict[Expr, dict[tuple[Expr, ...], Expr]] = {node: {} for node in order}
    if root in pending:
        pending[root][()] = g
    found: list[Contribution] = []
    for node in order:
        for conditions, value in pending[node].items():
            if isinstance(node, Read):
                found.append(Contribution(node, value, conditions, tuple(axes)))
                continue
            for operand, part, more in _operand_parts(node, value, opposites):
                if part is not None and operand in pending:
                    key = (*conditions, *(c for c in more if c not in set(conditions)))
                    known = pending[operand].get(key)
                    pending[operand][key] = part if known is None else known + part
    return found


def _users_first(root: Expr, dependent: set[Tensor]) -> list[Expr]:
    """Return the nodes whose value depends on a dependent tensor by numbers with derivatives, each before its
    operands."""
    finished: dict[Expr, bool] = {}
    order: list[Expr] = []
    stack = [(root, False)]
    while stack:
        node, operands_done = stack.pop()
        if node in finished:
            continue
        below = () if isinstance(node, (Read, Reduce)) else node.operands
        if not operands_done:
            stack.append((node, True))
            stack += [(o, False) for o in below if o not in finished]
            continue
        depends = node.tensor in dependent if isinstance(node, Read) else any(finished[o] for o in below)
        finished[node] = depends and has_derivative(node.dtype)
        if finished[node]:
            order.append(node)
    return order[::-1]


def _operand_parts(
    node: Expr, g: Expr, opposites: dict[Expr, Expr]
) -> list[tuple[Expr, Expr | None, tuple[Expr, ...]]]:
    """Return the derivative by each operand, and the conditions under which the operand is evaluated."""
    match node:
        case Cast():
            operand = node.operand
            return [(operand, cast(operand.dtype, g) if has_derivative(operand.dtype) else None, ())]
        case Printed():
            return [(node.operand, g, ())]
        case Choice(guarded=True):
            opposite = opposites.setdefault(node, unary("not", node.condition))
            return [(node.true_value, g, (node.condition,)), (node.false_value, g, (opposite,))]
        case Choice():
            zero = const(0, g.dtype)
            return [
                (node.true_value, choice(node.condition, g, zero, guarded=False), ()),
                (node.false_value, choice(node.condition, zero, g, guarded=False), ()),
            ]
        case _:
            try:
                return [(o, part, ()) for o, part in zip(node.operands, by_operands(g, node), strict=True)]
            except KeyError:
                _no_rule(node)


def _no_rule(node: Expr) -> NoReturn:
    te_error(
        NOT_DIFFERENTIABLE,
        f"expected functions whose derivative is known, but got `{node}`",
        help="write it with functions of te, or differentiate by the tensor that it makes",
    )


def grouped(contributions: Sequence[Contribution]) -> list[list[Contribution]]:
    """Return contributions by reads that are written alike, at the same points, together."""
    groups: list[list[Contribution]] = []
    for each in contributions:
        group = next((g for g in groups if _are_alike(g[0], each)), None)
        if group is None:
            groups.append([each])
        else:
            group.append(each)
    return groups


def _are_alike(a: Contribution, b: Contribution) -> bool:
    return (
        a.read.tensor == b.read.tensor
        and _are_same(a.conditions, b.conditions)
        and _are_same(a.axes, b.axes)
        and all(map(_same_index, a.read.indices, b.read.indices))
    )


def _are_same(a: Sequence[Expr], b: Sequence[Expr]) -> bool:
    """Return whether two sequences hold the identical expressions; `==` of expressions would make a comparison."""
    return [id(e) for e in a] == [id(e) for e in b]


def _same_index(a: Expr, b: Expr) -> bool:
    return a is b or (not isinstance(a, Read) and not isinstance(b, Read) and same_size(a, b))
