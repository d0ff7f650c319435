"""A dialect with an operation on buffers: the copy of an accelerator, scheduled around and lowered.

    python examples/accelerator_copy.py

The operation declares that it reads one buffer and writes another one. Schedules keep that order: loops before and
after the copy are tiled, and a primitive that would move a statement past it is refused.
"""

from __future__ import annotations

import numpy as np
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.passes import Accesses, TilewrightError
from tilewright.passes import editor as edit
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

PROGRAM = """
func.func @main(%a: memref<8x8xf32>, %c: memref<8x8xf32> {tw.output}) {
  %host = loop.alloc : memref<8x8xf32>
  %device = loop.alloc : memref<8x8xf32>
  loop.for %i = 0 to 8 { loop.for %j = 0 to 8 {
    loop.block "before" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
      %x = loop.load %a[%vi, %vj] : memref<8x8xf32>
      %y = arith.addf %x, %x : f32
      loop.store %y, %host[%vi, %vj] : memref<8x8xf32>
    } } }
  accelerator.copy %host to %device : memref<8x8xf32>, memref<8x8xf32>
  loop.for %i = 0 to 8 { loop.for %j = 0 to 8 {
    loop.block "after" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
      %x = loop.load %device[%vi, %vj] : memref<8x8xf32>
      %y = arith.mulf %x, %x : f32
      loop.store %y, %c[%vi, %vj] : memref<8x8xf32>
    } } }
  func.return
}
"""


@irdl_op_definition
class CopyOp(IRDLOperation):
    """Copy a buffer to another one of the same shape."""

    name = "accelerator.copy"
    source = operand_def(MemRefType)
    target = operand_def(MemRefType)
    assembly_format = "$source `to` $target attr-dict `:` type($source) `,` type($target)"

    def __init__(self, source, target):
        super().__init__(operands=[source, target])


def copy(op: CopyOp, source: np.ndarray, target: np.ndarray) -> None:
    """Copy numpy arrays, as the operation copies buffers."""
    target[...] = source


class LowerCopy(RewritePattern):
    """Write a copy as loops; an accelerator would be called with `loop.call_extern`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CopyOp, rewriter: PatternRewriter) -> None:
        loops = [loop.ForOp(0, extent) for extent in op.source.type.get_shape()]
        for outer, inner in zip(loops, loops[1:], strict=False):
            edit.append(outer.body.block, inner)
        index = [each.induction_variable for each in loops]
        element = loop.LoadOp(op.source, index)
        edit.append(loops[-1].body.block, element, loop.StoreOp(element.res, op.target, index))
        rewriter.replace(op, [loops[0]], [])


def register() -> None:
    """Let the compiler know the dialect and its lowering."""
    tilewright.register_pass(phase=0, name="lower-accelerator")(LowerCopy)
    tilewright.register_dialect(
        Dialect("accelerator", [CopyOp]),
        references={CopyOp: copy},
        accesses={CopyOp: lambda op: Accesses(reads=[op.source], writes=[op.target])},
        lowering="lower-accelerator",
    )


def main() -> None:
    register()
    schedule = tilewright.Schedule(parse(context(), PROGRAM, "accelerator.mlir"))
    rows, columns = schedule.get_loops("before")
    outer, inner = schedule.split(rows, factors=[None, 4])
    schedule.reorder(columns, outer, inner)
    schedule.vectorize(schedule.get_loops("after")[1])
    try:
        schedule.compute_at("before", schedule.get_loops("after")[0])
    except TilewrightError as refused:
        print(f"refused: {refused.message}")
    x = np.random.default_rng(0).standard_normal((8, 8)).astype(np.float32)
    for target in ("interpreter", "cpu"):
        result = np.zeros_like(x)
        tilewright.build(schedule.mod, target=target)(x, result)
        np.testing.assert_array_equal(result, (x + x) * (x + x))
        print(f"{target}: copied and squared")


if __name__ == "__main__":
    main()
