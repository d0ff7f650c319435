"""Pass `unroll`: short inner loops are marked to be written out."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...dialects import loop
from ..base import Level, Pass


@dataclass(frozen=True)
class UnrollPass(Pass):
    """Mark short innermost serial loops with a constant trip count as unrolled.

    ```mlir
    loop.for %k = 0 to 3 { … }
    // becomes
    loop.for %k = 0 to 3 kind unrolled { … }
    ```
    `factor`: the longest trip count to unroll. `max_ops`: how many operations the iterations may come to, those of
    unrolled loops inside counted once for each iteration. A loop counts as innermost where all loops inside it are
    unrolled. The loops stay loops: an emitter, or `expand-unrolled`, writes them out.

    Needs: loop level.
    Grants: nothing that later passes rely on.
    """

    name = "unroll"
    phase = 2
    levels = (Level.LOOP,)

    factor: int = 4
    max_ops: int = 64

    def __post_init__(self) -> None:
        if self.factor < 1:
            raise ValueError(f"expected a factor of at least 1, but got {self.factor}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        serial = [n for n in op.walk() if isinstance(n, loop.ForOp) and n.kind == loop.SERIAL]
        for nested in reversed(serial):  # the inner ones first
            trips = nested.constant_trip_count
            if trips is None or not 2 <= trips <= self.factor:
                continue
            size = _expanded_size(nested.body.block)
            if size is not None and size * trips <= self.max_ops:
                nested.kind = loop.UNROLLED


def _expanded_size(block: Block) -> int | None:
    """The operations of `block` once its loops are written out; None where one is not unrolled."""
    total = 0
    for op in block.ops:
        times = 1
        if isinstance(op, loop.ForOp):
            trips = op.constant_trip_count
            if op.kind != loop.UNROLLED or trips is None:
                return None
            times = trips
        else:
            total += 1
        for region in op.regions:
            for inner in region.blocks:
                size = _expanded_size(inner)
                if size is None:
                    return None
                total += size * times
    return total
