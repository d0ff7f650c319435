"""Random programs through passes of mlir-opt; each output is proved, refutations are reduced and kept.

A program is drawn, the tool runs pipelines of the kind on it, and each output that differs is compared with it. A
refutation is executed by the judge; the program is then made smaller as long as the output of the same pipeline is
still refuted, and both are kept. Some proofs are executed too, at sizes that their condition admits: numbers that
differ there are a fault of the prover. The exit status is 1 where one is found, or a refutation that execution
contradicts.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.passes.framework.instruments import print_ir
from tilewright.passes.framework.reducing import Reducer
from tilewright.tools.judging.mlir_tools import find
from tilewright.tools.prove import file_of
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.utils.exceptions import VerifyException

from .corpus import programs, split_pipeline
from .draw import KINDS, NAME, draw
from .execution import executes_equal
from .generate import printed, shape
from .verdicts import Verdict, verdict

FAMILIES = {
    "affine": ("affine-", "transforms"),
    "scf": ("scf-", "transforms"),
    "linalg": ("linalg-",),
    "memref": ("memref-", "affine-scalar", "affine-unroll", "affine-fusion", "affine-loop"),
}
"""The files of `source/` whose pipelines a kind of program is sent through, by the beginnings of their names."""
EXECUTED = 4
"""One of so many proofs is executed."""
REDUCTION = 60.0
"""Seconds for making one program smaller."""
SECONDS = 20.0
"""The time that one proof may take."""


@dataclass(frozen=True)
class Outcome:
    """The verdict on one drawn program and one pipeline."""

    kind: str
    number: int
    pipeline: str
    before: str
    after: str
    verdict: Verdict
    agrees: bool | None = None
    """Of a proof: whether execution agrees; None where it was not executed."""


def pipelines(kind: str) -> list[str]:
    """Return the pipelines for a kind of program."""
    found = (p for program in programs() if program.family.startswith(FAMILIES[kind]) for p in program.pipelines)
    return [text for text in dict.fromkeys(found) if "SCHEDULES" not in text and "while" not in text]


def attempt(tool: str, seed: int, each: int, number: int) -> list[Outcome]:
    """Return the outcomes for one number: `each` pipelines on one program."""
    kind = KINDS[number % len(KINDS)]
    text = draw(kind, seed, number)
    source = printed(tool, "", text)
    if source is None:
        return [Outcome(kind, number, "", text, "", Verdict("unreadable", "mlir-opt does not read the program"))]
    generator = random.Random(f"pipelines {seed} {number}")
    chosen = generator.sample(options := pipelines(kind), min(each, len(options)))
    outcomes: list[Outcome] = []
    seen = {shape(source)}
    for pipeline in chosen:
        after = printed(tool, pipeline, text)
        if after is None or shape(after) in seen:
            continue
        seen.add(shape(after))
        found = verdict(text, after, NAME, SECONDS)
        outcome = Outcome(kind, number, pipeline, text, after, found)
        outcomes.append(_executed(outcome) if generator.randrange(EXECUTED) == 0 else outcome)
    return outcomes


def _executed(outcome: Outcome) -> Outcome:
    """Return the outcome with what execution says of a proof."""
    if outcome.verdict.sizes is None:
        return outcome
    before, after = file_of(outcome.before, "before.mlir"), file_of(outcome.after, "after.mlir")
    function = next(op for op in before.module.ops if isinstance(op, FuncOp) and op.sym_name.data == NAME)
    return replace(outcome, agrees=executes_equal(before, after, function, outcome.verdict.sizes))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=500, help="programs")
    parser.add_argument("--number", type=int, help="run and show this program only")
    parser.add_argument("--each", type=int, default=3, help="pipelines for a program")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--save", type=Path, default=Path("build/prove-upstream"), help="the folder for what is kept")


def main(args: argparse.Namespace) -> int:
    """Run the campaign of the command line; the exit status."""
    if (tool := find("mlir-opt")) is None:
        print("mlir-opt is not found: install the extra [upstream] or set TILEWRIGHT_MLIR_BIN", file=sys.stderr)
        return 2
    numbers = range(args.count) if args.number is None else [args.number]
    start = time.monotonic()
    with ProcessPoolExecutor(args.jobs) as workers:
        found = [each for many in workers.map(partial(attempt, tool, args.seed, args.each), numbers) for each in many]
    hours = (time.monotonic() - start) / 3600
    _report(found, len(numbers), hours, show=args.number is not None)
    kept = _keep(found, tool, args.save)
    return 1 if kept else 0


def _report(found: list[Outcome], count: int, hours: float, *, show: bool) -> None:
    """Print counts by kind, pass and reason."""
    print(f"{count} programs, {len(found)} changed outputs, {count / hours:.0f} programs an hour")
    for kind in KINDS:
        words = Counter(each.verdict.word for each in found if each.kind == kind)
        print(f"  {kind:8}", ", ".join(f"{word} {number}" for word, number in words.most_common()))
    agreed = Counter(each.agrees for each in found if each.agrees is not None)
    print(f"proofs executed: {agreed[True]} agree, {agreed[False]} differ")
    reasons = Counter(
        f"{each.verdict.word}: {re.sub('[0-9]+', 'N', each.verdict.reason)[:150]}"
        for each in found
        if each.verdict.word in ("unknown", "unreadable")
    )
    for reason, number in reasons.most_common():
        print(f"{number:5} {reason}")
    by_pass = Counter(
        name for each in found if each.verdict.word == "refuted" for name, _ in split_pipeline(each.pipeline)
    )
    print("refuted, by pass:", ", ".join(f"{name} {number}" for name, number in by_pass.most_common()) or "none")
    if show:
        for each in found:
            print(each.before, f"// {each.pipeline}", each.after, each.verdict, sep="\n")


def _keep(found: list[Outcome], tool: str, folder: Path) -> int:
    """Keep refutations, the first of each pipeline reduced, and all that is a fault of ours; the number of faults."""
    folder.mkdir(parents=True, exist_ok=True)
    reduced: set[str] = set()
    faults = 0
    for each in found:
        is_fault = each.agrees is False or (
            each.verdict.word == "refuted" and each.verdict.executed.endswith("equal numbers")
        )
        faults += is_fault
        if is_fault:
            print(f"FAULT: {each.kind} {each.number} {each.pipeline}: {each.verdict.word}, execution says otherwise")
        if not is_fault and (each.verdict.word != "refuted" or each.pipeline in reduced):
            continue
        reduced.add(each.pipeline)
        small = each if is_fault else smaller(each, tool)
        name = f"{each.kind}-{each.number}-{'-'.join(name for name, _ in split_pipeline(each.pipeline))}"
        note = f"// {each.pipeline}\n// {small.verdict.word}: {small.verdict.reason}\n// {small.verdict.executed}\n"
        (folder / f"{name}.before.mlir").write_text(note + small.before, encoding="utf-8")
        (folder / f"{name}.after.mlir").write_text(small.after, encoding="utf-8")
        print(f"kept {folder / name}: {small.verdict.reason}; {small.verdict.executed}")
    return faults


def smaller(outcome: Outcome, tool: str) -> Outcome:
    """Return a smaller program whose output of the same pipeline is still refuted."""

    def is_refuted(module: ModuleOp) -> bool:
        return _refuted(print_ir(module), outcome.pipeline, tool) is not None

    try:
        module = Reducer(parse(context(), outcome.before, "drawn.mlir"), is_refuted, REDUCTION).run()
    except TilewrightError:
        return outcome
    text = print_ir(module)
    if (after := _refuted(text, outcome.pipeline, tool)) is None:
        return outcome
    return replace(outcome, before=text, after=after, verdict=verdict(text, after, NAME, SECONDS))


def _refuted(text: str, pipeline: str, tool: str) -> str | None:
    """Return the output of a pipeline for a text, None where it is not refuted."""
    after = printed(tool, pipeline, text)
    if after is None:
        return None
    try:
        return after if verdict(text, after, NAME, SECONDS).word == "refuted" else None
    except (TilewrightError, VerifyException, IndexError):
        return None
