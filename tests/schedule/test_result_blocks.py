"""Convolutions on blocks of channels, where rows of pixels do not fill vectors: when, and that values are right."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te, topi
from tilewright.analysis.access import blocks_in
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule import Schedule
from tilewright.schedule.rules import schedule_by_rule
from tilewright.schedule.rules.contraction import plan_contraction
from tilewright.schedule.rules.result_blocks import plan_result_blocks

from .programs import parse, replay_equals

TARGET = CpuTargetAttr.get(["avx512f", "fma"], 512, (48 << 10, 2 << 20, 100 << 20), 1)


def convolution(channels: int, outputs: int, size: int, epilogue: bool = False) -> str:
    """Return a convolution with a window of 3 x 3; its epilogue adds one number a channel."""
    read = "%c[%vo, %vh, %vw]" if epilogue else "%C[%vo, %vh, %vw]"
    result = f"memref<{outputs}x{size}x{size}xf32>"
    loops = f"""
    loop.for %o = 0 to {outputs} {{ loop.for %h = 0 to {size} {{ loop.for %w = 0 to {size} {{"""
    bind = f"%vo = spatial(%o) in {outputs}, %vh = spatial(%h) in {size}, %vw = spatial(%w) in {size}"
    text = f"""
func.func @main(%X: memref<{channels}x{size + 2}x{size + 2}xf32>, %W: memref<{outputs}x{channels}x3x3xf32>,
                %b: memref<{outputs}xf32>, %C: {result}) {{
  {f"%c = loop.alloc : {result}" if epilogue else ""}{loops}
    loop.for %i = 0 to {channels} {{ loop.for %r = 0 to 3 {{ loop.for %s = 0 to 3 {{
      loop.block "conv" ({bind}, %vi = reduce(%i) in {channels}, %vr = reduce(%r) in 3, %vs = reduce(%s) in 3) {{
        loop.init {{
          %z = arith.constant 0.0 : f32
          loop.store %z, {read} : {result}
        }}
        %x = loop.load %X[%vi, %vh + %vr, %vw + %vs] : memref<{channels}x{size + 2}x{size + 2}xf32>
        %k = loop.load %W[%vo, %vi, %vr, %vs] : memref<{outputs}x{channels}x3x3xf32>
        %p = arith.mulf %x, %k : f32
        %a = loop.load {read} : {result}
        %t = arith.addf %a, %p : f32
        loop.store %t, {read} : {result}
      }}
    }} }} }}
  }} }} }}"""
    if epilogue:
        text += f"""{loops}
    loop.block "shift" ({bind}) {{
      %a = loop.load {read} : {result}
      %k = loop.load %b[%vo] : memref<{outputs}xf32>
      %t = arith.addf %a, %k : f32
      loop.store %t, %C[%vo, %vh, %vw] : {result}
    }}
  }} }} }}"""
    return text + "\n  func.return\n}\n"


def is_blocked(text: str) -> bool:
    block = next(b for b in blocks_in(parse(text)) if "reduce" in b.kinds)
    rows = plan_contraction(block, TARGET)
    assert rows is not None
    return plan_result_blocks(block, rows, TARGET) is not None


def test_rows_that_fill_no_tile_or_lie_across_lines_give_way_to_blocks() -> None:
    assert is_blocked(convolution(64, 64, 28))
    assert is_blocked(convolution(64, 64, 64)), "windows shift vectors across cache lines"
    assert not is_blocked(convolution(3, 64, 64)), "sums are short, and rows fill vectors"
    assert not is_blocked(convolution(64, 60, 28)), "channels fill no vectors"
    assert not is_blocked(convolution(1, 16, 4)), "copies cost more than is won"


@pytest.mark.parametrize("epilogue", [False, True])
@pytest.mark.parametrize("size", [6, 18])
def test_values_and_trace(size: int, epilogue: bool) -> None:
    text = convolution(16, 16, size, epilogue)
    module = parse(text)
    schedule = schedule_by_rule(Schedule(module).func, TARGET)
    trace = schedule.trace.as_python()
    assert ("cache_read" in trace) == is_blocked(text)
    assert "reverse_compute_at" in trace, "results leave their blocks where they are computed"
    replay_equals(text, schedule)


@pytest.mark.parametrize("epilogue", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_compiled_values(threads: int, epilogue: bool) -> None:
    x = te.placeholder((1, 32, 18, 18), dtype="float32", name="x")
    w = te.placeholder((32, 32, 3, 3), dtype="float32", name="w")
    c = topi.nn.conv2d(x, w, 1, 1)
    y = topi.nn.relu(c) if epilogue else c
    program = tilewright.build([x, w, y], [x, w, y], threads=threads)
    rng = np.random.default_rng(0)
    a = rng.standard_normal((1, 32, 18, 18)).astype(np.float32)
    b = rng.standard_normal((32, 32, 3, 3)).astype(np.float32)
    out = np.empty((1, 32, 18, 18), np.float32)
    program(a, b, out)
    padded = np.pad(a.astype(np.float64), ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    expected = np.einsum("nihwrs,oirs->nohw", windows, b.astype(np.float64), optimize=True)
    expected = np.maximum(expected, 0) if epilogue else expected
    np.testing.assert_allclose(out, expected, atol=1e-5 * np.abs(expected).max())
