"""Many round trips and faults on several processes."""

from __future__ import annotations

import argparse
import signal
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from types import FrameType

from hangs import HANG
from tilewright.frontends.tvmscript import from_source, script

from .modules import draw_module, kind_of
from .mutations import mutated, outcome_of

RIGHT = "equal"


class DrawTimeout(BaseException):
    """A draw does not end. No Exception: what a parser catches is not the runner's clock."""


def round_trip(seed: int, number: int) -> str:
    """Return "equal", or how a module differs once its script was read back."""
    module = draw_module(seed, number)
    again = from_source(script(module)).op
    if again.is_structurally_equivalent(module):
        return RIGHT
    pairs = zip(str(module).splitlines(), str(again).splitlines(), strict=False)
    first = next(((a.strip(), b.strip()) for a, b in pairs if a != b), ("", ""))
    return f"reads as another module: {first[0]} | {first[1]}"


def mutation(seed: int, number: int) -> str:
    """Return the outcome of a script with faults: "read", or the code of the error."""
    return outcome_of(mutated(script(draw_module(seed, number)), seed, number))


TRIALS = {"round-trip": round_trip, "mutation": mutation}


def attempt(kind: str, seed: int, number: int) -> tuple[int, str]:
    """Return the outcome of a draw, within its time; what should not be begins with `fault`."""
    previous = signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, HANG)
    try:
        outcome = TRIALS[kind](seed, number)
        is_fault = kind == "round-trip" and outcome != RIGHT
        return number, f"fault: {outcome}" if is_fault else outcome
    except DrawTimeout:
        return number, f"fault: does not end within {HANG} s"
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return number, f"fault: {type(error).__name__} at {frame.name}:{frame.lineno}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


def _stop(number: int, frame: FrameType | None) -> None:
    raise DrawTimeout


def campaign(kind: str, seed: int, numbers: Sequence[int], jobs: int) -> bool:
    """Run all draws of a kind, print what came of them, and return whether nothing was wrong."""
    outcomes, faults = Counter[str](), 0
    with ProcessPoolExecutor(jobs) as pool:
        for done, (number, outcome) in enumerate(pool.map(partial(attempt, kind, seed), numbers, chunksize=8), 1):
            outcomes["fault" if outcome.startswith("fault") else outcome] += 1
            if outcome.startswith("fault"):
                faults += 1
                print(f"--kind {kind} --seed {seed} --number {number} ({kind_of(number)}): {outcome[:300]}", flush=True)
            if done % 200 == 0:
                print(f"{done} of {len(numbers)} {kind}, {faults} wrong", flush=True)
    print(f"{kind}: {', '.join(f'{name} {count}' for name, count in outcomes.most_common())}", flush=True)
    return not faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a campaign, or show one draw; the exit status says whether anything is wrong."""
    parser = argparse.ArgumentParser(description="round trips through TVMScript, and scripts with faults")
    parser.add_argument("--kind", choices=TRIALS, nargs="+", default=list(TRIALS), help="of what (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="which draws (default: 0)")
    parser.add_argument("--from", type=int, default=0, dest="start", metavar="N", help="the first number (default: 0)")
    parser.add_argument("--count", type=int, default=2000, metavar="N", help="how many of each kind (default: 2000)")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("--number", type=int, metavar="N", help="show this draw of the kind alone")
    options = parser.parse_args(arguments)
    if options.number is not None:
        return _show(options.kind, options.seed, options.number)
    numbers = range(options.start, options.start + options.count)
    right = [campaign(kind, options.seed, numbers, options.jobs) for kind in options.kind]
    return int(not all(right))


def _show(kinds: Sequence[str], seed: int, number: int) -> int:
    module = draw_module(seed, number)
    text = script(module)
    print(module, text, sep="\n\n")
    if "mutation" in kinds:
        print(mutated(text, seed, number))
    outcomes = [attempt(kind, seed, number)[1] for kind in kinds]
    print("\n".join(outcomes))
    return int(any(outcome.startswith("fault") for outcome in outcomes))
