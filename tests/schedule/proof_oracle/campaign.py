"""Many draws on several processes: verdicts beside numbers, counted; what a person should look at is kept."""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median

from hangs import HANG
from xdsl.dialects.builtin import ModuleOp

from ..choices import Seeded
from ..random_schedules.trial import DrawTimeout, within
from .judge import Judge, Judgement, Meaning
from .steps import KINDS, Step

RUN = "python tests/schedule/proof_oracle/run.py"
KEPT = (Meaning.UNSOUND, Meaning.CRASHED, Meaning.LACKS_AXIOM, Meaning.MISSED, Meaning.UNKNOWN)
"""The verdicts whose draws are written to a file; of right draws also refuted ones."""


@dataclass
class Outcome:
    """The outcome of a draw."""

    kind: str
    number: int
    judgements: list[Judgement] = field(default_factory=list[Judgement])
    texts: dict[int, tuple[str, str, str]] = field(default_factory=dict[int, tuple[str, str, str]])
    """The algebra and both functions of the judgements that are kept, by position."""
    failed: str = ""
    """The error that ended the draw before all of it was judged."""


@dataclass
class Summary:
    """The summary of many draws of a kind."""

    kind: str
    draws: int = 0
    meanings: Counter[Meaning] = field(default_factory=Counter[Meaning])
    by_name: dict[str, Counter[Meaning]] = field(default_factory=lambda: defaultdict(Counter[Meaning]))
    reasons: Counter[str] = field(default_factory=Counter[str])
    seconds: list[float] = field(default_factory=list[float])
    undefined: int = 0
    failed: list[str] = field(default_factory=list[str])
    wrong: int = 0
    """Steps that change numbers though they should not."""

    def add(self, outcome: Outcome) -> None:
        self.draws += 1
        if outcome.failed:
            self.failed.append(f"--kind {self.kind} --number {outcome.number}: {outcome.failed}")
        for judged in outcome.judgements:
            self.meanings[judged.meaning] += 1
            self.by_name[judged.name.split(" with ")[0]][judged.meaning] += 1
            self.seconds.append(judged.seconds)
            self.undefined += bool(judged.undefined)
            self.wrong += judged.differs and self.kind != "fault"
            if judged.verdict == "unknown":
                self.reasons[judged.reason] += 1

    @property
    def is_right(self) -> bool:
        """Return whether neither the prover nor what it was asked about is wrong."""
        return not any(self.meanings[m] for m in Meaning if m.is_fault) and not self.failed and not self.wrong

    def __str__(self) -> str:
        total = self.meanings.total()
        lines = [f"{self.kind}: {self.draws} draws, {total} steps"]
        lines += [f"  {count:6}  {meaning.value}" for meaning, count in self.meanings.most_common()]
        if self.seconds:
            lines.append(f"  seconds: median {median(self.seconds):.2f}, most {max(self.seconds):.2f}")
        if self.undefined:
            lines.append(f"  {self.undefined} steps with elements that are undefined before")
        lines += [f"  unknown {count}: {reason}" for reason, count in self.reasons.most_common(25)]
        lines += [f"  did not end well: {each}" for each in self.failed]
        if self.wrong:
            lines.append(f"  {self.wrong} steps change numbers: the engine or a pass is wrong")
        return "\n".join(lines)

    def table(self) -> str:
        """Return the meanings by the name of the step."""
        rows = sorted(self.by_name.items(), key=lambda row: -row[1].total())
        return "\n".join(
            f"  {name:28} {', '.join(f'{m.name.lower()} {n}' for m, n in counts.most_common())}"
            for name, counts in rows
        )


def run(kind: str, seed: int, number: int) -> Outcome:
    """Run the draw of a number."""
    outcome = Outcome(kind, number)
    judge = Judge()
    try:
        with within(HANG):
            for step in KINDS[kind](Seeded(kind, seed, number)):
                judged = judge.judge(step)
                outcome.judgements.append(judged)
                if judged.meaning in KEPT or (judged.differs and kind != "fault"):
                    outcome.texts[len(outcome.judgements) - 1] = _texts(step)
    except DrawTimeout:
        outcome.failed = f"does not end within {HANG} s of processor time"
    except Exception as error:
        outcome.failed = f"{type(error).__name__}: {error}"
    return outcome


