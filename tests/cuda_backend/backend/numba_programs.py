"""Programs that tests/cuda_backend/backend/test_numba_simulator.py runs in a process whose numba simulates a GPU.

What that simulator does not know is left out: vectors, operations of `backends.cuda.operations`, shuffles.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tilewright
from host_driver import HostDriver, source_as_ptx
from tilewright import te
from tilewright.backends.cuda import module as cuda_module
from tilewright.backends.cuda.compiler import load_source
from tilewright.runtime.kernels import device_program
from tilewright.transform import PassContext

RANDOM = np.random.default_rng(0)


def built(schedule, arguments, **options):
    with PassContext(disabled_pass=["contract-fma"]):
        return tilewright.build(schedule, arguments, "cuda", **options)


def elementwise():
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: te.exp(a[i]) + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    block, thread = schedule[b].split(b.op.axis[0], factor=8)
    schedule[b].bind(block, te.thread_axis("blockIdx.x"))
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    return schedule, [a, b]


def vector_add_and_copies() -> None:
    module = built(*elementwise(), copy=True)
    for size in (1, 8, 21):
        x = RANDOM.normal(size=size).astype(np.float32)
        np.testing.assert_allclose(module(x), np.exp(x) + 1, rtol=1e-6)


def shared_matmul() -> None:
    n = 8
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    copy = schedule.cache_read(a, "shared", [c])
    i, j = c.op.axis
    schedule[c].bind(i, te.thread_axis("blockIdx.x"))
    schedule[c].bind(j, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[c], i)
    schedule[copy].bind(copy.op.axis[1], te.thread_axis("threadIdx.x"))
    x, y = RANDOM.normal(size=(2, n, n)).astype(np.float32)
    np.testing.assert_allclose(built(schedule, [a, b, c], copy=True)(x, y), x @ y, rtol=1e-5, atol=1e-5)


def two_kernels_and_a_temporary() -> None:
    a = te.placeholder((16,), "int32", name="A")
    b = te.compute((16,), lambda i: te.floordiv(a[i], 3), name="B")
    c = te.compute((16,), lambda i: b[15 - i] * 2, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        schedule[stage].bind(stage.op.axis[0], te.thread_axis("threadIdx.x"))
    x = np.arange(-8, 8, dtype=np.int32)
    np.testing.assert_array_equal(built(schedule, [a, c], copy=True)(x), (x // 3)[::-1] * 2)


def run(path: Path, kernel: str, blocks: Any, threads: Any, arguments: Sequence[Any], shared: int) -> None:
    """Run a kernel in numba's simulator."""
    from numba import cuda

    cuda.jit(getattr(load_source(path), kernel))[blocks, threads, 0, shared](*arguments)


if __name__ == "__main__":
    device_program.cuda_driver = lambda: driver
    cuda_module.ptx_of = source_as_ptx
    driver = HostDriver(run=run)
    for case in sys.argv[1:]:
        globals()[case]()
