"""Many trials, each in a process of its own that is watched, and what came of them."""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from hangs import HANG

from . import inputs

MEMORY = 6 << 30
"""Bytes of addresses that a trial may have."""
TOOLS = {"tilewright": "tilewright.tools.cli", "opt-tool": "tilewright.tools.opt"}
_LOADED = (
    "tilewright.driver",
    "tilewright.tools.execute",
    "tilewright.tools.process",
    "tilewright.tools.models",
    "tilewright.backends.cpu.module",
    "tilewright.frontends.onnx.importer",
    "tilewright.schedule.trace_mlir",
)


class Outcome(NamedTuple):
    """The outcome of a trial."""

    number: int
    kind: str
    word: str
    """`result`, an error code, or what was wrong."""
    is_bad: bool
    text: str


@dataclass
class Summary:
    """The summary of many trials."""

    kinds: Counter[str] = field(default_factory=Counter[str])
    words: Counter[str] = field(default_factory=Counter[str])
    bad: list[Outcome] = field(default_factory=list[Outcome])

    def add(self, outcome: Outcome) -> None:
        self.kinds[outcome.kind] += 1
        self.words[outcome.word] += 1
        if outcome.is_bad:
            self.bad.append(outcome)


def run_trial(number: int, kind: str, seed: int, save: Path | None) -> Outcome:
    """Make the trial of that number and run it. What fails is kept in a folder of `save`."""
    with tempfile.TemporaryDirectory(prefix="trial-") as name:
        inputs.write_canaries(Path(name))
        folder = Path(name) / "trial"
        folder.mkdir()
        (Path(name) / "temporary").mkdir()
        trial = inputs.KINDS[kind](random.Random(f"{seed} {kind} {number}"), folder)
        kept = Path(name) / "kept"
        shutil.copytree(folder, kept)
        process = os.fork()
        if process == 0:
            _child(trial, folder)
        status = _wait(process)
        outcome = _judge(number, trial, status, folder)
        if outcome.is_bad and save is not None:
            target = save / f"{kind}-{seed}-{number}"
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(kept, target)
            (target / "outcome.txt").write_text(f"{' '.join(map(repr, trial.call))}\n{outcome.word}\n{outcome.text}\n")
        return outcome


def _child(trial: inputs.Trial, folder: Path) -> None:
    """Run a trial in a forked process, and end it."""
    try:
        os.setsid()
        os.chdir(folder)
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder.parent / "temporary")
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        null = os.open(os.devnull, os.O_RDONLY)
        streams = (null, *(os.open(n, os.O_WRONLY | os.O_CREAT, 0o600) for n in ("../out.txt", "../err.txt")))
        for n, stream in enumerate(streams):
            os.dup2(stream, n)
        sys.stdout = os.fdopen(1, "w", errors="strict", closefd=False)
        sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False)
        status = _call(trial)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        status = 1
    os._exit(status)


def _call(trial: inputs.Trial) -> int:
    name, *arguments = trial.call
    if name in TOOLS:
        try:
            return int(importlib.import_module(TOOLS[name]).main(arguments))
        except SystemExit as stop:
            return int(stop.code or 0)
    from tilewright import TilewrightError

    try:
        getattr(inputs, arguments[0])()
    except TilewrightError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _wait(process: int) -> int | None:
    """Return the exit status; None where the time is up."""
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline:
        found, status = os.waitpid(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return None


def _judge(number: int, trial: inputs.Trial, status: int | None, folder: Path) -> Outcome:
    def read(name: str) -> str:
        path = folder.parent / name
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    out, err = read("out.txt"), read("err.txt")
    codes = [word.split("]")[0] for word in err.split("error[")[1:]]
    problem = ""
    if status is None:
        problem = "hang"
    elif status not in (0, 1, 2):
        problem = f"crash ({status})"
    elif "Traceback (most" in err and "--traceback" not in trial.call:
        problem = "traceback"
    elif "TW0299" in codes:
        problem = "TW0299"
    elif status and not codes:
        problem = "failure without an error"
    elif _has_canary(folder, out + err):
        problem = "foreign read"
    elif trial.kind == "package" and (left := _left_outside(folder)):
        problem = f"files outside of the folder: {left}"
    word = problem or (codes[0] if status else "result")
    return Outcome(number, trial.kind, word, bool(problem), f"{' '.join(map(repr, trial.call))}\n{err[-3000:]}")


def _left_outside(folder: Path) -> list[str]:
    """Return files beside a trial's folder that nobody put there, those for temporary files among them."""
    known = {"canary.bin", "canary.safetensors", "err.txt", "out.txt", "kept", "temporary", folder.name}
    beside = {path.name for path in folder.parent.iterdir()} - known
    return sorted(beside | {path.name for path in (folder.parent / "temporary").iterdir()})


def _has_canary(folder: Path, text: str) -> bool:
    """Return whether a result holds what stands in a file outside of the folder."""
    import numpy as np

    if f"{inputs.CANARY:.3f}" in text or f"{inputs.CANARY:.6g}" in text:
        return True
    try:
        with np.load(folder / "y.npz") as found:
            return any(np.any(np.isclose(np.asarray(found[n], np.float64), inputs.CANARY, rtol=1e-4)) for n in found)
    except Exception:  # there is none, or it is one of the inputs' names
        return False


def run_campaign(count: int, seed: int, jobs: int, save: Path | None = None, kinds: tuple[str, ...] = ()) -> Summary:
    """Run `count` trials, as many of each kind as of the others."""
    for name in (*TOOLS.values(), *_LOADED):
        importlib.import_module(name)
    inputs.prepare()
    gc.collect()
    gc.freeze()  # children look at none of what is there: they would copy its pages
    chosen = kinds or tuple(inputs.KINDS)
    summary = Summary()
    with ThreadPoolExecutor(jobs) as pool:
        trials = ((n // len(chosen), chosen[n % len(chosen)]) for n in range(count))
        for outcome in pool.map(lambda trial: run_trial(*trial, seed, save), trials):
            summary.add(outcome)
    return summary


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; the exit status is 1 where anything was wrong."""
    parser = argparse.ArgumentParser(description="Damaged inputs of every kind.")
    parser.add_argument("--count", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--kinds", default="", help=f"of {','.join(inputs.KINDS)}; default: all")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="where inputs that fail are kept")
    parser.add_argument("--number", type=int, help="run one trial, and show what it says")
    args = parser.parse_args(arguments)
    kinds = tuple(word for word in args.kinds.split(",") if word)
    if args.number is not None:
        inputs.prepare()
        outcome = run_trial(args.number, kinds[0], args.seed, args.save)
        print(outcome.word, outcome.text, sep="\n")
        return int(outcome.is_bad)
    summary = run_campaign(args.count, args.seed, args.jobs, args.save, kinds)
    print(", ".join(f"{kind} {n}" for kind, n in sorted(summary.kinds.items())))
    print(", ".join(f"{word} {n}" for word, n in summary.words.most_common()))
    for outcome in summary.bad:
        print(f"\n{outcome.kind} {outcome.number}: {outcome.word}\n{outcome.text}")
    print(f"{sum(summary.kinds.values())} inputs, {len(summary.bad)} wrong")
    return 1 if summary.bad else 0
