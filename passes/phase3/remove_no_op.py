"""Pass `remove-no-op`: removes operations without an effect."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ...analysis.access import root_buffer, writes
from ...analysis.effects import is_pure
from ...dialects import loop
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.guards import keep_region
from ..shared.unused import erase_unused


@dataclass(frozen=True)
class RemoveNoOpPass(Pass):
    """Remove loops and conditionals without an effect, stores that change nothing, and buffers that nobody reads.

    ```mlir
    %t = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %A[%i] : memref<8xf32>
      loop.store %a, %t[%i] : memref<8xf32>
    }
    // becomes nothing
    ```
    A store changes nothing where it writes the value that was just loaded from there, with no store to the buffer
    between. Reading has no effect, so loads whose value is unused go too.

    Needs: loop level.
    Grants: no empty loop or conditional, no unused pure operation.
    """

    name = "remove-no-op"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        changed = True
        while changed:
            changed = _remove_stores(op) | _remove_unread_buffers(op) | erase_unused(op) | _remove_empty(op)


def _remove_stores(module: ModuleOp) -> bool:
    useless = [op for op in operations(module) if _is_useless(op) and may_rewrite("remove", op)]
    for op in useless:
        edit.erase(op)
    return bool(useless)


def _is_useless(op: Operation) -> bool:
    return isinstance(op, loop.StoreOp) and _stores_what_is_there(op)


def _stores_what_is_there(op: loop.StoreOp) -> bool:
    load = op.value.owner
    if not isinstance(load, loop.LoadOp) or load.buffer is not op.buffer or load.index != op.index:
        return False
    if load.parent is not op.parent or not set(load.conditions) <= set(op.conditions):
        return False
    buffer = root_buffer(op.buffer)
    between = load.next_op
    while between is not None and between is not op:
        if buffer in writes(between):
            return False
        between = between.next_op
    return between is op


def _remove_unread_buffers(module: ModuleOp) -> bool:
    """Remove the stores to allocations that are only stored to; the allocation is unused then."""
    changed = False
    for op in [n for n in operations(module) if isinstance(n, loop.AllocOp)]:
        users = [use.operation for use in op.res.uses]
        is_unread = users and all(isinstance(user, loop.StoreOp) and user.value is not op.res for user in users)
        if is_unread and may_rewrite("remove the stores to", op):
            for user in users:
                edit.erase(user)
            changed = True
    return changed


def _remove_empty(module: ModuleOp) -> bool:
    """Remove loops and conditionals that do nothing, the inner ones first."""
    changed = False
    for op in reversed([n for n in operations(module) if isinstance(n, (loop.ForOp, loop.IfOp))]):
        match op:
            case loop.ForOp() if (results := _results_without_running(op)) is not None and may_rewrite("remove", op):
                edit.replace(op, (), results)
                changed = True
            case loop.IfOp():
                changed |= _shrink(op)
            case _:
                pass
    return changed


def _results_without_running(op: loop.ForOp) -> list[SSAValue] | None:
    """Return the results of a loop without effects, where they are its initial values or unused."""
    body = op.body.block
    if not all(_has_no_effect(n) for n in body.ops):
        return None
    yielded = body.last_op.operands if body.last_op is not None and op.res else ()
    for result, argument, value in zip(op.res, body.args[1:], yielded, strict=True):
        if result.first_use is not None and value is not argument:
            return None
    return list(op.iter_args)


def _has_no_effect(op: Operation) -> bool:
    return is_pure(op) or isinstance(op, (loop.LoadOp, loop.AllocOp, loop.YieldOp))


def _shrink(op: loop.IfOp) -> bool:
    """Remove empty regions of `op`, or `op` itself; whether anything changed."""
    then_is_empty = op.then_body.block.first_op is None
    else_is_empty = not op.else_body.blocks or op.else_body.block.first_op is None
    if then_is_empty and else_is_empty:
        keep_region(op, None)
    elif else_is_empty and op.else_body.blocks:
        edit.detach_block(op.else_body.block)
    elif then_is_empty and len(op.conditions) == 1:
        edit.append(op.then_body.block, *edit.detach_all(op.else_body.block))
        edit.detach_block(op.else_body.block)
        op.set_index_lists(guard=[-op.conditions[0] - 1])
    else:
        return False
    return True
