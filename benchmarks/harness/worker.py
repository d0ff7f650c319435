"""The process of one system: it sets a row up, checks the result, and runs it when asked.

Requests and replies are lines of JSON on standard input and on what was standard output; whatever a library prints goes
to standard error. The worker ends with its parent, even while it is stopped.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from .processes import Request
from .row import Absent, Arrays, Case, Row

ALIGNMENT = 64
CALIBRATION_RUNS = 20
CALIBRATION_SECONDS = 0.2
PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


class WrongResult(Exception):
    """A result that is not the expected one."""


@dataclass
class Bench:
    """A case with the arrays that it works on, which some systems know by address alone."""

    case: Case
    inputs: Arrays
    out: np.ndarray


def main() -> None:
    """Answer the requests of the parent until it closes the pipe."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    request = Request(**json.loads(sys.stdin.readline()))
    serve(request, replies)


def serve(request: Request, replies: TextIO) -> None:
    from rows import find_row

    def reply(**values: Any) -> None:
        print(json.dumps(values), file=replies, flush=True)

    try:
        row = find_row(request.row, request.modules)
        if request.system is None:
            save_expected(row, request.expected)
            return reply(ready=True)
        bench = set_up(row, request)
        error = check(row, bench, request.expected) if bench.case.checked else 0.0
        seconds = calibrate(bench.case)
    except ModuleNotFoundError as missing:
        return reply(absent=missing.name or str(missing))
    except Absent as missing:
        return reply(absent=str(missing))
    except WrongResult as wrong:
        return reply(wrong=str(wrong))
    except Exception:
        return reply(failed=traceback.format_exc(limit=-4).strip())
    reply(ready=True, error=error, seconds=seconds)
    for line in sys.stdin:
        asked = json.loads(line)
        reply(seconds=sample(bench.case, asked["count"], asked["warm"]))
    return None


def save_expected(row: Row, path: str) -> None:
    """Write the expected result of the row to a file that its workers read."""
    if row.expected is not None:
        np.save(path, row.expected(row.inputs()))


def set_up(row: Row, request: Request) -> Bench:
    inputs: Arrays = [aligned(array) for array in row.inputs()]
    shape, dtype = row.output
    out = aligned(np.zeros(tuple(shape), dtype_named(dtype)))
    assert request.system is not None
    return Bench(row.systems[request.system](inputs, out, request.threads), inputs, out)


def aligned(array: np.ndarray) -> np.ndarray:
    """Return a copy that starts at a cache line, for every system alike."""
    room = np.zeros(array.nbytes + ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def dtype_named(name: str) -> np.dtype[Any]:
    if name == "bfloat16":
        import ml_dtypes

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


def check(row: Row, bench: Bench, path: str) -> float:
    """Run once and compare. Returns the largest error over the largest magnitude expected."""
    bench.case.run()
    if row.expected is None or not Path(path).exists():
        return 0.0
    expected = np.load(path, mmap_mode="r")
    if np.issubdtype(bench.out.dtype, np.integer):
        different = int(np.count_nonzero(bench.out != expected))
        if different:
            raise WrongResult(f"expected exact integers, but {different} of {expected.size} differ")
        return 0.0
    error = float(np.abs(bench.out.astype(np.float64) - expected).max() / np.abs(expected).max())
    if not error <= row.tolerance:
        raise WrongResult(
            f"expected an error of at most {row.tolerance:.0e} of the output's scale, but got {error:.1e}"
        )
    return error


def calibrate(case: Case) -> float:
    """Return the seconds of one run, the shortest of a few.

    They say how many runs fill a sample. With a run that was disturbed, samples would be shorter than those of other
    systems, and on a busy machine shorter samples are interrupted less.
    """
    shortest = spent = sample(case, 1, warm=False)
    for _ in range(CALIBRATION_RUNS):
        if spent > CALIBRATION_SECONDS:
            break
        found = sample(case, 1, warm=False)
        shortest, spent = min(shortest, found), spent + found
    return shortest


def sample(case: Case, count: int, warm: bool) -> float:
    """Return the seconds for one of `count` runs, after one that is not counted where `warm` says so."""
    if case.sample is not None:
        return case.sample(count)
    if warm:
        case.run()
    start = time.perf_counter()
    for _ in range(count):
        case.run()
    return (time.perf_counter() - start) / count
