"""Scopes of a user's own: fragments, calls and intrinsics that he declares, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.backends.cuda import device_calls, fragments
from tilewright.backends.cuda.device_calls import DeviceCall, register_device_call
from tilewright.backends.cuda.fragments import Fragment, register_fragment
from tilewright.diagnostics import TilewrightError
from tilewright.semantics import evaluate, register_extern

from .programs import matmul

ROWS = Fragment("by_rows", (32, 4), ("f32",), lambda i, j: i, lambda i, j: j)
"""A row a lane."""


@pytest.fixture(autouse=True)
def user_fragment() -> Iterator[None]:
    register_fragment(ROWS)
    yield
    fragments._registered.clear()
    device_calls._registered.clear()


def reversed_rows(scope: str = "warp.by_rows", threads: int = 32, columns: int = 4) -> Any:
    """Schedule B[i, j] = 2 * A[i, j]: A comes to registers lane by lane, row by row."""
    a = te.placeholder((threads, columns), name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j] * 2.0, name="B")
    s = te.create_schedule(b.op)
    part = s.cache_read(a, scope, [b])
    i, j = b.op.axis
    w, j = s[b].split(j, factor=columns)
    s[b].reorder(w, i, j)
    s[b].bind(w, te.thread_axis("blockIdx.x"))
    s[b].bind(i, te.thread_axis("threadIdx.x"))
    s[part].compute_at(s[b], w)
    s[part].bind(part.op.axis[0], te.thread_axis("threadIdx.x"))
    return s, [a, b]


def test_a_user_scope() -> None:
    s, arguments = reversed_rows()
    x = np.random.default_rng(0).random((32, 4), np.float32)
    module = tilewright.build(s, arguments, "cuda", device="simulator")
    assert "A_warp_by_rows = cuda.local.array(4, float32)" in module.get_source()
    np.testing.assert_array_equal(module(x), 2 * x)
    (result,) = evaluate(tilewright.lower(*reversed_rows()).op, x)
    np.testing.assert_array_equal(result, 2 * x)


def rotation() -> Any:
    """Return an intrinsic that hands each lane the row of its neighbour, by a shuffle."""
    text = """
    func.func @rotate(%a: memref<32x4xf32>, %b: memref<32x4xf32>) {
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
        loop.call_extern "rotate"(write %b[%lane, 0] box [1, 4] : memref<32x4xf32>,
                                  read %a[0, 0] box [32, 4] : memref<32x4xf32>, index %lane : i32)
      }
      func.return
    }"""
    a = te.placeholder((32, 4), name="a")
    b = te.compute((32, 4), lambda i, j: a[(i + 1) % 32, j], name="b")
    return te.decl_tensor_intrin(b.op, lambda ins, outs: text, "rotate")


def rotated() -> Any:
    a = te.placeholder((32, 4), name="A")
    b = te.compute(a.shape, lambda i, j: a[(i + 1) % 32, j], name="B")
    c = te.compute(a.shape, lambda i, j: b[i, j] + 1.0, name="C")
    s = te.create_schedule(c.op)
    part = s.cache_read(a, "warp.by_rows", [b])
    s[b].set_scope("warp.by_rows")
    lanes = te.thread_axis((0, 32), "threadIdx.x")
    one, i = s[c].split(c.op.axis[0], factor=32)
    s[c].bind(one, te.thread_axis("blockIdx.x"))
    s[c].bind(i, lanes)
    s[part].compute_at(s[c], one)
    s[part].bind(part.op.axis[0], lanes)
    s[b].compute_at(s[c], one)
    s[b].tensorize(b.op.axis[0], rotation())
    return s, [a, c]


def test_a_user_call() -> None:
    """Lanes read what others wrote: a barrier of the warp stands between, and a shuffle does it."""

    @register_device_call("rotate")
    def rule(call: DeviceCall) -> None:
        for target, source in zip(call.registers(0), call.registers(1), strict=True):
            call.line(f"{target} = cuda.shfl_sync(0xffffffff, {source}, ({call.value(2)} + 1) & 31)")

    def reference(b: np.ndarray, a: np.ndarray, lane: int) -> None:
        b[...] = a[(lane + 1) % 32]

    register_extern("rotate", reference)
    x = np.random.default_rng(0).random((32, 4), np.float32)
    wanted = np.roll(x, -1, axis=0) + 1
    lowered = tilewright.lower(*rotated())
    assert str(lowered).count('loop.barrier <"warp">') == 1
    np.testing.assert_array_equal(evaluate(lowered.op, x)[0], wanted)
    module = tilewright.build(*rotated(), "cuda", device="simulator")
    assert "syncthreads" not in module.get_source()
    np.testing.assert_array_equal(module(x), wanted)


def refused(code: str, *arguments: Any, match: str) -> None:
    with pytest.raises(TilewrightError, match=match) as caught:
        tilewright.build(*arguments, "cuda", device="simulator")
    assert caught.value.code == code


def test_lanes_share_a_tile_evenly() -> None:
    with pytest.raises(TilewrightError, match="each of the 32 lanes of fragment 'odd' to have 4 elements") as caught:
        register_fragment(Fragment("odd", (32, 4), ("f32",), lambda i, j: i, lambda i, j: j // 2))
    assert caught.value.code == "TW0660"


def test_unknown_scope() -> None:
    refused("TW0660", *reversed_rows("warp.by_row"), match="did you mean 'warp.by_rows'|by_rows")


def test_tiles_are_whole() -> None:
    refused("TW0660", *reversed_rows(columns=3), match="whole tiles of 32 x 4")


def test_elements_that_a_fragment_does_not_hold() -> None:
    register_fragment(Fragment("by_rows", (32, 4), ("i32",), ROWS.lane, ROWS.position))
    refused("TW0660", *reversed_rows(), match="elements of i32 in scope 'warp.by_rows', but got f32")


def test_elements_of_other_lanes() -> None:
    register_fragment(Fragment("by_rows", (32, 4), ("f32",), lambda i, j: (i + 1) % 32, ROWS.position))
    refused("TW0661", *reversed_rows(), match=r"lane 0 accesses element \(0, 0\) of a tile")


def test_a_warp_has_32_threads() -> None:
    refused("TW0661", *reversed_rows(threads=64), match="a warp is 32 threads along threadIdx.x, and there are 64")


def test_halves_are_stored_in_pairs() -> None:
    a = te.placeholder((16, 16), "float16", name="A")
    b = te.compute(a.shape, lambda i, j: a[i, j], name="B")
    s = te.create_schedule(b.op)
    part = s.cache_read(a, "warp.mma_a", [b])
    for stage, axes in ((s[b], b.op.axis), (s[part], part.op.axis)):
        again, groups = stage.split(axes[0], factor=8)
        more, positions = stage.split(axes[1], factor=8)
        positions, pair = stage.split(positions, factor=2)
        stage.reorder(groups, positions, again, more, pair)
        lane = stage.fuse(groups, positions)
        if stage is s[b]:
            one, lane = stage.split(lane, factor=32)
            stage.bind(one, te.thread_axis("blockIdx.x"))
        stage.bind(lane, te.thread_axis("threadIdx.x"))
    s[part].compute_at(s[b], one)
    refused("TW0662", s, [a, b], match="both elements of a register")


def test_calls_that_nobody_knows() -> None:
    refused("TW0663", *rotated(), match="a call that kernels for CUDA know, but got 'rotate'")


def test_operands_outside_of_registers() -> None:
    @register_device_call("rotate")
    def rule(call: DeviceCall) -> None:
        call.registers(1)

    s, arguments = rotated()
    next(stage for stage in s.stages if "read" in stage.name or "warp" in stage.name).set_scope("shared")
    refused("TW0663", s, arguments, match="in the registers of a warp")


def test_rows_for_ldmatrix_are_aligned() -> None:
    s, arguments = matmul(32, 32, 64, "float16", aligned=False)
    for stage in s.stages:
        if stage.name.endswith("shared"):
            stage.storage_align(stage.op.axis[0], 16, 4)
    refused("TW0664", s, arguments, match="rows of A_shared at multiples of 16 bytes|rows of B_shared at multiples")
