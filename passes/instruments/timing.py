"""How long passes take."""

from __future__ import annotations

import time
from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from ..options import spec_of
from .base import Instrument


class Timing(Instrument):
    """Measures how long each pass takes, verification left out. Give it last, so that it times no instrument.

    `clock` gives the seconds: wall-clock time, or `time.process_time` for CPU time.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self.seconds: list[tuple[str, float]] = []
        """Passes in the order run, each with its seconds."""
        self._clock = clock
        self._start = 0.0

    def before_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self._start = self._clock()

    def after_pass(self, pass_: ModulePass, module: ModuleOp) -> None:
        self.seconds.append((spec_of(pass_), self._clock() - self._start))

    def report(self) -> str:
        """A table: milliseconds and share of each pass, and the total."""
        total = sum(seconds for _, seconds in self.seconds)
        rows = [
            f"{1e3 * seconds:10.1f} ms {100 * seconds / total if total else 0:5.1f} %  {name}"
            for name, seconds in self.seconds
        ]
        return "\n".join([*rows, f"{1e3 * total:10.1f} ms 100.0 %  total"])
