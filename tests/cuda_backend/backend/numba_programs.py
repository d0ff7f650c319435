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


def tiled_matmul() -> None:
    """Check a product with tiles of both operands, which the threads of a block fetch together, and sums of 2 x 2 in
    each."""
    n, threads, tile = 8, 2, 2
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    sums = s.cache_write(c, "local")
    rows, columns = (s[c].split(axis, factor=threads * tile) for axis in c.op.axis)
    (ty, yi), (tx, xi) = (s[c].split(inner, nparts=threads) for _, inner in (rows, columns))
    s[c].reorder(rows[0], columns[0], ty, tx, yi, xi)
    for axis, tag in ((rows[0], "blockIdx.y"), (columns[0], "blockIdx.x"), (ty, "threadIdx.y"), (tx, "threadIdx.x")):
        s[c].bind(axis, te.thread_axis(tag))
    s[sums].compute_at(s[c], tx)
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=4)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for stage in shared:
        s[stage].compute_at(s[sums], ko)
        for axis, tag in zip(s[stage].op.axis, ("threadIdx.y", "threadIdx.x"), strict=True):
            _, inner = s[stage].split(axis, factor=threads)
            s[stage].bind(inner, te.thread_axis(tag))
    module = built(s, [a, b, c], copy=True)
    assert module.get_source().count("cuda.syncthreads()") == 2
    x, y = RANDOM.normal(size=(2, n, n)).astype(np.float32)
    np.testing.assert_allclose(module(x, y), x @ y, rtol=1e-5, atol=1e-5)


def reduction_by_parts() -> None:
    """Check a reduction: each thread of a block sums a part of its row into shared memory, and the parts are summed
    there."""
    m = te.var("m")
    a = te.placeholder((m, 24), name="A")
    k = te.reduce_axis((0, 24), name="k")
    c = te.compute((m,), lambda i: te.sum(a[i, k], axis=k), name="C")
    s = te.create_schedule(c.op)
    _, part = s[c].split(c.op.reduce_axis[0], factor=6)
    parts = s.rfactor(c, part)
    s[c].bind(c.op.axis[0], te.thread_axis("blockIdx.x"))
    s[parts].compute_at(s[c], c.op.axis[0])
    s[parts].set_scope("shared")
    s[parts].bind(parts.op.axis[0], te.thread_axis("threadIdx.x"))
    module = built(s, [a, c], copy=True)
    assert "cuda.shared.array(6, float32)" in module.get_source()
    for rows in (1, 5):
        x = RANDOM.normal(size=(rows, 24)).astype(np.float32)
        np.testing.assert_allclose(module(x), x.sum(1), rtol=1e-5, atol=1e-5)


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
