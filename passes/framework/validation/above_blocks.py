"""Proofs of functions at te and graph level, by the definitions of operators and of scalar functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ....analysis.equivalence import Algebra, Unknown
from ....analysis.equivalence.callers import has_calls, operators_of
from ....diagnostics import TilewrightError
from ....dialects import context
from ....dialects.loop import CallIntrinOp
from ....dialects.target import target_of
from ....semantics.proving import Judgement
from ....traversal import operations
from ..base import Level, level_of
from ..expression_rules import expand_definitions
from ..manager import PassManager
from ..registry import parse_pipeline

OPERATORS = 12
"""The most operators of a function that are replaced by their definitions, so that others can be compared with them."""


def prove_at_any_level(before: FuncOp, after: FuncOp, prove: Callable[..., Judgement], algebra: Algebra) -> Judgement:
    """Return the judgement of `prove` on two functions, of any levels, under `algebra`.

    Where one side is below te, calls of functions of numbers that have a definition are their definitions on the other.
    """
    if level_of(before) is Level.TE and level_of(after) < Level.TE:
        before = with_definitions(before)
    elif level_of(after) is Level.TE and level_of(before) < Level.TE:
        after = with_definitions(after)
    judgement = prove(before, after, algebra=algebra)
    if isinstance(judgement.verdict, Unknown):
        return _by_definitions(before, after, prove, algebra) or judgement
    return judgement


def meaning_of(operators: Sequence[str]) -> str:
    """Return the text of the assumption that operators have the semantics of their definitions."""
    names = ", ".join(operators)
    return f"{names} means what defines it in te" if len(operators) == 1 else f"{names} mean what defines them in te"


def _by_definitions(
    before: FuncOp, after: FuncOp, prove: Callable[..., Judgement], algebra: Algebra
) -> Judgement | None:
    """Return the judgement by the definitions of the operators of both functions; None where that decides nothing.

    A definition says no order of its sums: terms may stand in any order.
    """
    names = [operators_of(function) for function in (before, after)]
    if not all(names) or any(_calls_or_many(function) for function in (before, after)):
        return None
    modules = [ModuleOp([function.clone()]) for function in (before, after)]
    try:
        for module in modules:
            PassManager(parse_pipeline("infer-types,lower-graph"), verify_each=False).run(context(), module)
    except TilewrightError:
        return None
    functions = [op for module in modules for op in module.ops if isinstance(op, FuncOp)]
    judgement = prove(functions[0], functions[1], algebra=replace(algebra, reassociates=True))
    if isinstance(judgement.verdict, Unknown):
        return None
    meaning = meaning_of(list(dict.fromkeys(name for each in names for name in each)))
    assumptions = (*judgement.verdict.assumptions, meaning)
    return replace(judgement, verdict=replace(judgement.verdict, assumptions=assumptions))


def _calls_or_many(function: FuncOp) -> bool:
    """Return whether a function is one of other functions, of groups, branches or loops, or of many operators."""
    members = operations(function)
    is_plain = all(len(op.regions) == 0 for op in members if not isinstance(op, FuncOp))
    return has_calls(function) or not is_plain or len(members) > OPERATORS


def with_definitions(function: FuncOp) -> FuncOp:
    """Return the function, or, if it calls functions that have a definition, a copy that contains these definitions, as
    `lower-te` expands them."""
    if not any(isinstance(op, CallIntrinOp) for op in operations(function)):
        return function
    module = function.parent_op()
    target = target_of(module) if isinstance(module, ModuleOp) else None
    alone = ModuleOp([function.clone()])
    expand_definitions(alone, target)
    (copy,) = alone.ops
    assert isinstance(copy, FuncOp)
    return copy
