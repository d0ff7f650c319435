"""Times of the microbenchmarks on this machine, the minimum of several, on buffers that fill a level of its caches.

All measurements together take some ten seconds. They run on Python threads: ctypes releases the interpreter's lock.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ...backends.cpu import thread_pool
from ...backends.cpu.host import measured_target
from ...backends.cpu.jit import load_objects
from ...backends.cpu.llvm import CodeOptions, emit_object
from ...dialects.target import CpuTargetAttr
from ...hardware import CACHE_LINE_BYTES
from ...semantics.random_streams import Purpose, generator
from . import kernels
from .estimates import LATENCY_CHAINS, Samples, facts_of

ROUNDS = 3
"""The number of rounds over the short kernels: interleaved, so that a disturbance does not affect all measurements of
one."""
REPEATS = 7
LEAST_SECONDS = 2e-3
"""Of a measurement: long beside the clock's steps, short beside a turn of the scheduler."""
PARTS_OF_LEVELS = (0.5, 0.5, 0.25)
"""The share of each cache that its buffer fills; other programs use a part of the last one."""
TIMES_THE_CACHES = 4
"""The size of the buffer for memory, in multiples of the largest cache, within the bounds below."""
LEAST_MEMORY, MOST_MEMORY = 64 << 20, 512 << 20
MOST_PAGES = 1 << 13
PAGE_STEPS_AN_OCTAVE = 4

MOST_OF_A_WALK = 1 << 13
"""Iterations of a measurement on a longer walk."""

Work = Callable[[int, int, int], None]


def measured_machine() -> CpuTargetAttr:
    """Return the target of this machine with the facts that were measured."""
    target = measured_target()
    return CpuTargetAttr.get(
        [feature.data for feature in target.features],
        target.vector_bits,
        target.caches,
        target.threads,
        facts=facts_of(sample(target)),
    )


def sample(target: CpuTargetAttr) -> Samples:
    """Measure all quantities for a target that this machine runs."""
    lanes, sizes = target.lanes(32), _sizes(target)
    texts = {
        "addition": kernels.additions_text(),
        "load": kernels.accesses_text(lanes, stores=False),
        "store": kernels.accesses_text(lanes, stores=True),
    }
    chains = sorted({LATENCY_CHAINS, 4, 8, max(4, min(target.vector_registers - 4, 24))})
    for count in chains:
        texts[f"{count} chains"] = kernels.multiply_adds_text(lanes, count, fused=target.has_fma)
    works = {name: _compiled(text, target) for name, text in texts.items()}
    rounds = [{name: _seconds_of(work) for name, work in works.items()} for _ in range(ROUNDS)]
    least = {name: min(seconds[name] for seconds in rounds) for name in works}
    line, page = _line_bytes(), os.sysconf("SC_PAGE_SIZE")
    chase, stream = _compiled(kernels.chase_text(), target), _compiled(kernels.stream_text(lanes), target)
    vector = target.vector_bits // 8
    return Samples(
        least["addition"],
        {count: least[f"{count} chains"] for count in chains},
        least["load"],
        least["store"],
        [_chased(chase, _order(size, line or CACHE_LINE_BYTES), size) for size in sizes],
        [_streamed(stream, size, vector, 1) for size in sizes[1:]],
        _streamed(stream, sizes[-1], vector, target.threads),
        _pages(chase, line or CACHE_LINE_BYTES, page),
        line,
        page,
        _forked(target) if target.threads > 1 else 0.0,
    )


def _sizes(target: CpuTargetAttr) -> list[int]:
    """Return the bytes of a buffer for each level of caches, and for memory; a level that is missing has that of
    memory."""
    memory = min(max(TIMES_THE_CACHES * max(target.caches), LEAST_MEMORY), MOST_MEMORY)
    parts = zip(PARTS_OF_LEVELS, target.caches, strict=True)
    return [min(int(part * size) or memory, memory) for part, size in parts] + [memory]


def _forked(target: CpuTargetAttr) -> float:
    """Return the seconds of a parallel loop of one iteration for each thread, in which all of them meet."""
    work, counter = (
        _compiled(kernels.forks_text(target.threads), target, thread_pool.addresses()),
        np.zeros(1, np.int64),
    )
    return _least(lambda count: work(count, counter.ctypes.data, 0))


def _compiled(text: str, target: CpuTargetAttr, symbols: Mapping[str, int] = MappingProxyType({})) -> Work:
    """Return the function of a text, for this machine; `symbols` are addresses that it refers to."""
    data = emit_object(text, CodeOptions(tuple(feature.data for feature in target.features)))
    code = load_objects([data], symbols, ["work"])
    function: Any = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(code["work"])
    function.code = code  # which lives as long as the function
    return function


def _seconds_of(work: Work) -> float:
    """Return the seconds of one of the `STEPS` instructions of an iteration."""
    room = np.ones(1 << 14, np.float32)
    start = room.ctypes.data + -room.ctypes.data % 4096
    sink = start + (1 << 13)
    return _least(lambda count: work(count, start, sink)) / kernels.STEPS


