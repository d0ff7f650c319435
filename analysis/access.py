"""Accesses of loop IR: which elements of which buffers an operation reads and writes, producers and consumers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Operation, SSAValue

from ..dialects import loop
from ..dialects.declared_accesses import declared_accesses
from ..dialects.index_expr import LANE, Index, Range, Variable
from .domain import Domain, domain_of
from .integer_set import System


@dataclass(frozen=True)
class Access:
    """One operation's reads or writes of one buffer."""

    op: Operation
    buffer: SSAValue
    """The value that holds the memory: an argument, an allocation, a constant, or the only view of one."""
    is_write: bool
    block: loop.BlockOp | None
    """The block that it belongs to, the outermost one of nested blocks."""

    argument: int | None = None
    """Of a foreign call: the position of the argument that is accessed."""

    _domains: dict[Block | None, Domain] = field(default_factory=dict[Block | None, Domain], compare=False, repr=False)
    """Domains by the body that contains an operation, shared among the accesses found together."""

    @cached_property
    def domain(self) -> Domain:
        if self.op.parent not in self._domains:
            self._domains[self.op.parent] = domain_of(self.op)
        return self._domains[self.op.parent]

    @cached_property
    def ranges(self) -> Mapping[Variable, Range]:
        """Inclusive ranges of the loops' variables, and of the lane or the positions within a box."""
        ranges = self.domain.ranges
        return {**ranges, **{v: (0, extent - 1) for v, extent in self.spread.items()}} if self.spread else ranges

    @cached_property
    def spread(self) -> dict[Variable, int]:
        """The variables that distinguish the elements of one instance, with their extents: the lane, or the positions
        in a box."""
        match self.op:
            case loop.LoadOp() | loop.StoreOp():
                return {} if self.op.lanes is None else {LANE: self.op.lanes}
            case loop.CallExternOp():
                return {**self.op.positions}
            case _:
                return {}

    @cached_property
    def index(self) -> tuple[Index, ...] | None:
        """The element, over loop variables and sizes; None where any element may be touched."""
        match self.op:
            case loop.LoadOp() | loop.StoreOp() if self.op.buffer is self.buffer:
                index = self.op.index
            case loop.CallExternOp() if self.argument is not None and self._names_buffer(self.op):
                index = self.op.access_index(self.argument)
            case _:
                return None
        return tuple(self.domain.resolve(e) for e in index)

    def _names_buffer(self, op: loop.CallExternOp) -> bool:
        assert self.argument is not None
        passed = op.arguments[self.argument]
        return isinstance(passed, loop.AccessArgument) and passed.buffer is self.buffer

    def set_index(self, index: Sequence[Index]) -> None:
        """Let the operation access the buffer at another element."""
        if isinstance(self.op, loop.CallExternOp):
            assert self.argument is not None
            self.op.set_access_index(self.argument, index)
        else:
            assert isinstance(self.op, (loop.LoadOp, loop.StoreOp))
            self.op.set_index_lists(indices=index)

    @property
    def conditions(self) -> tuple[Index, ...]:
        """The guard of the access: the conditions that the load or store itself carries."""
        return self.op.conditions if isinstance(self.op, (loop.LoadOp, loop.StoreOp)) else ()

    @cached_property
    def system(self) -> System:
        """The instances that touch memory: the domain and the guard of the access."""
        system = self.domain.system
        if self.spread:
            system = system & System.box({v: (0, extent) for v, extent in self.spread.items()})
        return system.where(*(self.domain.resolve(e) for e in self.conditions))

    @property
    def is_init(self) -> bool:
        return any(True for _ in loop.enclosing(self.op, loop.InitOp))


def root_buffer(buffer: SSAValue) -> SSAValue:
    """Return the buffer that a chain of views is taken of.

    A view that shares no byte with the other uses of its buffer stands for itself: its elements are accessed
    through it alone, so that its indices can be compared.
    """
    while isinstance(owner := buffer.owner, loop.ViewOp) and not _is_disjoint(owner):
        buffer = owner.buffer
    return buffer


_MOST_VIEWS = 16
"""The largest number of views of one buffer that are tested for overlaps."""


def _is_disjoint(view: loop.ViewOp) -> bool:
    """Return whether no other use of the view's buffer accesses the bytes of the view."""
    if not view.byte_offset.is_constant:
        return False
    if view.buffer.has_one_use():
        return True
    covered = _bytes_of(view)
    others = list(islice((use.operation for use in view.buffer.uses if use.operation is not view), _MOST_VIEWS))
    return covered is not None and len(others) < _MOST_VIEWS and all(_misses(other, covered) for other in others)


def have_disjoint_views(first: Access, second: Access) -> bool:
    """Return whether two accesses use views of one buffer that have no byte in common.

    These views may still overlap a third view, which neither access uses.
    """
    views = [a.op.buffer.owner if isinstance(a.op, (loop.LoadOp, loop.StoreOp)) else None for a in (first, second)]
    one, other = views
    if not isinstance(one, loop.ViewOp) or not isinstance(other, loop.ViewOp) or one.buffer is not other.buffer:
        return False
    covered = _bytes_of(other)
    return covered is not None and _misses(one, covered)


def in_one_view(first: Access, second: Access) -> tuple[Access, Access]:
    """Return two accesses of one buffer by the elements of the view that both go through, if they do: these can be
    compared.

    Other views of the same bytes do not affect the comparison.
    """
    accesses = (first, second)
    views = {a.op.buffer for a in accesses if isinstance(a.op, (loop.LoadOp, loop.StoreOp))}
    if len(views) != 1 or not all(isinstance(a.op, (loop.LoadOp, loop.StoreOp)) for a in accesses):
        return accesses
    (view,) = views
    owner = view.owner
    if not isinstance(owner, loop.ViewOp) or owner.buffer is not first.buffer or not owner.byte_offset.is_constant:
        return accesses
    return replace(first, buffer=view), replace(second, buffer=view)


