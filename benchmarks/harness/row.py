"""Rows of the suite: one problem, the systems that solve it, and the bars that have to hold.

Nothing here or in the modules that declare rows imports a system: that happens in a worker, in the function that sets
the system up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

Arrays = list[np.ndarray]

OURS = "tilewright"
ROOFLINE = "roofline"


class Absent(Exception):
    """Raised by a setup for which something is missing on this machine."""


@dataclass(frozen=True)
class Case:
    """A system, set up to solve a row's problem."""

    run: Callable[[], object]
    """Solves it once, into the output array that the system was set up with."""
    sample: Callable[[int], float] | None = None
    """Seconds for one of so many runs, where that is not the wall-clock time of calling `run`."""
    checked: bool = True
    """True where `run` writes the output; a system that is timed for comparison alone does not."""


Setup = Callable[[Arrays, np.ndarray, int], Case]
"""Sets a system up for inputs, the array that receives the result, and a number of threads."""


@dataclass(frozen=True)
class Work:
    """The least work of a problem: operations, and bytes between memory and processor."""

    operations: float = 0.0
    read: float = 0.0
    written: float = 0.0
    dtype: str = "float32"
    """The element type of the operations."""
    is_least: bool = True
    """False where an algorithm with fewer operations is known: a share of the peak then makes no bar hold."""

    @property
    def bytes(self) -> float:
        return self.read + self.written


@dataclass(frozen=True)
class Bar:
    """A bar: at least so many times as fast as each of the peers, or at the peak of the machine."""

    times: float
    peers: tuple[str, ...]

    def __str__(self) -> str:
        return f">= {self.times:g} x {', '.join(self.peers)}"


@dataclass(frozen=True)
class Limit:
    """A limit: at most so many seconds."""

    seconds: float

    def __str__(self) -> str:
        return f"<= {self.seconds:g} s"


@dataclass(frozen=True)
class Row:
    """A problem with everything that is known about it before it runs."""

    name: str
    family: str
    systems: Mapping[str, Setup]
    inputs: Callable[[], Arrays] = list
    """The same arrays in every process."""
    expected: Callable[[Arrays], np.ndarray] | None = None
    """The result in float64, or in exact integers; None where a row computes nothing."""
    output: tuple[Sequence[int], str] = ((1,), "float32")
    """Shape and type of the result."""
    tolerance: float = 1e-5
    """Of the largest magnitude in the expected result."""
    work: Work = field(default_factory=Work)
    bars: tuple[Bar | Limit, ...] = ()
    subject: str = OURS
    """The system that the others are compared with."""
    threads: tuple[int, ...] = (1, 2)

    @property
    def peers(self) -> list[str]:
        return [name for name in self.systems if name != self.subject]


def gaussians(*shapes: Sequence[int], seed: int = 0) -> Arrays:
    """Draw arrays of seeded normal numbers, float32."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]
