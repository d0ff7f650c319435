"""Plans of products for described GPUs, and the loops that become of them; nothing runs."""

from __future__ import annotations

from typing import Any

import pytest
from tilewright import te
from tilewright.analysis.domain import loops_around
from tilewright.dialects import loop
from tilewright.dialects.loop.pragmas import PIPELINE_ORDER, PIPELINE_STAGE
from tilewright.dialects.target import CudaTargetAttr
from tilewright.schedule.rules.cuda.tensor_tiles import _candidates, choose_warp_plan
from tilewright.schedule.tensor_cores import tensor_core, tensor_cores, warpgroup_cores

from .plans import GPU, blocks_in, scheduled, scopes, tags
from .products import matmul

HOPPER = CudaTargetAttr.get("sm_90a", shared=227 << 10)


# Products of threads


@pytest.mark.parametrize("lead", [(), (3,), (2, 3)])
def test_loops_of_a_product(lead: tuple[int, ...]) -> None:
    """Tiles of 32 by 32, of which 4 by 8 threads have 8 by 4 results each, in steps of 16 terms."""
    a, b = te.placeholder((*lead, 32, 40), name="A"), te.placeholder((*lead, 40, 48), name="B")
    k = te.reduce_axis((0, 40), name="k")

    def element(*index: Any) -> Any:
        *z, i, j = index
        return te.sum(a[(*z, i, k)] * b[(*z, k, j)], axis=k)

    function, (message,) = scheduled([a, b, te.compute((*lead, 32, 48), element, name="C")])
    count = {0: 1, 1: 3, 2: 6}[len(lead)]
    assert f"a product of {count} x 32 x 48 x 40: tiles of 32 x 32 x 16, 32 threads of 8 x 4" in message
    loops = {
        each.label: [(op.constant_trip_count, tag) for op, tag in zip(loops_around(each), tags(each), strict=True)]
        for each in blocks_in(function)
    }
    batches = [(count, "blockIdx.z")] if lead else []
    around = [*batches, (1, "blockIdx.y"), (2, "blockIdx.x"), (4, "threadIdx.y"), (8, "threadIdx.x")]
    steps = [(3, "serial"), (2, "serial"), (8, "serial")]
    assert loops["C"] == [*around, *steps, (8, "serial"), (4, "serial")]
    assert loops["C_init"] == [*around, (8, "serial"), (4, "serial")]
    assert loops["C_reindex"] == [*around, (2, "serial"), (4, "serial"), (1, "serial"), (4, "vectorized")]
    fetched = [*around, (3, "serial"), (4, "serial"), (4, "threadIdx.y"), (8, "threadIdx.x"), (4, "vectorized")]
    for name in ("A_reindex_pad", "B_reindex_pad"):
        assert loops[name] == loops[f"{name}_write"] == fetched
        assert loops[f"{name}_read"][: len(around) + 3] == [*around, *steps]
        assert loops[f"{name}_read"][-1] == (4, "vectorized")
    assert sorted(scopes(function).values()) == ['"local"'] * 5 + ['"shared"'] * 2


# Tensor cores


def test_which_tensor_cores_a_target_has() -> None:
    for operand in ("float16", "bfloat16", "float32", "int8"):
        for target in (HOPPER, CudaTargetAttr.get("sm_90"), CudaTargetAttr.get("sm_80"), CudaTargetAttr.get("sm_75")):
            fitting = [c for c in tensor_cores() if c.operand == operand and c.runs_on(target)]
            assert list(warpgroup_cores(operand, target)) == [c for c in fitting if c.warps != 1]
            assert tensor_core(operand, target) == next((c for c in fitting if c.warps == 1), None)
    wide = warpgroup_cores("float16", HOPPER)
    assert wide and all((c.warps, c.rows, c.operand, c.arch) == (4, 16, "float16", "sm_90a") for c in wide)
    assert not warpgroup_cores("float16", CudaTargetAttr.get("sm_90"))
    assert tensor_core("float16", CudaTargetAttr.get("sm_80")) is not None


@pytest.mark.parametrize("terms", [16, 48, 4096])
def test_tiles_are_divided_by_warps_and_instructions(terms: int) -> None:
    cores = [core for operand in ("float16", "bfloat16") for core in tensor_cores() if core.operand == operand]
    tiles = [tile for core in cores for tile in _candidates(terms, core, HOPPER)]
    assert tiles
    for tile in tiles:
        assert tile.rows == tile.row_groups * tile.warp_rows * tile.core.rows, tile
        assert tile.columns == tile.column_groups * tile.warp_columns * tile.core.columns, tile
        assert tile.terms % tile.core.terms == 0 and tile.warps % tile.core.warps == 0
        assert tile.terms < terms + tile.core.terms


