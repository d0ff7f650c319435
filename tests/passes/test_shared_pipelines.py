"""Pipelines and double buffers in memory that the threads of a block share: one barrier an iteration, the same values.

The interpreter runs threads at once between barriers and finds races.
"""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import te
from tilewright.backends.c.kernels import opencl_functions
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.passes.manager import PassManager
from tilewright.passes.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import ops, parse


def rows_by_matrix(blocks: int, tiles: int, tile: int, *, on_buffer: str = "", on_loop: str = "") -> str:
    """C = A @ B, a block a row; its threads fetch a tile of the row of A together."""
    k, n = tiles * tile, max(tile, 4)
    a, b, c = f"memref<{blocks}x{k}xf32>", f"memref<{k}x{n}xf32>", f"memref<{blocks}x{n}xf32>"
    shared = f'memref<{tile}xf32, "shared">'
    return f"""
func.func @main(%A: {a} {{tw.name = "A"}}, %B: {b} {{tw.name = "B"}}, %C: {c} {{tw.name = "C", tw.output}}) {{
  %zero = arith.constant 0.0 : f32
  loop.for %b = 0 to {blocks} kind thread<"blockIdx.x"> {{
    %s = loop.alloc {on_buffer} : {shared}
    loop.for %t = 0 to {n} kind thread<"threadIdx.x"> {{
      %acc = loop.alloc : memref<1xf32, "local">
      loop.store %zero, %acc[0] : memref<1xf32, "local">
      loop.for %ko = 0 to {tiles} {on_loop} {{
        loop.for %u = 0 to {tile} kind thread<"threadIdx.x"> {{
          %x = loop.load %A[%b, %ko * {tile} + %u] : {a}
          loop.store %x, %s[%u] : {shared}
        }}
        loop.for %k = 0 to {tile} {{
          %p = loop.load %s[%k] : {shared}
          %q = loop.load %B[%ko * {tile} + %k, %t] : {b}
          %m = arith.mulf %p, %q : f32
          %v = loop.load %acc[0] : memref<1xf32, "local">
          %r = arith.addf %v, %m : f32
          loop.store %r, %acc[0] : memref<1xf32, "local">
        }}
      }}
      %r = loop.load %acc[0] : memref<1xf32, "local">
      loop.store %r, %C[%b, %t] : {c}
    }}
  }}
  func.return
}}"""


def lowered(text: str) -> ModuleOp:
    module = parse(text)
    passes = "unify-thread-binding,software-pipeline,double-buffer,partition-loops,reuse-storage,insert-barriers"
    with collect_remarks() as remarks:
        PassManager(parse_pipeline(passes)).run(context(), module)
    assert not [r for r in remarks if r.code == "TW0423"]
    return module


def check(module: ModuleOp, blocks: int, tiles: int, tile: int) -> None:
    a = np.random.default_rng(0).integers(-3, 4, (blocks, tiles * tile)).astype(np.float32)
    b = np.random.default_rng(1).integers(-3, 4, (tiles * tile, max(tile, 4))).astype(np.float32)
    c = np.zeros((blocks, max(tile, 4)), np.float32)
    run(module, "main", a, b, c)
    np.testing.assert_array_equal(c, a @ b, err_msg=str(module))


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 2), st.integers(1, 4), st.sampled_from([2, 3, 4, 6]), st.integers(1, 4), st.booleans())
def test_shared_tiles(blocks: int, tiles: int, tile: int, stages: int, is_doubled: bool) -> None:
    if is_doubled:
        text = rows_by_matrix(blocks, tiles, tile, on_buffer="attributes {tw.double_buffer}")
    else:
        text = rows_by_matrix(blocks, tiles, tile, on_loop=f"attributes {{num_stages = {stages}}}")
    module = lowered(text)
    (shared,) = (op for op in ops(module, loop.AllocOp) if loop.scope_of(op.res.type) == "shared")
    # Of one iteration nothing changes places.
    versions = 2 if is_doubled else stages if tiles > 1 else 1
    assert shared.res.type.get_shape() == ((versions, tile) if versions > 1 else (tile,))
    check(module, blocks, tiles, tile)


DOUBLED = {"on_buffer": "attributes {tw.double_buffer}"}
PIPELINED = {"on_loop": "attributes {num_stages = 2}"}


@pytest.mark.parametrize("how", [DOUBLED, PIPELINED])
def test_two_copies_halve_the_barriers(how: dict[str, str]) -> None:
    """With one copy threads wait before they fill it and before they read it."""

    def barriers(module: ModuleOp) -> int:
        loops = [op for op in module.walk() if isinstance(op, loop.ForOp) and op.kind == loop.SERIAL]
        counts = [sum(isinstance(n, loop.BarrierOp) for n in op.body.block.ops) for op in loops]
        return next(n for n in counts if n)

    single, doubled = lowered(rows_by_matrix(2, 4, 4)), lowered(rows_by_matrix(2, 4, 4, **how))
    assert (barriers(single), barriers(doubled)) == (2, 1)
    (host,) = opencl_functions(doubled)
    assert "__local float s[2][4]" in host.kernels[0].text


