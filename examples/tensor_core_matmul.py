"""A matrix product on the tensor cores of a GPU, scheduled by hand, and run in the simulator: no GPU is needed.

Blocks of 64 x 64 results; a block has four warps, each with 32 x 32 of them. All threads bring tiles of both operands
to shared memory; a warp loads fragments of these into its registers, where `mma.sync` multiplies them. Loops over a
warp's 32 lanes stand inside the tensor intrinsics; what a lane does to elements of its own is scheduled as ever.

    python examples/tensor_core_matmul.py
"""

from __future__ import annotations

import numpy as np
import tilewright as tvm
from tilewright import te
from tilewright.backends import tensor_core

M, N, K = 60, 72, 50
BLOCK, WARPS, DEPTH = 64, 2, 32
"""Results of a block along each axis, warps along each axis, and terms in shared memory at a time."""


def padded(tensor, rows: int, columns: int):
    """Pad the tensor with zeros behind its last row and column, up to whole tiles."""
    m, n = tensor.shape
    up = lambda size, tile: -(-size // tile) * tile  # noqa: E731
    zero = te.const(0.0, tensor.dtype)
    return te.compute(
        (up(m, rows), up(n, columns)),
        lambda i, j: te.if_then_else(te.all(i < m, j < n), tensor[i, j], zero),
        name=f"{tensor.name}_padded",
    )


def product(m: int, n: int, k: int, dtype: str = "float16"):
    """Return `C = max(A @ B + bias, 0)` in float32 for operands of 16 bits, and its schedule."""
    core = tensor_core(dtype)
    A, B = te.placeholder((m, k), dtype, "A"), te.placeholder((k, n), dtype, "B")
    bias = te.placeholder((n,), "float32", "bias")
    left, right = padded(A, BLOCK, DEPTH), padded(B, DEPTH, BLOCK)
    t = te.reduce_axis((0, left.shape[1]), name="t")
    sums = te.compute(
        (left.shape[0], right.shape[1]),
        lambda i, j: te.sum(left[i, t].astype("float32") * right[t, j].astype("float32"), axis=t),
        name="sums",
    )
    C = te.compute((m, n), lambda i, j: te.max(sums[i, j] + bias[j], 0.0), name="C")

    s = te.create_schedule(C.op)
    s[sums].set_scope(core.result_scope)
    fragments = [
        (s.cache_read(tensor, core.scope(side), [sums]), side) for tensor, side in ((left, "left"), (right, "right"))
    ]
    lanes = te.thread_axis((0, 32), "threadIdx.x")
    warps = [te.thread_axis((0, WARPS), f"threadIdx.{tag}") for tag in "yz"]

    # The result: blocks, warps, tiles of 16 x 8, and of each tile the elements that a lane has.
    rows, columns = C.op.axis
    (by, rows), (bx, columns) = (s[C].split(axis, factor=BLOCK) for axis in (rows, columns))
    (wy, rows), (wx, columns) = (s[C].split(axis, nparts=WARPS) for axis in (rows, columns))
    ty, rows = s[C].split(rows, factor=core.rows)
    tx, columns = s[C].split(columns, factor=core.columns)
    halves, groups = s[C].split(rows, factor=8)
    pairs, pair = s[C].split(columns, factor=2)
    s[C].reorder(by, bx, wy, wx, ty, tx, groups, pairs, halves, pair)
    s[C].bind(s[C].fuse(groups, pairs), lanes)
    for axis, thread in zip(
        (by, bx, wy, wx), (*map(te.thread_axis, ("blockIdx.y", "blockIdx.x")), *warps), strict=True
    ):
        s[C].bind(axis, thread)

    # The sums of a warp, tile by tile, step by step along the terms.
    s[sums].compute_at(s[C], wx)
    rows, columns = sums.op.axis
    outer, terms = s[sums].split(t, factor=DEPTH)
    step, terms = s[sums].split(terms, factor=core.terms)
    ty, rows = s[sums].split(rows, factor=core.rows)
    tx, columns = s[sums].split(columns, factor=core.columns)
    s[sums].reorder(outer, step, ty, tx, rows, columns, terms)
    s[sums].tensorize(rows, core.product())

    for tensor in (left, right):  # all threads of the block bring a tile of each operand
        s[tensor].set_scope("shared")
        s[tensor].compute_at(s[sums], outer)
        s[tensor].storage_align(s[tensor].op.axis[0], 16, 8)  # rows in other banks than their neighbours
        rest = s[tensor].fuse(*s[tensor].op.axis)
        for thread in (lanes, *warps):
            rest, threads = s[tensor].split(rest, factor=thread.extent)
            s[tensor].bind(threads, thread)
    for fragment, side in fragments:
        s[fragment].compute_at(s[sums], step)
        i, j = fragment.op.axis
        i, rows = s[fragment].split(i, factor=16)
        j, columns = s[fragment].split(j, factor=16)
        s[fragment].reorder(i, j, rows, columns)
        s[fragment].tensorize(rows, core.load(side, tiles=2))
    return s, [A, B, bias, C]


def main() -> None:
    s, args = product(M, N, K)
    kernel = tvm.build(s, args, target="cuda", device="simulator")
    print(kernel.get_source())
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((M, K)).astype(np.float16), rng.standard_normal((K, N)).astype(np.float16)
    bias = rng.standard_normal(N).astype(np.float32)
    c = np.zeros((M, N), np.float32)
    kernel(a, b, bias, c)
    np.testing.assert_allclose(c, np.maximum(a.astype(np.float64) @ b + bias, 0), atol=1e-4)


if __name__ == "__main__":
    main()
