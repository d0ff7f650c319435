"""Convolutions by fewer multiplications: the parts that images are cut into, and what programs compute."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
import pytest
import tilewright
from tilewright import te
from tilewright.analysis.access import blocks_in
from tilewright.analysis.domain import loops_around
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver.lowering import lower_module
from tilewright.operators import get_operator
from tilewright.operators.blocks import from_blocks, to_blocks
from tilewright.operators.winograd import transformed_weights
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.schedule.rules.transformed_product import Transformed, plan_transformed_product
from tilewright.semantics import run as interpret

from .programs import schedule_of

CACHES = (48 << 10, 2 << 20, 100 << 20)


def program(inputs: int, outputs: int, height: int, width: int, block: int = 16) -> str:
    """Return blocks of channels in and out, a bias, and an addend that is as large as the result."""
    x, w = f"tensor<1x{inputs}x{height}x{width}x{block}xf32>", f"tensor<4x4x{outputs}x{inputs}x{block}x{block}xf32>"
    y = f"tensor<1x{outputs}x{height}x{width}x{block}xf32>"
    return f"""
func.func @main(%x: {x}, %w: {w}, %b: tensor<{outputs}x{block}xf32>, %a: {y}) -> {y} {{
  %c = graph.winograd_conv2d %x, %w, %b padding [1, 1, 1, 1] : {y}
  %s = graph.add %c, %a : {y}
  %r = graph.relu %s : {y}
  func.return %r : {y}
}}
"""


def plan(inputs: int, outputs: int, size: int, threads: int = 1) -> Transformed:
    """Return the rule's plan for such a convolution."""
    module = parse(context(), program(inputs, outputs, size, size), "conv.mlir")
    module.attributes["tw.target"] = CpuTargetAttr.get(["avx512f", "fma"], 512, CACHES, threads)
    pipeline = "fuse,outline,lower-graph,fuse,collapse-dimensions,lower-te"
    PassManager(parse_pipeline(pipeline)).run(context(), module)
    target = module.attributes["tw.target"]
    assert isinstance(target, CpuTargetAttr)
    blocks = [b for op in module.ops for b in blocks_in(op)]
    (found,) = [found for b in blocks if (found := plan_transformed_product(b, target)) is not None]
    return found


def test_parts_stay_in_the_second_cache() -> None:
    """224 x 224 pixels of 64 channels are 51 MB when they are transformed."""
    found = plan(4, 4, 224)
    between = 2 * 16 * 112 * 112 * 64 * 4
    assert found.tasks.inside and between / found.tasks.parts < CACHES[1]


def test_large_weights_are_read_once() -> None:
    """Weights of 512 channels are 17 MB; each part would read them again for a few tiles."""
    assert plan(32, 32, 14).tasks.parts == 1
    assert plan(16, 16, 56).tasks.parts > 1


@pytest.mark.parametrize("size", [14, 56])
def test_every_thread_has_work(size: int) -> None:
    found = plan(16, 16, size, threads=8)
    assert found.tasks.parts * found.tasks.groups >= 16
    assert found.tasks.groups == 1 or not found.tasks.inside, "a part is transformed once"


def test_tiles_fill_what_a_part_has() -> None:
    found = plan(4, 4, 28)
    tiles = found.product.rows.extent // found.tasks.parts
    assert tiles % found.across == 0 and found.product.tile.rows <= tiles


LINE = 5
"""Tiles of a line."""


def between_transforms(back: Callable[..., Any], extents: tuple[int, ...], count: int = 4 * LINE) -> Transformed | None:
    """Return the rule's plan for products of four transformed elements of `count` tiles, with weights for two blocks.

    `back` is an element of the result, of the products [block, element, tile, lane], the block, places, and the lane.
    """
    x, w = te.placeholder((4, count, 16), name="X"), te.placeholder((4, 2, 16, 16), name="W")

    def image(p: Any, t: Any, i: Any) -> Any:
        return te.Select(p == 0, x[0, t, i] - x[2, t, i], te.Select(p == 1, x[1, t, i], x[3, t, i] - x[p, t, i]))

    tiles = te.compute((4, count, 16), image, name="image")
    i = te.reduce_axis((0, 16), "i")
    products = te.compute(
        (2, 4, count, 16), lambda o, p, t, c: te.sum(tiles[p, t, i] * w[p, o, i, c], axis=i), name="products"
    )
    result = te.compute((*extents, 16), lambda *index: back(products, *index), name="result")
    schedule = schedule_of([x, w, result])
    target = CpuTargetAttr.get(["avx512f", "fma"], 512, CACHES, 1)
    return plan_transformed_product(schedule.block(schedule.get_block("products")), target)