def _misses(user: Operation, covered: tuple[int, int]) -> bool:
    """Return whether an operation is a view of a disjoint range of bytes."""
    other = _bytes_of(user) if isinstance(user, loop.ViewOp) else None
    return other is not None and (other[1] <= covered[0] or covered[1] <= other[0])


def _bytes_of(view: loop.ViewOp) -> tuple[int, int] | None:
    """Return [start, end) of the bytes of its buffer that a view covers, where they are known."""
    size = loop.byte_size(view.res.type)
    if size is None or not view.byte_offset.is_constant:
        return None
    return view.byte_offset.constant, view.byte_offset.constant + size


_ACCESSING = frozenset((loop.LoadOp, loop.StoreOp, loop.CallExternOp, CallOp))
"""The operations without regions that access buffers."""


def accesses_in(root: Operation) -> list[Access]:
    """Return the accesses of `root` and the operations inside it, in program order."""
    return list(_accesses(root, _block_around(root), {}))


def _block_around(op: Operation) -> loop.BlockOp | None:
    around = [p for p in loop.enclosing(op, loop.BlockOp) if isinstance(p, loop.BlockOp)]
    return around[-1] if around else None


def _accesses(op: Operation, block: loop.BlockOp | None, domains: dict[Block | None, Domain]) -> Iterator[Access]:
    if not op.regions and type(op) not in _ACCESSING:
        yield from _declared(op, block, domains)
        return
    match op:
        case loop.LoadOp():
            yield Access(op, root_buffer(op.buffer), False, block, _domains=domains)
        case loop.StoreOp():
            yield Access(op, root_buffer(op.buffer), True, block, _domains=domains)
        case loop.CallExternOp():
            for position, passed in op.accesses:
                for is_write in (False, True):
                    if passed.writes if is_write else passed.reads:
                        yield Access(op, root_buffer(passed.buffer), is_write, block, position, domains)
        case CallOp():
            for operand in op.operands:
                if isinstance(operand.type, MemRefType):
                    yield Access(op, root_buffer(operand), False, block, _domains=domains)
                    yield Access(op, root_buffer(operand), True, block, _domains=domains)
        case loop.BlockOp():
            block = block or op
        case loop.WhileOp():
            yield Access(op, root_buffer(op.condition), False, block, _domains=domains)
        case _:
            pass
    for region in op.regions:
        for body in region.blocks:
            for nested in body.ops:
                yield from _accesses(nested, block, domains)


def _declared(op: Operation, block: loop.BlockOp | None, domains: dict[Block | None, Domain]) -> Iterator[Access]:
    """Yield the accesses that an operation of a user's dialect declares: reads before writes, of any element."""
    declared = declared_accesses(op)
    if declared is not None:
        for is_write, buffers in ((False, declared.reads), (True, declared.writes)):
            for buffer in buffers:
                yield Access(op, root_buffer(buffer), is_write, block, _domains=domains)


def reads(op: Operation) -> tuple[SSAValue, ...]:
    """Return buffers that `op` reads, in order of first use."""
    return tuple(dict.fromkeys(a.buffer for a in accesses_in(op) if not a.is_write))


def writes(op: Operation) -> tuple[SSAValue, ...]:
    """Return buffers that `op` writes, in order of first use."""
    return tuple(dict.fromkeys(a.buffer for a in accesses_in(op) if a.is_write))


def accesses_of(buffer: SSAValue) -> list[Access]:
    """Return every access of `buffer` in its function, through views too, in no particular order."""
    found: list[Access] = []
    calls: set[Operation] = set()  # several arguments of one call may be the buffer
    for use in buffer.uses:
        user = use.operation
        if isinstance(user, loop.ViewOp):
            found += [Access(a.op, buffer, a.is_write, a.block, a.argument) for a in accesses_of(user.res)]
        elif isinstance(user, (loop.LoadOp, loop.StoreOp, loop.CallExternOp, CallOp)) and user not in calls:
            found += [a for a in _accesses(user, _block_around(user), {}) if a.buffer is root_buffer(buffer)]
            if isinstance(user, loop.CallExternOp):
                calls.add(user)
        elif declared_accesses(user) is not None and user not in calls:
            found += [a for a in _declared(user, _block_around(user), {}) if a.buffer is root_buffer(buffer)]
            calls.add(user)
        elif isinstance(user, loop.WhileOp):
            found.append(Access(user, root_buffer(buffer), False, _block_around(user)))
    return found


def blocks_in(root: Operation) -> list[loop.BlockOp]:
    """Return the blocks inside `root`, in program order."""
    if isinstance(root, loop.BlockOp):
        return [root]
    return [
        block
        for region in root.regions
        for body in region.blocks
        for op in body.ops
        if op.regions
        for block in blocks_in(op)
    ]


def producers(block: loop.BlockOp) -> list[loop.BlockOp]:
    """Return the other blocks that write to buffers which `block` reads, in no particular order."""
    found = [a.block for buffer in reads(block) for a in accesses_of(buffer) if a.is_write]
    return list(dict.fromkeys(b for b in found if b is not None and b is not block))


def consumers(block: loop.BlockOp) -> list[loop.BlockOp]:
    """Return the other blocks that read buffers which `block` writes to, in no particular order."""
    found = [a.block for buffer in writes(block) for a in accesses_of(buffer) if not a.is_write]
    return list(dict.fromkeys(b for b in found if b is not None and b is not block))
