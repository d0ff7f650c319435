"""A matrix product made fast, one scheduling step at a time, beside numpy's in one run.

    python benchmarks/opt_gemm.py [--size 1024] [--threads 1] [--pairs 15] [--steps packing cache]

Each step is the whole schedule up to there, as a user writes it: a tensor expression and its stages. Rows and columns
arrive as they are in numpy; what a step packs is packed, and timed, in every run. The tile of the last steps fills the
vector registers of this machine; no size is special but where a step asks for one that divides.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial

BLOCK = 32
"""Rows and columns of a cache block in the steps before packing."""
UNROLLED = 4
"""Terms of the sum in one iteration, in the steps before registers hold the results."""
UNROLLED_IN_REGISTERS = 2
"""The same where registers hold them, which leaves few for more."""
ROWS_IN_CACHE = 256
"""Rows of the left operand that are used over and over while panels of the right one pass by."""
PACKED_TOGETHER = 16
"""Rows of the right operand that are packed in one go: all of them are read from left to right."""


def register_tile() -> tuple[int, int]:
    """Return rows and columns of results that, with their operands, fill the vector registers."""
    from tilewright.backends.cpu.host import host_target

    lanes = host_target().vector_bits // 32
    return (14, 2 * lanes) if lanes == 16 else (4, 3 * lanes)


def product(n: int):
    """Compute C = A B, both n by n."""
    from tilewright import te

    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    return a, b, te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")


def packed_product(n: int, width: int):
    """Compute C = A P with P the columns of B in panels of `width`, padded with zeros, each panel contiguous."""
    from tilewright import te

    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")

    def packed(panel, k, column):
        return te.if_then_else(panel * width + column < n, b[k, panel * width + column], 0.0)

    p = te.compute((-(-n // width), n, width), packed, name="packed")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * p[j // width, k, j % width], axis=k), name="C")
    return a, b, p, c


def default(n: int):
    """Schedule one loop for each axis."""
    from tilewright import te

    a, b, c = product(n)
    return te.create_schedule(c.op), [a, b, c]


def blocking(n: int, order: str = "blocks"):
    """Keep blocks of results and of the sum in the cache."""
    from tilewright import te

    a, b, c = product(n)
    s = te.create_schedule(c.op)
    xo, yo, xi, yi = s[c].tile(*c.op.axis, x_factor=BLOCK, y_factor=BLOCK)
    ko, ki = s[c].split(c.op.reduce_axis[0], factor=UNROLLED)
    s[c].reorder(*([xo, yo, ko, ki, xi, yi] if order == "blocks" else [xo, yo, ko, xi, ki, yi]))
    return s, [a, b, c], c, xo, yi


def vectorization(n: int):
    """Make the columns of a block the lanes of a vector."""
    s, args, c, _, yi = blocking(n)
    s[c].vectorize(yi)
    return s, args


def permutation(n: int):
    """Put rows outside of the terms of the sum: the left operand is read along its rows."""
    s, args, c, _, yi = blocking(n, "rows")
    s[c].vectorize(yi)
    return s, args


def packing(n: int):
    """Pack the right operand in panels as wide as a block: the inner loops read it from one end to the other."""
    from tilewright import te

    a, b, p, c = packed_product(n, BLOCK)
    s = te.create_schedule(c.op)
    xo, yo, xi, yi = s[c].tile(*c.op.axis, x_factor=BLOCK, y_factor=BLOCK)
    ko, ki = s[c].split(c.op.reduce_axis[0], factor=UNROLLED)
    s[c].reorder(xo, yo, ko, xi, ki, yi)
    s[c].vectorize(yi)
    _schedule_packing(s, p)
    return s, [a, b, c]


def cache(n: int, *, parallel: bool = False):
    """Keep a tile of results in registers for the whole sum and write it once."""
    from tilewright import te

    rows, columns = register_tile()
    a, b, p, c = packed_product(n, columns)
    s = te.create_schedule(c.op)
    tile = s.cache_write(c, "register")
    i, j = c.op.axis
    jo, ji = s[c].split(j, factor=columns)
    im, ii = s[c].split(i, factor=rows)
    io, im = s[c].split(im, factor=ROWS_IN_CACHE // rows)
    s[c].reorder(io, jo, im, ii, ji)
    s[c].vectorize(ji)
    s[c].unroll(ii)
    s[tile].compute_at(s[c], im)
    ko, ki = s[tile].split(tile.op.reduce_axis[0], factor=UNROLLED_IN_REGISTERS)
    s[tile].reorder(ko, ki, *tile.op.axis)
    s[tile].unroll(ki)
    s[tile].unroll(tile.op.axis[0])
    s[tile].vectorize(tile.op.axis[1])
    outer = _schedule_packing(s, p)
    if parallel:
        s[c].parallel(io)
        s[p].parallel(outer)
    return s, [a, b, c]


def _schedule_packing(s, p):
    panel, k, column = p.op.axis
    outer, inner = s[p].split(k, factor=PACKED_TOGETHER)
    s[p].reorder(outer, panel, inner, column)
    s[p].vectorize(column)
    return outer


STEPS: dict[str, Callable[[int], Sequence[object]]] = {
    "default": default,
    "blocking": blocking,
    "vectorization": vectorization,
    "permutation": permutation,
    "packing": packing,
    "cache": cache,
    "parallel": lambda n: cache(n, parallel=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1024, metavar="N", help="rows and columns (default: 1024)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of both (default: 1)")
    parser.add_argument("--pairs", type=int, default=15, metavar="N", help="runs of each (default: 15)")
    parser.add_argument("--steps", nargs="+", choices=STEPS, default=list(STEPS), metavar="STEP", help=", ".join(STEPS))
    arguments = parser.parse_args()
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
        if variable not in os.environ:  # read when the libraries are loaded, so that this process is replaced
            os.environ[variable] = str(arguments.threads)
            os.execv(sys.executable, [sys.executable, *sys.argv])
    run(arguments.size, arguments.threads, arguments.pairs, arguments.steps)


def run(size: int, threads: int, pairs: int, steps: Sequence[str]) -> None:
    import numpy as np
    import tilewright
    from paired import machine, measure

    print(f"{machine()}, numpy {np.__version__}, tilewright {tilewright.__version__}, {size}^3, {threads} thread(s)")
    print("step            ours_GFLOP/s  numpy_GFLOP/s  ours/numpy     error")
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((size, size), dtype=np.float32) for _ in range(2))
    c, peer = np.empty_like(a), np.empty_like(a)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    work = 2 * size**3 / 1e9
    for step in steps:
        schedule, args, *_ = STEPS[step](size)
        program = tilewright.build(schedule, args, threads=threads, name=f"gemm_{step}")
        found = measure(partial(program, a, b, c), lambda: np.matmul(a, b, out=peer), pairs)
        error = float(np.abs(c - exact).max() / np.abs(exact).max())
        assert error < 1e-5, f"{step}: expected the product, but it is off by {error}"
        print(
            f"{step:15} {work / found.median_ours:12.1f} {work / found.median_theirs:14.1f} {found.speedup:11.2f} "
            f"{error:9.1e}",
            flush=True,
        )


if __name__ == "__main__":
    main()
