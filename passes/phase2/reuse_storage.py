"""Pass `reuse-storage`: buffers of a kernel with disjoint lifetimes share one allocation.

`plan-arena` does this for buffers of fixed size in global memory, which it lays out in bytes for the whole program.
This pass shares the other buffers of kernels as whole allocations: those on the stack of an iteration of a parallel
loop, those in memory that the threads of a block share, and those of symbolic size, if one is provably at least as
large as the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.domain import is_inside
from ...analysis.lifetimes import Lifetimes, frame_of
from ...analysis.ranges import facts_at
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass

LEAST_SHARED = 256
"""Bytes of shared memory below which a buffer is not reused, because reuse may need one more barrier."""

_BY_ELEMENT = (loop.LoadOp, loop.StoreOp, loop.PrefetchOp, loop.CallExternOp)


@dataclass(frozen=True)
class ReuseStoragePass(Pass):
    """Let allocations of one scope share a buffer where their lifetimes do not overlap, or an operation works in place.

    ```mlir
    %a = loop.alloc : memref<64xf32, "local">
    %b = loop.alloc : memref<48xf32, "local">
    loop.for %i = 0 to 64 { … loop.store %x, %a[%i] : memref<64xf32, "local"> }
    loop.for %i = 0 to 48 {
      %y = loop.load %a[%i + 16] : memref<64xf32, "local">
      loop.store %y, %b[%i] : memref<48xf32, "local">
    }
    loop.for %i = 0 to 48 { %z = loop.load %b[%i] : memref<48xf32, "local"> … }
    // becomes
    %a = loop.alloc : memref<64xf32, "local">
    loop.for %i = 0 to 64 { … loop.store %x, %a[%i] : memref<64xf32, "local"> }
    loop.for %i = 0 to 48 {
      %y = loop.load %a[%i + 16] : memref<64xf32, "local">
      loop.store %y, %a[%i] : memref<64xf32, "local">
    }
    loop.for %i = 0 to 48 { %z = loop.load %a[%i] : memref<64xf32, "local"> … }
    ```
    Buffers share memory if they have one element type, the same inner extents, and outermost extents of which the
    larger is known. A statement that contains the last read of one buffer and the first write of another works in place
    if each element is read before it is written. Concurrent iterations share no buffer. Large buffers in shared memory
    are reused behind a barrier only. Registers and arguments are not shared.

    A remark says how many bytes a function saves.

    Needs: loop level, buffers of their final sizes.
    """

    name = "reuse-storage"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        frames: dict[Operation, list[loop.AllocOp]] = {}
        for alloc in [nested for nested in operations(op) if isinstance(nested, loop.AllocOp)]:
            frame = frame_of(alloc)
            if frame is not None and alloc.res.first_use and not _is_never_reused(alloc.res.type):
                frames.setdefault(frame, []).append(alloc)
        for frame, allocs in frames.items():
            if len(allocs) > 1:
                _share(frame, allocs)


def _is_never_reused(type: MemRefType) -> bool:
    """Return whether a buffer is not reused: one in registers, or a small one in shared memory."""
    size = loop.byte_size(type)
    scope = loop.scope_of(type)
    return scope == loop.REGISTER or (scope == loop.SHARED and size is not None and size < LEAST_SHARED)


@dataclass(eq=False)
class _Slot:
    """A buffer that holds several buffers with disjoint lifetimes."""

    members: list[loop.AllocOp]
    shape: tuple[Index, ...]
    grown: tuple[Index, ...] = field(default=())
    """The shape with the member that is asked about, where it has one."""

    def takes(self, alloc: loop.AllocOp, lifetimes: Lifetimes) -> bool:
        """Return whether `alloc` fits, by kind, size and lifetime; the group then grows to its size."""
        if not _are_alike(self.members[0], alloc):
            return False
        point = _insertion_point([*self.members, alloc])
        # Conditions around one of them need not hold where both are allocated.
        shape = _larger(self.shape, alloc.shape, point)
        if shape is None or not _is_known_at(shape, point):
            return False
        self.grown = shape
        return all(lifetimes.may_share(member, alloc) for member in self.members)

    def add(self, alloc: loop.AllocOp) -> None:
        self.members.append(alloc)
        self.shape = self.grown


def _share(frame: Operation, allocs: Sequence[loop.AllocOp]) -> None:
    slots: list[_Slot] = []
    lifetimes = Lifetimes()
    for alloc in allocs:
        if lifetimes.home(alloc) is None or not all(isinstance(u.operation, _BY_ELEMENT) for u in alloc.res.uses):
            continue
        slot = next((s for s in slots if s.takes(alloc, lifetimes)), None)
        if slot is not None and may_rewrite("share buffer", alloc):
            slot.add(alloc)
        else:
            slots.append(_Slot([alloc], alloc.shape))
    shared = [slot for slot in slots if len(slot.members) > 1]
    sizes = [[loop.byte_size(member.res.type) for member in slot.members] for slot in shared]
    for slot in shared:
        _merge(slot)
    for slot, members in zip(shared, sizes, strict=True):
        known = [size for size in members if size is not None]
        saved = f"{sum(known) - max(known)} bytes" if len(known) == len(members) else "memory of symbolic size"
        scope = loop.scope_of(slot.members[0].res.type)
        remark("TW0544", f"{len(members)} buffers in {scope} memory share one: {saved} saved", op=frame, kind="passed")


def _are_alike(first: loop.AllocOp, second: loop.AllocOp) -> bool:
    a, b = first.res.type, second.res.type
    return (
        loop.scope_of(a) == loop.scope_of(b)
        and a.element_type == b.element_type
        and first.attributes == second.attributes
        and first.shape[1:] == second.shape[1:]
        and len(first.shape) == len(second.shape)
    )


def _larger(first: tuple[Index, ...], second: tuple[Index, ...], where: Operation) -> tuple[Index, ...] | None:
    """Return the shape that holds both, which differ in the outermost extent at most; None where that is not known."""
    if first == second:
        return first
    facts = facts_at(where)
    if facts.proves(first[0] - second[0]):
        return first
    return second if facts.proves(second[0] - first[0]) else None


def _is_known_at(shape: Sequence[Index], point: Operation) -> bool:
    """Return whether the values of a shape are computed before an operation."""
    block, around = point.parent, point.parent_op()
    assert around is not None
    owners = [v.owner for n in shape for v in n.values() if is_inside(v, around)]
    return all(
        owner is block or (isinstance(owner, Operation) and owner.parent is block and owner.is_before_in_block(point))
        for owner in owners
    )


def _insertion_point(allocs: Sequence[loop.AllocOp]) -> Operation:
    """Return the first of the operations in the innermost block around all of the allocations that has one of them."""
    block = allocs[0].parent
    while block is not None and any(block.find_ancestor_op_in_block(alloc) is None for alloc in allocs):
        parent = block.parent_op()
        block = parent.parent if parent is not None else None
    assert block is not None
    holders = {block.find_ancestor_op_in_block(alloc) for alloc in allocs}
    return next(op for op in block.ops if op in holders)


def _merge(slot: _Slot) -> None:
    """Allocate the shared buffer before the first of its members, and let all of them be that one."""
    first = _insertion_point(slot.members)
    source = slot.members[0]
    type = source.res.type
    extents = [n.constant if n.is_constant else DYNAMIC_INDEX for n in slot.shape]
    shared = loop.AllocOp(
        loop.buffer_type(extents, type.element_type, loop.scope_of(type)),
        [n for n in slot.shape if not n.is_constant],
        source.res.name_hint,
    )
    edit.change(shared).attributes |= source.attributes
    edit.insert(shared, InsertPoint.before(first), of=source)
    for member in slot.members:
        edit.replace_uses(member.res, shared.res)
        edit.erase(member)
