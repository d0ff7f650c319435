"""A matrix product for GPUs: blocks of threads fetch tiles together into shared memory and keep sums in registers.

python examples/threads_matmul.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tilewright as tvm
from tilewright import te
from tilewright.semantics import Program

THREADS, TILE, DEPTH = 4, 2, 8
"""A block has THREADS x THREADS threads, each with TILE x TILE results; a step of the sum has DEPTH terms."""


def schedule(n: int) -> tuple[Any, list[te.Tensor]]:
    """Compute C = A B; the schedule says how the threads of a block share the work."""
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    tiles = [s.cache_read(t, "shared", [c]) for t in (a, b)]
    rows_and_columns = [s.cache_read(t, "local", [c]) for t in tiles]
    sums = s.cache_write(c, "local")
    ty, tx = (te.thread_axis((0, THREADS), f"threadIdx.{axis}") for axis in "yx")

    i, j = c.op.axis
    by, i = s[c].split(i, factor=THREADS * TILE)
    bx, j = s[c].split(j, factor=THREADS * TILE)
    iy, i = s[c].split(i, nparts=THREADS)
    jx, j = s[c].split(j, nparts=THREADS)
    s[c].reorder(by, bx, iy, jx, i, j)
    s[c].bind(by, te.thread_axis("blockIdx.y"))
    s[c].bind(bx, te.thread_axis("blockIdx.x"))
    s[c].bind(iy, ty)
    s[c].bind(jx, tx)

    s[sums].compute_at(s[c], jx)
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=DEPTH)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for tile, kept in zip(tiles, rows_and_columns, strict=True):
        s[tile].compute_at(s[sums], ko)
        thread_rows, rest = s[tile].split(s[tile].fuse(*s[tile].op.axis), nparts=THREADS)
        thread_columns, _ = s[tile].split(rest, nparts=THREADS)
        s[tile].bind(thread_rows, ty)
        s[tile].bind(thread_columns, tx)
        s[kept].compute_at(s[sums], ki)
    return s, [a, b, c]


def main() -> None:
    kernel = tvm.build(*schedule(1024), target="opencl", name="matmul").get_source("cl")
    print(kernel)
    assert kernel.count("barrier(CLK_LOCAL_MEM_FENCE);") == 2

    # The same lowering at a small size that the tiles do not divide, its threads run at once by the interpreter, which
    # would find two of them at one element with no barrier between.
    n = 11
    module = tvm.lower(*schedule(n))
    x, y = np.random.default_rng(0).integers(-8, 9, (2, n, n)).astype(np.float32)
    (z,) = Program(module.op, finds_races=True).evaluate("main", x, y)
    np.testing.assert_array_equal(z, x @ y)
    print(f"{n} x {n}: as numpy computes it")


if __name__ == "__main__":
    main()
