"""Pass `expand-unrolled`: replaces unrolled loops by their iterations."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects import loop
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.loops import expand


@dataclass(frozen=True)
class ExpandUnrolledPass(Pass):
    """Replace every loop of kind unrolled by its iterations, one after the other.

    ```mlir
    loop.for %i = 0 to 2 kind unrolled { loop.store %x, %acc[%i * 8 + lane] : vector<8xf32>, memref<16xf32> }
    // becomes
    loop.store %x, %acc[lane] : vector<8xf32>, memref<16xf32>
    loop.store %x, %acc[lane + 8] : vector<8xf32>, memref<16xf32>
    ```
    Emitters do the same while they write code. The pass states the result in IR, and tests compare emitters with it.

    Needs: loop level, and a constant trip count of every unrolled loop; another one is an error.
    Grants: no loop of kind unrolled is left.
    """

    name = "expand-unrolled"
    phase = 2
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        marked = [n for n in operations(op) if isinstance(n, loop.ForOp) and n.kind == loop.UNROLLED]
        for nested in reversed(marked):  # the inner ones first
            if may_rewrite("write out", nested):
                expand(nested)