def tiled_matmul(n: int, how: str):
    """A tile a block; its threads fetch tiles of A and B together, ahead of time where `how` says so."""
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    copies = [s.cache_read(a, "shared", [c]), s.cache_read(b, "shared", [c])]
    sums = s.cache_write(c, "local")
    bx, tx = s[c].split(c.op.axis[0], factor=4)
    by, ty = s[c].split(c.op.axis[1], factor=4)
    s[c].reorder(bx, by, tx, ty)
    for axis, tag in ((bx, "blockIdx.x"), (by, "blockIdx.y"), (tx, "threadIdx.x"), (ty, "threadIdx.y")):
        s[c].bind(axis, te.thread_axis(tag))
    s[sums].compute_at(s[c], ty)
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=4)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for copy in copies:
        s[copy].compute_at(s[sums], ko)
        for axis, tag in zip(copy.op.axis, ("threadIdx.x", "threadIdx.y"), strict=True):
            s[copy].bind(axis, te.thread_axis(tag))
        if how == "doubled":
            s[copy].double_buffer()
    if how == "pipelined":
        s[sums].pragma(ko, "num_stages", 3)
    return s, [a, b, c]


@pytest.mark.parametrize("n", [12, 14])
@pytest.mark.parametrize(("how", "copies"), [("plain", 1), ("doubled", 2), ("pipelined", 3)])
def test_a_matmul_of_te(n: int, how: str, copies: int) -> None:
    s, tensors = tiled_matmul(n, how)
    built = tilewright.build(s, tensors, "opencl")
    assert f"__local float A_shared[{16 * copies}]" in built.get_source("cl")
    module = parse(built.get_source("mlir"))
    a, b = np.random.default_rng(n).integers(-3, 4, (2, n, n)).astype(np.float32)
    c = np.zeros((n, n), np.float32)
    run(module, "main", a, b, c)
    np.testing.assert_array_equal(c, a @ b)


def with_virtual_threads(n: int, is_doubled: bool):
    """As `tiled_matmul`, but each thread computes 2 by 2 tiles at a distance, and as many elements of each."""
    a, b = te.placeholder((n, n), name="A"), te.placeholder((n, n), name="B")
    k = te.reduce_axis((0, n), name="k")
    c = te.compute((n, n), lambda i, j: te.sum(a[i, k] * b[k, j], axis=k), name="C")
    s = te.create_schedule(c.op)
    copies = [s.cache_read(a, "shared", [c]), s.cache_read(b, "shared", [c])]
    sums = s.cache_write(c, "local")
    order: list[list[object]] = []
    for axis, space in zip(c.op.axis, "yx", strict=True):
        block, inner = s[c].split(axis, factor=8)
        virtual, inner = s[c].split(inner, nparts=2)
        thread, inner = s[c].split(inner, nparts=2)
        order.append([block, virtual, thread, inner])
        s[c].bind(block, te.thread_axis(f"blockIdx.{space}"))
        s[c].bind(virtual, te.thread_axis("vthread"))
        s[c].bind(thread, te.thread_axis(f"threadIdx.{space}"))
    s[c].reorder(*(axis for pair in zip(*order, strict=True) for axis in pair))
    s[sums].compute_at(s[c], order[1][2])
    ko, ki = s[sums].split(s[sums].op.reduce_axis[0], factor=4)
    s[sums].reorder(ko, ki, *s[sums].op.axis)
    for copy in copies:
        s[copy].compute_at(s[sums], ko)
        for axis, space in zip(copy.op.axis, "yx", strict=True):
            outer, _ = s[copy].split(axis, nparts=2)
            s[copy].bind(outer, te.thread_axis(f"threadIdx.{space}"))
        if is_doubled:
            s[copy].double_buffer()
    return s, [a, b, c]


@pytest.mark.parametrize("n", [16, 13])
@pytest.mark.parametrize("is_doubled", [False, True])
def test_virtual_threads_share_what_all_of_them_read(n: int, is_doubled: bool) -> None:
    s, tensors = with_virtual_threads(n, is_doubled)
    built = tilewright.build(s, tensors, "opencl")
    assert f"__local float A_shared[{64 if is_doubled else 32}]" in built.get_source("cl")
    a, b = np.random.default_rng(n).integers(-3, 4, (2, n, n)).astype(np.float32)
    c = np.zeros((n, n), np.float32)
    run(parse(built.get_source("mlir")), "main", a, b, c)
    np.testing.assert_array_equal(c, a @ b)
