"""Many random schedules on several processes; what fails is kept."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from .trial import TRIALS, Outcome, run


def keep(outcome: Outcome, seed: int, folder: Path) -> Path:
    """Write the program, the calls and what went wrong into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{outcome.kind}-{seed}-{outcome.number}.txt"
    again = (
        f"python tests/schedule/random_schedules/run.py --kind {outcome.kind} --seed {seed} --number {outcome.number}"
    )
    sections = (again, outcome.problem, outcome.program, outcome.trace, outcome.scheduled)
    path.write_text("\n\n".join(sections) + "\n")
    return path


def campaign(kind: str, seed: int, numbers: Sequence[int], jobs: int, folder: Path) -> bool:
    """Draw all numbers of a kind, and tell what came of them; whether nothing was wrong."""
    problems = 0
    accepted, refused, later = Counter[str](), Counter[str](), Counter[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for done, outcome in enumerate(pool.map(partial(run, kind, seed), numbers, chunksize=4), 1):
            accepted += outcome.accepted
            refused += outcome.refused
            later[outcome.refused_by] += bool(outcome.refused_by)
            if outcome.problem:
                problems += 1
                print(f"{keep(outcome, seed, folder)}: {outcome.problem.splitlines()[0][:150]}", flush=True)
            if done % 100 == 0:
                print(f"{done} of {len(numbers)} {kind}, {problems} wrong", flush=True)
    shares = ", ".join(f"{n} {accepted[n]}/{accepted[n] + refused[n]}" for n in sorted({*accepted, *refused}))
    print(f"{kind}: {len(numbers)} programs, {accepted.total()} of {accepted.total() + refused.total()} calls accepted")
    print(f"  by name: {shares}\n  lowering refused: {dict(+later) or 'none'}\n  {problems} wrong", flush=True)
    return not problems


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign, or one draw; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description="random schedules of random programs on the CPU")
    parser.add_argument("--kind", choices=TRIALS, nargs="+", default=list(TRIALS), help="of what (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="which draws (default: 0)")
    parser.add_argument("--from", type=int, default=0, dest="start", metavar="N", help="the first number (default: 0)")
    parser.add_argument("--count", type=int, default=2000, metavar="N", help="how many of each kind (default: 2000)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--number", type=int, metavar="N", help="show this draw of the kind alone")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz/schedules"), help="where failures are kept")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TILEWRIGHT_CACHE_DIR"] = folder
        if options.number is not None:
            return _show(options.kind, options.seed, options.number)
        numbers = range(options.start, options.start + options.count)
        right = [campaign(kind, options.seed, numbers, options.jobs, options.out) for kind in options.kind]
    return int(not all(right))


def _show(kinds: Sequence[str], seed: int, number: int) -> int:
    outcomes = [run(kind, seed, number) for kind in kinds]
    for each in outcomes:
        print("\n\n".join((each.program, each.trace, each.scheduled, each.problem or each.refused_by or "right")))
    return int(any(each.problem for each in outcomes))
