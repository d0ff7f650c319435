"""Calls that are refused before any kernel is launched, each with its code."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda.checks import check_barriers
from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from xdsl.parser import Parser


def elementwise(extents, bindings, target: str = "cuda", shape=None):
    """Build B = A + 1 with each axis bound to what `bindings` says; None leaves it unbound."""
    a = te.placeholder(shape or extents, name="A")
    b = te.compute(a.shape, lambda *i: a(*i) + 1.0, name="B")
    schedule = te.create_schedule(b.op)
    for axis, tag in zip(b.op.axis, bindings, strict=True):
        if tag is not None:
            schedule[b].bind(axis, te.thread_axis(tag))
    return tilewright.build(schedule, [a, b], target, device="simulator")


def refused(code: str, act) -> TilewrightError:
    with pytest.raises(TilewrightError) as raised:
        act()
    assert raised.value.code == code, raised.value
    return raised.value


def test_a_loop_that_no_thread_runs() -> None:
    error = refused("TW0630", lambda: elementwise((4,), [None]))
    assert "expected loop %" in error.message and "to be bound" in error.message
    assert "blockIdx" in (error.help or "")
    # The outer loop would run on the host.
    refused("TW0630", lambda: elementwise((4, 4), [None, "threadIdx.x"]))


def test_a_function_without_loops(parse) -> None:
    text = "func.func @main(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) { func.return }"
    refused("TW0630", lambda: build(parse(text)))


@pytest.mark.parametrize(
    ("extents", "bindings"),
    [
        ((2048,), ["threadIdx.x"]),
        ((64, 32), ["threadIdx.y", "threadIdx.x"]),
        ((4, 1025), ["blockIdx.x", "threadIdx.x"]),
    ],
)
def test_too_many_threads_in_a_block(extents, bindings) -> None:
    error = refused("TW0636", lambda: elementwise(extents, bindings))
    assert "at most 1024 threads" in error.message


def test_a_target_says_how_many_threads() -> None:
    assert elementwise((512,), ["threadIdx.x"])(np.zeros(512, np.float32))[0] == 1
    refused("TW0636", lambda: elementwise((512,), ["threadIdx.x"], "cuda -max-threads=256"))


def test_threads_are_counted_at_launch_where_sizes_come_then() -> None:
    module = elementwise(None, ["threadIdx.x"], shape=(te.var("n"),))
    assert module(np.zeros(1024, np.float32))[1023] == 1
    assert module(np.zeros(0, np.float32)).shape == (0,)
    refused("TW0636", lambda: module(np.zeros(1025, np.float32)))


def test_more_along_an_axis_than_there_are() -> None:
    assert "blockIdx.y" in refused("TW0639", lambda: elementwise((65536, 1), ["blockIdx.y", "threadIdx.x"])).message
    assert "threadIdx.z" in refused("TW0639", lambda: elementwise((65, 2), ["threadIdx.z", "threadIdx.x"])).message
    module = elementwise(None, ["blockIdx.z"], shape=(te.var("n"),))
    refused("TW0639", lambda: module(np.zeros(65536, np.float32)))


def staged(width: int, target: str = "cuda"):
    """Build a program in which each block reads its row by way of shared memory."""
    a = te.placeholder((2, width), name="A")
    b = te.compute((2, width), lambda i, j: a[i, width - 1 - j], name="B")
    schedule = te.create_schedule(b.op)
    copy = schedule.cache_read(a, "shared", [b])
    schedule[b].bind(b.op.axis[0], te.thread_axis("blockIdx.x"))
    _, thread = schedule[b].split(b.op.axis[1], factor=32)
    schedule[b].bind(thread, te.thread_axis("threadIdx.x"))
    schedule[copy].compute_at(schedule[b], b.op.axis[0])
    _, thread = schedule[copy].split(copy.op.axis[1], factor=32)
    schedule[copy].bind(thread, te.thread_axis("threadIdx.x"))
    return tilewright.build(schedule, [a, b], target, device="simulator")


def test_too_much_shared_memory() -> None:
    error = refused("TW0637", lambda: staged(12288 + 32))
    assert "at most 49152 bytes of shared memory" in error.message and "49280" in error.message


@pytest.mark.parametrize(("width", "target"), [(12288, "cuda"), (12288 + 32, "cuda -shared=65536")])
def test_shared_memory_that_a_block_may_have(width: int, target: str) -> None:
    """Shared memory beyond the static limit is requested at launch."""
    module = staged(width, target)
    assert ("cuda.shared.array(0, float32)" in module.get_source()) == (width > 12288)
    x = np.random.default_rng(0).normal(size=(2, width)).astype(np.float32)
    np.testing.assert_array_equal(module(x), x[:, ::-1])


def test_blocks_inside_of_blocks(parse) -> None:
    """Loops of a kernel over one axis get one extent; where they cannot be the same blocks, nothing is guessed."""
    text = """
    builtin.module attributes {{tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>}} {{
      func.func @main(%x: memref<1024xf32>, %y: memref<1024x4xf32> {{tw.output}}) attributes {{tw.scheduled}} {{
        loop.for %i = 0 to 1024 kind thread<"{outer}"> {{
          loop.for %j = 0 to 4 kind thread<"{inner}"> {{
            %a = loop.load %x[%i] : memref<1024xf32>
            loop.store %a, %y[%i, %j] : memref<1024x4xf32>
          }}
        }}
        func.return
      }}
    }}"""
    same = parse(text.format(outer="blockIdx.y", inner="blockIdx.y"))
    refused("TW0543", lambda: tilewright.compile(same, "cuda", device="simulator"))
    separate = parse(text.format(outer="blockIdx.y", inner="blockIdx.x"))
    x = np.arange(1024, dtype=np.float32)
    y = tilewright.compile(separate, "cuda", device="simulator")(x)
    np.testing.assert_array_equal(y, np.repeat(x[:, None], 4, 1))


DIVERGENT = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.if (%t < 4) { loop.barrier <"shared"> }
    %a = loop.load %x[%t] : memref<8xf32>
    loop.store %a, %y[%t] : memref<8xf32>
  }
  func.return
}"""


