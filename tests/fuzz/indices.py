"""Random programs that read and write at indices which are data, on every backend: right, or the coded error.

    python tests/fuzz/indices.py [--seed 0] [--count 2000] [--jobs 2] [--out build/fuzz]
    python tests/fuzz/indices.py --seed 0 --number 17

The first form draws programs; the exit status is 1 if a result was wrong, an index out of bounds went unnoticed,
something beside an array was written, or a process died. The second shows one draw.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import tilewright
from fuzz.draw import Draw
from fuzz.index_loops import IndexedLoops, indexed_loops
from fuzz.index_te import IndexedTe, indexed_te
from fuzz.index_values import Watched
from tilewright import dialects
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse

PROGRAMS = 2000
CHUNK = 40
RIGHT, NOTICED, REFUSED, BAD = "right", "noticed", "refused", "BAD"
OUT_OF_BOUNDS = ("TW0730", "TW0721")
OUTSIDE = "without need"
ALWAYS_OUTSIDE = "TW0560"
NOT_SCHEDULED = ("TW03", "TW04", "TW05")
"""Refusals of a schedule, of a te program or by an engine that cannot prove what it needs."""


@dataclass
class Summary:
    outcomes: Counter[str] = field(default_factory=Counter[str])
    refusals: Counter[str] = field(default_factory=Counter[str])
    bad: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        lines = [f"{name}: {count}" for name, count in sorted(self.outcomes.items())]
        lines += [f"refused by {code}: {count}" for code, count in self.refusals.most_common()]
        return "\n".join([*lines, f"failures: {len(self.bad)}", *self.bad])


def draw_program(seed: int, number: int) -> tuple[Draw, IndexedTe | IndexedLoops]:
    """Return the program of a number."""
    draw = Draw(seed, number)
    return draw, indexed_te(draw) if draw.chance(0.6) else indexed_loops(draw)


def trials(draw: Draw, program: IndexedTe | IndexedLoops) -> Iterator[tuple[str, str]]:
    """Yield backends and what came of the program there."""
    is_te = isinstance(program, IndexedTe)
    for name, make in backends_of_te(draw, program) if is_te else backends_of_loops(draw, program):
        outcome = _outcome(program, make)
        if is_te and program.reads_both and name == "interpreter" and OUTSIDE in outcome:
            outcome = NOTICED
        yield name, outcome


def backends_of_te(draw: Draw, program: IndexedTe) -> Iterator[tuple[str, Callable[[], Any]]]:
    tensors = program.tensors

    def build(**options: Any) -> Any:
        schedule = None if options["target"] == "cuda" else program.schedule()
        return tilewright.build(tensors if schedule is None else schedule, tensors, **options)

    yield "interpreter", lambda: tilewright.build(tensors, tensors, target="interpreter")
    yield "cpu", lambda: build(target="cpu", threads=draw.one_of((1, 3)))
    if draw.chance(0.25):
        yield "c", lambda: build(target="c", threads=1)
    if draw.chance(0.4):
        yield "cuda", lambda: build(target="cuda", device="simulator")


def backends_of_loops(draw: Draw, program: IndexedLoops) -> Iterator[tuple[str, Callable[[], Any]]]:
    def build(**options: Any) -> Any:
        return tilewright.compile(parse(dialects.context(), program.text, "drawn.mlir"), **options)

    yield "interpreter", lambda: build(target="interpreter")
    yield "cpu", lambda: build(target="cpu", threads=1)
    if draw.chance(0.25):
        yield "c", lambda: build(target="c", threads=1)


def _outcome(program: IndexedTe | IndexedLoops, make: Callable[[], Any]) -> str:
    is_wrong = program.expected is None
    try:
        function = make()
    except TilewrightError as error:
        if error.code == ALWAYS_OUTSIDE:
            return NOTICED if is_wrong or program.can_be_refused else f"{BAD}: refused: {error.message}"
        return f"{REFUSED} {error.code}" if error.code.startswith(NOT_SCHEDULED) else f"{BAD}: {error}"
    watched = Watched()
    try:
        result = _run(program, function, watched)
    except TilewrightError as error:
        if (name := watched.touched()) is not None:
            return f"{BAD}: something beside {name} is written"
        if error.code in OUT_OF_BOUNDS:
            return NOTICED if is_wrong else f"{BAD}: {OUTSIDE}: {error.message}"
        return f"{BAD}: {error}"
    if (name := watched.touched()) is not None:
        return f"{BAD}: something beside {name} is written"
    if is_wrong:
        return f"{BAD}: an index out of bounds went unnoticed"
    return RIGHT if result is None else f"{BAD}: {result}"


def _run(program: IndexedTe | IndexedLoops, function: Any, watched: Watched) -> str | None:
    """Run a function on watched arrays; what is wrong with its results."""
    if isinstance(program, IndexedTe):
        arrays = [watched.add(name, array) for name, array in program.inputs.items()]
        result = watched.add("the result", np.full(program.shape, -7, np.float32))
        function(*arrays, result)
        return _difference("the result", result, program.expected)
    arrays = [watched.add(name, array) for name, array in program.arrays.items()]
    function(*arrays)
    for name, array in zip(program.arrays, arrays, strict=True):
        wanted = None if program.expected is None else program.expected[name]
        if wanted is not None and (found := _difference(name, array, wanted)) is not None:
            return found
    return None


def _difference(name: str, actual: np.ndarray, wanted: np.ndarray | None) -> str | None:
    if wanted is None or np.array_equal(actual, wanted):
        return None
    index = tuple(map(int, np.argwhere(actual != wanted)[0]))
    return f"{name}{[*index]} is {actual[index]}, expected {wanted[index]}"


def draw_one(seed: int, number: int, folder: Path | None = None) -> Summary:
    """Run one draw on its backends; a bad one is written to a folder."""
    summary = Summary()
    draw, program = draw_program(seed, number)
    for backend, outcome in trials(draw, program):
        kind, _, detail = outcome.partition(" ")
        summary.outcomes[f"{backend} {kind.rstrip(':')}"] += 1
        if kind == REFUSED:
            summary.refusals[f"{backend} {detail}"] += 1
        if outcome.startswith(BAD):
            summary.bad.append(f"--seed {seed} --number {number}: {backend}: {outcome}")
    if summary.bad and folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        text = program.text
        notes = "".join(f"// {line}\n" for bad in summary.bad for line in bad.splitlines())
        (folder / f"indices-{seed}-{number}.mlir").write_text(notes + text)
    return summary


def draw_many(seed: int, numbers: range, folder: Path) -> Summary:
    """Run draws in a process of their own: one that kills it is found by its number."""
    summary, numbers = Summary(), range(numbers.start, numbers.stop)
    while numbers:
        command = [sys.executable, __file__, "--seed", str(seed), "--from", str(numbers.start), "--out", str(folder)]
        done = subprocess.run(
            [*command, "--count", str(len(numbers)), "--jobs", "0"], capture_output=True, text=True, check=False
        )
        finished = 0
        for line in done.stdout.splitlines():
            kind, _, rest = line.partition("\t")
            match kind:
                case "done":
                    finished += 1
                case "outcome":
                    summary.outcomes[rest] += 1
                case "refusal":
                    summary.refusals[rest] += 1
                case "bad":
                    summary.bad.append(rest)
                case _:
                    pass
        numbers = numbers[finished:]
        if numbers:
            last = "".join(done.stderr.strip().splitlines()[-1:])
            summary.bad.append(
                f"--seed {seed} --number {numbers.start}: the process ended with {done.returncode} {last}"
            )
            numbers = numbers[1:]
    return summary


def _worker(seed: int, numbers: range, folder: Path) -> int:
    """Draw and tell a parent process line by line."""
    for number in numbers:
        found = draw_one(seed, number, folder)
        for outcome in found.outcomes.elements():
            print("outcome", outcome, sep="\t")
        for refusal in found.refusals.elements():
            print("refusal", refusal, sep="\t")
        for bad in found.bad:
            print("bad", " | ".join(bad.splitlines()), sep="\t")
        print("done", number, sep="\t", flush=True)
    return 0


def show(seed: int, number: int) -> int:
    """Print a program and what came of it."""
    draw, program = draw_program(seed, number)
    print(program.text)
    values = program.inputs if isinstance(program, IndexedTe) else program.arrays
    for name, array in values.items():
        print(f"// {name} {array.dtype} {array.shape}: {array.reshape(-1)[:40].tolist()}")
    print("// expected:", "an index out of bounds" if program.expected is None else "a result")
    outcomes = list(trials(draw, program))
    for backend, outcome in outcomes:
        print(f"// {backend}: {outcome}", flush=True)
    return int(any(outcome.startswith(BAD) for _, outcome in outcomes))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, help="show this draw alone")
    parser.add_argument("--from", type=int, default=0, dest="start", help="the first number")
    parser.add_argument("--count", type=int, default=PROGRAMS, help="how many draws")
    parser.add_argument("--jobs", type=int, default=2, help="processes; 0 draws in this one")
    parser.add_argument("--out", type=Path, default=Path("build/fuzz"), help="where programs that fail are written")
    options = parser.parse_args(arguments)
    if options.number is not None:
        return show(options.seed, options.number)
    numbers = range(options.start, options.start + options.count)
    if options.jobs == 0:
        return _worker(options.seed, numbers, options.out)
    chunks = [numbers[k : k + CHUNK] for k in range(0, len(numbers), CHUNK)]
    summary = Summary()
    with ThreadPoolExecutor(options.jobs) as pool:
        for part in pool.map(lambda chunk: draw_many(options.seed, chunk, options.out), chunks):
            summary.outcomes.update(part.outcomes)
            summary.refusals.update(part.refusals)
            summary.bad += part.bad
    print(summary)
    return int(bool(summary.bad))


if __name__ == "__main__":
    sys.exit(main())
