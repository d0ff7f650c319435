"""tile: two nested loops into tiles."""

from __future__ import annotations

from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import LoopRV
from ..primitive_declaration import LOOPS, register_primitive
from .reorder import reorder_loops
from .split import split_loop

Tile = tuple[loop.ForOp, loop.ForOp, loop.ForOp, loop.ForOp]


@register_primitive(LOOPS)
def tile(
    sch: Engine, x: LoopRV, y: LoopRV, x_factor: int, y_factor: int, *, assert_legal: bool = False
) -> tuple[LoopRV, ...]:
    """Split two nested loops by factors and reorder the parts. Returns outer x, outer y, inner x and inner y.

    The refusals are those of `split` and `reorder`.

    before:
    ```mlir
    loop.for %i = 0 to 16 {
      loop.for %j = 0 to 16 {
        loop.block "B" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 16) { … }
      }
    }
    ```
    after `tile(i, j, 4, 8)`:
    ```mlir
    loop.for %io = 0 to 4 {
      loop.for %jo = 0 to 2 {
        loop.for %ii = 0 to 4 {
          loop.for %ji = 0 to 8 {
            loop.block "B" (%vi = spatial(%io * 4 + %ii) in 16, %vj = spatial(%jo * 8 + %ji) in 16) { … }
          }
        }
      }
    }
    ```
    """
    ops = sch.loop(x), sch.loop(y)
    parts, reassociates = _tile(*ops, x_factor, y_factor, assert_legal=assert_legal)
    sch.note_algebra(reassociates=reassociates)
    for op in ops:
        sch.retire(op, "tiled")
    return sch.handles_of(parts)


def _tile(
    x: loop.ForOp, y: loop.ForOp, x_factor: int, y_factor: int, *, assert_legal: bool = False
) -> tuple[Tile, bool]:
    with edit.transaction():  # the reorder may be refused when both loops are split already
        xo, xi = split_loop(x, [None, x_factor], preserve_unit_iters=True)
        yo, yi = split_loop(y, [None, y_factor], preserve_unit_iters=True)
        loops = (xo, yo, xi, yi)
        return loops, reorder_loops(loops, assert_legal=assert_legal)
