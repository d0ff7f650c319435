"""Pass `privatize-global-memory`: each iteration of loops over blocks and threads has private global scratch.

In the IR at this point the threads of a kernel run one after another, and each iteration of their loops allocates a
separate buffer. Global memory of the device is allocated once for the launch. With one buffer for all iterations, a
thread would read elements that another one wrote.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.access import accesses_of
from ...analysis.domain import is_inside
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects import loop
from ...dialects.loop.storage import BLOCK_OWNER, THREAD_OWNER, set_owner
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.replaced_scopes import remark_replaced_scope
from ..shared.thread_rows import give_rows, has_plain_uses

THREAD_BYTES = 1024
"""The largest buffer in bytes that becomes memory of the thread. A device keeps that for all threads that it can hold
at a time, which are a quarter of a million: 1 KiB is a quarter of a gigabyte."""


@dataclass(frozen=True)
class PrivatizeGlobalMemoryPass(Pass):
    """Give each iteration of loops over blocks and threads a private part of the global buffers allocated inside.

    ```mlir
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      %s = loop.alloc : memref<4096xf32>
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        %r = loop.alloc : memref<8xf32>
        … loop.store %x, %s[%i * 32 + %t] … loop.store %y, %r[%j] …
      }
    }
    // becomes
    %s = loop.alloc : memref<4x4096xf32>
    loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        %r = loop.alloc : memref<8xf32, "local">
        … loop.store %x, %s[%b, %i * 32 + %t] … loop.store %y, %r[%j] …
      }
    }
    ```
    A buffer of one thread becomes `local` if it has at most 1 KiB. All others become one buffer before the kernel, with
    a row for each iteration of the loops around the allocation. If an access is inside another loop over the same axis,
    the threads of that axis share the buffer, and the axis has no rows. A buffer whose size is not known in front of
    the kernel, or that has views, is refused (TW0680). Remark TW0674 names private buffers outside of kernels, which
    are global memory.

    Needs: loop level; the loops of a kernel over one axis run from 0 to one extent.
    Grants: no kernel allocates global memory; iterations of loops over blocks and threads share no buffer that one of
    them allocated. An annotation (`tw.owner`) states whether a row belongs to a thread or to a block.
    """

    name = "privatize-global-memory"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for alloc in [nested for nested in operations(op) if isinstance(nested, loop.AllocOp)]:
            around = [p for p in loop.enclosing(alloc, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data]
            is_global = loop.scope_of(alloc.res.type) == loop.GLOBAL
            if not is_global and not around and _is_used_by_threads(alloc):
                reason = "it is allocated outside of the loops over blocks and threads"
                remark_replaced_scope(alloc, "becomes global memory", reason)
            if is_global and around and alloc.res.first_use and may_rewrite("give threads their parts of", alloc):
                _privatize(alloc, around[::-1])


def _is_used_by_threads(alloc: loop.AllocOp) -> bool:
    """Return whether loops over blocks or threads access a private buffer, which then lies in memory of the device."""
    is_private = loop.scope_of(alloc.res.type) in (loop.LOCAL, loop.REGISTER)
    accesses = accesses_of(alloc.res) if is_private else ()
    return any(_tags_between(access.op, alloc) for access in accesses)


def _privatize(alloc: loop.AllocOp, around: Sequence[loop.ForOp]) -> None:
    """Privatize an allocation; `around` are the loops over blocks and threads around it, outermost first."""
    kernel = around[0]
    again = {tag for access in accesses_of(alloc.res) for tag in _tags_between(access.op, alloc)}
    size = loop.byte_size(alloc.res.type)
    if not again and _is_of_one_thread(kernel, around) and size is not None and size <= THREAD_BYTES:
        _make_local(alloc)
        return
    if not has_plain_uses(alloc):
        _refuse(alloc, "to be used by loads, stores and calls alone")
    rows = [op for op in around if op.kind.tag.data not in again]
    extents = [*alloc.shape, *(e for op in rows for e in op.uppers)]
    if any(is_inside(v, kernel) or v.owner is kernel for e in extents for v in e.values()):
        _refuse(alloc, "to have a size that is known before the kernel starts")
    if any(len(op.uppers) != 1 or not all(e.is_constant and not e.constant for e in op.lowers) for op in rows):
        _refuse(alloc, "inside loops from 0 to one extent")
    expanded = give_rows(alloc, rows, kernel)
    if owner := _owner(kernel, rows):
        set_owner(expanded, owner)


def _tags_between(op: Operation, alloc: loop.AllocOp) -> list[str]:
    """Return the axes of the loops over threads around an access of the buffer that stand inside of its allocation's
    block."""
    assert alloc.parent is not None
    around = (p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data)
    return [p.kind.tag.data for p in around if not p.is_ancestor(alloc)]


def _owner(kernel: loop.ForOp, loops: Sequence[loop.ForOp]) -> str:
    """Return the owner of a row that all `loops` index: a thread, a block, or neither."""
    bound = {op.kind.tag.data for op in operations(kernel) if isinstance(op, loop.ForOp) and op.kind.tag.data}
    left = bound - {op.kind.tag.data for op in loops}
    if any(tag.startswith("blockIdx") for tag in left):
        return ""
    return BLOCK_OWNER if left else THREAD_OWNER


def _is_of_one_thread(kernel: loop.ForOp, around: Sequence[loop.ForOp]) -> bool:
    """Return whether loops over all axes of a kernel's threads enclose the allocation."""
    tags = {op.kind.tag.data for op in operations(kernel) if loop.is_over_threads(op) and isinstance(op, loop.ForOp)}
    return tags <= {op.kind.tag.data for op in around}


def _make_local(alloc: loop.AllocOp) -> None:
    type_ = alloc.res.type
    local = loop.AllocOp(
        loop.buffer_type(type_.get_shape(), type_.element_type, loop.LOCAL), alloc.dynamic_sizes, alloc.res.name_hint
    )
    local.location = alloc.location
    edit.change(local).attributes |= alloc.attributes
    edit.insert(local, InsertPoint.before(alloc))
    edit.replace_uses(alloc.res, local.res)
    edit.erase(alloc)


def _refuse(alloc: loop.AllocOp, expected: str) -> NoReturn:
    fail(
        "TW0680",
        f"expected {name_of(alloc.res)}, global scratch of loops over blocks and threads, {expected}",
        op=alloc,
        help='give it constant extents, or the scope "local" or "shared"',
    )
