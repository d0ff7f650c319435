"""Random schedules for a GPU, in the simulator against numpy, and races planted in each.

    python tests/cuda_backend/random_schedules/run.py [--start 0] [--count 300]
    python tests/cuda_backend/random_schedules/run.py --seed 17

The first form draws schedules; the exit status is 1 if a result was wrong, an error was no refusal, or a race was
missed. The second shows one of them.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from random_schedules.races import Planted
from random_schedules.trial import Fault, Outcome, run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--start", type=int, default=0, metavar="SEED", help="the first seed (default: 0)")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="how many schedules (default: 300)")
    parser.add_argument("--seed", type=int, metavar="SEED", help="this one alone, with its calls")
    parser.add_argument("--no-races", action="store_true", help="plant none")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TILEWRIGHT_CACHE_DIR"] = folder
        if arguments.seed is not None:
            return show(arguments.seed, not arguments.no_races)
        return campaign(range(arguments.start, arguments.start + arguments.count), not arguments.no_races)


def show(seed: int, races: bool) -> int:
    try:
        outcome = run(seed, races)
    except Fault as fault:
        print(fault)
        return 1
    print("\n".join([outcome.kind, *outcome.steps, f"{outcome.code} {outcome.message}" if outcome.code else "same"]))
    print(outcome.planted)
    return 0


def campaign(seeds: range, races: bool) -> int:
    outcomes: list[Outcome] = []
    faults = 0
    for seed in seeds:
        try:
            outcomes.append(run(seed, races))
        except Fault as fault:
            faults += 1
            print(f"{fault}\n")
            print(f"again: python tests/cuda_backend/random_schedules/run.py --seed {seed}\n", flush=True)
    print(summary(outcomes, faults))
    return 1 if faults else 0


def summary(outcomes: list[Outcome], faults: int) -> str:
    """What became of the schedules and of the planted races."""
    right = sum(not outcome.code for outcome in outcomes)
    refused = Counter(outcome.code for outcome in outcomes if outcome.code)
    planted = sum((outcome.planted for outcome in outcomes), Planted())
    codes = ", ".join(f"{code} {count}" for code, count in refused.most_common())
    return (
        f"{len(outcomes) + faults} random schedules for a GPU: {right} right, {refused.total()} refused, "
        f"{faults} wrong\nrefused: {codes or 'none'}\n{planted}"
    )


if __name__ == "__main__":
    sys.exit(main())
