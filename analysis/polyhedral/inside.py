"""Proofs that a function has no undefined behaviour: accesses and iteration variables are in bounds.

Equality of two models does not imply that accesses are in bounds, so every proof of equality checks this too.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...dialects.index_expr import Symbol
from ..integer_set import Refuted, Unknown, implies
from ..integer_set.calculus import Undecided
from ..integer_set.solver import BUDGET
from .model import Assertion, Model, Obligation


@dataclass(frozen=True)
class Violation:
    """An instance at which an operation does something undefined."""

    obligation: Obligation | Assertion
    sizes: dict[Symbol, int]
    """The parameters there."""
    point: tuple[int, ...]
    """The variables of the obligation there."""


def violations(model: Model, *, budget: int = BUDGET) -> list[Violation]:
    """Return one violation for each obligation of a model that is not met; none says that all are, for all sizes.

    Conditions that the function's assertions check before an operation are assumed there. Each question may take
    `budget` isl operations. Raises Undecided if the budget is spent before any violation is found.
    """
    found: list[Violation] = []
    undecided: Undecided | None = None
    for obligation in model.obligations:
        try:
            violation = violation_of(model, obligation, budget=budget)
        except Undecided as error:
            undecided = error
        else:
            found += [] if violation is None else [violation]
    if undecided is not None and not found:
        raise undecided
    return found


def violation_of(model: Model, obligation: Obligation | Assertion, *, budget: int = BUDGET) -> Violation | None:
    """Return an instance at which a condition does not hold, or None where there is none. Raises Undecided."""
    unknown: Unknown | None = None
    for part in obligation.domain:
        system = part & model.context
        for condition in obligation.conditions:
            verdict = implies(system, condition, budget=budget)
            if isinstance(verdict, Refuted):
                values = verdict.point
                sizes = {s: values.get(s, 0) for s in model.symbols}
                return Violation(obligation, sizes, tuple(values.get(v, 0) for v in obligation.variables))
            if isinstance(verdict, Unknown):
                unknown = verdict
    if unknown is not None:
        raise Undecided(unknown.reason)
    return None
