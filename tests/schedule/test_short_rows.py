"""Tiles of reductions into short rows: what the model of their cost prefers."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest
from tilewright.analysis.access import blocks_in
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.schedule.rules import schedule_by_rule
from tilewright.schedule.rules.packed_rows import PackedRowsPlan, Reach, best_tile, plan_packed_rows

from .programs import parse

Writer = Callable[[int, int, int], str]

FIRST, SECOND = 48 << 10, 2 << 20
TARGET = CpuTargetAttr.get(["avx512f", "fma"], 512, (FIRST, SECOND, 100 << 20), 1)


def program(blocks: int, pixels: int, terms: int) -> str:
    """Return `blocks` rows of 16 results a pixel, sums over `terms` times 16 products."""
    image, weights = f"memref<{terms}x{pixels}x16xf32>", f"memref<{blocks}x{terms}x16x16xf32>"
    result = f"memref<{blocks}x{pixels}x16xf32>"
    return f"""
func.func @main(%X: {image}, %W: {weights}, %C: {result} {{tw.output}}) {{
  loop.for %o = 0 to {blocks} {{ loop.for %p = 0 to {pixels} {{ loop.for %l = 0 to 16 {{
    loop.for %c = 0 to {terms} {{ loop.for %i = 0 to 16 {{
      loop.block "C" (%vo = spatial(%o) in {blocks}, %vp = spatial(%p) in {pixels}, %vl = spatial(%l) in 16,
                      %vc = reduce(%c) in {terms}, %vi = reduce(%i) in 16) {{
        loop.init {{
          %z = arith.constant 0.0 : f32
          loop.store %z, %C[%vo, %vp, %vl] : {result}
        }}
        %x = loop.load %X[%vc, %vp, %vi] : {image}
        %w = loop.load %W[%vo, %vc, %vi, %vl] : {weights}
        %m = arith.mulf %x, %w : f32
        %a = loop.load %C[%vo, %vp, %vl] : {result}
        %s = arith.addf %a, %m : f32
        loop.store %s, %C[%vo, %vp, %vl] : {result}
      }}
    }} }}
  }} }} }}
  func.return
}}
"""


def product(blocks: int, rows: int, terms: int) -> str:
    """Return `rows` of a matrix times packed weights, in `blocks` of 16 columns."""
    matrix, weights = f"memref<{rows}x{terms}xf32>", f"memref<{blocks}x{terms}x16xf32>"
    result = f"memref<{blocks}x{rows}x16xf32>"
    return f"""
