"""remove_unit_loops: loops of one iteration give way to their body."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.func import FuncOp
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ...traversal import operations
from ..refusal import UNSUITABLE, loop_name
from ..rewriting import substitute_variable


def remove_unit_loops(function: FuncOp, only: Sequence[loop.ForOp] = ()) -> list[loop.ForOp]:
    """Put the body of each serial loop that runs once in the place of the loop; returns the loops that are gone.

    Loops of other kinds, and those with a remark for later passes, stay. With `only` no other loops go, and one of them
    that would stay is an error.

    before:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.for %u = 0 to 1 {
          loop.block "B" (%vi = spatial(%i + %u) in 64) {
            %a = loop.load %A[%vi] : memref<64xf32>
            loop.store %a, %B[%vi] : memref<64xf32>
          }
        }
      }
      func.return
    }
    ```
    after `remove_unit_loops()`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    for op in only:
        if not _runs_once(op):
            fail(
                UNSUITABLE, f"remove_unit_loops: expected a serial loop that runs once, but got {loop_name(op)}", op=op
            )
    loops = only or [op for op in operations(function) if isinstance(op, loop.ForOp) and _runs_once(op)]
    for op in loops:
        substitute_variable(op, op.lowers[0], ranges_at=op)
        for nested in list(op.body.block.ops):
            edit.move(nested, InsertPoint.before(op))
        edit.erase(op)
    return list(loops)


def _runs_once(op: loop.ForOp) -> bool:
    return op.constant_trip_count == 1 and op.kind == loop.SERIAL and not op.iter_args and not op.attributes
