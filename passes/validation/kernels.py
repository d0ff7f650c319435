"""Whole compilations, proved kernel by kernel: from the tensor expressions of each kernel to its last loops.

Operators mean what defines them: that is assumed, and tested elsewhere. From there on each kernel is proved in one
step, or in as many as passes that expand functions cut its way into. Callers are compared by what they pass to kernels.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ...analysis.equivalence import DEFAULT, Algebra, Axiom, Budget, Proved
from ...analysis.equivalence.callers import has_calls, operators_of
from ...dialects.loop import CallIntrinOp
from ...semantics.proving import WORST_LAST, Judgement, prove
from ...traversal import operations
from ..base import Level, algebra_of, level_of
from ..instruments import Instrument
from ..options import spec_of
from .execution import functions_of
from .symbolic import with_definitions
from .track import texts_of

NO_OVERLAP = "arguments do not overlap"


@dataclass(frozen=True)
class KernelProof:
    """What is proved of one function, from te to the last loops."""

    name: str
    judgement: Judgement
    """The worst of the steps."""
    seconds: float
    step: str
    """The step that the judgement is about: `lower-te to hoist`."""
    assumptions: tuple[str, ...]

    def __str__(self) -> str:
        reason = f": {self.step}: {self.judgement.reason}" if self.judgement.reason else ""
        return f"@{self.name} {self.judgement.word} in {self.seconds:.1f} s{reason}"


@dataclass(frozen=True)
class _Stage:
    """The functions of a module after a pass."""

    name: str
    functions: dict[str, FuncOp]
    texts: dict[str, str]
    is_expansion: bool = False
    """Whether functions were replaced by code for them since the stage before."""


@dataclass(frozen=True)
class _Change:
    """A pass that changed a function after a stage, and what it may do to arithmetic."""

    stage: int
    pass_: str
    algebra: Algebra


class KernelProofs(Instrument):
    """Keeps the functions of a compilation: at te level, at its end, and around passes that expand functions.

    `proofs` proves them afterwards. `operators` are those that were replaced by their definitions.
    """

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget
        self.operators: dict[str, None] = {}
        self._module: ModuleOp | None = None
        self._stages: list[_Stage] = []
        self._changes: dict[str, list[_Change]] = {}
        self._texts: dict[str, str] = {}
        self._last = ""
        self._depth = 0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._depth += 1
        if self._depth > 1 or self._module not in (None, module):
            return
        if self._module is None:
            self.operators |= dict.fromkeys(name for f in functions_of(module) for name in operators_of(f))
        elif _expands(pass_):
            self._keep(f"before {pass_.name}", module)

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._depth -= 1
        if self._depth or self._module not in (None, module):
            return
        if self._module is None:
            if level_of(module) <= Level.TE:
                self._module = module
                self._keep(pass_.name, module)
            return
        self._note_changes(pass_, module)
        if _expands(pass_):
            self._keep(pass_.name, module, is_expansion=True)

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._depth -= 1

    def _keep(self, name: str, module: ModuleOp, *, is_expansion: bool = False) -> None:
        copy = module.clone()
        self._texts = texts_of(copy)
        functions = {f.sym_name.data: f for f in functions_of(copy)}
        self._stages.append(_Stage(name, functions, self._texts, is_expansion))
        self._last = name

    def _note_changes(self, pass_: ModulePass, module: ModuleOp) -> None:
        texts = texts_of(module)
        for name, text in texts.items():
            if self._texts.get(name) != text:
                change = _Change(len(self._stages), spec_of(pass_), algebra_of(pass_))
                self._changes.setdefault(name, []).append(change)
        self._texts, self._last = texts, pass_.name

    # Proofs

    def proofs(self, until: float = math.inf) -> Iterator[KernelProof]:
        """The proof of each function that is there from te level to the end, one after the other. At `until`, of
        `time.monotonic`, the time for proofs is over."""
        if self._module is None:
            return
        if self._stages[-1].name != self._last:
            self._keep(self._last, self._module)
        for name in self._stages[0].functions:
            if all(name in stage.functions for stage in self._stages):
                yield self._proof(name, until)

    def _proof(self, name: str, until: float) -> KernelProof:
        start = time.monotonic()
        budget = replace(self.budget, seconds=max(0.0, min(self.budget.seconds, until - start)))
        worst, where = Judgement(Proved()), ""
        assumptions: dict[str, None] = {}
        for position, (one, other) in enumerate(pairwise(self._stages), start=1):
            if one.texts[name] == other.texts[name]:
                continue
            if other.is_expansion and (names := _vanished(one.functions[name], other.functions[name])):
                assumptions[f"{', '.join(names)} may be computed by the code that {other.name} writes"] = None
                continue
            changes = [change for change in self._changes.get(name, ()) if change.stage == position]
            judgement = _judged(one.functions[name], other.functions[name], changes, budget)
            assumptions |= dict.fromkeys((*_declared(changes), *judgement.verdict.assumptions))
            if _rank(judgement) > _rank(worst) or not where:
                worst, where = judgement, f"{one.name} to {other.name}"
        if self.operators and name in self._stages[0].functions and not has_calls(self._stages[0].functions[name]):
            assumptions[NO_OVERLAP] = None
        return KernelProof(name, worst, time.monotonic() - start, where, tuple(assumptions))


def _expands(pass_: ModulePass) -> bool:
    return Axiom.EXPAND_INTRINSIC in algebra_of(pass_).axioms


def _judged(before: FuncOp, after: FuncOp, changes: Sequence[_Change], budget: Budget) -> Judgement:
    if level_of(before) is Level.TE and level_of(after) < Level.TE:
        before = with_definitions(before)
    algebra = Algebra(
        any(change.algebra.contracts for change in changes),
        any(change.algebra.reassociates for change in changes),
        frozenset(axiom for change in changes for axiom in change.algebra.axioms) - {Axiom.EXPAND_INTRINSIC},
    )
    return prove(before, after, algebra, budget)


def _declared(changes: Sequence[_Change]) -> Iterator[str]:
    """What the passes that changed a function declare that they may do to arithmetic."""
    for change in changes:
        algebra = change.algebra
        words = [word for word in ("reassociates", "contracts") if getattr(algebra, word)]
        words += [axiom.label for axiom in sorted(algebra.axioms, key=lambda axiom: axiom.label)]
        if words:
            yield f"{change.pass_} declares {', '.join(words)}"


def _vanished(before: FuncOp, after: FuncOp) -> list[str]:
    """The functions that code has been written for: those applied before and not after."""
    counts = [Counter(map(_called, operations(function))) for function in (before, after)]
    return sorted(name for name, count in counts[0].items() if name and counts[1][name] < count)


def _called(op: Operation) -> str:
    if isinstance(op, CallIntrinOp):
        return op.symbol
    return op.name if op.dialect_name() == "math" else ""


def _rank(judgement: Judgement) -> int:
    return WORST_LAST.index(type(judgement.verdict))
