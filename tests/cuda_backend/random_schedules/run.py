"""Random programs and schedules for a GPU, in the simulator against numpy, and faults planted in each.

    python tests/cuda_backend/random_schedules/run.py [--seed 0] [--count 300] [--jobs 1]
    python tests/cuda_backend/random_schedules/run.py --show 17
    python tests/cuda_backend/random_schedules/run.py --card [--jobs 8]     # the same programs on a card

The first form draws programs with schedules of stages, of blocks and loops, or the default one; the exit status is 1 if
a result was wrong, an error was no refusal, or a planted fault was missed, and what failed is written to a folder, with
its calls and its kernels. The second shows one of them. On a card no faults are planted. After a fault a process stops,
as its context on the card may be broken; its other seeds are counted as not run.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from random_schedules.races import Planted
from random_schedules.trial import Fault, Outcome, run
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.kernels.driver import cuda_driver

_AGAIN = "again: python tests/cuda_backend/random_schedules/run.py --show"
_CHUNK = 25
Drawn = Outcome | tuple[int, str]
"""The outcome of a seed, or its number and the text of a fault."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, metavar="SEED", help="the first seed (default: 0)")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="how many programs (default: 300)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="how many processes (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz/cuda"), help="where failures are written")
    parser.add_argument("--show", type=int, metavar="SEED", help="this one alone, with its calls")
    parser.add_argument("--no-faults", action="store_true", help="plant none")
    parser.add_argument("--card", action="store_true", help="run on a card, without planted faults")
    arguments = parser.parse_args()
    if arguments.card:
        try:
            cuda_driver()
        except TilewrightError as error:
            parser.error(f"--card: {error.message}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TILEWRIGHT_CACHE_DIR"] = folder
        if arguments.show is not None:
            return show(arguments.show, not arguments.no_faults, arguments.card)
        seeds = range(arguments.seed, arguments.seed + arguments.count)
        results = drawn(seeds, not arguments.no_faults, arguments.card, arguments.jobs)
        return campaign(seeds, results, arguments.out)


def show(seed: int, plants: bool, card: bool) -> int:
    try:
        outcome = run(seed, plants, card)
    except Fault as fault:
        print(fault)
        return 1
    print("\n".join([outcome.kind, *outcome.steps, f"{outcome.code} {outcome.message}" if outcome.code else "same"]))
    print(outcome.planted)
    return 0


def draw(seeds: range, plants: bool, card: bool) -> list[Drawn]:
    """Return the outcomes of these seeds; on a card up to the first fault."""
    found: list[Drawn] = []
    for seed in seeds:
        try:
            found.append(run(seed, plants, card))
        except Fault as fault:
            found.append((seed, str(fault)))
            if card:  # whose context may be broken
                break
    return found


def campaign(seeds: range, results: Iterator[Drawn], out: Path) -> int:
    outcomes: list[Outcome] = []
    faults = 0
    for result in results:
        if isinstance(result, Outcome):
            outcomes.append(result)
            continue
        faults += 1
        seed, text = result
        out.mkdir(parents=True, exist_ok=True)
        path = out / f"cuda-{seed}.txt"
        path.write_text(f"{text}\n{_AGAIN} {seed}\n")
        print(f"{text.splitlines()[0]}: {path}\n{_AGAIN} {seed}", flush=True)
    print(summary(outcomes, faults))
    if left := len(seeds) - len(outcomes) - faults:
        print(f"{left} were not run: the card's context was broken before")
    return 1 if faults else 0


def drawn(seeds: range, plants: bool, card: bool, jobs: int) -> Iterator[Drawn]:
    """Yield the outcomes of the seeds in order, which several processes draw. On a card a process has one chunk."""
    chunks = [seeds[k : k + _CHUNK] for k in range(0, len(seeds), _CHUNK)]
    if jobs == 1 and not card:
        for chunk in chunks:
            yield from draw(chunk, plants, card)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=1) if card else ProcessPoolExecutor(jobs)
    with pool:
        for part in pool.map(draw, chunks, repeat(plants), repeat(card)):
            yield from part


def summary(outcomes: list[Outcome], faults: int) -> str:
    """Return the summary of the programs and of the planted faults."""
    right = sum(not outcome.code for outcome in outcomes)
    refused = Counter(outcome.code for outcome in outcomes if outcome.code)
    planted = sum((outcome.planted for outcome in outcomes), Planted())
    codes = ", ".join(f"{code} {count}" for code, count in refused.most_common())
    return (
        f"{len(outcomes) + faults} random programs for a GPU: {right} right, {refused.total()} refused, "
        f"{faults} wrong\nrefused: {codes or 'none'}\n{planted}"
    )


if __name__ == "__main__":
    sys.exit(main())
