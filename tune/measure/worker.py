"""The process that runs candidates: it gets programs as bytes, and gives samples.

It imports the runtime, numpy and the comparison of results, nothing of the compiler. Before it runs a program it says
so (`Phase`), so that the process that started it knows what has crashed or does not end.
"""

from __future__ import annotations

import mmap
import os
import pickle
import resource
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runtime.buffers import Array, address_of, large_block, rounded
from ...runtime.errors import TilewrightError
from ...runtime.hardware import LARGE_PAGE_BYTES, machine_name
from ...semantics.compare import first_difference
from .lifetimes import end_with_parent
from .protocol import Argument, Failure, Measured, Options, Program, Workload

if TYPE_CHECKING:
    from ...runtime.function import Function

PAGE_BYTES = mmap.PAGESIZE
LEAKING_BLOCKS = 4
"""A program whose memory grows in so many blocks of runs one after the other leaks."""
FLUSHED_BYTES = 128 << 20
"""Bytes that are written to flush the caches: several times those of one core, most of large shared ones."""
MOST_RUNS = 1 << 20
"""Runs in a sample, at most."""
FASTEST_LEAK = 4
"""While memory grows, a block has at most so many times the runs of the block before."""
MOST_FLUSHING_SECONDS = 0.2
"""The limit for a sample with the flushes between its runs."""
HOPELESS = 4.0
HOPELESS_SAMPLES = 10
"""A program of which two runs take so many times `Options.stop_above`, and so many times `least_time`, gets no more."""
_NO_MEMORY = "TW0708"


class Phase(Enum):
    """What the process is about to run."""

    REFERENCE = "reference"
    CANDIDATE = "candidate"
    INCUMBENT = "incumbent"


@dataclass(frozen=True)
class Request:
    """A program to measure. The workload comes with the first program for it."""

    workload: Workload | None
    program: Program
    options: Options
    incumbent: Program | None
    cpus: frozenset[int]
    """The CPUs that the process may use."""


class MemoryGrowsError(Exception):
    """The memory of the process grows from run to run."""


@dataclass
class _Arrays:
    """The arguments of a workload in memory, and the results that are expected."""

    workload: Workload
    inputs: list[Array]
    """In memory that no program can write to."""
    outputs: list[Array]
    expected: list[Array] = field(default_factory=list[Array])

    @property
    def all(self) -> list[Array]:
        return [*self.inputs, *self.outputs]

    def spoil(self) -> None:
        """Fill outputs with what no result is: elements that a program does not write differ from the reference."""
        for array in self.outputs:
            array.reshape(-1).view(np.uint8)[...] = 0xFF

    def difference(self) -> str | None:
        """The first element that differs from the reference."""
        found = first_difference(self.expected, self.outputs, exact=False, tolerance=self.workload.tolerance)
        return None if found is None else str(found)


