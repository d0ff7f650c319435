"""tile: two nested loops into tiles."""

from __future__ import annotations

from ...dialects import loop
from ...ir import editor as edit
from .reorder import reorder
from .split import split

Tile = tuple[loop.ForOp, loop.ForOp, loop.ForOp, loop.ForOp]


def tile(
    x: loop.ForOp, y: loop.ForOp, x_factor: int, y_factor: int, *, assert_legal: bool = False
) -> tuple[Tile, bool]:
    """Split two nested loops by factors and bring the inner parts inside: outer x, outer y, inner x, inner y.

    Returns these loops, and whether the order of a reduction's terms changed. What `split` and `reorder` refuse is
    refused.

    before:
    ```mlir
    func.func @main(%A: memref<16x16xf32>, %B: memref<16x16xf32> {tw.output}) {
      loop.for %i = 0 to 16 {
        loop.for %j = 0 to 16 {
          loop.block "B" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 16) {
            %a = loop.load %A[%vi, %vj] : memref<16x16xf32>
            loop.store %a, %B[%vj, %vi] : memref<16x16xf32>
          }
        }
      }
      func.return
    }
    ```
    after `tile(i, j, 4, 8)`:
    ```mlir
    func.func @main(%A: memref<16x16xf32>, %B: memref<16x16xf32> {tw.output}) {
      loop.for %io = 0 to 4 {
        loop.for %jo = 0 to 2 {
          loop.for %ii = 0 to 4 {
            loop.for %ji = 0 to 8 {
              loop.block "B" (%vi = spatial(%io * 4 + %ii) in 16, %vj = spatial(%jo * 8 + %ji) in 16) {
                %a = loop.load %A[%vi, %vj] : memref<16x16xf32>
                loop.store %a, %B[%vj, %vi] : memref<16x16xf32>
              }
            }
          }
        }
      }
      func.return
    }
    ```
    """
    with edit.transaction():  # the reorder may be refused when both loops are split already
        xo, xi = split(x, [None, x_factor], preserve_unit_iters=True)
        yo, yi = split(y, [None, y_factor], preserve_unit_iters=True)
        loops = (xo, yo, xi, yi)
        return loops, reorder(loops, assert_legal=assert_legal)
