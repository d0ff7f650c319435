"""Pass `cse`: computes equal values once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.traits import IsolatedFromAbove

from ...analysis.access import root_buffer, writes
from ...analysis.effects import is_pure
from ...diagnostics.locations import fused_location
from ...dialects import loop
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class CsePass(Pass):
    """Replace an operation by an equal one that always runs before it.

    ```mlir
    %a = loop.load %A[%i] : memref<8xf32>
    %b = loop.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    // becomes
    %a = loop.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %a : f32
    ```
    Pure operations with equal operands and attributes are equal. Loads are equal where their guards are equal too and
    nothing between them may write their buffer: a store to it or to a buffer that is a view of the same memory, a call
    that it is passed to, a loop or a conditional that holds one of those, or, for memory that threads share, a barrier
    or a wait for asynchronous copies.

    Needs: loop level; arguments and allocations that do not overlap.
    Grants: no two equal pure operations, and no two such loads, of which one dominates the other. LLVM only has to find
    repeated loads that the expansion of unrolled loops creates.
    """

    name = "cse"
    phase = 3
    levels = (Level.LOOP,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in op.body.blocks:
            _eliminate(block, {}, {})


_MEETINGS = (loop.BarrierOp, loop.AsyncWaitOp)
"""Operations after which shared memory holds the writes of other threads."""

Values = dict[Hashable, Operation]
Loads = dict[SSAValue, dict[Hashable, Operation]]
"""Loads whose results still equal the memory, by the buffer that they read."""


def _eliminate(block: Block, outer_values: Values, outer_loads: Loads) -> None:
    values = dict(outer_values)
    loads = {buffer: dict(known) for buffer, known in outer_loads.items()}
    for op in block.ops:
        if isinstance(op, loop.LoadOp):
            _unify(op, loads.setdefault(root_buffer(op.buffer), {}))
        elif is_pure(op):
            _unify(op, values)
        elif op.regions:
            _eliminate_inside(op, values, loads)
        else:
            _forget(op, loads)


def _eliminate_inside(op: Operation, values: Values, loads: Loads) -> None:
    _forget(op, loads)  # also by writes of a later iteration
    isolated = op.has_trait(IsolatedFromAbove)
    for region in op.regions:
        for block in region.blocks:
            _eliminate(block, {} if isolated else values, {} if isolated else loads)


def _forget(op: Operation, loads: Loads) -> None:
    """Drop the loads of buffers that `op` writes, or that other threads may have written when it is over."""
    if not loads:
        return
    changed = set(writes(op))
    for meeting in [inner for inner in operations(op) if isinstance(inner, _MEETINGS)]:
        is_global = isinstance(meeting, loop.BarrierOp) and meeting.scope.data == loop.GLOBAL
        changed.update(b for b in loads if loop.is_of_threads(b.type) or (is_global and not loop.is_private(b.type)))
    for buffer in changed:
        loads.pop(buffer, None)


def _unify(op: Operation, known: Values) -> None:
    first = known.setdefault(_key(op), op)
    if first is not op and may_rewrite("use an equal value", op):
        for old, new in zip(op.results, first.results, strict=True):
            edit.rename(new, new.name_hint or old.name_hint)
        first.location = fused_location(first.location, op.location)
        edit.replace(op, (), first.results)


def _key(op: Operation) -> Hashable:
    properties = tuple(sorted(op.properties.items()))
    attributes = tuple(sorted(op.attributes.items()))
    return op.name, tuple(op.operands), properties, attributes, tuple(op.result_types)
