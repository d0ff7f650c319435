"""Proofs of whole compilations, kernel by kernel: from the tensor expressions of a kernel to its last loop IR.

The definitions of operators are assumed; other tests check them. Each kernel is proved in one step, or in several steps
between passes that expand functions. Callers are compared by the arguments of their calls.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from ....analysis.equivalence import DEFAULT, Algebra, Axiom, Budget, Proved, Unknown
from ....analysis.equivalence.callers import has_calls, operators_of
from ....dialects.loop import CallIntrinOp
from ....semantics.proving import WORST_LAST, Judgement, prove
from ....traversal import operations
from ..base import Level, algebra_of, level_of
from ..instruments import Instrument
from .above_blocks import prove_at_any_level
from .execution import functions_of
from .track import texts_of

NO_OVERLAP = "arguments do not overlap"

STEPS = 6
"""The time of all proofs of a kernel, in times of one."""


@dataclass(frozen=True)
class KernelProof:
    """The proof of one function, from te to the last loops."""

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
class _Version:
    """A function after a pass that changed it, and the algebra that the pass may apply."""

    pass_: str
    algebra: Algebra
    function: FuncOp


class KernelProofs(Instrument):
    """The functions of a compilation, from te level on, as they are after each pass that changes them.

    `proofs` proves them afterwards. `operators` are those that were replaced by their definitions.
    """

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget
        self.operators: dict[str, None] = {}
        self._module: ModuleOp | None = None
        self._first: dict[str, FuncOp] = {}
        self._versions: dict[str, list[_Version]] = {}
        self._texts: dict[str, str] = {}
        self._depth = 0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._depth += 1
        if self._depth == 1 and self._module is None:
            self.operators |= dict.fromkeys(name for f in functions_of(module) for name in operators_of(f))

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._depth -= 1
        if self._depth or self._module not in (None, module):
            return
        if self._module is None:
            if level_of(module) > Level.TE:
                return
            self._module = module
            self._first = {f.sym_name.data: f for f in functions_of(module.clone())}
        texts = texts_of(module)
        for function in functions_of(module):
            name = function.sym_name.data
            if name in self._first and self._texts.get(name) != texts[name]:
                (copy,) = ModuleOp([function.clone()], module.attributes).ops
                assert isinstance(copy, FuncOp)
                self._versions.setdefault(name, []).append(_Version(pass_.name, algebra_of(pass_), copy))
        self._texts = texts

    def after_failure(self, pass_: ModulePass, module: ModuleOp, error: Exception) -> None:
        self._depth -= 1

    def proofs(self, containing: str = "", until: float = math.inf) -> Iterator[KernelProof]:
        """Yield the proof of each function that is there from te level to the end and whose name contains a text, one
        after the other. At `until`, of `time.monotonic`, the time for proofs is over."""
        if self._module is None:
            return
        last = {f.sym_name.data: f for f in functions_of(self._module)}
        for name, first in self._first.items():
            if name not in last or containing not in name:
                continue
            if has_calls(first):
                yield self._of_caller(name, first, last[name])
            else:
                yield _Kernel(name, self._versions[name], self.budget, until).proof()

    def _of_caller(self, name: str, first: FuncOp, last: FuncOp) -> KernelProof:
        judgement = prove(first, last, budget=self.budget)
        versions = self._versions[name]
        step = f"{versions[0].pass_} to {versions[-1].pass_}"
        return KernelProof(name, judgement, judgement.verdict.seconds, step, judgement.verdict.assumptions)


class _Kernel:
    """The proof of one kernel, in the fewest steps that can be decided."""

    def __init__(self, name: str, versions: Sequence[_Version], budget: Budget, until: float) -> None:
        self.name = name
        self.versions = versions
        self.budget = budget
        self.start = time.monotonic()
        self.until = min(until, self.start + STEPS * budget.seconds)
        self.assumptions: dict[str, None] = {NO_OVERLAP: None}

    def proof(self) -> KernelProof:
        worst, step = Judgement(Proved()), ""
        for first, last in self._parts():
            judgement, step_here = self._between(first, last)
            if not step or _rank(judgement) > _rank(worst):
                worst, step = judgement, step_here
        return KernelProof(self.name, worst, time.monotonic() - self.start, step, tuple(self.assumptions))

    def _parts(self) -> Iterator[tuple[int, int]]:
        """Yield the stretches of versions between passes that wrote code for functions, which is assumed to be
        theirs."""
        first = 0
        for position in range(1, len(self.versions)):
            version = self.versions[position]
            if Axiom.EXPAND_INTRINSIC not in version.algebra.axioms:
                continue
            if names := _vanished(self.versions[position - 1].function, version.function):
                self.assumptions[f"{', '.join(names)} may be what code of {version.pass_} computes"] = None
                yield first, position - 1
                first = position
        yield first, len(self.versions) - 1

    def _between(self, first: int, last: int) -> tuple[Judgement, str]:
        """Return the judgement on two versions, and the step that it is about: both halves where they are not decided
        at once."""
        if first == last:
            return Judgement(Proved()), ""
        step = f"{self.versions[first].pass_} to {self.versions[last].pass_}"
        changes = self.versions[first + 1 : last + 1]
        left = self.until - time.monotonic()
        if left <= 0:
            return Judgement(Unknown("the time that proofs may take is over")), step
        budget = replace(self.budget, seconds=min(self.budget.seconds, left))
        judgement = _judged(self.versions[first].function, self.versions[last].function, changes, budget)
        if isinstance(judgement.verdict, Unknown) and last - first > 1:
            middle = (first + last) // 2
            halves = [self._between(first, middle)]
            if not isinstance(halves[0][0].verdict, Unknown):
                halves.append(self._between(middle, last))
            return max(halves, key=lambda half: _rank(half[0]))
        self.assumptions |= dict.fromkeys((*_declared(changes), *judgement.verdict.assumptions))
        return judgement, step


def _judged(before: FuncOp, after: FuncOp, changes: Sequence[_Version], budget: Budget) -> Judgement:
    algebra = Algebra(
        any(change.algebra.contracts for change in changes),
        any(change.algebra.reassociates for change in changes),
        frozenset(axiom for change in changes for axiom in change.algebra.axioms) - {Axiom.EXPAND_INTRINSIC},
    )
    return prove_at_any_level(before, after, partial(prove, budget=budget), algebra)


def _declared(changes: Sequence[_Version]) -> Iterator[str]:
    """Yield the declarations of passes that changed a function: the algebra that they may apply."""
    for change in changes:
        algebra = change.algebra
        words = [word for word in ("reassociates", "contracts") if getattr(algebra, word)]
        words += [axiom.label for axiom in sorted(algebra.axioms, key=lambda axiom: axiom.label)]
        if words:
            yield f"{change.pass_} declares {', '.join(words)}"


def _vanished(before: FuncOp, after: FuncOp) -> list[str]:
    """Return the functions that code has been written for: those applied before and not after."""
    counts = [Counter(map(_called, operations(function))) for function in (before, after)]
    return sorted(name for name, count in counts[0].items() if name and counts[1][name] < count)


def _called(op: Operation) -> str:
    if isinstance(op, CallIntrinOp):
        return op.symbol
    return op.name if op.dialect_name() == "math" else ""


def _rank(judgement: Judgement) -> int:
    return WORST_LAST.index(type(judgement.verdict))
