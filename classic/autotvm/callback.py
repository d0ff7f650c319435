"""Callbacks of tuners, called after each measurement with the tuner, the inputs and the results."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ...diagnostics.files import FilePath
from .measure import MeasureInput, MeasureResult
from .record import append_lines, encode

Callback: TypeAlias = "Callable[[Any, Sequence[MeasureInput], Sequence[MeasureResult]], None]"


def log_to_file(file_out: Any, protocol: str = "json") -> Callback:
    """Append a record line for each measurement to a file, given by its path or open for writing."""

    def log(tuner: Any, inputs: Sequence[MeasureInput], results: Sequence[MeasureResult]) -> None:
        lines = [encode(inp, result, protocol) for inp, result in zip(inputs, results, strict=True)]
        if hasattr(file_out, "write"):
            file_out.write("".join(f"{line}\n" for line in lines))
        else:
            path: FilePath = file_out
            append_lines(path, lines)

    vars(log)["takes_updates"] = True
    return log


def takes_updates(callback: Callback) -> bool:
    """Return True for a callback that is called again where a configuration has more samples."""
    return getattr(callback, "takes_updates", False)


def progress_bar(total: int, prefix: str = "", si_prefix: str = "G") -> Callback:
    """Show the progress out of `total` measurements, and the best rate, on a terminal; nothing in pipes and files."""
    scale = si_scale(si_prefix)
    done = 0

    def show(tuner: Any, inputs: Sequence[MeasureInput], results: Sequence[MeasureResult]) -> None:
        nonlocal done
        done += len(inputs)
        if sys.stderr.isatty():
            rate = tuner.best_flops / scale
            end = "\n" if done >= total else ""
            print(f"\r{prefix} {done}/{total}, best {rate:.2f} {si_prefix}FLOPS", end=end, file=sys.stderr, flush=True)

    return show


def si_scale(si_prefix: str) -> float:
    """Return the number that a prefix of units stands for."""
    return {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}.get(si_prefix, 1e9)


class Monitor:
    """Keeps the rates and the times of a tuner's measurements."""

    def __init__(self) -> None:
        self.scores: list[float] = []
        self.timestamps: list[float] = []

    def __call__(self, tuner: Any, inputs: Sequence[MeasureInput], results: Sequence[MeasureResult]) -> None:
        for inp, result in zip(inputs, results, strict=True):
            self.scores.append(inp.task.flop / result.mean)
            self.timestamps.append(result.timestamp)

    def trial_scores(self) -> list[float]:
        """Return the operations a second of each measurement, 0 for failures."""
        return self.scores

    def trial_timestamps(self) -> list[float]:
        """Return the time of each measurement in seconds since the epoch."""
        return self.timestamps