def _texts(step: Step) -> tuple[str, str, str]:
    before, after = (str(ModuleOp([function.clone()])) for function in (step.before, step.after))
    return str(step.algebra), before, after


def keep(outcome: Outcome, seed: int, folder: Path) -> list[Path]:
    """Write what a person should look at into a folder: a file for each step, with the command that shows it again, and
    the two functions beside it."""
    paths: list[Path] = []
    for position, (algebra, before, after) in outcome.texts.items():
        judged = outcome.judgements[position]
        home = folder / judged.meaning.name.lower()
        home.mkdir(parents=True, exist_ok=True)
        path = home / f"{outcome.kind}-{seed}-{outcome.number}-{position}.txt"
        again = f"{RUN} --kind {outcome.kind} --seed {seed} --number {outcome.number}"
        path.write_text(f"{again}\n\n{described(judged)}\n\n{algebra}\n")
        path.with_suffix(".before.mlir").write_text(f"{before}\n")
        path.with_suffix(".after.mlir").write_text(f"{after}\n")
        paths.append(path)
    return paths


def described(judged: Judgement) -> str:
    """Return one line on a step."""
    parts = [f"{judged.name}: {judged.meaning.value}"]
    parts += [f"{judged.verdict} {judged.reason}"] if judged.reason else []
    parts += [f"numbers: {judged.difference}"] if judged.difference else []
    return "; ".join([*parts, f"{judged.seconds:.2f} s"])


def campaign(
    kind: str, seed: int, numbers: Sequence[int], jobs: int, folder: Path, minutes: float | None = None
) -> Summary:
    """Run all draws of these numbers, or those that the time is enough for."""
    summary, began = Summary(kind), time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        for outcome in pool.map(partial(run, kind, seed), numbers, chunksize=2):
            summary.add(outcome)
            paths = keep(outcome, seed, folder)
            for path, position in zip(paths, outcome.texts, strict=True):
                judged = outcome.judgements[position]
                if judged.meaning.is_fault or judged.meaning is Meaning.LACKS_AXIOM or judged.differs:
                    print(f"{path}: {described(judged)[:300]}", flush=True)
            if summary.draws % 100 == 0:
                counts = ", ".join(f"{m.name.lower()} {n}" for m, n in summary.meanings.most_common())
                print(f"{summary.draws} of {len(numbers)} {kind}: {counts}", flush=True)
            if minutes is not None and time.monotonic() - began > 60 * minutes:
                pool.shutdown(cancel_futures=True)
                break
    return summary


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign, or show one draw; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description="the prover beside the interpreter, on random steps and faults")
    parser.add_argument("--kind", choices=KINDS, nargs="+", default=list(KINDS), help="of what (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="which draws (default: 0)")
    parser.add_argument("--from", type=int, default=0, dest="start", metavar="N", help="the first number (default: 0)")
    parser.add_argument("--count", type=int, default=500, metavar="N", help="how many of each kind (default: 500)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--number", type=int, metavar="N", help="show this draw of the kinds alone")
    parser.add_argument("--minutes", type=float, metavar="N", help="end each kind after so long (default: never)")
    parser.add_argument("--table", action="store_true", help="count by the names of primitives and passes too")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz/proof"), help="where findings are kept")
    options = parser.parse_args(arguments)
    if options.number is not None:
        return _show(options.kind, options.seed, options.number)
    numbers = range(options.start, options.start + options.count)
    summaries = [
        campaign(kind, options.seed, numbers, options.jobs, options.out, options.minutes) for kind in options.kind
    ]
    for summary in summaries:
        print(summary)
        if options.table:
            print(summary.table())
    return int(not all(summary.is_right for summary in summaries))


def _show(kinds: Sequence[str], seed: int, number: int) -> int:
    outcomes = [run(kind, seed, number) for kind in kinds]
    for outcome in outcomes:
        for position, judged in enumerate(outcome.judgements):
            print(described(judged))
            if position in outcome.texts:
                print("{}\n\n// before\n{}\n\n// after\n{}\n".format(*outcome.texts[position]))
        if outcome.failed:
            print(outcome.failed)
    bad = any(o.failed or any(j.meaning.is_fault for j in o.judgements) for o in outcomes)
    return int(bad or any(j.differs and o.kind != "fault" for o in outcomes for j in o.judgements))
