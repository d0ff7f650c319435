"""Verdicts on the programs and the outputs of upstream passes, and on the planted faults, counted.

Prints the decided share of all pairs, of those of symbolic sizes and by pass, the reasons of the others, and each
refutation with what the judge found. A pair is decided if it is refuted, or proved for sizes at which every loop of the
source runs twice. The exit status is 1 where a share is too small, a refutation is not confirmed by execution, or a
planted fault is not refuted.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict

from .corpus import Pair, pairs
from .faults import FAULTS, by_program
from .verdicts import Verdict, shares, verdict_on

LEAST = 0.9
"""The share of all pairs that has to be decided."""
LEAST_SYMBOLIC = 0.5
"""The share of the pairs of symbolic sizes that has to be decided."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command line."""
    parser.add_argument("--family", action="append", default=[], help="a file of source/, without its ending")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", help="a file for all verdicts")


def main(args: argparse.Namespace) -> int:
    """Count what the command line names; the exit status."""
    everything = pairs()
    chosen = [pair for pair in everything if not args.family or pair.program.family in args.family]
    with ProcessPoolExecutor(args.jobs) as workers:
        found = list(zip(chosen, workers.map(verdict_on, chosen, chunksize=8), strict=True))
        print_verdicts(found)
        missed = missed_faults(everything, workers, set(args.family))
    if args.json:
        records = [{"pair": pair.name, "symbolic": pair.program.is_symbolic, **asdict(each)} for pair, each in found]
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(records, file, indent=1)
    symbolic = [each for pair, each in found if pair.program.is_symbolic]
    enough = _part([each for _, each in found]) >= LEAST and _part(symbolic) >= LEAST_SYMBOLIC
    return 0 if enough and not missed and not _unconfirmed(found) else 1


def _part(found: list[Verdict]) -> float:
    return sum(each.is_decided for each in found) / max(1, len(found))


def _unconfirmed(found: list[tuple[Pair, Verdict]]) -> list[Pair]:
    """Return the refutations that execution contradicts."""
    return [pair for pair, each in found if each.word == "refuted" and each.executed.endswith("equal numbers")]


def print_verdicts(found: list[tuple[Pair, Verdict]]) -> None:
    """Print shares, times, reasons and refutations."""
    print(shares(found))
    times = [each.seconds for _, each in found]
    print(f"seconds of a proof: median {statistics.median(times):.2f}, largest {max(times):.2f}")
    reasons = Counter(_general(each) for _, each in found if not each.is_decided)
    examples = {_general(each): pair.name for pair, each in found if not each.is_decided}
    for reason, count in reasons.most_common():
        print(f"{count:5} {reason}\n        {examples[reason]}")
    for pair, each in found:
        if each.word == "refuted":
            print(f"refuted: {pair.name}\n    {each.reason}\n    {each.executed}")


def _general(found: Verdict) -> str:
    """Return a reason without names, numbers and positions."""
    if found.word in ("proved", "bounded"):
        return f"no drawn sizes fulfil the condition and let all loops repeat: {found.condition}"
    text = re.sub(r"\S*\.mlir:\d+:\d+:?", "", re.sub(r"[%@][\w#]+", "%_", found.reason))
    text = re.sub(r"\b[0-9]+\b", "N", text)
    return f"{found.word}: {text[:160]}"


def missed_faults(everything: list[Pair], workers: ProcessPoolExecutor, families: set[str]) -> list[str]:
    """Print and return the planted faults that are not refuted."""
    outputs = by_program(everything)
    chosen = [fault for fault in FAULTS if not families or fault.program.split("/")[0] in families]
    planted = [fault.planted(outputs) for fault in chosen]
    found = list(workers.map(verdict_on, planted, chunksize=4))
    missed = [
        f"{fault.kind}: {fault.program}, '{fault.old}' -> '{fault.new}': {each.word}, {each.reason}"
        for fault, each in zip(chosen, found, strict=True)
        if each.word != "refuted"
    ]
    print(f"planted faults: {len(planted) - len(missed)} of {len(planted)} refuted", *missed, sep="\n    ")
    return missed
