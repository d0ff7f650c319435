"""Tiles of a product for blocks and warps on tensor cores.

As for other products, the model counts cycles of the multiprocessor with the most work: multiply-adds, fetches and
waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....dialects import loop
from ....dialects.loop import LANES
from ....dialects.target import CudaTargetAttr
from ...decisions import decide
from ...tensor_cores import TensorCore
from ..coefficients import (
    GPU_TENSOR_BUSY_GROUP_WARPS,
    GPU_TENSOR_BUSY_WARPS,
    GPU_TENSOR_GROUP_PRODUCTS_A_CYCLE,
    GPU_TENSOR_GROUP_STEP_CYCLES,
    GPU_TENSOR_LOAD_CYCLES,
    GPU_TENSOR_PRODUCTS_A_CYCLE,
    GPU_TENSOR_STEP_CYCLES,
    GPU_TILE_BYTES_A_CYCLE,
    GPU_TILE_HIDDEN,
    GPU_TILE_LATENCY,
)
from .product_tiles import choose_parts, parts_of

SPARE_REGISTERS = 40
"""Registers of a lane beside its sums and its parts of operands."""

LEAST_STAGES, MOST_STAGES = 2, 4
"""Steps whose operands are in shared memory at a time."""

OVERLAPPED_STAGES = 3
"""With so many of them operands of the next step are loaded while products of this one are computed."""

TERMS = (64, 32)
"""The terms of a step, the first number where shared memory has room for it."""


GROUP_ROWS = (128, 64)
"""The rows of a block whose warps work four at a time."""


@dataclass(frozen=True)
class WarpTile:
    """A block's tile, and its division among warps."""

    rows: int
    columns: int
    terms: int
    warp_rows: int
    """Warps along the rows."""
    warp_columns: int
    core: TensorCore
    stages: int = LEAST_STAGES
    """Steps whose operands are in shared memory at a time, where copies go on while threads work."""

    @property
    def extents(self) -> tuple[str, int, int, int, int, int]:
        """Its value as a decision, without its stages."""
        return self.core.name, self.rows, self.columns, self.terms, self.warp_rows, self.warp_columns

    @property
    def row_groups(self) -> int:
        """Instructions of a warp along the rows."""
        return self.rows // self.warp_rows // self.core.rows

    @property
    def column_groups(self) -> int:
        return self.columns // self.warp_columns // self.core.columns

    @property
    def registers(self) -> int:
        """The registers of a lane: its sums and, unless these stay in shared memory, its parts of the operands for the
        current and the next terms."""
        sums = self.rows * self.columns // (self.warps * LANES)
        if self.core.warps > 1:
            return sums + SPARE_REGISTERS
        return sums + 8 * self.row_groups + 4 * self.column_groups + SPARE_REGISTERS

    @property
    def warps(self) -> int:
        return self.warp_rows * self.warp_columns

    @property
    def shared_bytes(self) -> int:
        """The bytes of a step: rows with padding, or swizzled."""
        return (self.rows + self.columns) * (self.terms + (8 if self.core.warps == 1 else 0)) * 2

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns} x {self.terms}"