def either(which: Any, m: te.Tensor, *index: Any) -> Any:
    """Return the sum of two elements of a tile, or of the others."""
    block, *tile = index
    return te.Select(which % 2 == 0, m(block, 0, *tile) + m(block, 1, *tile), m(block, 2, *tile) - m(block, 3, *tile))


def test_a_product_between_transforms() -> None:
    found = between_transforms(lambda m, o, h, w, c: either(h, m, o, h // 2 * LINE + w // 2, c), (2, 8, 2 * LINE))
    assert found is not None and found.rows is not None
    assert (found.down.extent, found.across, found.rows.extent) == (8, LINE, 2)


NO_TRANSFORM_BACK: dict[str, Callable[[], Transformed | None]] = {
    "tiles that are read one by one": lambda: between_transforms(
        lambda m, o, t, c: either(t, m, o, t, c), (2, 4 * LINE)
    ),
    "tiles that are read twice": lambda: between_transforms(
        lambda m, o, h, w, c: either(h, m, o, h // 2 * LINE + w // 2, c) + m[o, 0, w, c], (2, 8, 2 * LINE)
    ),
    "tiles behind a first one": lambda: between_transforms(
        lambda m, o, h, w, c: either(h, m, o, h // 2 * LINE + w // 2 + 1, c), (2, 6, 2 * LINE)
    ),
    "a result for each tile of a line": lambda: between_transforms(
        lambda m, o, h, w, c: either(h, m, o, h // 2 * LINE + w, c), (2, 8, LINE)
    ),
    "lines that do not fill the tiles": lambda: between_transforms(
        lambda m, o, h, w, c: either(h, m, o, h // 2 * LINE + w // 2, c), (2, 6, 2 * LINE), 4 * LINE - 1
    ),
    "blocks in another order": lambda: between_transforms(
        lambda m, o, h, w, c: either(h, m, 1 - o, h // 2 * LINE + w // 2, c), (2, 8, 2 * LINE)
    ),
    "both blocks at once": lambda: between_transforms(
        lambda m, h, w, c: either(h, m, 0, h // 2 * LINE + w // 2, c) + m[1, 0, h // 2 * LINE + w // 2, c],
        (8, 2 * LINE),
    ),
    "lines without cases": lambda: between_transforms(
        lambda m, o, h, w, c: either(w, m, o, h // 2 * LINE + w // 2, c), (2, 8, 2 * LINE)
    ),
}


@pytest.mark.parametrize("case", NO_TRANSFORM_BACK)
def test_results_that_are_not_transformed_back_line_by_line(case: str) -> None:
    assert NO_TRANSFORM_BACK[case]() is None


def arrays(inputs: int, outputs: int, height: int, width: int) -> list[np.ndarray]:
    """Return image, filters, bias and addend, not in blocks."""
    rng = np.random.default_rng(height)
    shapes = ((1, inputs, height, width), (outputs, inputs, 3, 3), (outputs,), (1, outputs, height, width))
    return [rng.standard_normal(shape).astype(np.float32) for shape in shapes]


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("target", "block", "threads"),
    [
        ("llvm -mcpu=x86-64-v3", 16, 1),
        ("llvm -mcpu=x86-64-v3", 16, 2),
        ("llvm -mcpu=x86-64-v3", 16, 5),
        ("llvm -mcpu=x86-64-v3", 8, 2),
        ("llvm -mcpu=x86-64", 4, 1),
    ],
)
@pytest.mark.each(
    ("inputs", "outputs", "height", "width"),
    [(1, 2, 3, 4), (2, 1, 7, 7), (3, 1, 30, 30), (3, 5, 13, 6), (4, 4, 56, 56), (2, 4, 29, 112), (8, 8, 14, 14)],
    shards=5,
)
def test_programs_compute_the_convolution(
    inputs: int, outputs: int, height: int, width: int, target: str, block: int, threads: int
) -> None:
    """By the rule, whatever is left over of tiles, lines and parts; within 1e-5 of the scale of the exact result."""
    module = parse(context(), program(inputs, outputs, height, width, block), "conv.mlir")
    with collect_remarks() as found:
        run = tilewright.compile(module, target=target, threads=threads)
    assert not [r.message for r in found if r.code == "TW0409"]
    assert [r for r in found if r.code == "TW0763" and "of an image transformed" in r.message]
    x, w, b, a = arrays(inputs * block, outputs * block, height, width)
    packed = w.reshape(outputs, block, inputs, block, 3, 3).transpose(0, 2, 4, 5, 3, 1)
    operands = (to_blocks(x, block), transformed_weights(packed), b.reshape(-1, block), to_blocks(a, block))
    got = np.asarray(run(*map(np.ascontiguousarray, operands)))
    window = {"strides": (1, 1), "padding": (1, 1, 1, 1), "dilations": (1, 1), "groups": 1}
    exact = get_operator("conv2d").reference(*(v.astype(np.float64) for v in (x, w, b)), **window)
    scale = np.abs(exact).max()
    np.testing.assert_allclose(from_blocks(got), np.maximum(exact + a, 0), rtol=0, atol=1e-5 * scale)


@pytest.mark.parametrize("size", [1, 2])
def test_a_tile_or_two_are_left_to_other_rules(size: int) -> None:
    module = parse(context(), program(1, 2, size, size), "conv.mlir")
    x, w, b, a = arrays(16, 32, size, size)
    weights = transformed_weights(w.reshape(2, 16, 1, 16, 3, 3).transpose(0, 2, 4, 5, 3, 1))
    operands = [np.ascontiguousarray(v) for v in (to_blocks(x, 16), weights, b.reshape(-1, 16), to_blocks(a, 16))]
    (expected,) = interpret(module, "main", *operands)
    got = tilewright.compile(module, threads=1)(*operands)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-5, atol=1e-5)


def test_the_rule_is_reported_and_is_the_one_that_schedules() -> None:
    module = parse(context(), program(4, 4, 56, 56), "conv.mlir")
    with collect_remarks() as found:
        tilewright.compile(module, target="llvm", threads=1)
    (message,) = [r.message for r in found if r.code == "TW0763"]
    assert "of an image transformed in" in message


@pytest.mark.parametrize("threads", [1, 2])
def test_results_leave_their_blocks_where_they_are_computed(threads: int) -> None:
    """Lines of 28 pixels nearly fill vectors."""
    blocked, plain = "tensor<1x3x28x28x16xf32>", "tensor<1x48x28x28xf32>"
    text = f"""
func.func @main(%x: tensor<1x2x28x28x16xf32>, %w: tensor<4x4x3x2x16x16xf32>) -> {plain} {{
  %c = graph.winograd_conv2d %x, %w padding [1, 1, 1, 1] : {blocked}
  %r = graph.relu %c : {blocked}
  %n = graph.unblock_channels %r : {plain}
  func.return %n : {plain}
}}
"""
    module = parse(context(), text, "conv.mlir")
    blocks = {b.label: b for op in lower_module(module.clone(), 0).ops for b in blocks_in(op)}
    shared = [each for each in loops_around(blocks["unblock_channels"]) if each in loops_around(blocks["relu"])]
    assert prod(each.constant_trip_count or 1 for each in shared) >= 14, "the lines of tiles"
    x, w, _, _ = arrays(32, 48, 28, 28)
    weights = transformed_weights(w.reshape(3, 16, 2, 16, 3, 3).transpose(0, 2, 4, 5, 3, 1))
    operands = [np.ascontiguousarray(v) for v in (to_blocks(x, 16), weights)]
    (expected,) = interpret(module, "main", *operands)
    got = tilewright.compile(module, threads=threads)(*operands)
    np.testing.assert_allclose(np.asarray(got), expected, rtol=0, atol=1e-4)
