"""Pass `mark-written-out`: marks loops of at most one iteration as unrolled."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from ...dialects import loop
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class MarkWrittenOutPass(Pass):
    """Mark serial and parallel loops that are known to run at most once as unrolled.

    ```mlir
    loop.for %i = %n to %n + 1 kind parallel { … }
    // becomes
    loop.for %i = %n to %n + 1 kind unrolled { … }
    ```
    `simplify` has replaced most such loops by their bodies. The others would be loops without a back edge, and parallel
    loops without iterations to share.

    Needs: loop level.
    Grants: the loops that are written out, whose variables may index registers, are those of kind unrolled.
    """

    name = "mark-written-out"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for nested in operations(op):
            if not isinstance(nested, loop.ForOp) or nested.kind not in (loop.SERIAL, loop.PARALLEL):
                continue
            trips = nested.constant_trip_count
            if trips is not None and trips <= 1 and may_rewrite("write out", nested):
                nested.drop_captures()
                edit.change(nested).kind = loop.UNROLLED
