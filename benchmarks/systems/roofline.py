"""The least time that a row's work can take on this machine: a peer that does the operations and moves the bytes alone.

Operations are multiply-adds on registers; bytes move in passes over arrays of the row's own footprint, so that what
fits in a cache is compared with that cache. The longer of the two counts. Both are kernels in LLVM text, compiled as
the backend compiles, one thread of Python for each core.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
from harness.row import Arrays, Case, Setup, Work

from . import peak_kernels as kernels

LARGEST = 1 << 30
"""Bytes of the arrays that are passed over: a footprint beyond it is out of every cache already."""
UNROLLED = 4
LINE = 16
"""Numbers in a cache line."""
DISTANCE_LINES = 5
"""Cache lines between the positions in a page at which two arrays start."""
MOSTLY_READ = 0.1
"""A problem that writes less than this part of its bytes is compared with reading."""
PERMISSION = (158, 0x1023, 18)
"""The system call by which a process asks Linux for tile registers."""


def roofline(work: Work) -> Setup:
    """Return the peer for problems of so much work."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        pool = ThreadPoolExecutor(threads)
        parts: list[Callable[[int], float]] = []
        if work.operations:
            parts.append(_operations(work, threads, pool))
        if work.bytes:
            parts.append(_passes(work, threads, pool))

        def sample(count: int) -> float:
            return max(part(count) for part in parts)

        return Case(lambda: sample(1), sample, checked=False)

    return set_up


def _operations(work: Work, threads: int, pool: ThreadPoolExecutor) -> Callable[[int], float]:
    run, each = _product_loop(work.dtype)
    sinks = [np.zeros(1024, np.uint8) for _ in range(threads)]

    def sample(count: int) -> float:
        rounds = math.ceil(count * work.operations / each / threads)
        return _seconds(pool, [partial(run, rounds, sink.ctypes.data) for sink in sinks]) / count

    return sample


def _product_loop(dtype: str) -> tuple[Callable[..., None], int]:
    """Return a loop of multiply-adds, and how many operations one round has."""
    from tilewright.backends.cpu.host import host_features

    features = host_features()
    if kernels.TILE_FEATURES.get(dtype) in features and ctypes.CDLL(None).syscall(*PERMISSION) == 0:
        run = _compiled(kernels.tiles_text(dtype), ctypes.c_int64, ctypes.c_void_p)
        return run, 4 * kernels.TILE_OPERATIONS[dtype]
    product = kernels.product_of(dtype, features)
    assert product is not None, f"no product of {dtype} is known for this machine"
    run = _compiled(kernels.products_text(product), ctypes.c_int64, ctypes.c_void_p)
    return run, product.chains * product.operations


def _passes(work: Work, threads: int, pool: ThreadPoolExecutor) -> Callable[[int], float]:
    """Measure passes over memory: the faster of ordinary and streaming stores, where anything is stored."""
    from tilewright.backends.cpu.host import host_target

    width = host_target().vector_bits // 32
    count_of_arrays = 3 if (writes := work.written > MOSTLY_READ * work.bytes) else 2
    line = 4 * width * UNROLLED
    footprint = min(work.bytes, LARGEST)
    vectors = UNROLLED * max(1, round(footprint / count_of_arrays / threads / line))
    data = [[_array(vectors * width, shift) for shift in range(3)] for _ in range(threads)]
    types = (ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    moved = threads * vectors * width * 4 * count_of_arrays

    def sampler(streaming: bool) -> Callable[[int], float]:
        run = _compiled(kernels.memory_text(width, writes=writes, streaming=streaming), *types)

        def sample(count: int) -> float:
            repeat = math.ceil(count * work.bytes / moved)
            calls = [partial(run, vectors, repeat, *(array.ctypes.data for array in of_thread)) for of_thread in data]
            return _seconds(pool, calls) * work.bytes / (repeat * moved)

        return sample

    choices = [sampler(streaming) for streaming in ((False, True) if writes else (False,))]
    for choice in choices:
        choice(1)
    return min(choices, key=lambda choice: min(choice(1) for _ in range(5)))


def _array(size: int, shift: int) -> np.ndarray:
    """Return an array at a cache line; one of another shift starts elsewhere in its page, where stores delay no loads.

    It is written to: untouched pages are all one page of zeros, which a cache holds.
    """
    room = np.ones(size + LINE * (1 + DISTANCE_LINES * shift), np.float32)
    start = -room.ctypes.data % (4 * LINE) // 4 + LINE * DISTANCE_LINES * shift
    return room[start : start + size]


def _seconds(pool: ThreadPoolExecutor, calls: list[Callable[[], None]]) -> float:
    start = time.perf_counter()
    for future in [pool.submit(call) for call in calls]:
        future.result()
    return time.perf_counter() - start


@cache
def _compiled(text: str, *arguments: Any) -> Callable[..., None]:
    """Return the function `work` of a module of LLVM text, for this machine. ctypes releases the interpreter's lock."""
    from tilewright.backends.cpu.host import host_features
    from tilewright.backends.cpu.jit import load_objects
    from tilewright.backends.cpu.llvm import CodeOptions, emit_object

    data = emit_object(text, CodeOptions(host_features()))
    code = load_objects([data], {}, ["work"])
    function = ctypes.CFUNCTYPE(None, *arguments)(code["work"])
    function.code = code  # pyright: ignore[reportAttributeAccessIssue]  (which lives as long as the function)
    return function
