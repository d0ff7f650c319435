"""Default scopes of stages: shared memory if all threads of a block fill it, else memory of the thread."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te

RANDOM = np.random.default_rng(0)


def arrays(program: tuple[Any, list[Any]], wanted: Any) -> list[str]:
    """Check the results of a kernel, and return the declarations of its memory."""
    module = tilewright.build(*program, "cuda", device="simulator")
    x = RANDOM.integers(-4, 5, [int(n) for n in program[1][0].shape]).astype(np.float32)
    np.testing.assert_array_equal(module(x), wanted(x))
    lines = [line.strip() for line in module.get_source().splitlines() if ".array(" in line]
    return [line.split("  #")[0] for line in lines]


def reversed_in_a_block(bound: bool) -> tuple[Any, list[Any]]:
    """Schedule C[i] = 2 A[63 - i] + 1, the doubled row computed at the loop over blocks."""
    a = te.placeholder((64,), name="A")
    b = te.compute((64,), lambda i: a[i] * 2.0, name="B")
    c = te.compute((64,), lambda i: b[63 - i] + 1.0, name="C")
    s = te.create_schedule(c.op)
    block, thread = s[c].split(c.op.axis[0], factor=64)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(thread, te.thread_axis("threadIdx.x"))
    s[b].compute_at(s[c], block)
    if bound:
        s[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    return s, [a, c]


def test_at_a_loop_over_blocks() -> None:
    for bound in (True, False):
        assert arrays(reversed_in_a_block(bound), lambda x: 2 * x[::-1] + 1) == ["B = cuda.shared.array(64, float32)"]


def test_at_a_loop_over_threads() -> None:
    """Four elements a thread, which nobody else reads."""
    a = te.placeholder((64,), name="A")
    b = te.compute((64,), lambda i: a[i] * 2.0, name="B")
    c = te.compute((64,), lambda i: b[i] + 1.0, name="C")
    s = te.create_schedule(c.op)
    block, rest = s[c].split(c.op.axis[0], factor=32)
    thread, _ = s[c].split(rest, factor=4)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(thread, te.thread_axis("threadIdx.x"))
    s[b].compute_at(s[c], thread)
    assert arrays((s, [a, c]), lambda x: 2 * x + 1) == ["B = cuda.local.array(4, float32)"]


def squares(align: int | None = None) -> tuple[Any, list[Any]]:
    """Schedule (2 A) (2 A): inside the loops over threads these compute the doubled tiles together."""
    n, threads = 16, 4
    a = te.placeholder((n, n), name="A")
    b = te.compute((n, n), lambda i, j: a[i, j] * 2.0, name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(b[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    sums = s.cache_write(c, "local")
    axes = [te.thread_axis((0, threads), f"threadIdx.{tag}") for tag in "yx"]
    outer, inner = zip(*(s[c].split(axis, factor=2 * threads) for axis in c.op.axis), strict=True)
    middle, inner = zip(*(s[c].split(axis, nparts=threads) for axis in inner), strict=True)
    s[c].reorder(*outer, *middle, *inner)
    for axis, tag in zip(outer, "yx", strict=True):
        s[c].bind(axis, te.thread_axis(f"blockIdx.{tag}"))
    for axis, thread in zip(middle, axes, strict=True):
        s[c].bind(axis, thread)
    s[sums].compute_at(s[c], middle[1])
    ko, ki = s[sums].split(sums.op.reduce_axis[0], factor=8)
    s[sums].reorder(ko, ki, *sums.op.axis)
    s[b].compute_at(s[sums], ko)
    if align is not None:
        s[b].storage_align(b.op.axis[0], align, 1)
    rest = s[b].fuse(*b.op.axis)
    for thread in reversed(axes):
        rest, lane = s[b].split(rest, factor=threads)
        s[b].bind(lane, thread)
    return s, [a, c]


def test_what_threads_compute_together_inside_of_their_loops() -> None:
    found = arrays(squares(), lambda x: (2 * x) @ (2 * x))
    assert found == ["B = cuda.shared.array(256, float32)", "C_local = cuda.local.array(4, float32)"]


def test_rows_in_other_banks() -> None:
    """storage_align shows in the kernel: rows of 17 elements."""
    found = arrays(squares(align=16), lambda x: (2 * x) @ (2 * x))
    assert found[0] == "B = cuda.shared.array(272, float32)"


@pytest.mark.parametrize(("dtype", "n"), [("float32", 16), ("float32", 40), ("float16", 64), ("int8", 128)])
def test_permuted_pieces(dtype: str, n: int) -> None:
    """storage_swizzle shows in the kernel: pieces of 16 bytes in lines of 128, in whole groups of eight lines."""
    a = te.placeholder((n, n), dtype, name="A")
    b = te.compute((n, n), lambda i, j: a[i, j], name="B")
    c = te.compute((n, n), lambda i, j: b[j, i], name="C")
    s = te.create_schedule(c.op)
    block, rows = s[c].split(c.op.axis[0], nparts=1)
    s[c].reorder(block, c.op.axis[1], rows)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    for stage in (c, b):
        s[stage].bind(stage.op.axis[1], te.thread_axis((0, n), "threadIdx.x"))
    s[b].compute_at(s[c], block)
    s[b].set_scope("shared")
    s[b].storage_swizzle()
    module = tilewright.build(s, [a, c], "cuda", device="simulator")
    size = np.dtype(dtype).itemsize
    whole = -(-n * n * size // 1024) * 1024 // size
    assert f"B = cuda.shared.array({whole}, {dtype}" in module.get_source() and " ^ " in module.get_source()
    x = np.random.default_rng(0).integers(-100, 100, (n, n)).astype(dtype)
    np.testing.assert_array_equal(module(x), x.T)


def test_some_of_the_threads_around_a_stage_compute_it() -> None:
    """Each row of threads shares a row of its own, which no other row of threads computes again."""
    a = te.placeholder((6, 37), name="A")
    b = te.compute((6, 37), lambda i, j: a[i, j] * 2.0, name="B")
    c = te.compute((6, 37), lambda i, j: b[i, 36 - j] + 1.0, name="C")
    s = te.create_schedule(c.op)
    block, row = s[c].split(c.op.axis[0], factor=4)
    _, column = s[c].split(c.op.axis[1], factor=8)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(row, te.thread_axis("threadIdx.y"))
    s[c].bind(column, te.thread_axis("threadIdx.x"))
    s[b].compute_at(s[c], row)
    _, lane = s[b].split(b.op.axis[1], factor=8)
    s[b].bind(lane, te.thread_axis("threadIdx.x"))
    assert arrays((s, [a, c]), lambda x: 2 * x[:, ::-1] + 1) == ["B = cuda.shared.array(148, float32)"]
