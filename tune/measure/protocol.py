"""The protocol of measuring: programs in, samples or causes of failure out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol


class Failure(Enum):
    """Causes of a measurement without a time, as records state them."""

    REFUSED = "refused"  # a primitive, or a pass after it, refuses the schedule
    COMPILE = "compile"  # the backend fails
    COMPILE_TIME = "compile time"  # the limit for compiling is over
    CRASH = "crash"  # the process ended by a signal, or raised
    TIME = "time"  # the limit for running is over
    WRONG = "wrong result"
    MEMORY = "memory"  # the limit for memory is reached


@dataclass(frozen=True)
class Argument:
    """An argument that the runner draws, or a result that it allocates."""

    shape: tuple[int, ...]
    dtype: str
    is_output: bool = False
    low: float = -1.0
    high: float = 1.0
    """The range of drawn values, `high` excluded; indices have that of their axis."""
    is_constant: bool = False
    """True for weights: with cold caches, these alone are out of the caches before a run."""


@dataclass(frozen=True)
class CompiledProgram:
    """A compiled candidate as passed to runners: bytes, no IR."""

    name: str
    """The digest of the machine code: equal programs are measured once."""
    code: bytes
    """A pickled `runtime.Module` with one entry, "main", on the arguments in order, results last."""
    device: str = "cpu"
    """The kind of device that it runs on: "cpu" or "cuda"."""


@dataclass(frozen=True)
class Options:
    """The limits and the extent of measurements. Times are in seconds."""

    number: int = 0
    """Runs in a sample; 0 lets the runner choose so that a sample takes `least_time`."""
    repeat: int = 3
    """Pairs of samples, of the candidate and of the incumbent in turns."""
    timeout: float = 10.0
    least_time: float = 0.005
    stop_above: float = 1.5
    """A candidate gets no further sample if its ratio to the incumbent is this factor in two pairs of samples, or twice
    the factor in one."""
    cold: bool = False
    """Caches are flushed before each run; where the workload has constant arguments, other inputs are read back."""
    memory: int = 8 << 30
    """Bytes that the measuring process may map beyond its initial memory."""


@dataclass(frozen=True)
class Measured:
    """The outcome for one program."""

    name: str
    samples: tuple[float, ...] = ()
    """Seconds of a run, sample by sample."""
    paired: tuple[float, ...] = ()
    """Seconds of the incumbent right beside each sample; empty where there was none."""
    failure: Failure | None = None
    detail: str = ""
    """One line about the failure: the signal, the element that differs, the exception."""
    machine: str = ""
    """The machine that measured, as `hardware` names it."""

    @property
    def ratios(self) -> tuple[float, ...]:
        """The time of each sample over that of the incumbent beside it; none where there was no incumbent."""
        if not self.paired:
            return ()
        return tuple(mine / other for mine, other in zip(self.samples, self.paired, strict=True))


@dataclass(frozen=True)
class Workload:
    """The arguments of a task, and the reference program that computes the expected results."""

    arguments: tuple[Argument, ...]
    reference: CompiledProgram
    seed: int = 0
    tolerance: float | None = None
    """The error that floats may have, relative to the spread of the reference; None for that of their dtype. Integers
    are compared exactly."""
    sizes: tuple[tuple[str, int], ...] = field(default=())
    """Values of open sizes that the arguments have."""


class Runner(Protocol):
    """Runs programs, one at a time on a core, in processes that cannot harm the caller."""

    def measure(
        self,
        workload: Workload,
        programs: Iterable[CompiledProgram],
        options: Options,
        incumbent: CompiledProgram | None = None,
    ) -> Iterator[Measured]:
        """Compare each program's results with the reference, then time it, in turns with the incumbent.

        Outcomes come in the order of the programs, which are taken as they are needed: a generator may compile them
        meanwhile. A failure of a program is an outcome; an error of the runner itself is raised as TilewrightError
        TW0810.
        """
        ...

    def close(self) -> None:
        """End every process that the runner started."""
        ...
