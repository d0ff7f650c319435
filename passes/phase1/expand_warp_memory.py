"""Pass `expand-warp-memory`: one part of a warp buffer for each warp of a block."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.thread_rows import give_rows, has_plain_uses


@dataclass(frozen=True)
class ExpandWarpMemoryPass(Pass):
    """Move allocations of warp memory before the loops over threads, with a leading dimension for each loop over warps.

    ```mlir
    loop.for %w = 0 to 4 kind thread<"threadIdx.y"> {
      %c = loop.alloc : memref<16x8xf32, "warp.mma_c">
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> { … loop.store %v, %c[%i, %j] … }
    }
    // becomes
    %c = loop.alloc : memref<4x16x8xf32, "warp.mma_c">
    loop.for %w = 0 to 4 kind thread<"threadIdx.y"> {
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> { … loop.store %v, %c[%w, %i, %j] … }
    }
    ```
    The lanes of a warp are the iterations of the loop over `threadIdx.x`. An allocation inside that loop would be
    memory of one lane and is refused (TW0665), as is memory of warps whose size is not constant.

    Needs: loop level; the loops of a kernel over one axis have one extent.
    Grants: memory of warps is allocated outside of the loops over threads, and each warp accesses a separate part.
    """

    name = "expand-warp-memory"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in [n for n in operations(op) if isinstance(n, loop.AllocOp) and loop.is_of_warp(n.res.type)]:
            around = [p for p in loop.enclosing(alloc, loop.ForOp) if isinstance(p, loop.ForOp)]
            threads = [p for p in around if loop.is_over_threads(p)]
            if threads and may_rewrite("give warps their parts of", alloc):
                _expand(alloc, threads)


def _expand(alloc: loop.AllocOp, threads: list[loop.ForOp]) -> None:
    """Expand an allocation; `threads` are the loops over threads around it, innermost first."""
    by_tag: dict[str, loop.ForOp] = {}
    for op in threads:
        by_tag.setdefault(op.kind.tag.data, op)
    if loop.LANE_AXIS in by_tag:
        _refuse(alloc, f"to be allocated outside of the loop over {loop.LANE_AXIS}, whose threads share it")
    extents = [op.constant_trip_count for op in by_tag.values()]
    shape = alloc.res.type.get_shape()
    if DYNAMIC_INDEX in shape or any(n is None for n in extents):
        _refuse(alloc, "to be of constant size, for a constant number of warps")
    if not has_plain_uses(alloc):
        _refuse(alloc, "to be accessed by loads, stores and calls alone")
    give_rows(alloc, list(by_tag.values()), threads[-1])


def _refuse(alloc: loop.AllocOp, expected: str) -> NoReturn:
    fail("TW0665", f"expected {name_of(alloc.res)}, memory of a warp, {expected}", op=alloc)
