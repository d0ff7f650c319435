"""add_unit_loop: a loop of one iteration around a block or a loop."""

from __future__ import annotations

from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..refusal import UNSUITABLE, loop_name


def add_unit_loop(op: loop.BlockOp | loop.ForOp) -> loop.ForOp:
    """Put a loop that runs once around a block or a loop: something to bind, to fuse or to compute at.

    before:
    ```mlir
    func.func @main(%B: memref<f32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.block "B" () {
        loop.store %one, %B[] : memref<f32>
      }
      func.return
    }
    ```
    after `add_unit_loop(B)`:
    ```mlir
    func.func @main(%B: memref<f32> {tw.output}) {
      %one = arith.constant 1.0 : f32
      loop.for %u = 0 to 1 {
        loop.block "B" () {
          loop.store %one, %B[] : memref<f32>
        }
      }
      func.return
    }
    ```
    """
    if isinstance(op, loop.ForOp) and op.iter_args:
        fail(UNSUITABLE, f"add_unit_loop: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    outer = loop.ForOp(0, 1, name_hint="u")
    edit.insert(outer, InsertPoint.before(op), of=op)
    edit.append(outer.body.block, edit.detach(op))
    return outer
