"""Pass `double-buffer`: loads of iteration i + 1 are issued before the computation of iteration i.

The pass moves loops, but stands in phase 1, because the doubled buffer must have its size before memory is planned.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.ranges import facts_at
from ...analysis.staging import Staging, staging_of
from ...diagnostics.remarks import remark
from ...dialects.index_expr import Index
from ...dialects.loop import REGISTER, AllocOp, IfOp, scope_of
from ...dialects.loop.storage import DOUBLE_BUFFER
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.buffer_versions import keep_versions, other_use
from ..shared.loops import clone_at


@dataclass(frozen=True)
class DoubleBufferPass(Pass):
    """Keep two copies of buffers annotated with `tw.double_buffer`: fill one for the next iteration, read the other.

    ```mlir
    loop.for %i = 0 to 16 {
      %b = loop.alloc attributes {tw.double_buffer} : memref<8xf32>
      loop.for %j = 0 to 8 { … loop.store %x, %b[%j] : memref<8xf32> }
      loop.for %j = 0 to 8 { %y = loop.load %b[%j] : memref<8xf32> … }
    }
    // becomes
    %b = loop.alloc : memref<2x8xf32>
    loop.for %j = 0 to 8 { … loop.store %x, %b[0, %j] : memref<2x8xf32> }
    loop.for %i = 0 to 16 {
      loop.if (%i < 15) {
        loop.for %j = 0 to 8 { … loop.store %x, %b[(%i + 1) mod 2, %j] : memref<2x8xf32> }
      }
      loop.for %j = 0 to 8 { %y = loop.load %b[%i mod 2, %j] : memref<2x8xf32> … }
    }
    ```
    The first fill is peeled off; each iteration begins with the fill for the next one. Memory that threads share is
    doubled at its allocation, outside of the loops over threads.

    A buffer stays single, with a remark, if it is not filled first and read afterwards in each iteration of a serial
    loop, or if the fill depends on data that the loop writes.

    Needs: loop level, `sink-allocations`.
    Grants: no allocation is annotated with `tw.double_buffer`.
    """

    name = "double-buffer"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in [nested for nested in operations(op) if isinstance(nested, AllocOp)]:
            if edit.change(alloc).attributes.pop(DOUBLE_BUFFER, None) is None:
                continue
            staging = staging_of(alloc)
            if (other := other_use(alloc)) is not None:
                staging = f"is used by {other.name}"
            elif scope_of(alloc.res.type) == REGISTER:
                staging = "is in registers"
            if isinstance(staging, str):
                remark("TW0423", f"a buffer is not doubled: it {staging}", op=alloc)
            elif may_rewrite("double buffer", alloc):
                _double(alloc, staging)


def _double(alloc: AllocOp, staging: Staging) -> None:
    around = staging.loop
    (lower,), variable = around.lowers, Index.of(around.induction_variable)
    facts = facts_at(around)
    keep_versions(alloc, 2, (variable - lower) % 2, around)
    runs = [e for u in around.uppers if not facts.proves(e := u - lower - 1)]
    first = _under(runs, clone_at(around, staging.fill, lower, {}))
    edit.insert(first, InsertPoint.before(around))
    more = [u - variable - 2 for u in around.uppers]
    ahead = _under(more, clone_at(around, staging.fill, variable + 1, {}))
    edit.insert(ahead, InsertPoint.before(staging.fill[0]))
    for op in reversed(staging.fill):
        if all(result.first_use is None for result in op.results):
            edit.erase(op)


def _under(conditions: list[Index], ops: list[Operation]) -> list[Operation]:
    if not conditions:
        return ops
    guarded = IfOp(conditions)
    guarded.location = ops[0].location
    edit.append(guarded.then_body.block, *ops)
    return [guarded]
