"""Many draws on several processes, and what came of them."""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from hangs import HANG
from tilewright.diagnostics import TilewrightError
from tilewright.passes.framework.options import spec_of
from tilewright.passes.framework.reducing import Reducer
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp

from .compiled import compare_compiled
from .trial import BAD, DIFFERENT, FAILED, REFUSED, Trial, Verdict, apply, changes, round_trip

MODULES = 10_000
COMPILED_EVERY = 100
"""One draw in so many is compiled as well."""
_CHUNK = 25


class DrawTimeout(BaseException):
    """A draw does not end. No Exception: what a parser or a pass catches is not the runner's clock."""


@dataclass
class Summary:
    """The summary of many draws."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    kinds: Counter[str] = field(default_factory=Counter[str])
    ops: Counter[str] = field(default_factory=Counter[str])
    passes: Counter[str] = field(default_factory=Counter[str])
    refusals: Counter[str] = field(default_factory=Counter[str])
    bad: list[str] = field(default_factory=list[str])

    def add(self, verdict: Verdict) -> None:
        self.outcomes[verdict.outcome] += 1
        self.kinds[verdict.kind] += 1
        self.ops.update(verdict.ops)
        self.passes.update(verdict.passes)
        if verdict.outcome == REFUSED:
            self.refusals[f"{verdict.detail.split(':')[0]} {verdict.pass_.split('{')[0]}"] += 1
        if verdict.is_bad:
            self.bad.append(describe(verdict))

    def merge(self, other: Summary) -> None:
        for name in ("outcomes", "kinds", "ops", "passes", "refusals"):
            getattr(self, name).update(getattr(other, name))
        self.bad += other.bad

    def __str__(self) -> str:
        sections = [
            ("outcomes", self.outcomes),
            ("modules by level", self.kinds),
            ("operations emitted", self.ops),
            ("passes run", self.passes),
            ("refusals by code and pass", self.refusals),
        ]
        lines: list[str] = []
        for title, counts in sections:
            lines += [f"{title}:", *_columns([f"{name} {count}" for name, count in counts.most_common()])]
        lines += [f"failures: {len(self.bad)}", *self.bad]
        return "\n".join(lines)


def _columns(items: Sequence[str], count: int = 4) -> Iterator[str]:
    width = max(map(len, items), default=0) + 2
    for start in range(0, len(items), count):
        yield "  " + "".join(item.ljust(width) for item in items[start : start + count]).rstrip()


def describe(verdict: Verdict) -> str:
    """Return one line on a bad draw, with the command that shows it."""
    after = f" in {verdict.pass_}" if verdict.pass_ else ""
    return f"--seed {verdict.seed} --number {verdict.number}: {verdict.kind} {verdict.outcome}{after}: {verdict.detail}"


def draw_one(seed: int, number: int, directory: Path | None = None, *, compiled: bool = False) -> Verdict:
    """Check one draw within its time; a bad one is written to `directory`, made small."""
    trial: Trial | None = None
    previous = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        trial = Trial(seed, number)
        verdict = trial.run()
        if compiled and not verdict.is_bad and trial.smooth:
            compare_compiled(trial)
    except DrawTimeout:
        kind = trial.verdict.kind if trial is not None else "unknown"
        verdict = Verdict(seed, number, kind, FAILED, f"does not end within {HANG} s of processor time")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
    if verdict.is_bad and directory is not None:
        write_reproducer(verdict, directory)
    return verdict


def _stop(number: int, frame: FrameType | None) -> None:
    raise DrawTimeout


def write_reproducer(verdict: Verdict, directory: Path) -> Path:
    """Write the module before the pass that failed, and the smallest one that still does."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"fuzz-{verdict.seed}-{verdict.number}.mlir"
    header = f"// {describe(verdict).splitlines()[0]}\n// pass: {verdict.pass_}\n"
    module = verdict.before
    if module is not None:
        path.write_text(header + str(module) + "\n")
        small = reduced(verdict)
        if small is not None:
            path.with_suffix(".small.mlir").write_text(header + str(small) + "\n")
    else:
        path.write_text(header)
    return path


def reduced(verdict: Verdict, seconds: float = 20.0) -> ModuleOp | None:
    """Return the module before the pass, as small as it gets while the same thing goes wrong."""
    if verdict.before is None or not verdict.pass_ or verdict.outcome not in BAD:
        return None
    (pass_,) = parse_pipeline(verdict.pass_)

    def still_fails(module: ModuleOp) -> bool:
        if verdict.detail.startswith("text: "):
            return round_trip(module) is not None
        if verdict.outcome == DIFFERENT:
            return changes(module, pass_) is not None
        problem = apply(pass_, module.clone())
        return problem is not None and problem[0] == FAILED and problem[1][:40] == verdict.detail[:40]

    try:
        return Reducer(verdict.before.clone(), still_fails, seconds).run()
    except (TilewrightError, ValueError, AssertionError):
        return None


def draw_many(seed: int, numbers: range, directory: Path | None) -> Summary:
    """Check the draws of these numbers."""
    summary = Summary()
    for number in numbers:
        summary.add(draw_one(seed, number, directory, compiled=number % COMPILED_EVERY == 0))
    return summary


def run_campaign(seed: int, start: int, count: int, jobs: int, directory: Path) -> Summary:
    """Check all draws from `start` on, on several processes."""
    chunks = [range(k, min(k + _CHUNK, start + count)) for k in range(start, start + count, _CHUNK)]
    summary, began = Summary(), time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        parts = pool.map(draw_many, [seed] * len(chunks), chunks, [directory] * len(chunks))
        for position, part in enumerate(parts, 1):
            summary.merge(part)
            if position % 20 == 0:
                done = sum(summary.outcomes.values())
                print(f"{done} modules, {len(summary.bad)} failures, {time.monotonic() - began:.0f} s", flush=True)
    return summary


def show(seed: int, number: int) -> int:
    """Print the module of a number, its pipeline and the verdict."""
    trial = Trial(seed, number)
    print(trial.module)
    print("// pipeline:", ",".join(spec_of(p) for p in trial.pipeline))
    verdict = trial.run()
    print(f"// {verdict.outcome}", f"{verdict.pass_} {verdict.detail}".strip())
    return int(verdict.is_bad)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign, or show one draw; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description="random modules through random passes")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, help="show this draw alone")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first number")
    parser.add_argument("--count", type=int, default=MODULES, help="how many draws")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where reproducers are written")
    options = parser.parse_args(arguments)
    if options.number is not None:
        return show(options.seed, options.number)
    summary = run_campaign(options.seed, options.start, options.count, options.jobs, options.out)
    print(summary)
    return int(bool(summary.bad))


if __name__ == "__main__":
    sys.exit(main())
