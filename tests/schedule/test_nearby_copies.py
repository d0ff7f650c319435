"""Images with borders that are copied where they are read: when, and that values are right."""

from __future__ import annotations

from math import prod

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

SMALL = CpuTargetAttr.get(["avx512f", "fma"], 512, (24 << 10, 1 << 20, 0), 1)
"""The first cache does not hold the weights of a tile, so that the reduction runs in parts."""
SHARED = CpuTargetAttr.get(["avx512f", "fma"], 512, (24 << 10, 1 << 20, 0), 2)
LARGE = CpuTargetAttr.get(["avx512f", "fma"], 512, (4 << 20, 64 << 20, 0), 1)


def convolution(
    blocks: int, inputs: int, rows: int, columns: int, *, value: str = "%x", read_again: bool = False
) -> str:
    """Return a convolution with a window of 3 x 3 on blocks of 16 channels, of an image with a border of zeros.

    `value` is what stands inside of the border.
    """
    image, padded = f"memref<{inputs}x{rows}x{columns}x16xf32>", f"memref<{inputs}x{rows + 2}x{columns + 2}x16xf32>"
    weights, result = f"memref<{blocks}x{inputs}x3x3x16x16xf32>", f"memref<{blocks}x{rows}x{columns}x16xf32>"
    position = f"%vt = spatial(%t) in {inputs}, %vh = spatial(%h) in {rows + 2}, %vw = spatial(%w) in {columns + 2}"
    inside = f"(%vh >= 1, %vh < {rows + 1}, %vw >= 1, %vw < {columns + 1})"
    over_image = (
        f"loop.for %t = 0 to {inputs} {{ loop.for %h = 0 to {rows + 2} {{ loop.for %w = 0 to {columns + 2} {{ "
        "loop.for %c = 0 to 16 {"
    )
    again = f"""
  {over_image}
    loop.block "again" ({position}, %vc = spatial(%c) in 16) {{
      %x = loop.load %p[%vt, %vh, %vw, %vc] : {padded}
      loop.store %x, %D[%vt, %vh, %vw, %vc] : {padded}
    }}
  }} }} }} }}"""
    return f"""
func.func @main(%X: {image}, %W: {weights}, %C: {result} {{tw.output}}, %D: {padded} {{tw.output}}) {{
  %p = loop.alloc : {padded}
  {over_image}
    loop.block "pad" ({position}, %vc = spatial(%c) in 16) {{
      %z = arith.constant 0.0 : f32
      %x = loop.load %X[%vt, %vh - 1, %vw - 1, %vc] where {inside} else %z : {image}
      %n = arith.mulf %x, %x : f32
      loop.store {value}, %p[%vt, %vh, %vw, %vc] : {padded}
    }}
  }} }} }} }}{again if read_again else ""}
  loop.for %b = 0 to {blocks} {{ loop.for %h = 0 to {rows} {{ loop.for %w = 0 to {columns} {{ loop.for %c = 0 to 16 {{
    loop.for %t = 0 to {inputs} {{ loop.for %r = 0 to 3 {{ loop.for %s = 0 to 3 {{ loop.for %i = 0 to 16 {{
      loop.block "conv" (%vb = spatial(%b) in {blocks}, %vh = spatial(%h) in {rows}, %vw = spatial(%w) in {columns},
                         %vc = spatial(%c) in 16, %vt = reduce(%t) in {inputs}, %vr = reduce(%r) in 3,
                         %vs = reduce(%s) in 3, %vi = reduce(%i) in 16) {{
        loop.init {{
          %z = arith.constant 0.0 : f32
          loop.store %z, %C[%vb, %vh, %vw, %vc] : {result}
        }}
        %x = loop.load %p[%vt, %vh + %vr, %vw + %vs, %vi] : {padded}
        %k = loop.load %W[%vb, %vt, %vr, %vs, %vi, %vc] : {weights}
        %m = arith.mulf %x, %k : f32
        %a = loop.load %C[%vb, %vh, %vw, %vc] : {result}
        %n = arith.addf %a, %m : f32
        loop.store %n, %C[%vb, %vh, %vw, %vc] : {result}
      }}
    }} }} }} }}
  }} }} }} }}
  func.return
}}
"""


def scheduled(text: str, target: CpuTargetAttr) -> FuncOp:
    return schedule_by_rule(Schedule(parse(text)).func, target).func


def common_loops(function: FuncOp) -> list[loop.ForOp]:
    """Return the loops that hold both the copy and what reads it."""
    blocks = {block.label: block for block in blocks_in(function)}
    readers = [each for each in blocks.values() if "reduce" in each.kinds]
    return [each for each in loops_around(blocks["pad"]) if any(each in loops_around(reader) for reader in readers)]


def copied_together(function: FuncOp) -> int:
    """Return the number of elements of a piece."""
    (copy,) = (block for block in blocks_in(function) if block.label == "pad")
    common = common_loops(function)
    return prod(op.constant_trip_count or 0 for op in loops_around(copy) if op not in common)


def test_pieces_for_each_part_of_the_reduction() -> None:
    function = scheduled(convolution(4, 16, 8, 12), SMALL)
    assert common_loops(function)
    assert copied_together(function) * 16 <= 16 * 10 * 14 * 16


def test_short_reductions_read_a_whole_copy() -> None:
    function = scheduled(convolution(4, 16, 8, 12), LARGE)
    assert not common_loops(function)


def test_what_others_read_too_is_copied_as_a_whole() -> None:
    assert not common_loops(scheduled(convolution(4, 16, 8, 12, read_again=True), SMALL))


def test_what_is_computed_is_computed_once() -> None:
    """Blocks of weights and borders of pieces would compute it again."""
    assert not common_loops(scheduled(convolution(4, 16, 8, 12, value="%n"), SMALL))


@pytest.mark.parametrize(
    ("given", "changed"),
    [
        ("%z = arith.constant 0.0 : f32", "%z = loop.load %W[0, 0, 0, 0, 0, %vc] : memref<4x16x3x3x16x16xf32>"),
        (
            "loop.store %x, %p",
            "loop.store %x, %D[%vt, %vh, %vw, %vc] : memref<16x10x14x16xf32>\n      loop.store %x, %p",
        ),
    ],
    ids=["reads two buffers", "writes two buffers"],
)
def test_what_does_more_than_copy_runs_as_a_whole(given: str, changed: str) -> None:
    function = scheduled(convolution(4, 16, 8, 12).replace(given, changed, 1), SMALL)
    assert not common_loops(function)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("target", [SMALL, SHARED, LARGE])
@pytest.mark.parametrize(("blocks", "inputs", "rows", "columns"), [(2, 2, 3, 5), (3, 3, 2, 4)])
def test_values_and_trace(blocks: int, inputs: int, rows: int, columns: int, target: CpuTargetAttr) -> None:
    text = convolution(blocks, inputs, rows, columns)
    schedule = schedule_by_rule(Schedule(parse(text)).func, target)
    assert bool(common_loops(schedule.func)) == (target is not LARGE)
    replay_equals(text, schedule)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((inputs, rows, columns, 16))
    w = rng.standard_normal((blocks, inputs, 3, 3, 16, 16))
    out, unused = np.full((blocks, rows, columns, 16), np.nan), np.empty((inputs, rows + 2, columns + 2, 16))
    run(schedule.func, [x, w, out, unused])
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    expected = np.einsum("thwirs,btrsic->bhwc", windows, w)
    np.testing.assert_allclose(out, expected, rtol=1e-9, atol=1e-9)
