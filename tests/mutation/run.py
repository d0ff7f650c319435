"""Do the tests notice faults in the engine, or in the passes?

    python tests/mutation/run.py [--over engine] [--count 100] [--seed 1] [--jobs 2] [--only N ...]

One run of the tests without a fault says which of them reach which line, and how long each takes. A mutant is then
tried in a copy of the package with the tests that reach its line, the quick and narrow ones first, a minute of them at
most. It is caught when one of them fails, or takes far longer than without the fault; a mutant that no test reaches
survives. The tests that caught something run once more without a fault, so that one that fails by itself catches
nothing.

The survivors are listed with the changed place. `equivalent.txt` beside this file lists the mutants that a person has
found to change nothing that could be observed, with the reason: they are not tried and do not count. The exit status
says whether nineteen of twenty others were caught.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from campaigns import CAMPAIGNS
from mutants import Mutant, draw
from workplace import Baseline, Workplace, Workplaces

BAR = 0.95


@dataclass(frozen=True)
class Outcome:
    mutant: Mutant
    caught_by: str | None
    """The test, or how its run ended."""


def attempt(workplace: Workplace, number: int, mutant: Mutant, baseline: Baseline) -> Outcome:
    """Try a mutant with the tests that reach it."""
    tests = baseline.tests_of(mutant)
    start = time.monotonic()
    caught_by = workplace.first_failure(tests, mutant) if tests else None
    seconds = time.monotonic() - start
    verdict = caught_by or ("SURVIVED" if tests else "SURVIVED: no test reaches it")
    print(f"{number:4} {seconds:5.0f} s  {len(tests):4} tests  {mutant}\n{'':23}{verdict}", flush=True)
    return Outcome(mutant, caught_by)


def unreliable(outcomes: list[Outcome], workplace: Workplace, baseline: Baseline) -> str | None:
    """Return a test that fails without a fault, among those that caught something."""
    names = dict.fromkeys(o.caught_by for o in outcomes if o.caught_by in baseline.seconds)
    return workplace.first_failure(baseline.with_limits(sorted(filter(None, names)))) if names else None


def equivalents() -> dict[str, str]:
    """Return mutants that a person has judged, by their names, with the reason."""
    lines = (Path(__file__).parent / "equivalent.txt").read_text().splitlines()
    return dict(line.rsplit(" # ", 1) for line in lines if line.strip())


def report(outcomes: list[Outcome], equivalent: dict[Mutant, str]) -> bool:
    survivors = [o.mutant for o in outcomes if o.caught_by is None]
    caught = len(outcomes) - len(survivors)
    print(f"\n{caught} of {len(outcomes)} caught ({caught / max(len(outcomes), 1):.0%}), {len(equivalent)} equivalent")
    for mutant in survivors:
        print(f"survived: {mutant}")
    for mutant, reason in equivalent.items():
        print(f"equivalent: {mutant} ({reason})")
    return caught >= BAR * len(outcomes)


def _selected(mutants: list[Mutant], only: list[int] | None) -> Iterator[tuple[int, Mutant]]:
    return ((n, m) for n, m in enumerate(mutants) if only is None or n in only)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--over", choices=CAMPAIGNS, default="engine", help="what gets the faults (default: engine)")
    parser.add_argument("--count", type=int, default=100, metavar="N", help="how many mutants (default: 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="which ones (default: 1)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="at once (default: 2)")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="of those, only these numbers")
    arguments = parser.parse_args()
    campaign = CAMPAIGNS[arguments.over]
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        workplaces = Workplaces(Path(folder), arguments.jobs)
        baseline = Baseline.record(workplaces.all, campaign.suites, campaign.folders)
        print(f"{len(baseline.seconds)} tests pass without a fault ({time.monotonic() - start:.0f} s)", flush=True)
        drawn = draw(workplaces.all[0].package, campaign.folders, arguments.count, arguments.seed)
        mutants = list(_selected(drawn, arguments.only))
        known = equivalents()
        equivalent = {mutant: known[mutant.name] for _, mutant in mutants if mutant.name in known}
        tried = [(n, m) for n, m in mutants if m not in equivalent]
        outcomes = workplaces.map(partial(attempt, baseline=baseline), tried)
        if (failing := unreliable(outcomes, workplaces.all[0], baseline)) is not None:
            print(f"expected the tests that noticed a fault to pass without it, but got {failing}", file=sys.stderr)
            return 1
    passed = report(outcomes, equivalent)
    print(f"{time.monotonic() - start:.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
