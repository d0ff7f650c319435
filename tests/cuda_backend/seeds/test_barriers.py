"""Every barrier of a kernel is needed: without any one of them the simulator finds a race."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda import simulator
from tilewright.diagnostics import TilewrightError

N, THREADS, TILE, DEPTH = 16, 4, 2, 4
BARRIER = "cuda.syncthreads()"


def staged_matmul():
    """Schedule a product with tiles of both operands in shared memory, which the threads of a block fetch together."""
    a, b = te.placeholder((N, N), name="A"), te.placeholder((N, N), name="B")
    k = te.reduce_axis((0, N), name="k")
    c = te.compute((N, N), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    shared = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    sums = s.cache_write(c, "local")
    rows, columns = (s[c].split(axis, factor=THREADS * TILE) for axis in c.op.axis)
    (yo, yi), (xo, xi) = ((outer, s[c].split(inner, nparts=THREADS)) for outer, inner in (rows, columns))
    s[c].reorder(yo, xo, yi[0], xi[0], yi[1], xi[1])
    threads = [te.thread_axis((0, THREADS), f"threadIdx.{axis}") for axis in "yx"]
    for axis, tag in ((yo, "blockIdx.y"), (xo, "blockIdx.x")):
        s[c].bind(axis, te.thread_axis(tag))
    s[c].bind(yi[0], threads[0])
    s[c].bind(xi[0], threads[1])
    s[sums].compute_at(s[c], xi[0])
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=DEPTH)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for stage in shared:
        s[stage].compute_at(s[sums], ko)
        for axis, thread in zip(s[stage].op.axis, threads, strict=True):
            _, inner = s[stage].split(axis, factor=THREADS)
            s[stage].bind(inner, thread)
    return s, [a, b, c]


def run(source: str, path: Path) -> np.ndarray:
    path.write_text(source)
    x, y = np.random.default_rng(0).normal(size=(2, N, N)).astype(np.float32)
    z = np.zeros((N, N), np.float32)
    blocks = N // (THREADS * TILE)
    function = simulator.load(path).function("main_kernel0")
    simulator.launch(function, (blocks, blocks, 1), (THREADS, THREADS, 1), [v.reshape(-1) for v in (x, y, z)])
    np.testing.assert_allclose(z, x @ y, rtol=1e-4, atol=1e-4)
    return z


def test_no_barrier_can_be_left_out(tmp_path: Path) -> None:
    source = tilewright.build(*staged_matmul(), "cuda", device="simulator").get_source()
    lines = source.splitlines()
    barriers = [number for number, line in enumerate(lines) if BARRIER in line]
    assert len(barriers) == 2
    run(source, tmp_path / "whole.py")
    for number in barriers:
        without = "\n".join([*lines[:number], *lines[number + 1 :]])
        with pytest.raises(TilewrightError, match="TW0654"):
            run(without, tmp_path / f"without_{number}.py")