def choose_warp_plan(
    rows: int,
    columns: int,
    terms: int,
    batches: int,
    divisible: int,
    cores: Sequence[TensorCore],
    target: CudaTargetAttr,
) -> tuple[WarpTile, int] | None:
    """Return a tile for one of the cores, and the number of equal parts of an axis of `divisible` terms with which more
    blocks have work.

    A tile is no larger than the result, so that there are whole ones. None where none fits, or the target allows none.
    """

    def timed(parts: int) -> tuple[WarpTile, float] | None:
        found = _legal(rows, columns, terms // parts, cores, target)
        costs = [(_predicted_cycles(t, rows, columns, terms // parts, batches * parts, target), t) for t in found]
        cost, tile = min(costs, key=lambda each: each[0], default=(0.0, None))
        if tile is None:
            return None
        return replace(tile, stages=_most_stages(tile, target)), cost

    return choose_parts(timed, divisible, rows * columns * batches * 4, target)


def decided_warp_plan(
    plan: tuple[WarpTile, int],
    extents: tuple[int, int, int],
    divisible: int,
    cores: Sequence[TensorCore],
    target: CudaTargetAttr,
    block: loop.BlockOp,
) -> tuple[WarpTile, int]:
    """Return the decided tile, stages and number of parts; the rule fixes the kind of tensor core."""
    rows, columns, terms = extents
    tile, parts = plan
    cuts = (n for n in parts_of(divisible) if terms // n > tile.core.terms)
    parts = decide("product.parts", cuts, parts, block=block, changes_sums=True)
    found = {t.extents: t for t in _legal(rows, columns, terms // parts, cores, target) if _is_alike(t, tile)}
    found.setdefault(tile.extents, tile)
    tile = found[decide("product.tile", found, tile.extents, block=block)]
    stages = range(LEAST_STAGES, _most_stages(tile, target) + 1)
    default = plan[0].stages if tile.extents == plan[0].extents else stages[-1]
    return replace(tile, stages=decide("product.stages", stages, default, block=block)), parts


def _is_alike(tile: WarpTile, other: WarpTile) -> bool:
    """Return whether two tiles are both for cores of single warps, or both for those of several."""
    return (tile.core.warps > 1) == (other.core.warps > 1)


def _most_stages(tile: WarpTile, target: CudaTargetAttr) -> int:
    return min(target.shared // tile.shared_bytes, MOST_STAGES)


def _legal(rows: int, columns: int, terms: int, cores: Sequence[TensorCore], target: CudaTargetAttr) -> list[WarpTile]:
    """Return the tiles that are no larger than the result, and that threads and shared memory of a target are enough
    for."""
    found = [t for core in cores for t in _candidates(terms, core, target)]
    found = [t for t in found if t.rows <= rows and t.columns <= columns]
    found = [t for t in found if LEAST_STAGES * t.shared_bytes <= target.shared]
    return [t for t in found if t.warps * target.warp <= target.max_threads]


def _candidates(terms: int, core: TensorCore, target: CudaTargetAttr) -> Iterator[WarpTile]:
    if core.warps > 1:
        for rows in GROUP_ROWS if terms >= core.terms else ():
            yield WarpTile(rows, core.columns, core.terms, rows // core.rows, 1, core)
        return
    most = -(-terms // core.terms) * core.terms
    for rows, columns, warp_rows, warp_columns in (
        (128, 256, 2, 4),
        (256, 128, 4, 2),
        (128, 128, 2, 2),
        (128, 128, 2, 4),
        (128, 64, 4, 2),
        (64, 128, 2, 4),
        (64, 64, 2, 2),
        (32, 64, 1, 4),
        (64, 32, 4, 1),
        (32, 32, 2, 2),
        (16, 64, 1, 4),
        (16, 16, 1, 1),
    ):
        tiles = [WarpTile(rows, columns, min(n, most), warp_rows, warp_columns, core) for n in TERMS]
        yield next((t for t in tiles if OVERLAPPED_STAGES * t.shared_bytes <= target.shared), tiles[-1])


def _predicted_cycles(
    tile: WarpTile, rows: int, columns: int, terms: int, batches: int, target: CudaTargetAttr
) -> float:
    blocks = -(-rows // tile.rows) * -(-columns // tile.columns) * batches
    share = -(-blocks // target.processors)
    resident = min(share, max(target.registers // (tile.registers * tile.warps * LANES), 1))
    steps = share * -(-terms // tile.terms)
    is_single = tile.core.warps == 1
    busy = min(
        1.0,
        resident * tile.warps / (GPU_TENSOR_BUSY_WARPS if is_single else GPU_TENSOR_BUSY_GROUP_WARPS),
    )
    rate = GPU_TENSOR_PRODUCTS_A_CYCLE if is_single else GPU_TENSOR_GROUP_PRODUCTS_A_CYCLE
    arithmetic = tile.rows * tile.columns * tile.terms / rate / busy
    arithmetic += (GPU_TENSOR_STEP_CYCLES if is_single else GPU_TENSOR_GROUP_STEP_CYCLES) / resident
    loads = tile.warps * (tile.row_groups + tile.column_groups / 2) * (tile.terms // tile.core.terms) * is_single
    fetching = (tile.rows + tile.columns) * tile.terms * 2 / GPU_TILE_BYTES_A_CYCLE
    waiting = max(GPU_TILE_LATENCY / resident - arithmetic, 0)
    return steps * (max(arithmetic, fetching) + waiting + GPU_TILE_HIDDEN * (fetching + loads * GPU_TENSOR_LOAD_CYCLES))
