"""Remarks where memory is not of the scope that a schedule asks for: a name, a line and the reason."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te
from tilewright.passes import collect_remarks

THREADS = te.thread_axis((0, 32), "threadIdx.x")
BLOCKS = te.thread_axis("blockIdx.x")


def staged(mirrored: bool, inside: bool, bound: bool) -> tuple[te.Schedule, list[te.Tensor]]:
    """Return a copy of 128 elements by way of shared memory, turned around in each block or not."""
    A = te.placeholder((128,), name="A")
    B = te.compute((128,), lambda i: A[i // 32 * 32 + 31 - i % 32] if mirrored else A[i], name="B")
    s = te.create_schedule(B.op)
    copy = s.cache_read(A, "shared", [B])
    block, thread = s[B].split(B.op.axis[0], factor=32)
    s[B].bind(block, BLOCKS)
    s[B].bind(thread, THREADS)
    if inside:
        s[copy].compute_at(s[B], block)
    if bound:
        s[copy].bind(copy.op.axis[0], THREADS)
    return s, [A, B]


def result_outside(scope: str, inside: bool) -> tuple[te.Schedule, list[te.Tensor]]:
    """Return results kept in memory of a thread, computed in loops of another kernel or in those of their reader."""
    A = te.placeholder((16, 8), name="A")
    k = te.reduce_axis((0, 8), "k")
    B = te.compute((16,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    kept = s.cache_write(B, scope)
    s[B].bind(B.op.axis[0], te.thread_axis("threadIdx.x"))
    if inside:
        s[kept].compute_at(s[B], B.op.axis[0])
    else:
        s[kept].bind(kept.op.axis[0], te.thread_axis("threadIdx.x"))
    return s, [A, B]


ROWS: dict[str, tuple[Callable[[], tuple[te.Schedule, list[te.Tensor]]], list[str]]] = {
    "threads read what others fetched": (lambda: staged(True, True, True), []),
    "each thread reads what it fetched": (
        lambda: staged(False, True, True),
        ["shared buffer %A_shared becomes memory of each thread: no two threads access one of its elements"],
    ),
    "a stage without threads": (
        lambda: staged(True, True, False),
        ["shared buffer %A_shared is filled by one thread: no loop around the statement is bound to threadIdx.x"],
    ),
    "results of a thread": (lambda: result_outside("local", True), []),
    "results outside of the kernel": (
        lambda: result_outside("local", False),
        ["local buffer %B_local becomes global memory: it is allocated outside of the loops over blocks and threads"],
    ),
    "results in global memory": (lambda: result_outside("global", False), []),
}


@pytest.mark.parametrize("target", ["cuda", "opencl"])
def test_replaced_scopes_are_remarked(target: str) -> None:
    wrong: list[str] = []
    for name, (make, expected) in ROWS.items():
        options = {"device": "simulator"} if target == "cuda" else {}
        with collect_remarks() as remarks:
            built = tvm.build(*make(), target, **options)
        found = [remark for remark in remarks if remark.code == "TW0674"]
        if [remark.message for remark in found] != expected:
            wrong.append(f"{name}: {[str(remark) for remark in found]}")
        if any(Path(__file__).name not in str(remark) for remark in found):
            wrong.append(f"{name}: no line in {[str(remark) for remark in found]}")
        if target == "cuda":
            a = np.random.default_rng(0).random(built.signature.inputs[0].shape, np.float32)
            turned = "others" in name or "stage" in name
            values = a.sum(1) if a.ndim == 2 else a.reshape(4, 32)[:, ::-1].reshape(-1) if turned else a
            np.testing.assert_allclose(built(a), values, rtol=1e-5)
    assert wrong == []
