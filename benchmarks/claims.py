"""Claims about speed in the notes and tutorials of docs/seeds.md, each as two programs measured in turns.

    python benchmarks/claims.py [--size 1024] [--pairs 5] [--rows packing cache-read]

A row is what a document says, the program without the step and the one with it, at one size; `ratio` is how many times
faster the step makes it, the median over pairs of runs. A step that is said to help holds from 1.1 on, one that is said
to be of no use up to 1.1, and "twice" from 1.6 on. Both programs of a row are compared with numpy first. All rows take
less than three minutes on two cores.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from opt_gemm import BLOCK, UNROLLED, blocking, cache, default, packed_product, permutation, vectorization

Program = tuple[Any, Sequence[Any]]
"""A schedule and the arguments of its function, the result last."""
HELPS, TWICE, IS_OF_NO_USE = "faster", "twice as fast", "no faster"
_LEAST = {HELPS: 1.1, TWICE: 1.6}
_MOST_OF_NO_USE = 1.1


@dataclass(frozen=True)
class Claim:
    """A document's sentence about one step, with the program before and after it."""

    says: str
    expected: str
    before: Callable[[int], Program]
    after: Callable[[int], Program]
    is_parallel: bool = False
    """True where both programs run on all cores; else on one."""
    is_product: bool = True
    """True where the programs are a matrix product; else relu(2 a + 1), element by element."""

    def holds(self, ratio: float) -> bool:
        """Return whether a measured ratio agrees with the document."""
        return ratio <= _MOST_OF_NO_USE if self.expected == IS_OF_NO_USE else ratio >= _LEAST[self.expected]


def unrolled(n: int) -> Program:
    """Return the product in blocks, its vectors of columns inside of four terms of the sum, which are written out."""
    from tilewright import te

    return _in_blocks(n, lambda s, c, ki: s[c].unroll(ki), te)


def not_unrolled(n: int) -> Program:
    """Return the blocked product with a loop over the four terms."""
    from tilewright import te

    return _in_blocks(n, lambda s, c, ki: None, te)


def _in_blocks(n: int, change: Callable[[Any, Any, Any], object], te: Any) -> Program:
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    xo, yo, xi, yi = s[c].tile(*c.op.axis, x_factor=BLOCK, y_factor=BLOCK)
    ko, ki = s[c].split(c.op.reduce_axis[0], factor=UNROLLED)
    s[c].reorder(xo, yo, ko, xi, ki, yi)
    s[c].vectorize(yi)
    change(s, c, ki)
    return s, [a, b, c]


def packed(n: int, *, vectorized: bool = False, parallel: bool = False, results: bool = False) -> Program:
    """Return the right operand copied into panels as wide as a block first; the options are for the copy, and for a
    block of results that is written back as a whole."""
    from tilewright import te

    a, b, p, c = packed_product(n, BLOCK)
    s = te.create_schedule(c.op)
    tile = s.cache_write(c, "global") if results else c
    xo, yo, xi, yi = s[c].tile(*c.op.axis, x_factor=BLOCK, y_factor=BLOCK)
    if results:
        s[tile].compute_at(s[c], yo)
        xi, yi = tile.op.axis
    ko, ki = s[tile].split(tile.op.reduce_axis[0], factor=UNROLLED)
    s[tile].reorder(*([ko, xi, ki, yi] if results else [xo, yo, ko, xi, ki, yi]))
    s[tile].vectorize(yi)
    panel, _, column = p.op.axis
    if vectorized:
        s[p].vectorize(column)
    if parallel:
        s[p].parallel(panel)
        s[c].parallel(xo)
    return s, [a, b, c]


def parallel_product(n: int) -> Program:
    """Return the product of panels on all cores, whose copy runs on one."""
    s, args = packed(n, vectorized=True)
    c = args[-1]
    s[c].parallel(s[c].leaf_iter_vars[0])
    return s, args


def cached_read(n: int) -> Program:
    """Return the product in blocks that copies each block of the right operand beside it."""
    from tilewright import te

    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    copy = s.cache_read(b, "global", [c])
    xo, yo, xi, yi = s[c].tile(*c.op.axis, x_factor=BLOCK, y_factor=BLOCK)
    ko, ki = s[c].split(c.op.reduce_axis[0], factor=UNROLLED)
    s[c].reorder(xo, yo, ko, xi, ki, yi)
    s[c].vectorize(yi)
    s[copy].compute_at(s[c], ko)
    return s, [a, b, c]


def elementwise(n: int, *, inline: bool = True, fused: bool = False) -> Program:
    """Compute relu(2 a + 1) of a square, in one loop nest or in three."""
    from tilewright import te

    a = te.placeholder((8 * n, n), name="A")
    doubled = te.compute(a.shape, lambda i, j: a[i, j] * 2.0, name="doubled")
    moved = te.compute(a.shape, lambda i, j: doubled[i, j] + 1.0, name="moved")
    c = te.compute(a.shape, lambda i, j: te.max(moved[i, j], 0.0), name="C")
    s = te.create_schedule(c.op)
    if inline:
        s[doubled].compute_inline()
        s[moved].compute_inline()
    if fused:
        s[c].fuse(*c.op.axis)
    return s, [a, c]


