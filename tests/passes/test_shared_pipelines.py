"""Pipelines and double buffers in memory that the threads of a block share: one barrier an iteration, the same values.

The interpreter runs threads at once between barriers and finds races.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
import tilewright
from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright import te
from tilewright.backends.c.kernels import opencl_functions
from tilewright.diagnostics.remarks import Remark, collect_remarks
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import ops, parse


def rows_by_matrix(blocks: int, tiles: int, tile: int, *, on_buffer: str = "", on_loop: str = "") -> str:
    """Return C = A @ B, a block a row; its threads fetch a tile of the row of A together."""
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
    return lowered_with_remarks(text)[0]


def lowered_with_remarks(text: str) -> tuple[ModuleOp, list[Remark]]:
    module = parse(text)
    passes = "unify-thread-binding,software-pipeline,double-buffer,partition-loops,reuse-storage,insert-barriers"
    with collect_remarks() as remarks:
        PassManager(parse_pipeline(passes)).run(context(), module)
    assert not [r for r in remarks if r.code == "TW0423"]
    return module, remarks


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


SM_80 = 'module attributes {tw.target = #target.cuda<arch "sm_80", max_threads 1024, shared 49152, warp 32>}'
ASYNCHRONOUS = "num_stages = 2, software_pipeline_async_stages = [0]"
FETCH = 'kind thread<"threadIdx.x"> {\n          %x = loop.load %A[%b, %ko * 4 + %u] : memref<2x16xf32>'
READ_ALONE = """\
        %w = loop.load %s[0] : memref<4xf32, "shared">
        loop.store %w, %last[0] : memref<1xf32, "local">
"""
"""A statement that stands in the pipelined loop itself."""
FETCHED = 'loop.store %x, %s[%u] : memref<4xf32, "shared">'


def with_asynchronous_copies(changes: Mapping[str, str]) -> tuple[ModuleOp, list[str]]:
    """Return rows of four threads by a matrix, whose copies are to be asynchronous, lowered, and the reasons why they
    are not."""
    text = f"{SM_80} {{{rows_by_matrix(2, 4, 4, on_loop=f'attributes {{{ASYNCHRONOUS}}}')}\n}}"
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    module, remarks = lowered_with_remarks(text)
    check(module, 2, 4, 4)
    prefix = "copies of a pipeline are not asynchronous: "
    return module, [r.message.removeprefix(prefix) for r in remarks if r.code == "TW0666"]


def test_copies_to_shared_memory_are_asynchronous() -> None:
    module, reasons = with_asynchronous_copies({})
    assert not reasons
    copies = [op for op in ops(module, loop.StoreOp) if loop.ASYNC in op.attributes]
    assert {loop.scope_of(op.buffer.type) for op in copies} == {loop.SHARED}
    assert ops(module, loop.AsyncWaitOp)


def test_a_statement_without_a_loop_waits_for_copies_too() -> None:
    """It runs a step before the other one that reads them."""
    changes = {
        "num_stages = 2": "software_pipeline_stage = [0, 1, 2]",
        "      %acc": '      %last = loop.alloc : memref<1xf32, "local">\n      %acc',
        "        loop.for %k": f"{READ_ALONE}        loop.for %k",
    }
    module, reasons = with_asynchronous_copies(changes)
    assert not reasons
    waiting = [
        block
        for block in (op.body.block for op in ops(module, loop.ForOp))
        if any(isinstance(op, loop.AsyncWaitOp) for op in block.ops)
    ]
    assert len(waiting) == 2  # of the steps before and after the steady ones, and of those
    for block in waiting:
        reads = [isinstance(op, loop.LoadOp) and loop.scope_of(op.buffer.type) == loop.SHARED for op in block.ops]
        waits = [isinstance(op, loop.AsyncWaitOp) for op in block.ops]
        assert any(reads) and waits.index(True) < reads.index(True), str(module)


NOT_ASYNCHRONOUS = {
    "an older processor": ({"sm_80": "sm_75"}, "the target has no such copies"),
    "several bounds": ({"%ko = 0 to 4": "%ko = 0 to min(4, %b + 4)"}, "the loop has several bounds"),
    "of what uses them": ({"stages = [0]": "stages = [1]"}, "they are not made in the first stage"),
    "of no stage": ({"stages = [0]": "stages = [2]"}, "they are not made in the first stage"),
    "one stage": ({"num_stages = 2": "num_stages = 1"}, "the loop has one stage"),
    "used at once": (
        {
            "num_stages = 2": "software_pipeline_stage = [0, 0, 1]",
            "      %acc": '      %last = loop.alloc : memref<1xf32, "local">\n      %acc',
            "        loop.for %k": f"{READ_ALONE}        loop.for %k",
        },
        "statement 1 needs them in the stage that makes them",
    ),
    "to private memory": (
        {
            '    %s = loop.alloc  : memref<4xf32, "shared">\n': "",
            "        loop.for %u": '        %s = loop.alloc : memref<4xf32, "local">\n        loop.for %u',
            '%u = 0 to 4 kind thread<"threadIdx.x">': "%u = 0 to 4",
            '"shared"': '"local"',
        },
        "one of them does not go to shared memory",
    ),
    "from private memory": (
        {
            "      loop.for %ko": """\
      %own = loop.alloc : memref<16xf32, "local">
      loop.for %c = 0 to 16 {
        %x = loop.load %A[%b, %c] : memref<2x16xf32>
        loop.store %x, %own[%c] : memref<16xf32, "local">
      }
      loop.for %ko""",
            "%A[%b, %ko * 4 + %u] : memref<2x16xf32>": '%own[%ko * 4 + %u] : memref<16xf32, "local">',
        },
        "one of them converts or computes elements",
    ),
    "used by nothing": (
        {'%s[%k] : memref<4xf32, "shared">': "%A[%b, %ko * 4 + %k] : memref<2x16xf32>"},
        "nothing uses them",
    ),
    "computed": (
        {FETCH: f"{FETCH}\n          %y = arith.addf %x, %zero : f32", FETCHED: FETCHED.replace("%x", "%y")},
        "one of them converts or computes elements",
    ),
    "stored under a guard": (
        {FETCHED: FETCHED.replace("%s[%u]", "%s[%u] where (%u < 4)")},
        "one of them is guarded",
    ),
    "loaded under a guard": (
        {"%u] : memref<2x16xf32>": "%u] where (%u < 4) else %zero : memref<2x16xf32>"},
        "one of them is guarded",
    ),
}


@pytest.mark.parametrize("case", NOT_ASYNCHRONOUS)
def test_other_copies_are_made_at_once(case: str) -> None:
    changes, reason = NOT_ASYNCHRONOUS[case]
    module, reasons = with_asynchronous_copies(changes)
    assert reasons == [reason]
    assert not any(loop.ASYNC in op.attributes for op in module.walk())
    assert not ops(module, loop.AsyncWaitOp)


def tiled_matmul(n: int, how: str):
    """Schedule a product, a tile a block; its threads fetch tiles of A and B together, ahead of time where `how` says
    so."""
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
    """Schedule as `tiled_matmul` does, but each thread computes 2 by 2 tiles at a distance, and as many elements of
    each."""
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
