"""Pass `probe`: prints the elements that blocks store."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...analysis.access import blocks_in
from ...diagnostics import fail
from ...diagnostics.text import did_you_mean
from ...ir.rewrites import may_rewrite
from ...schedule.primitives.probe import print_stored, stores_of
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class ProbePass(Pass):
    """Let blocks print each element that they store, with its index and the line that the block comes from.

    ```mlir
    loop.block "B" (%vi = spatial(%i) in 8) {
      loop.store %a, %B[%vi] : memref<8xf32>
    }
    ```
    becomes
    ```mlir
    loop.block "B" (%vi = spatial(%i) in 8) {
      loop.store %a, %B[%vi] : memref<8xf32>
      loop.print "t.py:3: B[{}] = {}" (%vi) %a : f32
    }
    ```
    `block`: the label of the blocks that print; all of them without it. Inits print nothing, nor do vectors.

    Needs: loop level, blocks.
    """

    name = "probe"
    phase = 0
    levels = (Level.BLOCK,)

    block: str = ""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        blocks = blocks_in(op)
        chosen = [block for block in blocks if self.block in ("", block.label)]
        if self.block and not chosen:
            near = did_you_mean(self.block, [block.label for block in blocks])
            fail("TW0403", f"probe: there is no block {self.block!r}{near}", op=op)
        for block in chosen:
            for store in stores_of(block):
                if may_rewrite("probe", store):
                    print_stored(store)
