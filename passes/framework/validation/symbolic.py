"""Proofs that passes preserve functions for all sizes: each function that a pass changed is compared with its version
before the pass.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from ....analysis.equivalence import DEFAULT, Algebra, Budget, Proved, Refuted, Unknown
from ....analysis.equivalence.callers import operators_of
from ....diagnostics import TilewrightError
from ....diagnostics.locations import location_of
from ....semantics.proving import WORST_LAST, Judgement, account, expressions, prove, report, save_pair
from ....traversal import operations
from ..base import algebra_of
from ..options import spec_of
from .above_blocks import meaning_of, prove_at_any_level
from .execution import functions_of
from .track import texts_of


@dataclass
class Step:
    """One function that a pass changed, and whether it computes the same."""

    run: int
    """The number of the run of a pass."""
    pass_: str
    function: str
    judgement: Judgement
    assumed: str = ""
    """The assumption where nothing is to be proved: operators have the semantics of their definitions."""
    sampled: str = ""
    """The outcome on random inputs, where it was run instead."""
    saved: str = ""
    """The command that compares the two functions again, where they were saved."""

    @property
    def word(self) -> str:
        """The verdict as one word."""
        return "assumed" if self.assumed else self.judgement.word

    @property
    def is_proved(self) -> bool:
        """True where it computes the same for all sizes, given the assumptions."""
        return bool(self.assumed) or isinstance(self.judgement.verdict, Proved)

    def __str__(self) -> str:
        """Describe a step that is not proved."""
        if self.assumed:
            return f"@{self.function} assumed: {self.assumed}; {self.sampled}"
        saved = "" if isinstance(self.judgement.verdict, Refuted) else self.saved  # an error says so itself
        parts = [f"{self.judgement.word}: {self.judgement.reason}", self.sampled, saved]
        return f"@{self.function} {'; '.join(part for part in parts if part)}"


class Proofs:
    """The proofs about the functions that passes changed.

    `budget` bounds each proof. Pairs of functions that are refuted, or that an axiom is missing for, are saved in
    `directory`, by default that of temporary files, unless `saves` is off.
    """

    def __init__(self, budget: Budget = DEFAULT, directory: Path | None = None, *, saves: bool = True) -> None:
        self.budget = budget
        self.directory = directory
        self.saves = saves
        self.steps: list[Step] = []
        self.runs = 0
        """The number of passes that ran."""
        self.unchanged = 0
        """The number of passes that changed no function."""

    def check(self, pass_: ModulePass, before: ModuleOp, after: ModuleOp) -> list[Step]:
        """Prove the functions that `pass_` changed from `before` to `after`; those that it did not decide.

        Functions that the pass made or removed have no counterpart; their results are compared in their callers. Raises
        TilewrightError TW0241 for the first that computes something else.
        """
        self.runs += 1
        algebra = algebra_of(pass_)
        texts = texts_of(before)
        functions = {function.sym_name.data: function for function in functions_of(before)}
        after_texts = texts_of(after)
        changed = [
            (functions[name], function)
            for function in functions_of(after)
            if (name := function.sym_name.data) in functions and texts[name] != after_texts[name]
        ]
        self.unchanged += not changed
        steps = [self._step(pass_, first, second, algebra) for first, second in changed]
        return [step for step in steps if isinstance(step.judgement.verdict, Unknown)]

    def _step(self, pass_: ModulePass, before: FuncOp, after: FuncOp, algebra: Algebra) -> Step:
        assumed = _assumed(before, after)
        judgement = Judgement(Unknown(assumed)) if assumed else _judged(before, after, algebra, self.budget)
        step = Step(self.runs, spec_of(pass_), before.sym_name.data, judgement, assumed)
        self.steps.append(step)
        if self.saves and (judgement.lacks_axiom or isinstance(judgement.verdict, Refuted)):
            step.saved = save_pair(before, after, algebra, self.directory)
        if isinstance(judgement.verdict, Refuted):
            raise _error(step, judgement.verdict, before)
        report(judgement, "TW0242", f"@{step.function} after '{step.pass_}'", before, after, step.saved)
        return step

    @property
    def is_complete(self) -> bool:
        """True if each function that a pass changed is proved for all sizes."""
        return all(step.is_proved for step in self.steps)

    @property
    def is_something_known(self) -> bool:
        """True if a comparison was made: no function was changed, or one was proved or run."""
        return not self.steps or any(
            step.sampled == SAMPLED or not isinstance(step.judgement.verdict, Unknown) for step in self.steps
        )

    def table(self) -> str:
        """Return a table of the passes that changed functions: their number, the worst verdict, seconds; below it
        the steps that are not proved."""
        rows: list[tuple[str, str, str, str]] = [("pass", "functions", "verdict", "seconds")]
        below: list[list[str]] = [[]]
        for _, group in groupby(self.steps, key=lambda step: step.run):
            steps = list(group)
            worst = max(steps, key=_badness)
            seconds = sum(step.judgement.verdict.seconds for step in steps)
            rows.append((steps[0].pass_, str(len(steps)), worst.word, f"{seconds:.2f}"))
            below.append([f"  {step}" for step in steps if step.assumed or not step.is_proved])
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines: list[str] = []
        for (name, count, verdict, seconds), more in zip(rows, below, strict=True):
            lines.append(
                f"{name:{widths[0]}}  {count:>{widths[1]}}  {verdict:{widths[2]}}  {seconds:>{widths[3]}}".rstrip()
            )
            lines += more
        return "\n".join([*(lines if self.steps else []), self.counts()])

    def counts(self) -> str:
        """Return one line: how many functions had which verdict."""
        words = Counter(step.word for step in self.steps)
        counted = [f"{kind.__name__.lower()} {words[kind.__name__.lower()]}" for kind in WORST_LAST]
        lacking = sum(step.judgement.lacks_axiom for step in self.steps)
        undefined = sum(step.judgement.verdict.undefined_count for step in self.steps)
        extra = [f"assumed {words['assumed']}"] if words["assumed"] else []
        extra += [f"an axiom is missing {lacking}"] if lacking else []
        extra += [f"elements undefined before {undefined}"] if undefined else []
        return f"functions after passes: {', '.join([*counted, *extra])}; passes without a change {self.unchanged}"


SAMPLED = "run on random inputs instead"


def _assumed(before: FuncOp, after: FuncOp) -> str:
    """Return the assumption of a step that replaces operators by their definitions; an empty text for other steps."""
    operators = operators_of(before)
    if not operators or operators_of(after) or not any(op.dialect_name() == "te" for op in operations(after)):
        return ""
    return meaning_of(operators)


def _judged(before: FuncOp, after: FuncOp, algebra: Algebra, budget: Budget) -> Judgement:
    try:
        return prove_at_any_level(before, after, partial(prove, budget=budget), algebra)
    except Exception as error:  # a fault of the prover is none of the pass, which bisection would name
        return Judgement(Unknown(f"the prover failed: {type(error).__name__}: {error}"))


def _error(step: Step, refuted: Refuted, before: FuncOp) -> TilewrightError:
    """Return error TW0241, which names the pass, the sizes and the element, and shows both expressions."""
    message = f"pass '{step.pass_}' changed what @{step.function} computes: {account(refuted, before)}"
    notes = [*expressions(refuted), step.judgement.evidence, f"in pass '{step.pass_}'", step.saved]
    location = location_of(refuted.after.op) if refuted.after.op is not None else None
    return TilewrightError("TW0241", message, notes=[note for note in notes if note], location=location)


def _badness(step: Step) -> tuple[int, bool]:
    """Return the key that orders steps by their verdict; one that is assumed is better than one that is unknown."""
    return WORST_LAST.index(type(step.judgement.verdict)), not step.assumed