CLAIMS: dict[str, Claim] = {
    "blocking": Claim("blocks keep values that are used again in the cache", HELPS, default, lambda n: blocking(n)[:2]),
    "vectorization": Claim(
        "contiguous accesses are fast, and vectorize makes them", HELPS, lambda n: blocking(n)[:2], vectorization
    ),
    "vectorization-by-llvm": Claim(
        "vectorize changes nothing, because the compiler makes vectors itself",
        IS_OF_NO_USE,
        lambda n: blocking(n)[:2],
        vectorization,
    ),
    "permutation": Claim("the order of the loops decides how rows are read", HELPS, vectorization, permutation),
    "packing": Claim("packing is about twice as fast", TWICE, permutation, packed),
    "packed-copy-vectorized": Claim(
        "vectorize of the packed copy is of no use, without it is faster",
        IS_OF_NO_USE,
        packed,
        partial(packed, vectorized=True),
    ),
    "packed-copy-parallel": Claim(
        "parallel of the packed copy is of no use",
        IS_OF_NO_USE,
        parallel_product,
        partial(packed, vectorized=True, parallel=True),
        is_parallel=True,
    ),
    "cache-read": Claim("cache_read is of no use on a CPU", IS_OF_NO_USE, permutation, cached_read),
    "cache-write": Claim(
        "cache_write of a block of results helps on a CPU", HELPS, packed, partial(packed, results=True)
    ),
    "unroll": Claim("unroll gives instructions that are independent", HELPS, not_unrolled, unrolled),
    "parallel": Claim(
        "independent work on all cores is faster", HELPS, cache, partial(cache, parallel=True), is_parallel=True
    ),
    "fuse-loops": Claim(
        "fuse of two loops is no faster on a CPU",
        IS_OF_NO_USE,
        elementwise,
        partial(elementwise, fused=True),
        is_product=False,
    ),
    "fused-operators": Claim(
        "operators in one kernel save what is stored between them",
        HELPS,
        partial(elementwise, inline=False),
        elementwise,
        is_product=False,
    ),
}
"""The claims by the name of their row. Those about GPUs of Apple and of NVIDIA need these."""


def calls(claim: Claim, size: int, threads: int) -> list[Callable[[], object]]:
    """Return both programs of a row as calls on arrays. Raises AssertionError where one computes something else than
    numpy."""
    import numpy as np
    import tilewright

    rng = np.random.default_rng(0)
    shapes = [(size, size), (size, size)] if claim.is_product else [(8 * size, size)]
    inputs = [rng.standard_normal(shape, dtype=np.float32) for shape in shapes]
    expected = inputs[0] @ inputs[1] if claim.is_product else np.maximum(inputs[0] * 2 + 1, 0)
    found: list[Callable[[], object]] = []
    for number, make in enumerate((claim.before, claim.after)):
        schedule, args = make(size)
        program = tilewright.build(schedule, args, threads=threads, name=f"program{number}")
        result = np.empty_like(expected)
        program(*inputs, result)
        error = float(np.abs(result - expected).max() / np.abs(expected).max())
        assert error < 1e-5, f"expected the result of numpy, but it is off by {error}"
        found.append(partial(program, *inputs, result))
    return found


def measured(name: str, size: int, pairs: int) -> str:
    """Return the line of a row."""
    from paired import measure

    claim = CLAIMS[name]
    threads = len(os.sched_getaffinity(0)) if claim.is_parallel else 1
    before, after = calls(claim, size, threads)
    found = measure(after, before, pairs)
    verdict = "true" if claim.holds(found.speedup) else "false"
    milliseconds = f"{1e3 * found.median_theirs:9.2f} {1e3 * found.median_ours:9.2f}"
    return f"{name:24}{claim.expected:15}{milliseconds} {found.speedup:7.2f}  {verdict:7}{claim.says}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1024, metavar="N", help="rows and columns (default: 1024)")
    parser.add_argument("--pairs", type=int, default=5, metavar="N", help="runs of each (default: 5)")
    parser.add_argument(
        "--rows", nargs="+", choices=CLAIMS, default=list(CLAIMS), metavar="ROW", help=", ".join(CLAIMS)
    )
    arguments = parser.parse_args()
    import tilewright
    from paired import machine

    print(f"{machine()}, {len(os.sched_getaffinity(0))} cores, tilewright {tilewright.__version__}, {arguments.size}")
    print("row                     said to be     before ms  after ms   ratio  verdict claim")
    for name in arguments.rows:
        print(measured(name, arguments.size, arguments.pairs), flush=True)


if __name__ == "__main__":
    main()