def _least(run: Callable[[int], object]) -> float:
    """Return the seconds of one iteration of `run(count)`: the least of some measurements."""
    count = 1
    while (seconds := _timed(run, count)) < LEAST_SECONDS:
        count = max(2 * count, int(count * LEAST_SECONDS / max(seconds, 1e-7)))
    return min(_timed(run, count) for _ in range(REPEATS)) / count


def _timed(run: Callable[[int], object], count: int) -> float:
    start = time.perf_counter()
    run(count)
    return time.perf_counter() - start


def _order(size: int, line: int) -> np.ndarray:
    """Return the offsets of all lines of a buffer in random order, so that prefetching does not know the next one."""
    return generator(Purpose.ACCESS_ORDER, 0).permutation(size // line) * line


def _chased(work: Work, offsets: np.ndarray, size: int) -> float:
    """Return the seconds of a load that waits for the previous one, on a walk over these offsets."""
    return _walk(work, _pages_of(size, large=True), offsets)


def _walk(work: Work, memory: np.ndarray, offsets: np.ndarray) -> float:
    base = memory.ctypes.data
    memory.view(np.uint64)[offsets // 8] = (np.roll(offsets, -1) + base).astype(np.uint64)
    first, sink = base + int(offsets[0]), np.zeros(8, np.uint64)
    rounds = min(-(-len(offsets) // kernels.STEPS), MOST_OF_A_WALK)
    work(rounds, first, sink.ctypes.data)
    if rounds < MOST_OF_A_WALK:
        return _least(lambda count: work(count, first, sink.ctypes.data)) / kernels.STEPS
    seconds: list[float] = []
    for _ in range(REPEATS):  # each continues where the previous one ended, at lines that no cache holds
        seconds.append(_timed(lambda count: work(count, int(sink[0]), sink.ctypes.data), rounds))
    return min(seconds) / rounds / kernels.STEPS


def _pages_of(size: int, *, large: bool) -> np.ndarray:
    """Return an array whose pages are all mapped: huge pages where the system has any, so that address translation is
    negligible, or pages of the usual size."""
    area = mmap.mmap(-1, -(-size // mmap.PAGESIZE) * mmap.PAGESIZE)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        area.madvise(mmap.MADV_HUGEPAGE if large else mmap.MADV_NOHUGEPAGE)
    memory = np.frombuffer(area, np.uint8)
    memory[:: mmap.PAGESIZE] = 1
    return memory


def _streamed(work: Work, size: int, vector: int, threads: int) -> float:
    """Return the seconds of a byte of streams, one for each thread, which share the size."""
    chunk = kernels.STEPS * vector
    iterations = max(1, size // threads // chunk)
    arrays = [_aligned(iterations * chunk) for _ in range(threads)]
    sinks = [np.zeros(1 << 10, np.float32) for _ in range(threads)]
    calls = [
        partial(_again, work, iterations, array.ctypes.data, sink.ctypes.data)
        for array, sink in zip(arrays, sinks, strict=True)
    ]
    with ThreadPoolExecutor(threads) as pool:

        def run(count: int) -> None:
            for future in [pool.submit(call, count) for call in calls]:
                future.result()

        return _least(run if threads > 1 else calls[0]) / (iterations * chunk * threads)


def _again(work: Work, iterations: int, array: int, sink: int, count: int) -> None:
    for _ in range(count):
        work(iterations, array, sink)


def _aligned(size: int) -> np.ndarray:
    """Return an array that begins at a page boundary and whose pages are all mapped."""
    room = np.ones(size + 4096, np.uint8)
    start = -room.ctypes.data % 4096
    return room[start : start + size]


def _pages(work: Work, line: int, page: int) -> dict[int, tuple[float, float]]:
    """Return the numbers of lines -> seconds of a load from one of them: with each line in a separate page, and with
    adjacent lines."""
    counts = _counts()
    spread, dense = (_pages_of((counts[-1] + 1) * each, large=False) for each in (page, line))
    rng, found = generator(Purpose.ACCESS_ORDER, 1), dict[int, tuple[float, float]]()
    for count in counts:
        order = rng.permutation(count)
        lines = order % (page // line) * line  # as many sets of the caches as lines side by side lie in
        found[count] = _walk(work, spread, order * page + lines), _walk(work, dense, order * line)
    return found


def _counts() -> Sequence[int]:
    """Return the numbers of pages, `PAGE_STEPS_AN_OCTAVE` of them from each power of two to the next."""
    octaves = range(4, MOST_PAGES.bit_length() - 1)
    steps = range(PAGE_STEPS_AN_OCTAVE)
    return [
        (1 << octave) * (PAGE_STEPS_AN_OCTAVE + step) // PAGE_STEPS_AN_OCTAVE for octave in octaves for step in steps
    ]


def _line_bytes() -> int:
    """Return the bytes of a cache line, 0 where the system does not say."""
    try:
        return int(Path("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size").read_text())
    except (OSError, ValueError):
        return 0
