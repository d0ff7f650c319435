"""Pass `inline-calls`: inlines all calls of programs whose host only launches kernels."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects.loop import AllocOp, ApplyOp, BindOp, DimOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

_MOST_CALLS = 10_000
"""Of one function; more are those of functions that call each other."""


@dataclass(frozen=True)
class InlineCallsPass(Pass):
    """Replace each call by the operations of the function that it calls.

    ```mlir
    func.func private @fill(%x: memref<8xf32>) { loop.for %i = 0 to 8 kind thread<"threadIdx.x"> { ... } }
    func.func @main(%y: memref<8xf32> {tw.output}) { func.call @fill(%y) : (memref<8xf32>) -> () }
    // becomes
    func.func @main(%y: memref<8xf32> {tw.output}) { loop.for %i = 0 to 8 kind thread<"threadIdx.x"> { ... } }
    ```
    Private functions that nothing calls afterwards are removed. A call of a function without a body, and recursion, are
    refused (TW0601).

    Needs: calls stand in the blocks of functions, outside of loops.
    Grants: buffers of kernels are arguments, allocations and constants of one function, and views of those.
    """

    name = "inline-calls"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {f.sym_name.data: f for f in op.ops if isinstance(f, func.FuncOp)}
        if not any(_calls_of(function) for function in functions.values()):
            return
        for function in functions.values():
            _inline_calls(function, functions)
        called = {c.callee.root_reference.data for c in operations(op) if isinstance(c, func.CallOp)}
        for name, function in functions.items():
            is_private = function.sym_visibility is not None and function.sym_visibility.data == "private"
            if is_private and name not in called:
                edit.erase(function)


def _calls_of(function: func.FuncOp) -> list[func.CallOp]:
    """Return the calls in the body of a function, without those in nested regions."""
    return [op for op in function.body.block.ops if isinstance(op, func.CallOp)] if function.body.blocks else []


def _inline_calls(function: func.FuncOp, functions: dict[str, func.FuncOp]) -> None:
    """Replace the calls in the body of a function by the operations of their callees, until there are none."""
    kept, count = set[func.CallOp](), 0
    while call := next((c for c in _calls_of(function) if c not in kept), None):
        count += 1
        callee = functions.get(call.callee.root_reference.data)
        if callee is None or not callee.body.blocks:
            fail("TW0601", f"expected a definition of function @{call.callee.root_reference.data}", op=call)
        if callee is function or count > _MOST_CALLS:
            fail("TW0601", f"expected functions without recursion, but @{function.sym_name.data} has some", op=call)
        if may_rewrite("inline", call, is_needed=True):
            _inline(call, callee)
        else:
            kept.add(call)


def _inline(call: func.CallOp, callee: func.FuncOp) -> None:
    """Replace a call by the callee's body. Sizes of a buffer that the caller allocates are those of the allocation;
    buffers that the caller has bound are not bound again."""
    assert call.parent is not None
    bound = {op.buffer for op in call.parent.ops if isinstance(op, BindOp)}
    values: dict[SSAValue, SSAValue] = dict(zip(callee.body.block.args, call.operands, strict=True))
    for op in callee.body.block.ops:
        if isinstance(op, func.ReturnOp) or (isinstance(op, BindOp) and values.get(op.buffer) in bound):
            continue
        if isinstance(op, DimOp) and isinstance(alloc := values.get(op.buffer, op.buffer).owner, AllocOp):
            size = ApplyOp(alloc.shape[op.dimension.value.data])
            size.location = op.location
            values[op.res] = size.res
            edit.insert(size, InsertPoint.before(call))
            continue
        edit.insert(op.clone(values), InsertPoint.before(call))
    edit.erase(call)
