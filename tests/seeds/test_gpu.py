"""Programs for a GPU as users write them, in the simulator against numpy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright as tvm
from tilewright import te, tir

RANDOM = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.standard_normal(shape, np.float32)


def test_a_copy_through_shared_memory_and_registers() -> None:
    """Blocks of 32 elements turned around: each thread reads what another one fetched to shared memory."""
    A = te.placeholder((128,), name="A")
    B = te.compute((128,), lambda i: A[i // 32 * 32 + 31 - i % 32], name="B")
    s = te.create_schedule(B.op)
    AA = s.cache_read(A, "shared", [B])
    AL = s.cache_read(AA, "local", [B])
    block, thread = s[B].split(B.op.axis[0], factor=32)
    s[B].bind(block, te.thread_axis("blockIdx.x"))
    s[B].bind(thread, te.thread_axis((0, 32), "threadIdx.x"))
    s[AA].compute_at(s[B], block)
    s[AA].bind(AA.op.axis[0], te.thread_axis((0, 32), "threadIdx.x"))
    s[AL].compute_at(s[B], thread)
    text = str(tvm.lower(s, [A, B], simple_mode=True))
    assert '"shared"' in text and '"local"' in text
    module = tvm.build(s, [A, B], target="cuda", device="simulator")
    a = numbers(128)
    np.testing.assert_array_equal(module(a), a.reshape(4, 32)[:, ::-1].reshape(-1))
    source = module.imported_modules[0].get_source()
    written, read = source.index("A_shared["), source.rindex("A_shared[")
    assert "cuda.shared.array(32, float32)" in source
    assert written < source.index("cuda.syncthreads()") < read
    assert source[written:].split("]")[0] != source[read:].split("]")[0]


def test_a_reduce_axis_bound_to_threads() -> None:
    n = 64
    A = te.placeholder((n, n), name="A")
    k = te.reduce_axis((0, n), "k")
    B = te.compute((n,), lambda i: te.sum(A[i, k], axis=k), name="B")
    s = te.create_schedule(B.op)
    _, ki = s[B].split(B.op.reduce_axis[0], factor=16)
    s[B].bind(B.op.axis[0], te.thread_axis("blockIdx.x"))
    s[B].bind(ki, te.thread_axis("threadIdx.x"))
    module = tvm.build(s, [A, B], target="cuda", device="simulator")
    a = numbers(n, n)
    np.testing.assert_allclose(module(a), a.sum(1), rtol=1e-4, atol=1e-4)


def test_vectors_of_two_and_loops_that_are_written_out() -> None:
    A = te.placeholder((16, 64), name="A")
    B = te.compute((16, 64), lambda i, j: A[i, j] * 2.0, name="B")
    s = te.create_schedule(B.op)
    i, j = B.op.axis
    outer, lanes = s[B].split(j, factor=2)
    thread, inner = s[B].split(outer, factor=4)
    s[B].bind(i, te.thread_axis("blockIdx.x"))
    s[B].bind(thread, te.thread_axis("threadIdx.x"))
    s[B].unroll(inner)
    s[B].vectorize(lanes)
    module = tvm.build(s, [A, B], target="cuda", device="simulator")
    assert "load2(" in module.imported_modules[0].get_source()
    a = numbers(16, 64)
    np.testing.assert_array_equal(module(a), a * 2)


def test_more_dimensions_than_axes_of_threads() -> None:
    """Four dimensions: two of them are fused, and the loop of both is bound."""
    A = te.placeholder((2, 3, 5, 8), name="A")
    B = te.compute((2, 3, 5, 8), lambda n, c, h, w: A[n, c, h, w] + 1.0, name="B")
    s = te.create_schedule(B.op)
    n, c, h, w = B.op.axis
    for axis, tag in ((s[B].fuse(n, c), "blockIdx.z"), (h, "blockIdx.y"), (w, "threadIdx.x")):
        s[B].bind(axis, te.thread_axis(tag))
    module = tvm.build(s, [A, B], target="cuda", device="simulator")
    a = numbers(2, 3, 5, 8)
    np.testing.assert_array_equal(module(a), a + 1)


def interactive_product(n: int, tile: int, depth: int) -> Any:
    """Return a product scheduled block by block: tiles in shared memory, results in registers."""
    A, B = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), "k")
    C = te.compute((n, n), lambda i, j: te.sum(A[i, k] * B[k, j], axis=k), name="C")
    sch = tir.Schedule(tvm.IRModule({"main": te.create_prim_func([A, B, C])}))
    block = sch.get_block("C")
    i, j, k = sch.get_loops(block)
    by, ty = sch.split(i, factors=[None, tile])
    bx, tx = sch.split(j, factors=[None, tile])
    ko, ki = sch.split(k, factors=[None, depth])
    sch.reorder(by, bx, ty, tx, ko, ki)
    sch.bind(by, "blockIdx.y")
    sch.bind(bx, "blockIdx.x")
    sch.bind(ty, "threadIdx.y")
    sch.bind(tx, "threadIdx.x")
    result = sch.cache_write(block, 0, "local")
    sch.reverse_compute_at(result, tx)
    for copy in [sch.cache_read(block, operand, "shared") for operand in (0, 1)]:
        sch.compute_at(copy, ko)
        rows, columns = sch.get_loops(copy)[-2:]
        fused = sch.fuse(rows, columns)
        _, fy, fx = sch.split(fused, factors=[None, tile, tile])
        sch.bind(fy, "threadIdx.y")
        sch.bind(fx, "threadIdx.x")
    return sch


def test_a_product_scheduled_interactively() -> None:
    n = 16
    sch = interactive_product(n, 4, 4)
    assert 'kind thread<"threadIdx.y">' in sch.mod.script()
    module = tvm.build(sch.mod, target="cuda", device="simulator")
    source = module.imported_modules[0].get_source()
    assert "cuda.shared.array(" in source and "cuda.syncthreads()" in source
    a, b = numbers(n, n), numbers(n, n)
    np.testing.assert_allclose(module(a, b), a @ b, rtol=1e-4, atol=1e-4)


def test_source_of_the_kernels_is_that_of_the_imported_module() -> None:
    A = te.placeholder((64,), name="A")
    B = te.compute((64,), lambda i: A[i] + 1.0, name="B")
    s = te.create_schedule(B.op)
    s[B].bind(B.op.axis[0], te.thread_axis("threadIdx.x"))
    module = tvm.build(s, [A, B], target="cuda", device="simulator", name="plus")
    device = module.imported_modules[0]
    assert "def plus_kernel0(" in device.get_source() and "threadIdx.x" in device.get_source()