@pytest.mark.parametrize(
    ("size", "tile", "warps", "stages", "parts"),
    [
        ((4096, 4096, 4096), "128 x 128 x 32", (2, 2), 2, 1),
        ((1024, 1024, 1024), "128 x 64 x 32", (4, 2), 3, 1),
        ((512, 512, 512), "32 x 64 x 64", (1, 4), 3, 1),
        ((128, 128, 4096), "32 x 64 x 64", (1, 4), 3, 16),
        ((32, 4096, 512), "32 x 32 x 64", (2, 2), 4, 1),
        ((16, 4096, 4096), "16 x 64 x 64", (1, 4), 4, 16),
        ((4096, 16, 64), "16 x 16 x 64", (1, 1), 4, 1),
        ((4096, 32, 4096), "64 x 32 x 64", (4, 1), 3, 8),
        ((4096, 32, 48), "32 x 32 x 48", (2, 2), 4, 1),
    ],
)
def test_tiles_of_products(
    size: tuple[int, int, int], tile: str, warps: tuple[int, int], stages: int, parts: int
) -> None:
    core = tensor_core("float16", GPU)
    assert core is not None
    found = choose_warp_plan(*size, 1, size[2], [core], GPU)
    assert found is not None
    assert (str(found[0]), (found[0].warp_rows, found[0].warp_columns)) == (tile, warps)
    assert (found[0].stages, found[1]) == (stages, parts)


@pytest.mark.parametrize(
    ("size", "tile", "warps"),
    [
        ((4096, 4096, 4096), "128 x 256 x 64", (8, 1)),
        ((1024, 1024, 1024), "128 x 64 x 64", (8, 1)),
        ((512, 512, 512), "32 x 64 x 64", (1, 4)),
    ],
)
def test_large_products_are_computed_by_four_warps_together(
    size: tuple[int, int, int], tile: str, warps: tuple[int, int]
) -> None:
    core = tensor_core("float16", HOPPER)
    assert core is not None
    found = choose_warp_plan(*size, 1, size[2], [core, *warpgroup_cores("float16", HOPPER)], HOPPER)
    assert found is not None and found[1] == 1
    assert (str(found[0]), (found[0].warp_rows, found[0].warp_columns)) == (tile, warps)


def test_tiles_fit_the_target() -> None:
    core = tensor_core("float16", GPU)
    assert core is not None
    assert choose_warp_plan(15, 64, 64, 1, 64, [core], GPU) is None
    assert choose_warp_plan(64, 15, 64, 1, 64, [core], GPU) is None
    few = choose_warp_plan(4096, 4096, 4096, 1, 4096, [core], CudaTargetAttr.get(max_threads=64))
    assert few is not None and few[0].warps <= 2
    assert choose_warp_plan(4096, 4096, 4096, 1, 4096, [core], CudaTargetAttr.get(shared=4096)) is None


def pipelines(tensors: list[te.Tensor], target: CudaTargetAttr) -> list[tuple[list[int], list[int]]]:
    """Return stages and orders of the statements of each loop that is to be pipelined."""
    function, _ = scheduled(tensors, target)

    def numbers(op: loop.ForOp, name: str) -> list[int]:
        return [each.value.data for each in op.attributes[name]]  # pyright: ignore

    loops = [op for op in function.walk() if isinstance(op, loop.ForOp) and PIPELINE_STAGE in op.attributes]
    return [(numbers(op, PIPELINE_STAGE), numbers(op, PIPELINE_ORDER)) for op in loops]


AHEAD = [0, 0, 0, 0, 1], [0, 3, 1, 4, 2]
"""Both operands are fetched, then products of what was fetched before are added, then what was fetched is stored."""


def test_operands_are_fetched_a_step_ahead() -> None:
    inputs, c = matmul(256, 256, 256, "float16", "float32")
    ((stages, order),) = pipelines([*inputs, c], GPU)
    assert stages == [0, 0, 2, 2, 3, *[3] * 9]
    assert [order.index(n) for n in range(14)] == [4, 5, 6, 0, 7, 8, 9, 1, 10, 11, 12, 2, 3, 13]
    inputs, c = matmul(250, 250, 250, "float16", "float32")
    assert pipelines([*inputs, c], GPU) == [AHEAD], "what is filled up goes through registers"
    inputs, c = matmul(32, 64, 32)
    assert pipelines([*inputs, c], GPU) == [AHEAD]


def test_operands_of_four_warps_are_fetched_a_step_ahead() -> None:
    inputs, c = matmul(1024, 1024, 1024, "float16", "float32")
    assert pipelines([*inputs, c], HOPPER) == [([0, 0, 3, 3], [1, 2, 0, 3])]
    inputs, c = matmul(1020, 1020, 1020, "float16", "float32")
    ((stages, order),) = pipelines([*inputs, c], HOPPER)
    # Both are fetched, products begun and waited for, and both stored.
    assert stages == [0, 0, 0, 0, 1, 1]
    assert [order.index(n) for n in range(6)] == [0, 2, 4, 5, 1, 3]
