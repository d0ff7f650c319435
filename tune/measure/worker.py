"""The process that runs candidates: it receives programs as bytes, and returns samples.

The process imports the runtime, numpy and the comparison of results, nothing of the compiler. It announces each step
(`Phase`) before it starts, so that the parent process knows which step crashed or hangs.

A measurement has exclusive use of its CPUs among all measuring processes of a user: each CPU has a file, which is
locked during a measurement. The system frees the lock when the process ends.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import resource
import tempfile
import time
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from ...runtime.errors import TilewrightError
from ...runtime.hardware import machine_name
from .arrays import DeviceArrays, HostArrays, drawn_arrays, loaded
from .lifetimes import end_with_parent
from .protocol import CompiledProgram, Failure, Measured, Options, Workload

if TYPE_CHECKING:
    from ...runtime.function import Function


Arrays: TypeAlias = "HostArrays | DeviceArrays"
LEAKING_BLOCKS = 4
"""The number of consecutive blocks of runs in which memory has to grow for the program to count as leaking."""
MOST_RUNS = 1 << 20
"""Runs in a sample, at most."""
FASTEST_LEAK = 4
"""While memory grows, the number of runs of a block is at most this multiple of the previous block's."""
MOST_FLUSHING_SECONDS = 0.2
"""The limit for a sample with the flushes between its runs."""
HOPELESS = 4.0
HOPELESS_SAMPLES = 10
"""A program gets no more runs if two of them take `HOPELESS` times `Options.stop_above`, and `HOPELESS_SAMPLES` times
`least_time`."""
_NO_MEMORY = "TW0708"


class Phase(Enum):
    """The next step of the process."""

    REFERENCE = "reference"
    CANDIDATE = "candidate"
    INCUMBENT = "incumbent"
    WAITING = "waiting"
    """For CPUs on which another process measures."""


@dataclass(frozen=True)
class Request:
    """A program to measure. The workload comes with the first program for it."""

    workload: Workload | None
    program: CompiledProgram
    options: Options
    incumbent: CompiledProgram | None
    cpus: frozenset[int]
    """The CPUs that the process may use."""


class MemoryGrowsError(Exception):
    """The memory of the process grows from run to run."""


