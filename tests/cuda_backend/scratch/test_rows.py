"""Scratch that loops over blocks and threads allocate is each iteration's own: against numpy and the interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.interpreter import build as interpret
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def turned(kind: str, row: str, width: int, scratch: str) -> str:
    """Return a kernel: row i of the result is row i of the argument, turned by i + 1 positions in a scratch buffer and
    back by i."""
    type_ = f"memref<{width}xf32{scratch}>"
    return f"""func.func @main(%x: memref<6x{width}xf32>, %y: memref<6x{width}xf32> {{tw.output}}) {{
      loop.for %i = 0 to 6 kind {kind} {{
        %s = loop.alloc : {type_}
        {row} {{
          %v = loop.load %x[%i, %j] : memref<6x{width}xf32>
          loop.store %v, %s[(%j + %i + 1) mod {width}] : {type_}
        }}
        {row.replace("%j", "%k")} {{
          %w = loop.load %s[(%k + %i) mod {width}] : {type_}
          %t = arith.addf %w, %w : f32
          loop.store %t, %y[%i, %k] : memref<6x{width}xf32>
        }}
      }}
      func.return
    }}"""


def run(text: str, x: np.ndarray) -> tuple[np.ndarray, tilewright.runtime.Module]:
    """Return the result in the simulator, which is that of the interpreter, and the program."""
    module = tilewright.build(parse(text), target="cuda", device="simulator")
    result = module(x)
    np.testing.assert_array_equal(result, interpret(parse(text))(x))
    return result, module


SERIAL = "loop.for %j = 0 to {}"
THREADS = 'loop.for %j = 0 to {} kind thread<"threadIdx.x">'


@pytest.mark.parametrize("tag", ["blockIdx.x", "threadIdx.x", "threadIdx.y"])
@pytest.mark.parametrize(("width", "home"), [(1, "local"), (8, "local"), (300, "rows")])
def test_each_iteration_has_a_row(tag: str, width: int, home: str) -> None:
    x = np.random.default_rng(0).normal(size=(6, width)).astype(np.float32)
    result, module = run(turned(f'thread<"{tag}">', SERIAL.format(width), width, ""), x)
    np.testing.assert_array_equal(result, 2 * np.roll(x, 1, 1))
    source = module.get_source("cuda-python")
    assert ("cuda.local.array" in source) == (home == "local")
    assert "syncthreads" not in source


@pytest.mark.parametrize("width", [2, 33])
def test_a_block_has_a_row_that_its_threads_share(width: int) -> None:
    x = np.random.default_rng(0).normal(size=(6, width)).astype(np.float32)
    result, module = run(turned('thread<"blockIdx.x">', THREADS.format(width), width, ""), x)
    np.testing.assert_array_equal(result, 2 * np.roll(x, 1, 1))
    assert "syncthreads" in module.get_source("cuda-python")


def test_threads_of_an_axis_further_out_have_rows_that_others_share() -> None:
    """Each row of threads has scratch of its own."""
    x = np.random.default_rng(0).normal(size=(6, 8)).astype(np.float32)
    result, _ = run(turned('thread<"threadIdx.y">', THREADS.format(8), 8, ""), x)
    np.testing.assert_array_equal(result, 2 * np.roll(x, 1, 1))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("kinds", [("blockIdx.x", ""), ("threadIdx.x", ""), ("blockIdx.x", "threadIdx.x")])
def test_rows_of_symbolic_sizes(n: int, kinds: tuple[str, str]) -> None:
    size = te.var("n")
    a = te.placeholder((size, size), name="A")
    b = te.compute((size, size), lambda i, j: a[i, j] + 1, name="B")
    r = te.reduce_axis((0, size), "r")
    c = te.compute((size, size), lambda i, j: te.sum(b[i, r] * b[i, j], axis=r), name="C")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, c])}))
    i, j, _ = s.get_loops(s.get_block("C"))
    s.compute_at(s.get_block("B"), i)
    s.bind(i, kinds[0])
    if kinds[1]:
        s.bind(j, kinds[1])
        s.bind(s.get_loops(s.get_block("B"))[1], kinds[1])
    x = np.random.default_rng(n).integers(-4, 5, (n, n)).astype(np.float32)
    module = tilewright.build(s, target="cuda", device="simulator")
    np.testing.assert_array_equal(module(x), (x + 1).sum(1, keepdims=True) * (x + 1))


def test_bind_of_a_loop_with_scratch_and_of_a_fused_one() -> None:
    """Rows of fused loops, the product of two sizes of them: block and thread tell them apart."""
    n, m = te.var("n"), te.var("m")
    a = te.placeholder((n, m, 300), name="A")
    b = te.compute((n, m, 300), lambda i, j, k: a[i, j, k] * 3, name="B")
    c = te.compute((n, m, 300), lambda i, j, k: b[i, j, 299 - k] + 1, name="C")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, c])}))
    i, j, _ = s.get_loops(s.get_block("C"))
    block, thread = s.split(s.fuse(i, j), factor=4)
    s.compute_at(s.get_block("B"), thread)
    s.bind(block, "blockIdx.x")
    s.bind(thread, "threadIdx.x")
    module = tilewright.build(s, target="cuda", device="simulator")
    assert '"thread"' in module.get_source("cuda-python")
    for shape in ((3, 3, 300), (1, 1, 300), (0, 4, 300), (2, 0, 300)):
        x = np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)
        np.testing.assert_array_equal(module(x), x[..., ::-1] * 3 + 1)


def test_an_allocation_in_a_serial_loop_of_threads() -> None:
    text = """func.func @main(%x: memref<6x400xf32>, %y: memref<6xf32> {tw.output}) {
      loop.for %i = 0 to 6 kind thread<"threadIdx.x"> {
        loop.for %o = 0 to 3 {
          %s = loop.alloc : memref<400xf32>
          loop.for %j = 0 to 400 {
            %v = loop.load %x[%i, %j] : memref<6x400xf32>
            loop.store %v, %s[399 - %j] : memref<400xf32>
          }
          %w = loop.load %s[%o] : memref<400xf32>
          loop.store %w, %y[%i] : memref<6xf32>
        }
      }
      func.return
    }"""
    x = np.random.default_rng(0).normal(size=(6, 400)).astype(np.float32)
    np.testing.assert_array_equal(run(text, x)[0], x[:, 397])


def test_what_blocks_write_for_one_another_is_refused() -> None:
    """Sums of neighbours, by way of a buffer that all blocks have."""
    text = """func.func @main(%x: memref<8xf32>, %y: memref<7xf32> {tw.output}) {
      %s = loop.alloc : memref<8xf32>
      loop.for %i = 0 to 7 kind thread<"blockIdx.x"> {
        loop.for %j = 0 to 2 {
          %v = loop.load %x[%i + %j] : memref<8xf32>
          loop.store %v, %s[%i + %j] : memref<8xf32>
        }
        %w = loop.load %s[%i] : memref<8xf32>
        loop.store %w, %y[%i] : memref<7xf32>
      }
      loop.for %i = 0 to 7 kind thread<"blockIdx.x"> {
        %w = loop.load %s[%i + 1] : memref<8xf32>
        %v = loop.load %y[%i] : memref<7xf32>
        %t = arith.addf %w, %v : f32
        loop.store %t, %y[%i] : memref<7xf32>
      }
      func.return
    }"""
    with pytest.raises(TilewrightError) as refused:
        tilewright.build(parse(text), target="cuda", device="simulator")
    assert refused.value.code == "TW0537"
    assert "expected different blocks to write disjoint elements of %s" in refused.value.message
    assert any("both run at once" in note for note in refused.value.notes)
    assert refused.value.help


def test_kernels_that_share_an_arena_are_distinguished() -> None:
    """Two temporaries at one place of the arena: neither kernel races, and neither waits."""
    n = 64
    a = te.placeholder((n,), name="A")
    stages: list[Any] = [a]
    for step in range(4):
        stages.append(te.compute((n,), lambda i, last=stages[-1]: last[n - 1 - i] + 1, name=f"S{step}"))
    s = te.create_schedule(stages[-1].op)
    for stage in stages[1:]:
        block, thread = s[stage].split(stage.op.axis[0], factor=16)
        s[stage].bind(block, te.thread_axis("blockIdx.x"))
        s[stage].bind(thread, te.thread_axis("threadIdx.x"))
    module = tilewright.build(s, [a, stages[-1]], "cuda", device="simulator")
    assert "syncthreads" not in module.get_source("cuda-python")
    x = np.arange(n, dtype=np.float32)
    np.testing.assert_array_equal(module(x), x + 4)


def test_items_of_opencl_have_rows_too() -> None:
    source = tilewright.build(
        parse(turned('thread<"threadIdx.x">', SERIAL.format(8), 8, "")), target="opencl"
    ).get_source("cl")
    assert "float s[8];" in source and "barrier" not in source
    rows = tilewright.build(
        parse(turned('thread<"threadIdx.x">', SERIAL.format(300), 300, "")), target="opencl"
    ).get_source("cl")
    assert "i * 300" in rows and "barrier" not in rows


@pytest.mark.parametrize("m", [0, 1, 3])
def test_statements_beside_no_threads_run(m: int) -> None:
    """Sums of rows that threads copy first: of rows without elements, too."""
    n, k = te.var("n"), te.var("m")
    a = te.placeholder((n, k), name="A")
    b = te.compute((n, k), lambda i, j: a[i, j] * 2, name="B")
    r = te.reduce_axis((0, k), "r")
    c = te.compute((n,), lambda i: te.sum(b[i, r], axis=r), name="C")
    s = Schedule(tilewright.IRModule({"main": te.create_prim_func([a, c])}))
    i, _ = s.get_loops(s.get_block("C"))
    s.compute_at(s.get_block("B"), i)
    s.bind(i, "blockIdx.x")
    s.bind(s.get_loops(s.get_block("B"))[1], "threadIdx.x")
    module = tilewright.build(s, target="cuda", device="simulator")
    x = np.random.default_rng(0).integers(-4, 5, (4, m)).astype(np.float32)
    np.testing.assert_array_equal(module(x), 2 * x.sum(1))


def test_statements_beside_a_loop_over_zero_threads_run() -> None:
    text = """func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
      loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
        %v = loop.load %x[%b] : memref<4xf32>
        loop.store %v, %y[%b] : memref<4xf32>
        loop.for %t = 0 to 0 kind thread<"threadIdx.x"> {
          loop.store %v, %y[%t] : memref<4xf32>
        }
      }
      func.return
    }"""
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(run(text, x)[0], x)


def test_memory_of_a_thread_that_kernels_hand_over_is_written_by_one() -> None:
    """A buffer of scope local in front of both kernels is there once."""
    text = """func.func @main(%x: memref<2x4xf32>, %y: memref<2x4xf32> {tw.output}) {
      %p = loop.alloc : memref<2x4xf32, "local">
      %s = loop.alloc : memref<2x4xf32>
      loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {
        loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
          %v = loop.load %x[%b, %t] : memref<2x4xf32>
          loop.store %v, %s[%b, %t] : memref<2x4xf32>
        }
        loop.for %j = 0 to 4 {
          %v = loop.load %s[%b, 3 - %j] : memref<2x4xf32>
          loop.store %v, %p[%b, %j] : memref<2x4xf32, "local">
        }
      }
      loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {
        loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
          %v = loop.load %p[%b, %t] : memref<2x4xf32, "local">
          loop.store %v, %y[%b, %t] : memref<2x4xf32>
        }
      }
      func.return
    }"""
    x = np.arange(8, dtype=np.float32).reshape(2, 4)
    np.testing.assert_array_equal(run(text, x)[0], x[:, ::-1])
