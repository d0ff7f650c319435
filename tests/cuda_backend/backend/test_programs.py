"""Whole programs in the simulator: launches in order, memory between them, sizes, strides, calls, types."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
import tilewright
from tilewright import te, tir

RANDOM = np.random.default_rng(0)


def test_kernels_run_in_order_and_share_temporaries() -> None:
    n = te.var("n")
    a = te.placeholder((n,), name="A")
    b = te.compute((n,), lambda i: a[i] + 1.0, name="B")
    c = te.compute((n,), lambda i: b[n - 1 - i] * 2.0, name="C")
    schedule = te.create_schedule(c.op)
    for stage in (b, c):
        block, thread = schedule[stage].split(stage.op.axis[0], factor=32)
        schedule[stage].bind(block, te.thread_axis("blockIdx.x"))
        schedule[stage].bind(thread, te.thread_axis("threadIdx.x"))
    module = tilewright.build(schedule, [a, c], "cuda", device="simulator")
    for size in (1, 31, 32, 33, 100):
        x = RANDOM.normal(size=size).astype(np.float32)
        np.testing.assert_array_equal(module(x), (x[::-1] + np.float32(1)) * np.float32(2))


def test_calls_become_launches_and_their_workspaces_one_arena() -> None:
    text = """
    func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) attributes {tw.scheduled} {
      %t = loop.alloc : memref<64xf32>
      func.call @twice(%x, %t) : (memref<64xf32>, memref<64xf32>) -> ()
      func.call @twice(%t, %y) : (memref<64xf32>, memref<64xf32>) -> ()
      func.return
    }
    func.func private @twice(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) attributes {tw.scheduled} {
      %s = loop.alloc : memref<64xf32>
      loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
        %a = loop.load %x[%i] : memref<64xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %s[63 - %i] : memref<64xf32>
      }
      loop.for %i = 0 to 64 kind thread<"threadIdx.x"> {
        %a = loop.load %s[%i] : memref<64xf32>
        loop.store %a, %y[%i] : memref<64xf32>
      }
      func.return
    }"""
    from tilewright.dialects import context
    from xdsl.parser import Parser

    module = tilewright.compile(Parser(context(), text).parse_module(), "cuda", device="simulator")
    assert module.get_source().count("\ndef ") == 2  # each of the two calls launches the same two
    for _ in range(2):  # the second call finds the arena of the first
        x = RANDOM.normal(size=64).astype(np.float32)
        np.testing.assert_array_equal(module(x), x * 4)
    assert "arena" not in module.get_source()


def test_constants_are_arrays_of_the_device() -> None:
    text = """
    func.func @main(%x: memref<4xi32>, %y: memref<4xi32> {tw.output}) attributes {tw.scheduled} {
      %w = loop.constant dense<[3, 1, 4, 1]> : memref<4xi32>
      loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
        %a = loop.load %x[%i] : memref<4xi32>
        %b = loop.load %w[3 - %i] : memref<4xi32>
        %c = arith.muli %a, %b : i32
        loop.store %c, %y[%i] : memref<4xi32>
      }
      func.return
    }"""
    from tilewright.dialects import context
    from xdsl.parser import Parser

    module = tilewright.compile(Parser(context(), text).parse_module(), "cuda", device="simulator")
    x = np.array([1, 2, 3, 1 << 30], np.int32)
    np.testing.assert_array_equal(module(x), np.array([1, 8, 3, -(1 << 30)], np.int32))


def test_arguments_with_strides() -> None:
    n = te.var("n")
    a, b = te.placeholder((n,), name="A"), te.placeholder((n,), name="B")
    c = te.compute((n,), lambda i: a[i] * b[i], name="C")
    schedule = te.create_schedule(c.op)
    block, thread = schedule[c].split(c.op.axis[0], factor=32)
    schedule[c].bind(block, te.thread_axis("blockIdx.x"))
    schedule[c].bind(thread, te.thread_axis("threadIdx.x"))
    buffers = {t: tir.decl_buffer(t.shape, t.dtype, strides=[te.var(f"stride{k}")]) for k, t in enumerate((a, b, c))}
    module = tilewright.build(schedule, [a, b, c], "cuda", binds=buffers, device="simulator")
    storage = RANDOM.normal(size=(3, 200)).astype(np.float32)
    x, y, z = storage[0, :50], storage[1, ::2][:50], storage[2, 3::3][:50]
    before = storage[2].copy()
    module(x, y, z)
    np.testing.assert_array_equal(z, x * y)
    untouched = np.ones(200, bool)
    untouched[3::3][:50] = False
    np.testing.assert_array_equal(storage[2][untouched], before[untouched])


@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16", "int8", "uint8", "int64"])
def test_element_types(dtype: str) -> None:
    a, b = (te.placeholder((70,), dtype, name=name) for name in "AB")
    c = te.compute((70,), lambda i: a[i] * b[i] + a[i], name="C")
    schedule = te.create_schedule(c.op)
    block, thread = schedule[c].split(c.op.axis[0], factor=32)
    schedule[c].bind(block, te.thread_axis("blockIdx.x"))
    schedule[c].bind(thread, te.thread_axis("threadIdx.x"))
    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype).type
    values = RANDOM.normal(0, 50, (2, 70)) if "float" in dtype else RANDOM.integers(0, 100, (2, 70))
    x, y = values.astype(kind)
    with tilewright.transform.PassContext(disabled_pass=["contract-fma"]):
        actual = tilewright.build(schedule, [a, b, c], "cuda", device="simulator")(x, y)
    expected = tilewright.build(te.create_schedule(c.op), [a, b, c], "interpreter")(x, y)
    np.testing.assert_array_equal(actual.astype(np.float64), expected.astype(np.float64))


def test_a_reduction_across_threads() -> None:
    """Partial sums of the warps of a block meet in shared memory."""
    rows, columns, threads = 3, 192, 64
    a = te.placeholder((rows, columns), name="A")
    k = te.reduce_axis((0, columns), name="k")
    b = te.compute((rows,), lambda i: te.sum(a[i, k], axis=k), name="B")
    schedule = te.create_schedule(b.op)
    _, inner = schedule[b].split(k, factor=threads)
    partial = schedule.rfactor(b, inner)
    schedule[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    schedule[b].bind(schedule[b].op.reduce_axis[0], te.thread_axis("threadIdx.x"))
    schedule[partial].compute_at(schedule[b], schedule[b].op.reduce_axis[0])
    module = tilewright.build(schedule, [a, b], "cuda", device="simulator")
    assert "cuda.syncthreads()" in module.get_source()
    x = RANDOM.normal(size=(rows, columns)).astype(np.float32)
    np.testing.assert_allclose(module(x), x.sum(1, dtype=np.float64), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("doubled", [False, True])
def test_tiles_that_are_fetched_ahead(doubled: bool) -> None:
    """While the threads of a block work on one tile in shared memory, they fetch the next into the other half."""
    n, threads, depth = 32, 8, 8
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    schedule = te.create_schedule(c.op)
    tile = schedule.cache_read(b, "shared", [c])
    total = schedule.cache_write(c, "local")
    i, j = c.op.axis
    column, thread = schedule[c].split(j, factor=threads)
    schedule[c].bind(i, te.thread_axis("blockIdx.y"))
    schedule[c].bind(column, te.thread_axis("blockIdx.x"))
    schedule[c].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[total].compute_at(schedule[c], thread)
    outer, _ = schedule[total].split(schedule[total].op.reduce_axis[0], factor=depth)
    schedule[tile].compute_at(schedule[total], outer)
    schedule[tile].bind(tile.op.axis[1], te.thread_axis("threadIdx.x"))
    schedule[tile].storage_align(tile.op.axis[0], 16, 1)
    if doubled:
        schedule[tile].double_buffer()
    module = tilewright.build(schedule, [a, b, c], "cuda", device="simulator")
    assert "B_shared[uint64(" in module.get_source() and " * 17 + " in module.get_source()  # rows are 17 elements apart
    x, y = RANDOM.normal(size=(2, n, n)).astype(np.float32)
    np.testing.assert_allclose(module(x, y), x.astype(np.float64) @ y, rtol=1e-4, atol=1e-5)


def test_virtual_threads() -> None:
    n = 64
    a = te.placeholder((n, n), name="A")
    b = te.compute((n, n), lambda i, j: a[j, i], name="B")
    schedule = te.create_schedule(b.op)
    virtual, inner = schedule[b].split(b.op.axis[1], nparts=2)
    schedule[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    schedule[b].bind(virtual, te.thread_axis("vthread"))
    schedule[b].bind(inner, te.thread_axis("threadIdx.x"))
    x = RANDOM.normal(size=(n, n)).astype(np.float32)
    np.testing.assert_array_equal(tilewright.build(schedule, [a, b], "cuda", device="simulator")(x), x.T)
