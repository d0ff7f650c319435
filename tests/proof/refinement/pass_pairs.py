"""Pairs that passes of this project make of random programs: `prove` must not refute what runs find equal.

Programs are nests of upstream MLIR over buffers of open sizes, which may be undefined at some of them, and the loops,
blocks and tensor expressions of the other random tests. A pair is a function before and after one pass, a whole
pipeline or a call of a schedule, or a function and its text in upstream MLIR, read again. The pipelines are the default
one, for a CPU with vectors, and random ones.

Both sides run at several sizes, 0 and 1 among them. A refuted pair runs at the sizes of the refutation too, and at
further ones.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO

from tilewright.analysis.equivalence import EXACT, Algebra, Budget, Refuted, Verdict
from tilewright.backends.upstream.writer import upstream_text
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.dialects.upstream.undefined import mark_upstream
from tilewright.passes.framework.base import Level, algebra_of, level_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.pipeline import conversion, default_pipeline
from tilewright.semantics.proving import prove_refinement
from tilewright.tools.prove import file_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass

from ...schedule.choices import Seeded
from ...schedule.proof_oracle.judge import Judge, Judgement, Meaning
from ...schedule.proof_oracle.steps import KINDS, TARGET, Step, functions, stepwise
from .campaign import random_nest, text_of

BUDGET = Budget(seconds=20)
MOST = 6
"""The number of pairs that are taken of one program."""
EQUAL = (Meaning.PROVED, Meaning.BOUNDED, Meaning.UNKNOWN, Meaning.LACKS_AXIOM)
"""Outcomes of pairs that runs find equal."""
WRONG = (Meaning.LACKS_AXIOM, Meaning.UNSOUND, Meaning.CRASHED)
"""Outcomes that a run contradicts: refuted and equal, or proved and different."""


def nests(number: int, seed: int) -> ModuleOp:
    """Return a module of one function of random nests, in blocks and loops."""
    rng = random.Random(f"nests/{seed}/{number}")
    drawn = [random_nest(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    ctx = context()
    module = Parser(ctx, text_of(drawn)).parse_module()
    PassManager(conversion(Level.UPSTREAM, Level.BLOCK), verify_each=False).run(ctx, module)
    return module


def _through(module: ModuleOp, pipeline: list[ModulePass]) -> Iterator[Step]:
    """Yield each pass of a pipeline, all of it, and what it leaves as text of upstream MLIR."""
    (first,) = (function.clone() for function in functions(module))
    algebra, count = EXACT, 0
    for step in stepwise(module, pipeline):
        algebra, count = algebra | step.algebra, count + 1
        yield step
    (last,) = functions(module)
    if count > 1:
        total = algebra
        for pass_ in pipeline:
            total = total | algebra_of(pass_)
        yield Step("whole pipeline", first, last.clone(), total)
    yield from written(last)


def written(function: FuncOp) -> Iterator[Step]:
    """Yield a function and its text in upstream MLIR, read again, where upstream MLIR can say it.

    The function is read as one of upstream: divisions by 0, which our dialects define, are undefined on both sides.
    """
    if level_of(function) > Level.LOOP:
        return
    module = ModuleOp([function.clone()])
    try:
        text = upstream_text(module)
    except TilewrightError as error:
        assert error.code == "TW0572", error
        return
    mark_upstream(module)
    (before,), (read,) = functions(module), functions(file_of(text, "written.mlir").module)
    yield Step("emit mlir-upstream", before, read, EXACT)


def nests_by_default(number: int, seed: int) -> Iterator[Step]:
    """Yield the steps of the default pipeline for a CPU with vectors, in every other program without assertions on its
    accesses."""
    module = nests(number, seed)
    module.attributes[TARGET_ATTRIBUTE] = TARGET
    pipeline = default_pipeline(level_of(module))
    yield from _through(module, [p for p in pipeline if number % 2 or p.name != "check-bounds"])


def nests_at_random(number: int, seed: int) -> Iterator[Step]:
    """Yield the steps of a random pipeline of passes with random options."""
    from fuzz.draw import Draw
    from fuzz.pipelines import random_pipeline

    module, draw = nests(number, seed), Draw(seed, number)
    yield from _through(module, random_pipeline(draw, level_of(module), rounds=draw.chance(0.5)))


def _of_kind(kind: str) -> Callable[[int, int], Iterator[Step]]:
    return lambda number, seed: KINDS[kind](Seeded(kind, seed, number))


DRAWN: dict[str, Callable[[int, int], Iterator[Step]]] = {
    "nests, default pipeline": nests_by_default,
    "nests, random pipeline": nests_at_random,
    "programs, default pipeline": _of_kind("pass"),
    "programs, default schedules": _of_kind("default"),
    "programs, random pipeline": _of_kind("module"),
    "loops, calls of schedules": _of_kind("loop"),
    "tensors, calls of schedules": _of_kind("te"),
}
"""Pairs of a number and a seed, by kind."""


def pairs(number: int, seed: int, most: int) -> tuple[str, list[Step]]:
    """Return the kind of a draw, and at most so many of its pairs; numbers take turns among kinds."""
    kinds = list(DRAWN)
    kind = kinds[number % len(kinds)]
    steps = list(DRAWN[kind](number, seed))
    chosen = random.Random(f"chosen/{seed}/{number}").sample(steps, min(most, len(steps)))
    return kind, chosen


def refinement(before: FuncOp, after: FuncOp, algebra: Algebra, budget: Budget) -> Verdict:
    """Return the verdict of `prove`; a refutation with its sizes by the parameters of the model, as runs take them."""
    judgement = prove_refinement(before, after, algebra, budget)
    if isinstance(judgement.verdict, Refuted):
        assert judgement.witness is not None
        return judgement.witness.refuted
    return judgement.verdict


@dataclass
class Counts:
    """The outcomes of many pairs."""

    meanings: Counter[Meaning] = field(default_factory=Counter[Meaning])
    by_kind: Counter[tuple[str, Meaning]] = field(default_factory=Counter[tuple[str, Meaning]])
    by_name: Counter[tuple[str, Meaning]] = field(default_factory=Counter[tuple[str, Meaning]])
    reasons: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])
    """Texts of the pairs that runs contradict, and of those that passes make unequal."""

    @property
    def equal(self) -> int:
        """The number of pairs that runs find equal."""
        return sum(self.meanings[meaning] for meaning in EQUAL)

    def add(self, kind: str, step: Step, judged: Judgement, where: str) -> None:
        self.meanings[judged.meaning] += 1
        self.by_kind[kind, judged.meaning] += 1
        self.by_name[judged.name, judged.meaning] += 1
        if judged.verdict == "unknown":
            self.reasons[judged.reason] += 1
        if judged.meaning in WRONG or judged.differs:
            texts = (str(ModuleOp([function.clone()])) for function in (step.before, step.after))
            said = f"{where}: {judged.name}: {judged.meaning.value}; {judged.reason}; {judged.difference}"
            self.wrong.append("\n".join((f"// {said}", f"// {step.algebra}", *texts)))


def campaign(equal: int, seed: int, most: int = MOST) -> Counts:
    """Draw until so many pairs have been compared that runs find equal, at most so many of one draw."""
    counts, number = Counts(), 0
    while counts.equal < equal:
        kind, steps = pairs(number, seed, most)
        judge = Judge(refinement, BUDGET)
        for step in steps:
            with redirect_stdout(StringIO()):  # for programs that print
                judged = judge.judge(step)
            counts.add(kind, step, judged, f"seed {seed}, number {number}")
        number += 1
    return counts
