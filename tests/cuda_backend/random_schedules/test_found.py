"""Faults that random schedules found, as small programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.diagnostics import TilewrightError


def argmax(n: int, m: int) -> list[Any]:
    a = te.placeholder((n, m), name="A")
    k = te.reduce_axis((0, m), "k")

    def better(x: Any, y: Any) -> Any:
        first = te.any(x[1] > y[1], te.all(x[1] == y[1], x[0] < y[0]))
        return te.Select(first, x[0], y[0]), te.Select(first, x[1], y[1])

    reducer = te.comm_reducer(better, lambda index, value: (te.max_value(index), te.min_value(value)), name="argmax")
    return [a, *te.compute((n,), lambda i: reducer((k.astype("int32"), a[i, k]), axis=k), name="C")]


def test_all_results_of_a_stage_inside_threads_are_theirs() -> None:
    """The second one was in global memory, where blocks raced."""
    a, at, value = argmax(6, 12)
    s = te.create_schedule(at.op)
    outer, _ = s[at].split(s[at].op.reduce_axis[0], factor=4)
    parts = s.rfactor([at, value], outer)
    block, thread = s[at].split(s[at].op.axis[0], factor=2)
    s[at].bind(block, te.thread_axis("blockIdx.x"))
    s[at].bind(thread, te.thread_axis("threadIdx.x"))
    s[parts[0]].compute_at(s[at], thread)
    module = tilewright.build(s, [a, at, value], "cuda", device="simulator")
    assert module.get_source().count("cuda.local.array(3,") == 2
    x = np.random.default_rng(0).normal(size=(6, 12)).astype(np.float32)
    found, largest = module(x)
    np.testing.assert_array_equal(found, x.argmax(1))
    np.testing.assert_array_equal(largest, x.max(1))


def test_shared_memory_belongs_to_a_block() -> None:
    """Outside of the loop over blocks, one buffer would be all blocks'."""
    a = te.placeholder((8, 4), name="A")
    b = te.compute((8, 4), lambda i, j: a[i, 3 - j], name="B")
    s = te.create_schedule(b.op)
    copy = s.cache_read(a, "shared", [b])
    s[b].reorder(b.op.axis[1], b.op.axis[0])
    s[b].bind(b.op.axis[1], te.thread_axis("threadIdx.x"))
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[copy].compute_at(s[b], b.op.axis[0])
    s[copy].bind(copy.op.axis[1], te.thread_axis("threadIdx.x"))
    with pytest.raises(TilewrightError) as refused:
        tilewright.build(s, [a, b], "cuda", device="simulator")
    assert refused.value.code == "TW0631", refused.value


def test_lanes_across_rows_of_unknown_length() -> None:
    n = te.var("n")
    a = te.placeholder((4, n), name="A")
    b = te.compute((n, 4), lambda i, j: a[3 - j, i], name="B")
    s = te.create_schedule(b.op)
    s[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    s[b].vectorize(b.op.axis[1])
    module = tilewright.build(s, [a, b], "cuda", device="simulator")
    x = np.arange(20, dtype=np.float32).reshape(4, 5)
    np.testing.assert_array_equal(module(x), x[::-1].T)


def test_blocks_do_not_share_what_each_of_them_makes() -> None:
    a = te.placeholder((8, 4), name="A")
    b = te.compute((8, 4), lambda i, j: a[i, 3 - j], name="B")
    s = te.create_schedule(b.op)
    copy = s.cache_read(a, "shared", [b])
    i, j = b.op.axis
    block, rows = s[b].split(i, factor=4)
    s[b].bind(block, te.thread_axis("blockIdx.y"))
    s[b].bind(j, te.thread_axis("blockIdx.x"))
    s[b].reorder(block, j, rows)
    s[b].bind(rows, te.thread_axis("threadIdx.x"))
    s[copy].compute_at(s[b], block)
    s[copy].set_scope("global")
    with pytest.raises(TilewrightError, match="inside its loop over blockIdx.x, but it is outside") as refused:
        tilewright.build(s, [a, b], "cuda", device="simulator")
    assert refused.value.code == "TW0630"


def test_one_block_has_shared_memory() -> None:
    a = te.placeholder((8,), name="A")
    b = te.compute((8,), lambda i: a[7 - i], name="B")
    s = te.create_schedule(b.op)
    copy = s.cache_read(a, "shared", [b])
    _, thread = s[b].split(b.op.axis[0], nparts=1)
    s[b].bind(thread, te.thread_axis("threadIdx.x"))
    s[copy].compute_at(s[b], thread)
    s[copy].bind(copy.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tilewright.build(s, [a, b], "cuda", device="simulator")
    assert "cuda.shared.array(8, float32)" in module.get_source()
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(module(x), x[::-1])


def test_halves_are_copied_into_a_buffer_that_follows() -> None:
    """The load stands before the allocation of what it is stored to."""
    n, m, d = 17, 12, 4
    a, b = te.placeholder((n, d), "float16", name="A"), te.placeholder((d, m), "float16", name="B")
    k = te.reduce_axis((0, d), "k")
    c = te.compute((n, m), lambda i, j: te.sum(a[i, k].astype("float32") * b[k, j].astype("float32"), axis=k), name="C")
    s = te.create_schedule(c.op)
    work = s.cache_write(c, "local")
    block, thread = s[c].split(s[c].fuse(*c.op.axis), nparts=4)
    s[c].bind(block, te.thread_axis("blockIdx.x"))
    s[c].bind(thread, te.thread_axis("threadIdx.x"))
    s[work].compute_at(s[c], thread)
    outer, inner = s[work].split(s[work].op.reduce_axis[0], nparts=2)
    s[work].reorder(outer, inner, *s[work].op.axis)
    left, right = s.cache_read(a, "shared", [work]), s.cache_read(b, "shared", [work])
    s[left].compute_at(s[work], inner)
    s[left].bind(s[left].split(s[left].fuse(*s[left].op.axis), nparts=51)[0], te.thread_axis("threadIdx.x"))
    s[right].compute_at(s[work], inner)
    s[right].vectorize(s[right].split(s[right].op.axis[1], factor=2)[1])
    s[right].bind(s[right].split(s[right].op.axis[0], factor=51)[1], te.thread_axis("threadIdx.x"))
    s[right].double_buffer()
    module = tilewright.build(s, [a, b, c], "cuda", device="simulator")
    x, y = (np.random.default_rng(0).integers(-3, 4, shape).astype(np.float16) for shape in ((n, d), (d, m)))
    np.testing.assert_array_equal(module(x, y), x.astype(np.float32) @ y.astype(np.float32))