func.func @main(%X: {matrix}, %W: {weights}, %C: {result} {{tw.output}}) {{
  loop.for %o = 0 to {blocks} {{ loop.for %p = 0 to {rows} {{ loop.for %l = 0 to 16 {{ loop.for %k = 0 to {terms} {{
    loop.block "C" (%vo = spatial(%o) in {blocks}, %vp = spatial(%p) in {rows}, %vl = spatial(%l) in 16,
                    %vk = reduce(%k) in {terms}) {{
      loop.init {{
        %z = arith.constant 0.0 : f32
        loop.store %z, %C[%vo, %vp, %vl] : {result}
      }}
      %x = loop.load %X[%vp, %vk] : {matrix}
      %w = loop.load %W[%vo, %vk, %vl] : {weights}
      %m = arith.mulf %x, %w : f32
      %a = loop.load %C[%vo, %vp, %vl] : {result}
      %s = arith.addf %a, %m : f32
      loop.store %s, %C[%vo, %vp, %vl] : {result}
    }}
  }} }} }} }}
  func.return
}}
"""


def plan(
    blocks: int, pixels: int, terms: int, target: CpuTargetAttr = TARGET, text: Writer = program
) -> PackedRowsPlan:
    """Return the plan for that program."""
    found = plan_packed_rows(next(iter(blocks_in(parse(text(blocks, pixels, terms))))), target)
    assert found is not None
    return found


def loads(tile: PackedRowsPlan) -> float:
    """Return loads for each vector of results."""
    return (tile.tile.rows + tile.tile.steps) / tile.tile.accumulators


@pytest.mark.parametrize("terms", [4, 16, 64])
def test_several_rows_of_results_share_what_is_loaded(terms: int) -> None:
    """However long the reduction is: in chunks its weights stay in the first cache."""
    found = plan(8, 784, terms)
    assert found.tile.steps >= 3 and loads(found) < 0.5
    assert found.tile.accumulators >= 20, "a smaller tile reads its weights more often"


def test_weights_that_pass_by_are_read_for_many_pixels() -> None:
    small = CpuTargetAttr.get(["avx512f", "fma"], 512, (1 << 10, SECOND, 100 << 20), 1)
    assert plan(8, 784, 16, small).chunks is None
    assert plan(8, 784, 16, small).tile.rows > plan(8, 784, 16).tile.rows


def test_weights_that_one_tile_reads_need_no_chunks() -> None:
    assert plan(8, 6, 64).tile.rows == 6 and plan(8, 6, 64).chunks is None
    assert plan(8, 60, 64).chunks is not None


@pytest.mark.parametrize("pixels", [7, 13, 14, 27, 28, 49, 56])
def test_borders_cost_what_is_left_of_a_tile(pixels: int) -> None:
    """No extent makes tiles small only to be divided: what a border takes is a smaller tile, and not a whole one."""
    found = plan(16, pixels, 16)
    assert found.tile.accumulators >= 18
    assert found.tile.rows <= pixels


def test_a_tile_needs_no_more_than_one_register_too_many() -> None:
    for pixels in range(4, 60):
        tile = plan(16, pixels, 16).tile
        assert tile.accumulators + min(tile.rows, tile.steps) + 1 <= TARGET.vector_registers + 1


@pytest.mark.parametrize("steps", [1, 2, 4, 12])
def test_a_single_pixel_is_shared_by_all_rows_of_results(steps: int) -> None:
    found = {rows: best_tile(rows, steps, 16, 16, TARGET, lambda _: Reach(inf, 64)) for rows in (1, 2)}
    (tile, cost), (_, of_two) = found[1], found[2]
    assert (tile.rows, tile.steps) == (1, steps)
    assert of_two < cost < inf


@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("blocks", [4, 8, 16])
def test_there_is_a_block_of_results_for_each_thread(blocks: int, threads: int) -> None:
    target = CpuTargetAttr.get(["avx512f", "fma"], 512, (FIRST, SECOND, 100 << 20), threads)
    chunks = plan(blocks, 784, 32, target).chunks
    assert chunks is not None
    assert -(-blocks // chunks.steps) * -(-784 // chunks.pixels) >= threads


def test_blocks_that_nearly_fill_their_tiles_do_for_threads() -> None:
    """32 rows in tiles of three: no equal part fills them better than 11 tiles do."""
    target = CpuTargetAttr.get(["avx512f", "fma"], 512, (FIRST, SECOND, 100 << 20), 2)
    found = plan(32, 49, 128, target)
    assert found.chunks is not None and found.tile.steps == 3 and found.chunks.pixels == 49
    assert found.chunks.steps < 32


@pytest.mark.parametrize("pixels", [196, 784, 3136, 12544, 50176])
def test_results_of_a_block_stay_in_the_second_cache(pixels: int) -> None:
    chunks = plan(8, pixels, 64).chunks
    assert chunks is not None
    assert chunks.pixels * chunks.steps * 16 * 4 <= SECOND / 2


@pytest.mark.parametrize("terms", [96, 768, 1024, 1031, 3072, 3071])
def test_weights_of_products_are_long_streams(terms: int) -> None:
    """Rows of a matrix stay in the first cache for many terms. No number of terms makes chunks short."""
    found = plan(192, 128, terms, text=product)
    assert found.ahead is None, "rows are streams that the processor follows"
    together = terms if found.chunks is None else found.chunks.terms
    assert together >= min(terms, 768)
    if terms != 3071:  # a prime number, for which rows stay where they are
        assert together * found.tile.rows * 4 <= 0.55 * FIRST
        assert found.tile.rows <= FIRST // 4096 // 2, "rows that lie pages apart share a set"
        assert together * found.tile.steps * 16 * 4 <= SECOND / 4


def test_weights_of_unknown_caches_pass_by() -> None:
    for caches in ((0, 0, 0), (FIRST, 0, 0), (FIRST, 1 << 10, 0)):
        target = CpuTargetAttr.get(["avx512f", "fma"], 512, caches, 1)
        assert plan(8, 128, 768, target, product).chunks is None


@pytest.mark.parametrize(
    ("text", "pixels", "terms", "is_fetched"),
    [(program, 49, 128, True), (program, 3136, 128, False), (product, 128, 768, True), (product, 3136, 768, False)],
)
def test_weights_of_few_pixels_are_fetched_ahead(text: Writer, pixels: int, terms: int, is_fetched: bool) -> None:
    (function,) = parse(text(32, pixels, terms)).ops
    schedule_by_rule(function, TARGET)
    requests = [op for op in function.walk() if isinstance(op, loop.PrefetchAheadOp)]
    weights = [op for op in requests if op.buffer is function.body.block.args[1]]
    assert [op.cache for op in weights] == ([2] * len(weights) if is_fetched else [])
    assert bool(weights) == is_fetched


@pytest.mark.parametrize(("blocks", "first", "terms"), [(8, FIRST, 4), (8, 16 << 10, 2), (1, FIRST, 128)])
def test_far_pixels_are_fetched_some_terms_ahead(blocks: int, first: int, terms: int) -> None:
    """Tiles sum `terms` at a time; pixels of the next terms belong to the same tile."""
    target = CpuTargetAttr.get(["avx512f", "fma"], 512, (first, SECOND, 100 << 20), 1)
    planned = plan(blocks, 3136, 128, target)
    assert planned.ahead is not None and terms == (128 if planned.chunks is None else planned.chunks.terms)
    (function,) = parse(program(blocks, 3136, 128)).ops
    schedule_by_rule(function, target)
    requests = [op for op in function.walk() if isinstance(op, loop.PrefetchAheadOp)]
    pixels = [op for op in requests if op.buffer is function.body.block.args[0]]
    assert bool(pixels) == (planned.ahead[1] < terms)
    for op in pixels:
        around = op.parent_op()
        assert isinstance(around, loop.ForOp)
        assert (op.ahead.value.data, around.constant_trip_count) == (planned.ahead[1], terms)
