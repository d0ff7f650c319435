"""Threads of a block in lazy schedules: what they fill together, and what they reduce together."""

from __future__ import annotations

import re

import pytest
from tilewright import te

from .programs import interpret, lower, random, shape_of


def loops(text: str) -> list[str]:
    return re.findall(r"loop\.for %(\w+) = 0 to (?:\d+)(?: kind thread<\"(\w+\.\w)\">)?", text)


@pytest.mark.parametrize("cached", [True, False])
def test_threads_fill_together_what_they_read(cached: bool) -> None:
    """A stage in shared memory inside of threads has what all of them read, and its loops may be the same threads."""
    A = te.placeholder((8, 6), name="A")
    k = te.reduce_axis((0, 6), name="k")
    if cached:
        B = te.compute((8,), lambda i: te.sum(A[7 - i, k], axis=k), name="B")
        s = te.create_schedule(B.op)
        S = s.cache_read(A, "shared", [B])
    else:
        D = te.compute((8, 6), lambda i, j: A[i, j] * 2.0, name="D")
        B = te.compute((8,), lambda i: te.sum(D[7 - i, k], axis=k), name="B")
        s = te.create_schedule(B.op)
        S = D
        s[S].set_scope("shared")
    threads = te.thread_axis((0, 4), "threadIdx.x")
    io, ii = s[B].split(B.op.axis[0], factor=4)
    s[B].bind(io, te.thread_axis("blockIdx.x"))
    s[B].bind(ii, threads)
    s[S].compute_at(s[B], B.op.reduce_axis[0])
    s[S].bind(s[S].op.axis[0], threads)
    module = lower(s, [A, B])
    text = str(module)
    assert [tag for _, tag in loops(text)].count("threadIdx.x") == 2
    assert '"shared">' in text
    x = random(A, {})
    scale = 1.0 if cached else 2.0
    (result,) = interpret(module, [x], [shape_of(B, {})], [B.dtype])
    assert abs(result - x[::-1].sum(axis=1) * scale).max() < 1e-4


def test_threads_share_a_reduction() -> None:
    """Its init stays with it: they combine what they have before the result starts from it."""
    A = te.placeholder((4, 6), name="A")
    k = te.reduce_axis((0, 6), name="k")
    B = te.compute((4,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    s[B].bind(B.op.axis[0], te.thread_axis("blockIdx.x"))
    s[B].bind(B.op.reduce_axis[0], te.thread_axis("threadIdx.x"))
    text = str(lower(s, [A, B]))
    assert loops(text) == [("i", "blockIdx.x"), ("k", "threadIdx.x")]
    assert "loop.init" in text
