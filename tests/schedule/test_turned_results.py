"""Results in blocks that are taken out of them where they are computed: when, and that values are right."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule import Schedule
from tilewright.schedule.rules import schedule_by_rule
from xdsl.dialects.func import FuncOp

from .programs import parse, replay_equals, run

WIDE = CpuTargetAttr.get(["avx512f", "fma"], 512, (48 << 10, 2 << 20, 100 << 20), 1)
NARROW = CpuTargetAttr.get(["avx2", "fma"], 256, (48 << 10, 2 << 20, 100 << 20), 1)
SMALL = CpuTargetAttr.get(["avx512f", "fma"], 512, (4 << 10, 64 << 10, 0), 1)
"""The first cache does not hold the weights of a tile, so that the reduction runs in parts."""


def convolution(
    blocks: int, inputs: int, height: int, width: int, read_again: bool = False, epilogue: bool = False
) -> str:
    """Return a convolution with a window of 1 x 3 on blocks of 16 channels, and what takes its results out of them.

    The epilogue squares them in their blocks.
    """
    image, weights = f"memref<{inputs}x{height}x{width + 2}xf32>", f"memref<{blocks}x{inputs}x3x16xf32>"
    blocked, result = f"memref<{blocks}x{height}x{width}x16xf32>", f"memref<{blocks}x16x{height}x{width}xf32>"
    b = f"%vb = spatial(%b) in {blocks}"
    pixel = f"%vh = spatial(%h) in {height}, %vw = spatial(%w) in {width}"
    channel = "%vc = spatial(%c) in 16"
    passed_on = "%e" if epilogue else "%t"
    square = f"""
  %e = loop.alloc : {blocked}
  loop.for %b = 0 to {blocks} {{ loop.for %h = 0 to {height} {{ loop.for %w = 0 to {width} {{ loop.for %c = 0 to 16 {{
    loop.block "square" ({b}, {pixel}, {channel}) {{
      %a = loop.load %t[%vb, %vh, %vw, %vc] : {blocked}
      %n = arith.mulf %a, %a : f32
      loop.store %n, %e[%vb, %vh, %vw, %vc] : {blocked}
    }}
  }} }} }} }}"""
    again = f"""
  loop.for %b = 0 to {blocks} {{ loop.for %h = 0 to {height} {{ loop.for %w = 0 to {width} {{ loop.for %c = 0 to 16 {{
    loop.block "copy" ({b}, {pixel}, {channel}) {{
      %a = loop.load %t[%vb, %vh, %vw, %vc] : {blocked}
      loop.store %a, %D[%vb, %vh, %vw, %vc] : {blocked}
    }}
  }} }} }} }}"""
    return f"""
func.func @main(%X: {image}, %W: {weights}, %s: memref<{blocks}x16xf32>, %C: {result} {{tw.output}},
                %D: {blocked} {{tw.output}}) {{
  %t = loop.alloc : {blocked}
  loop.for %b = 0 to {blocks} {{ loop.for %h = 0 to {height} {{ loop.for %w = 0 to {width} {{ loop.for %c = 0 to 16 {{
    loop.for %i = 0 to {inputs} {{ loop.for %r = 0 to 3 {{
      loop.block "conv" ({b}, {pixel}, {channel}, %vi = reduce(%i) in {inputs}, %vr = reduce(%r) in 3) {{
        loop.init {{
          %z = arith.constant 0.0 : f32
          loop.store %z, %t[%vb, %vh, %vw, %vc] : {blocked}
        }}
        %x = loop.load %X[%vi, %vh, %vw + %vr] : {image}
        %k = loop.load %W[%vb, %vi, %vr, %vc] : {weights}
        %p = arith.mulf %x, %k : f32
        %a = loop.load %t[%vb, %vh, %vw, %vc] : {blocked}
        %n = arith.addf %a, %p : f32
        loop.store %n, %t[%vb, %vh, %vw, %vc] : {blocked}
      }}
    }} }}
  }} }} }} }}{square if epilogue else ""}
  loop.for %b = 0 to {blocks} {{ loop.for %c = 0 to 16 {{ loop.for %h = 0 to {height} {{ loop.for %w = 0 to {width} {{
    loop.block "turn" ({b}, {channel}, {pixel}) {{
      %a = loop.load {passed_on}[%vb, %vh, %vw, %vc] : {blocked}
      %k = loop.load %s[%vb, %vc] : memref<{blocks}x16xf32>
      %n = arith.addf %a, %k : f32
      loop.store %n, %C[%vb, %vc, %vh, %vw] : {result}
    }}
  }} }} }} }}{again if read_again else ""}
  func.return
}}
"""


def scheduled(text: str, target: CpuTargetAttr) -> FuncOp:
    return schedule_by_rule(Schedule(parse(text)).func, target).func


def common_loops(function: FuncOp) -> list[loop.ForOp]:
    """Return the loops that hold both the reduction and what turns its results."""
    blocks = {block.label: block for block in blocks_in(function)}
    reduction = next(b for b in blocks.values() if "reduce" in b.kinds)
    return [each for each in loops_around(blocks["turn"]) if each in loops_around(reduction)]


def test_turned_after_each_tile_that_nearly_fills_vectors() -> None:
    function = scheduled(convolution(2, 8, 6, 28), WIDE)
    *_, around = common_loops(function)
    assert around.constant_trip_count == 2, "tiles of fourteen of the 28 pixels of a row"


@pytest.mark.parametrize(("target", "width"), [(NARROW, 32), (NARROW, 12), (WIDE, 16)])
def test_turned_by_rows_where_tiles_do_not_fill_vectors(target: CpuTargetAttr, width: int) -> None:
    """Also where two tiles would."""
    function = scheduled(convolution(2, 8, 6, width), target)
    *_, around = common_loops(function)
    assert around.constant_trip_count == 6, "rows"


def test_turned_after_all_parts_of_the_reduction() -> None:
    function = scheduled(convolution(4, 64, 8, 28), SMALL)
    assert common_loops(function)
    assert not any(block.label == "conv_write" for block in blocks_in(function)), "results in blocks are kept once"


def test_results_that_others_read_stay_in_blocks() -> None:
    assert not common_loops(scheduled(convolution(2, 8, 6, 28, read_again=True), WIDE))


def test_turned_behind_an_epilogue() -> None:
    assert common_loops(scheduled(convolution(2, 8, 6, 28, epilogue=True), WIDE))


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("blocks", "inputs", "width", "target", "epilogue"),
    [
        *((3, 3, 19, target, True) for target in (WIDE, NARROW, SMALL)),
        *((4, 40, 8, target, True) for target in (WIDE, NARROW, SMALL)),
        (3, 3, 19, WIDE, False),
        (4, 40, 8, SMALL, False),
    ],
)
def test_values_and_trace(blocks: int, inputs: int, width: int, target: CpuTargetAttr, epilogue: bool) -> None:
    text = convolution(blocks, inputs, 4, width, epilogue=epilogue)
    schedule = schedule_by_rule(Schedule(parse(text)).func, target)
    replay_equals(text, schedule)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((inputs, 4, width + 2))
    w = rng.standard_normal((blocks, inputs, 3, 16))
    shift = rng.standard_normal((blocks, 16))
    out, unused = np.full((blocks, 16, 4, width), np.nan), np.empty((blocks, 4, width, 16))
    run(schedule.func, [x, w, shift, out, unused])
    windows = np.lib.stride_tricks.sliding_window_view(x, 3, axis=2)
    results = np.einsum("ihwr,birc->bchw", windows, w)
    expected = (results**2 if epilogue else results) + shift[:, :, None, None]
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9)
