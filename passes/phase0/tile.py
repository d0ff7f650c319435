"""Pass `tile`: tiles the spatial loops of blocks."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects.target import TargetAttr, target_of
from ...ir.rewrites import may_rewrite
from ...schedule import Schedule
from ...schedule.handles import BlockRV, LoopRV
from ...schedule.rules.contraction import plan_contraction
from ..framework.base import Level, Pass
from ..shared.scheduling import is_alone, loops_of_kind, schedules

DEFAULT_SIZE = 32
"""Side of a tile where no rule knows better: 4 KiB of f32 in two dimensions, a part of any first-level cache."""


@dataclass(frozen=True)
class TilePass(Pass):
    """Split the innermost spatial loops around each block into tiles.

    `sizes` are for the last loops, outermost first; without them a contraction on a known target takes its register
    tile, and other blocks tiles of 32. Loops no longer than their tile stay whole.

    ```mlir
    loop.for %i = 0 to 64 { loop.for %j = 0 to 64 { loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 64) …
    ```
    becomes, with `tile{sizes=32,32}`,
    ```mlir
    loop.for %io = 0 to 2 { loop.for %jo = 0 to 2 { loop.for %ii = 0 to 32 { loop.for %ji = 0 to 32 {
      loop.block "B" (%vi = spatial(%io * 32 + %ii) in 64, %vj = spatial(%jo * 32 + %ji) in 64) …
    ```
    Blocks that share loops with others are left alone.
    """

    name = "tile"
    phase = 0
    levels = (Level.BLOCK,)
    asks_target = True

    sizes: tuple[int, ...] = ()

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        target = target_of(op)
        for schedule, blocks in schedules(op):
            for block in blocks:
                if is_alone(schedule, block) and may_rewrite("tile", schedule.block(block)):
                    sizes = self.sizes or _default_sizes(schedule, block, target)
                    tile_block(schedule, block, sizes)


def tile_block(schedule: Schedule, block: BlockRV, sizes: tuple[int, ...]) -> None:
    """Tile the last `len(sizes)` spatial loops around `block`."""
    loops = loops_of_kind(schedule, block, "spatial")
    count = min(len(sizes), len(loops))
    chosen = zip(loops[len(loops) - count :], sizes[len(sizes) - count :], strict=True)
    outer: list[LoopRV] = []
    inner: list[LoopRV] = []
    for handle, size in chosen:
        trips = schedule.loop(handle).constant_trip_count
        if trips is not None and trips <= size:
            inner.append(handle)
        else:
            first, second = schedule.split(handle, [None, size])
            outer.append(first)
            inner.append(second)
    if outer and len(outer) + len(inner) > 2:
        schedule.reorder(*outer, *inner)


def _default_sizes(schedule: Schedule, block: BlockRV, target: TargetAttr | None) -> tuple[int, ...]:
    core = None if target is None else target.core
    plan = None if core is None else plan_contraction(schedule.block(block), core)
    spatial = loops_of_kind(schedule, block, "spatial")
    if plan is None:
        return (DEFAULT_SIZE,) * min(2, len(spatial))
    by_axis = {axis.position: extents for axis, extents in plan.tiled}
    sizes = [by_axis.get(axis.position, [1]) for axis in plan.shape.spatial]
    return tuple(extents[0] * (extents[1] if len(extents) > 1 else 1) for extents in sizes)