class Session:
    """Answers requests that come over a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._arrays: _Arrays | None = None
        self._runs: dict[tuple[str, Options], int] = {}
        """Runs in a sample of the incumbent."""
        self._flushed: Array | None = None

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
            self._arrays = _arrays_of(request.workload)
            self._runs.clear()
        assert self._arrays is not None
        name = request.program.name
        if request.options.cold and self._flushed is None:
            self._flushed = large_block(FLUSHED_BYTES)
        try:
            with _MemoryLimit(request.options.memory):
                samples, paired = self._measure(self._arrays, request)
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

    def _failed(self, name: str, failure: Failure, detail: str) -> Measured:
        return Measured(name, failure=failure, detail=detail, machine=machine_name())

    def _enter(self, phase: Phase) -> None:
        self._connection.send(phase)

    def _measure(self, arrays: _Arrays, request: Request) -> tuple[list[float], list[float]]:
        """Samples of the program and of the incumbent beside them."""
        options = request.options
        self._enter(Phase.CANDIDATE)
        call = _loaded(request.program)
        incumbent = None if request.incumbent is None else _loaded(request.incumbent)
        if call.threads == 1 and (incumbent is None or incumbent.threads == 1):
            os.sched_setaffinity(0, {max(request.cpus)})
        growth = _Growth()
        candidate = _Timed(call, arrays.all, self._flush if options.cold else None)
        arrays.spoil()
        first = candidate.sample(1)
        _expect_right(arrays)
        if incumbent is None:
            samples, paired = self._alone(candidate, growth, options), list[float]()
        else:
            beside = _Timed(incumbent, arrays.all, candidate.flush)
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
        """Runs in a sample of the incumbent, which are found once."""
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
        """Samples of both in turns; the one that comes first changes from pair to pair."""
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

    def _flush(self) -> None:
        """Put all arguments out of the caches, and those back that are no weights."""
        assert self._flushed is not None and self._arrays is not None
        self._flushed += 1
        arguments = self._arrays.workload.arguments
        if any(argument.is_constant for argument in arguments):
            for argument, array in zip(arguments, self._arrays.all, strict=True):
                if not argument.is_constant:
                    array.reshape(-1).view(np.uint8).max(initial=0)


class WrongResultError(Exception):
    """A result differs from the reference."""


def _expect_right(arrays: _Arrays) -> None:
    if (problem := arrays.difference()) is not None:
        raise WrongResultError(problem)


def _loaded(program: Program) -> Function:
    module: Any = pickle.loads(program.code)
    function: Function = module.entry
    return function


@dataclass(frozen=True)
class _Timed:
    """A program on its arguments."""

    function: Function
    arrays: Sequence[Array]
    flush: Callable[[], None] | None

    def sample(self, runs: int) -> float:
        """The seconds of a run, over so many."""
        call, arrays, flush = self.function.call, self.arrays, self.flush
        if flush is None:
            started = time.perf_counter()
            for _ in range(runs):
                call(*arrays)
            return (time.perf_counter() - started) / runs
        total = 0.0
        for _ in range(runs):
            flush()
            started = time.perf_counter()
            call(*arrays)
            total += time.perf_counter() - started
        return total / runs

    def runs(self, options: Options, growth: _Growth) -> int:
        """Runs in a sample: as options say, else as many as take `least_time`."""
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
    """Watches the memory that a program leaves allocated, block of runs by block of runs."""

    blocks: int = 0
    growing: int = 0
    """The last blocks, all of which grew."""
    grew_by: int = 0
    """Bytes, in these blocks."""

    @property
    def is_open(self) -> bool:
        """True where every block so far grew, and they are too few to tell."""
        return 0 < self.blocks == self.growing < LEAKING_BLOCKS

    def watch(self, timed: _Timed, runs: int) -> float:
        """The seconds of a run, over so many. Raises MemoryGrowsError where they are the last one of `LEAKING_BLOCKS`
        that grow."""
        before = _allocated()
        seconds = timed.sample(runs)
        grown = _allocated() - before
        self.blocks += 1
        self.growing, self.grew_by = (self.growing + 1, self.grew_by + grown) if grown > 0 else (0, 0)
        if self.growing >= LEAKING_BLOCKS:
            raise MemoryGrowsError(f"memory grows: {self.grew_by} bytes in {self.growing} blocks of runs")
        return seconds


class _MemoryLimit:
    """A limit for what the process maps beyond what it has."""

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
    """The memory of this process in pages, as Linux counts it: mapped as a whole first, data and stacks sixth."""
    with suppress(OSError):
        return [int(text) for text in Path("/proc/self/statm").read_text().split()]
    return [0] * 7


def _mapped() -> int:
    return _pages()[0] * PAGE_BYTES


def _allocated() -> int:
    """Bytes of heaps and stacks, mapped files and code left out."""
    return _pages()[5] * PAGE_BYTES


def _arrays_of(workload: Workload) -> _Arrays:
    """Draw the arguments, and run the reference on them."""
    drawn = [_drawn(a, workload.seed, number) for number, a in enumerate(workload.arguments) if not a.is_output]
    outputs = [a for a in workload.arguments if a.is_output]
    results = _together([(a.shape, _dtype(a.dtype)) for a in outputs])
    arrays = _Arrays(workload, _protected(drawn), results)
    arrays.spoil()
    _loaded(workload.reference).call(*arrays.all)
    return replace(arrays, expected=_protected(results))


def _dtype(name: str) -> np.dtype[Any]:
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))


def _drawn(argument: Argument, seed: int, number: int) -> Array:
    rng, dtype = np.random.default_rng([seed, number]), _dtype(argument.dtype)
    if dtype.kind in "biu" or argument.dtype.startswith(("int", "uint")):
        return rng.integers(int(argument.low), int(argument.high), argument.shape).astype(dtype)
    return np.asarray(rng.uniform(argument.low, argument.high, argument.shape)).astype(dtype)


def _together(wanted: Sequence[tuple[tuple[int, ...], np.dtype[Any]]]) -> list[Array]:
    """Arrays behind one another in pages of their own, in large pages where they fill some."""
    sizes = [int(np.prod(shape, dtype=np.int64)) * dtype.itemsize for shape, dtype in wanted]
    block = large_block(max(LARGE_PAGE_BYTES // 2, sum(map(rounded, sizes))))
    found: list[Array] = []
    end = 0
    for (shape, dtype), size in zip(wanted, sizes, strict=True):
        found.append(block[end : end + size].view(dtype).reshape(shape))
        end += rounded(size)
    return found


def _protected(arrays: Sequence[Array]) -> list[Array]:
    """Copies in memory that cannot be written to: a program that does it crashes, rather than spoil those after it."""
    import ctypes

    copies = _together([(a.shape, a.dtype) for a in arrays])
    for copy, array in zip(copies, arrays, strict=True):
        copy[...] = array
    if copies and address_of(copies[0]) % PAGE_BYTES == 0:
        size = sum(rounded(a.nbytes) for a in arrays)
        size = -(-size // PAGE_BYTES) * PAGE_BYTES
        ctypes.CDLL(None).mprotect(ctypes.c_void_p(address_of(copies[0])), ctypes.c_size_t(size), 1)
    return copies


def serve(descriptor: int, parent: int) -> None:
    """Serve over the connection of that descriptor, and end with the process `parent`."""
    end_with_parent(parent)
    Session(Connection(descriptor)).serve()
