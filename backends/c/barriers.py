"""Where the threads of a kernel wait for each other: between statements of which one writes what the other accesses in
shared memory.

A loop over threads is parallel, so its iterations need nothing of each other; what they share stands in several
statements, or in several iterations of a loop around them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue

from ...diagnostics import fail
from ...dialects.index_expr import Index
from ...dialects.loop import ForOp, IfOp, LoadOp, StoreOp, ViewOp, scope_of

SHARED = "shared"
THREAD = "thread"


@dataclass(frozen=True)
class Access:
    """A load or store of shared memory."""

    root: SSAValue
    index: tuple[Index, ...]
    writes: bool

    def conflicts(self, other: Access) -> bool:
        if self.root is not other.root or not (self.writes or other.writes):
            return False
        return self.index != other.index


@dataclass
class Barriers:
    """The places of a kernel's barriers."""

    before: set[Operation] = field(default_factory=set[Operation])
    at_end: set[Block] = field(default_factory=set[Block])


def find_barriers(nest: ForOp) -> Barriers:
    """The barriers of a nest of thread-bound loops. Raises TW0621 where one would stand in a branch."""
    barriers = Barriers()
    _place(nest.body.block, barriers, in_branch=False)
    return barriers


def _place(block: Block, barriers: Barriers, *, in_branch: bool) -> None:
    since: list[Access] = []
    for op in block.ops:
        accesses = _accesses(op)
        if any(a.conflicts(b) for a in accesses for b in since):
            if in_branch:
                fail("TW0621", "expected threads to meet outside of branches, but this needs a barrier in one", op=op)
            barriers.before.add(op)
            since = []
        since += accesses
        for region in op.regions:
            for inner in region.blocks:
                _place(inner, barriers, in_branch=in_branch or isinstance(op, IfOp))
        if isinstance(op, ForOp) and op.kind.kind.data != THREAD and _repeats(accesses):
            if in_branch:
                fail("TW0621", "expected threads to meet outside of branches, but this needs a barrier in one", op=op)
            barriers.at_end.add(op.body.block)


def _repeats(accesses: list[Access]) -> bool:
    """Whether iterations of a loop may meet in shared memory."""
    return any(a.root is b.root and a.writes and not b.writes for a in accesses for b in accesses)


def _accesses(op: Operation) -> list[Access]:
    found: list[Access] = []
    for inner in op.walk():
        if isinstance(inner, (LoadOp, StoreOp)) and scope_of(inner.buffer.type) == SHARED:
            root = inner.buffer
            while isinstance(root.owner, ViewOp):
                root = root.owner.buffer
            found.append(Access(root, inner.index, isinstance(inner, StoreOp)))
    return found
