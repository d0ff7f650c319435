"""Pass `place-warp-memory`: each warp of a block gets its own part of what its lanes share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, ModuleOp
from xdsl.rewriter import InsertPoint, Rewriter

from ...analysis.access import accesses_of
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.index_expr import Index
from ...traversal import operations
from ..base import Level, Pass
from ..rewrite_limit import may_rewrite


@dataclass(frozen=True)
class PlaceWarpMemoryPass(Pass):
    """Allocate memory of warps outside of the loops over threads, with dimensions in front that tell the warps apart.

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
    The lanes of a warp are the loop over `threadIdx.x`. What is allocated inside of that would be memory of one lane
    and is refused (TW0665), as is memory of warps whose size is not constant.

    Needs: loop level; the loops of a kernel over one axis have one extent.
    Grants: memory of warps stands outside of the loops over threads, and each warp accesses a part of its own.
    """

    name = "place-warp-memory"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in [n for n in operations(op) if isinstance(n, loop.AllocOp) and loop.is_of_warp(n.res.type)]:
            around = [p for p in loop.enclosing(alloc, loop.ForOp) if isinstance(p, loop.ForOp)]
            threads = [p for p in around if loop.is_over_threads(p)]
            if threads and may_rewrite("give warps their parts of", alloc):
                _place(alloc, threads)


def _place(alloc: loop.AllocOp, threads: list[loop.ForOp]) -> None:
    """`threads` are the loops over threads around the allocation, innermost first."""
    by_tag: dict[str, loop.ForOp] = {}
    for op in threads:
        by_tag.setdefault(op.kind.tag.data, op)
    if loop.LANE_AXIS in by_tag:
        _refuse(alloc, f"to be allocated outside of the loop over {loop.LANE_AXIS}, whose threads share it")
    extents = [op.constant_trip_count for op in by_tag.values()]
    shape = alloc.res.type.get_shape()
    if DYNAMIC_INDEX in shape or any(n is None for n in extents):
        _refuse(alloc, "to be of constant size, for a constant number of warps")
    known = [n for n in extents if n is not None]
    type = loop.buffer_type([*known, *shape], alloc.res.type.element_type, loop.scope_of(alloc.res.type))
    accesses = accesses_of(alloc.res)
    if any(access.index is None for access in accesses):
        _refuse(alloc, "to be accessed by loads, stores and calls alone")
    placed = loop.AllocOp(type, name_hint=alloc.res.name_hint)
    placed.location = alloc.location
    placed.attributes |= alloc.attributes
    Rewriter.insert_op(placed, InsertPoint.before(threads[-1]))
    warp = [Index.of(op.induction_variable) for op in by_tag.values()]
    users = dict.fromkeys(use.operation for use in alloc.res.uses)
    for user in users:
        if isinstance(user, loop.CallExternOp):
            user.set_arguments([_moved(a, alloc, placed, warp) for a in user.arguments])
            continue
        assert isinstance(user, (loop.LoadOp, loop.StoreOp))
        index = [*warp, *user.index]
        user.operands[next(n for n, v in enumerate(user.operands) if v is alloc.res)] = placed.res
        user.set_index_lists(indices=index)
    Rewriter.erase_op(alloc)


def _moved(argument: loop.Argument, old: loop.AllocOp, new: loop.AllocOp, warp: list[Index]) -> loop.Argument:
    match argument:
        case loop.AccessArgument() if argument.buffer is old.res:
            box = (*(() for _ in warp), *argument.box)
            return loop.AccessArgument(argument.mode, new.res, (*warp, *argument.index), box)
        case loop.StrideArgument() if argument.buffer is old.res:
            return loop.StrideArgument(new.res, argument.dimension + len(warp), argument.type)
        case _:
            return argument


def _refuse(alloc: loop.AllocOp, expected: str) -> NoReturn:
    fail("TW0665", f"expected {name_of(alloc.res)}, memory of a warp, {expected}", op=alloc)
