"""Schedules of ours beside those of TVM's MetaSchedule: without trials, and with 64 trials in 60 seconds.

    python benchmarks/beside_metaschedule.py --python build/metaschedule/bin/python [--rows "product*"]
                                             [--trials 1000] [--threads 2]

The same tensor expressions are written with both libraries. MetaSchedule gets so many trials for each on the same
cores, in a separate process (`systems/metaschedule.py`) by the Python that is named; then the programs run in turns.
Printed are its time / ours, with the interval of 95 %, and the seconds of both searches.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
import time
from fnmatch import fnmatch
from pathlib import Path

import numpy as np
import paired
import tilewright
from harness.machine import describe
from harness.report import describe as described
from harness.report import table_line
from systems import metaschedule
from systems.metaschedule import ROWS, Row
from tilewright import te, topi
from tuned import Run, tuned_records

HEADER = ("row", "without trials", "64 trials", "seconds", "MetaSchedule's seconds")
OURS = ("--trials", "64", "--budget", "60")
REPEAT = 41


class Theirs:
    """A program of MetaSchedule that runs once for each line that its process is sent."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.seconds = self._answer()

    def _answer(self) -> float:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of MetaSchedule ends with status {self._process.wait()}")
        return float(line.split()[-1])

    def run(self) -> float:
        """Run once and return the seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return self._answer()

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def module_of(row: Row) -> tilewright.IRModule:
    """Return the kernel as a module of ours."""
    return tilewright.IRModule({"main": te.create_prim_func(row.tensors(te, topi))})


def bench(name: str, python: str, trials: int, threads: int) -> None:
    """Print the row of a kernel."""
    row, random = ROWS[name], np.random.default_rng(3)
    given = [random.standard_normal(shape).astype(np.float32) for shape in row.inputs]
    result = np.empty([int(size) for size in row.tensors(te, topi)[-1].shape], np.float32)
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        for number, array in enumerate((*given, result)):
            np.save(folder / (f"{number}.npy" if number < len(given) else "result.npy"), array)
        (folder / "kernel.mlir").write_text(module_of(row).script())
        start = time.monotonic()
        records = tuned_records(folder / "kernel.mlir", folder, [*OURS, "--threads", str(threads)])
        seconds = time.monotonic() - start
        theirs = Theirs([python, metaschedule.__file__, name, str(trials), str(threads), text])
        programs = [tilewright.compile(module_of(row), threads=threads, records=each) for each in (None, records)]
        programs[0](*given, result)
        np.testing.assert_allclose(result, np.load(folder / "result.npy"), rtol=1e-3, atol=1e-3)
        texts = [turns(lambda program=program: program(*given, result), theirs) for program in programs]
        theirs.close()
    print(table_line((name, *texts, f"{seconds:.0f}", f"{theirs.seconds:.0f}")), flush=True)


def turns(ours: Run, theirs: Theirs) -> str:
    """Return their time / ours, over runs in turns."""
    pairs = [(paired.seconds(ours), theirs.run()) for _ in range(REPEAT)]
    found = paired.Estimate.of([their / our for our, their in pairs[1:]])
    return f"{found.median:.2f} [{found.low:.2f}, {found.high:.2f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", required=True, help="a Python with apache-tvm, psutil, cloudpickle and xgboost")
    parser.add_argument("--rows", nargs="*", default=["*"], help="patterns of names")
    parser.add_argument("--trials", type=int, default=1000, help="MetaSchedule's trials for each row")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    print("\n".join([*described(describe()), f"- threads: {args.threads}, MetaSchedule's trials: {args.trials}", ""]))
    print("\n".join([table_line(HEADER), table_line(["---"] * len(HEADER))]), flush=True)
    for name in ROWS:
        if any(fnmatch(name, f"*{pattern}*") for pattern in args.rows):
            bench(name, args.python, args.trials, args.threads)


if __name__ == "__main__":
    main()
