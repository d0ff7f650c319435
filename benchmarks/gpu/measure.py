"""One row on one machine: built, checked, and measured in turns with its peers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from statistics import median
from typing import Any

from tilewright.tune.estimate import Estimate

from .machine import Machine, nvidia_smi
from .row import Row, build

MOST_RUNS = 2000


@dataclass(frozen=True)
class Effort:
    """The extent of the measurements."""

    pairs: int = 15
    sample_seconds: float = 0.02
    """The least duration of a sample."""
    warm_ups: int = 3
    host_calls: int = 12


SIMULATED = Effort(pairs=2, sample_seconds=0.0, warm_ups=0, host_calls=1)
"""Times are of no interest."""


def measure_row(
    row: Row, machine: Machine, effort: Effort, alone: AbstractContextManager[Any] | None = None
) -> dict[str, Any]:
    """Return the results of a row as plain values. Code that uses the card runs inside of `alone`.

    `problem` is the failure: ("not available", ...) where the compiler refuses the row, ("wrong", ...) where the
    result is not torch's in float64. Without a problem there are seconds, and for each peer its own and the ratio.
    """
    found: dict[str, Any] = {"row": row.name, "bytes": row.bytes, "operations": row.operations, "bars": row.bars}
    start = time.perf_counter()
    try:
        program = build(row, machine.target, machine.device)
        if machine.device is None:
            program.get_source("ptx")
    except Exception as error:  # a row that fails leaves the others to be measured
        return found | {"problem": ["not available", _said(error)]}
    found["build_seconds"] = time.perf_counter() - start
    with alone or nullcontext():
        return found | _run(row, program, machine, effort)


def _run(row: Row, program: Callable[..., Any], machine: Machine, effort: Effort) -> dict[str, Any]:
    """Run the program of a row, check it and measure it."""
    found: dict[str, Any] = {}
    inputs, out = machine.inputs(row), machine.empty(row.output)
    given = [machine.passed(array) for array in (*inputs, out)]
    try:
        program(*given)
        machine.synchronize()
    except Exception as error:
        return found | {"problem": ["not available", _said(error)]}
    found["error"] = machine.error(row, inputs, out)
    if not found["error"] <= row.tolerance:
        text = f"error {found['error']:.1e} of the output's scale, expected at most {row.tolerance:.0e}"
        return found | {"problem": ["wrong", text]}
    ours = partial(program, *given)
    found["host_seconds"] = _host_seconds(ours, machine, effort.host_calls)
    found |= _in_turns(ours, machine.peers(row, inputs), machine, effort)
    found["clocks"] = nvidia_smi(("clocks.sm", "clocks.mem", "temperature.gpu"))
    return found


def _said(error: Exception) -> str:
    said = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {said[0]}"


def _in_turns(
    ours: Callable[[], object], peers: dict[str, Callable[[], object]], machine: Machine, effort: Effort
) -> dict[str, Any]:
    """Measure pairs of samples, one of ours and one of a peer right after the other; which comes first alternates."""
    counts = {name: _count(run, machine, effort) for name, run in {"ours": ours, **peers}.items()}

    def sample(name: str) -> float:
        run = ours if name == "ours" else peers[name]
        return machine.seconds(run, counts[name])

    pairs: dict[str, list[tuple[float, float]]] = {name: [] for name in peers}
    for number in range(effort.pairs):
        for name, samples in pairs.items():
            if number % 2:
                theirs = sample(name)
                samples.append((sample("ours"), theirs))
            else:
                ours_seconds = sample("ours")
                samples.append((ours_seconds, sample(name)))
    ours_seconds = [pair[0] for samples in pairs.values() for pair in samples]
    return {
        "seconds": asdict(Estimate.of(ours_seconds)),
        "peers": {
            name: {
                "ratio": asdict(Estimate.of([theirs / mine for mine, theirs in samples])),
                "seconds": asdict(Estimate.of([theirs for _, theirs in samples])),
            }
            for name, samples in pairs.items()
        },
    }


def _count(run: Callable[[], object], machine: Machine, effort: Effort) -> int:
    """Return the number of runs that fill a sample, after a few that are not counted."""
    for _ in range(effort.warm_ups):
        run()
    machine.synchronize()
    if not effort.sample_seconds:
        return 1
    seconds = min(machine.seconds(run, 1) for _ in range(3))
    return max(1, min(MOST_RUNS, math.ceil(effort.sample_seconds / max(seconds, 1e-9))))


def _host_seconds(run: Callable[[], object], machine: Machine, calls: int) -> float:
    """Return the host time of a call until it returns; the device may work on."""
    times: list[float] = []
    for _ in range(calls):
        machine.synchronize()
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    machine.synchronize()
    return median(times)