class Session:
    """Answers requests that come over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._arrays: HostArrays | None = None
        self._on_device: DeviceArrays | None = None
        self._runs: dict[tuple[str, Options], int] = {}
        """Runs in a sample of the incumbent."""

    def serve(self) -> None:
        """Answer until the other side closes the connection."""
        while True:
            try:
                request = self._connection.recv()
            except (EOFError, OSError):
                return
            self._connection.send(self._answer(request))

    def _answer(self, request: Request) -> Measured:
        os.sched_setaffinity(0, request.cpus)
        if request.workload is not None:
            self._enter(Phase.REFERENCE)
            self._arrays, self._on_device = drawn_arrays(request.workload), None
            self._runs.clear()
        name, on_host = request.program.name, request.program.device == "cpu"
        try:
            arrays = self._arrays_on(on_host)
            if request.options.cold:
                arrays.prepare_flush()
            # The driver of a GPU maps far more than there is.
            with _MemoryLimit(request.options.memory) if on_host else nullcontext():
                samples, paired = self._measure(arrays, request)
        except MemoryError:
            return self._failed(name, Failure.MEMORY, f"more than {request.options.memory} bytes are asked for")
        except MemoryGrowsError as error:
            return self._failed(name, Failure.MEMORY, str(error))
        except WrongResultError as error:
            return self._failed(name, Failure.WRONG, str(error))
        except TilewrightError as error:
            failure = Failure.MEMORY if error.code == _NO_MEMORY else Failure.CRASH
            return self._failed(name, failure, f"{error.code}: {error.message}")
        except Exception as error:
            return self._failed(name, Failure.CRASH, f"{type(error).__name__}: {error}")
        return Measured(name, tuple(samples), tuple(paired), machine=machine_name())

    def _arrays_on(self, on_host: bool) -> Arrays:
        assert self._arrays is not None
        if on_host:
            return self._arrays
        if self._on_device is None:
            self._on_device = DeviceArrays(self._arrays)
        return self._on_device

    def _failed(self, name: str, failure: Failure, detail: str) -> Measured:
        return Measured(name, failure=failure, detail=detail, machine=machine_name())

    def _enter(self, phase: Phase) -> None:
        self._connection.send(phase)

    def _measure(self, arrays: Arrays, request: Request) -> tuple[list[float], list[float]]:
        """Return samples of the program and of the incumbent beside them, on CPUs that nothing else is measured on."""
        self._enter(Phase.CANDIDATE)
        candidate = loaded(request.program)
        incumbent = None if request.incumbent is None else loaded(request.incumbent)
        threads = max(candidate.threads, 1 if incumbent is None else incumbent.threads)
        count = min(threads, len(request.cpus))
        with cpus_alone(request.cpus, count, lambda: self._enter(Phase.WAITING)) as held:
            if threads == 1:  # threads of a pool keep the CPUs that they were started with
                os.sched_setaffinity(0, held)
            self._enter(Phase.CANDIDATE)
            return self._sampled(candidate, incumbent, arrays, request)

    def _sampled(
        self, call: Function, incumbent: Function | None, arrays: Arrays, request: Request
    ) -> tuple[list[float], list[float]]:
        options, growth = request.options, _Growth()
        candidate = _Timed(call, arrays.passed, arrays.flush if options.cold else None)
        arrays.spoil()
        first = candidate.sample(1)
        _expect_right(arrays)
        if incumbent is None:
            samples, paired = self._alone(candidate, growth, options), list[float]()
        else:
            beside = _Timed(incumbent, arrays.passed, candidate.flush)
            runs = self._incumbent_runs(request, beside)
            paired = [beside.sample(runs)]
            hopeless = max(HOPELESS_SAMPLES * options.least_time, HOPELESS * options.stop_above * paired[0])
            if first > hopeless and (second := candidate.sample(1)) > hopeless:
                return [second], paired
            samples, paired = self._pairs(candidate, beside, runs, growth, options)
        self._enter(Phase.CANDIDATE)
        while growth.is_open:
            growth.watch(candidate, 1)
        arrays.spoil()
        candidate.sample(1)
        _expect_right(arrays)  # once more: a race shows in some runs
        return samples, paired

    def _alone(self, candidate: _Timed, growth: _Growth, options: Options) -> list[float]:
        runs = candidate.runs(options, growth)
        samples: list[float] = []
        for _ in range(options.repeat):
            self._enter(Phase.CANDIDATE)
            samples.append(growth.watch(candidate, runs))
        return samples

    def _incumbent_runs(self, request: Request, incumbent: _Timed) -> int:
        """Return the number of runs in a sample of the incumbent, which is found once."""
        assert request.incumbent is not None
        key = request.incumbent.name, request.options
        self._enter(Phase.INCUMBENT)
        if key not in self._runs:
            incumbent.sample(1)
            self._runs[key] = incumbent.runs(request.options, _Growth())
        return self._runs[key]

    def _pairs(
        self,
        candidate: _Timed,
        incumbent: _Timed,
        incumbent_runs: int,
        growth: _Growth,
        options: Options,
    ) -> tuple[list[float], list[float]]:
        """Take samples of both alternately; the order within a pair alternates too."""
        self._enter(Phase.CANDIDATE)
        runs = candidate.runs(options, growth)
        samples: list[float] = []
        paired: list[float] = []
        for number in range(options.repeat):
            turns = [
                (Phase.CANDIDATE, samples, lambda: growth.watch(candidate, runs)),
                (Phase.INCUMBENT, paired, lambda: incumbent.sample(incumbent_runs)),
            ]
            for phase, into, take in turns if number % 2 == 0 else reversed(turns):
                self._enter(phase)
                into.append(take())
            ratios = [mine / other for mine, other in zip(samples, paired, strict=True)]
            if ratios[-1] > 2 * options.stop_above or number > 0 and min(ratios) > options.stop_above:
                break
        return samples, paired


class WrongResultError(Exception):
    """A result differs from the reference."""


def _expect_right(arrays: Arrays) -> None:
    if (problem := arrays.difference()) is not None:
        raise WrongResultError(problem)


@dataclass(frozen=True)
class _Timed:
    """A program on its arguments."""

    function: Function
    arrays: Sequence[Any]
    flush: Callable[[], None] | None

    def sample(self, runs: int) -> float:
        """Return the seconds of a run, over so many."""
        call, wait, arrays, flush = self.function.call, self.function.synchronize, self.arrays, self.flush
        if flush is None:
            started = time.perf_counter()
            for _ in range(runs):
                call(*arrays)
            wait()
            return (time.perf_counter() - started) / runs
        total = 0.0
        for _ in range(runs):
            flush()
            started = time.perf_counter()
            call(*arrays)
            wait()
            total += time.perf_counter() - started
        return total / runs

    def runs(self, options: Options, growth: _Growth) -> int:
        """Return the number of runs in a sample: `options.number`, or as many as take `least_time`."""
        runs = options.number or 1
        while True:
            started = time.perf_counter()
            taken = runs * growth.watch(self, runs)
            took = time.perf_counter() - started
            if options.number or taken >= options.least_time or runs >= MOST_RUNS or took > MOST_FLUSHING_SECONDS:
                return runs
            factor = min(1.2 * options.least_time / max(taken, 1e-9), FASTEST_LEAK if growth.growing else MOST_RUNS)
            runs = min(MOST_RUNS, max(2 * runs, round(factor * runs)))


@dataclass
class _Growth:
    """Measures the memory that a program leaves allocated after each block of runs."""

    blocks: int = 0
    growing: int = 0
    """The number of last blocks in a row that grew."""
    grew_by: int = 0
    """Bytes, in these blocks."""

    @property
    def is_open(self) -> bool:
        """True where every block so far grew, and they are too few to report a leak."""
        return 0 < self.blocks == self.growing < LEAKING_BLOCKS

    def watch(self, timed: _Timed, runs: int) -> float:
        """Return the seconds of one run, averaged over `runs` runs, which are one block. Raises MemoryGrowsError where
        the last `LEAKING_BLOCKS` blocks grew."""
        before = _allocated()
        seconds = timed.sample(runs)
        grown = _allocated() - before
        self.blocks += 1
        self.growing, self.grew_by = (self.growing + 1, self.grew_by + grown) if grown > 0 else (0, 0)
        if self.growing >= LEAKING_BLOCKS:
            raise MemoryGrowsError(f"memory grows: {self.grew_by} bytes in {self.growing} blocks of runs")
        return seconds


class _MemoryLimit:
    """A limit for memory that the process maps beyond its current memory."""

    def __init__(self, more: int) -> None:
        self._more = more

    def __enter__(self) -> None:
        self._before = resource.getrlimit(resource.RLIMIT_AS)
        mapped, hard = _mapped(), self._before[1]
        if mapped:
            limit = mapped + self._more
            resource.setrlimit(resource.RLIMIT_AS, (limit if hard < 0 else min(limit, hard), hard))

    def __exit__(self, *exception: object) -> None:
        resource.setrlimit(resource.RLIMIT_AS, self._before)


def _pages() -> list[int]:
    """Return the memory of this process in pages, as Linux counts it: mapped as a whole first, data and stacks
    sixth."""
    with suppress(OSError):
        return [int(text) for text in Path("/proc/self/statm").read_text().split()]
    return [0] * 7


def _mapped() -> int:
    return _pages()[0] * mmap.PAGESIZE


def _allocated() -> int:
    """Return the bytes of heaps and stacks, mapped files and code left out."""
    return _pages()[5] * mmap.PAGESIZE


def serve(descriptor: int, parent: int) -> None:
    """Serve over the connection of that descriptor, and end with the process `parent`."""
    end_with_parent(parent)
    Session(Connection(descriptor)).serve()


def lock_file(cpu: int) -> Path:
    """Return the file of a CPU."""
    folder = Path(tempfile.gettempdir()) / f"tilewright-cpus-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / str(cpu)


@contextmanager
def cpus_alone(cpus: Collection[int], count: int, before_waiting: Callable[[], None]) -> Generator[set[int]]:
    """Hold `count` of these CPUs, the highest that are free; where too few are, wait for the highest ones.

    They are waited for from the lowest up, with nothing held before, so that no two processes wait for each other.
    """
    ordered = sorted(cpus, reverse=True)
    with ExitStack() as stack:
        held = _free(ordered, count, stack)
        if len(held) < count:
            stack.close()
            before_waiting()
            held = set(ordered[:count])
            for cpu in sorted(held):
                fcntl.flock(_opened(cpu, stack), fcntl.LOCK_EX)
        yield held


def _free(cpus: Iterable[int], count: int, stack: ExitStack) -> set[int]:
    """Lock up to `count` CPUs that no process holds."""
    held = set[int]()
    for cpu in cpus:
        if len(held) == count:
            break
        try:
            fcntl.flock(_opened(cpu, stack), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        held.add(cpu)
    return held


def _opened(cpu: int, stack: ExitStack) -> int:
    return stack.enter_context(lock_file(cpu).open("w")).fileno()