def test_a_barrier_that_some_threads_do_not_reach() -> None:
    module = Parser(context(), DIVERGENT).parse_module()  # which the verifier would refuse
    error = refused("TW0638", lambda: check_barriers(module))
    assert "the same for all threads" in error.message
    refused("TW0638", lambda: build(module))


def test_buffers_that_no_kernel_has(parse) -> None:
    text = """
    func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
        %s = loop.alloc : memref<8xf32>
        %a = loop.load %x[%t] : memref<8xf32>
        loop.store %a, %s[%t] : memref<8xf32>
        %b = loop.load %s[%t] : memref<8xf32>
        loop.store %b, %y[%t] : memref<8xf32>
      }
      func.return
    }"""
    assert "shared or local" in refused("TW0631", lambda: build(parse(text))).message


def test_functions_that_kernels_cannot_call() -> None:
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: te.call_pure_extern("float32", "my_function", a[i]), name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    error = refused("TW0632", lambda: tilewright.build(schedule, [a, b], "cuda"))
    assert "'my_function'" in error.message


def test_calls_without_a_gpu(monkeypatch) -> None:
    from tilewright.runtime.kernels import driver

    def nothing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(driver.ctypes, "CDLL", nothing)
    monkeypatch.setattr("tilewright.runtime.kernels.device_program.cuda_driver", driver.cuda_driver.__wrapped__)
    a = te.placeholder((4,), name="A")
    b = te.compute((4,), lambda i: a[i], name="B")
    schedule = te.create_schedule(b.op)
    schedule[b].bind(b.op.axis[0], te.thread_axis("threadIdx.x"))
    error = refused("TW0634", lambda: tilewright.build(schedule, [a, b], "cuda")(np.zeros(4, np.float32)))
    assert "tilewright[cuda]" in (error.help or "") and "simulator" in (error.help or "")
