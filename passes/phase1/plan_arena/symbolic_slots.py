"""One allocation for the buffers of a function that have several symbolic sizes, or computed sizes.

Each buffer gets a slot; buffers of equal sizes with disjoint lifetimes share one. The slots are consecutive parts of
one allocation, so that a call allocates memory once. Many large buffers that are allocated and freed by each call would
be mapped, and cleared, each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, MemRefType, i8
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint
from xdsl.traits import Pure

from ....dialects.dtypes import numpy_dtype
from ....dialects.index_expr import Index
from ....dialects.loop import GLOBAL, AllocOp, ApplyOp, BindOp, DimOp, ViewOp, buffer_type, byte_size, scope_of
from ....dialects.loop.storage import set_slot
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ...shared.arena_offsets import ALIGNMENT
from ...shared.nests.symbolic_sizes import product_of, row_major_strides

_Key = tuple[tuple[Index, ...], int]
"""The symbolic sizes of a buffer, and the product in bytes of the constant sizes."""


@dataclass(frozen=True)
class _Buffer:
    alloc: AllocOp
    first: int
    last: int

    @property
    def key(self) -> _Key:
        type_ = self.alloc.res.type
        assert isinstance(type_, MemRefType)
        count = numpy_dtype(type_.element_type).itemsize
        symbolic: list[Index] = []
        for size in self.alloc.shape:
            if size.is_constant:
                count *= size.constant
            elif len(size.terms) == 1 and not size.constant and size.terms[0][1] > 0:
                atom, coefficient = size.terms[0]
                count *= coefficient
                symbolic.append(Index.of_atom(atom))
            else:
                symbolic.append(size)
        return tuple(sorted(symbolic, key=str)), count


def is_plain_size(size: Index) -> bool:
    """Return whether a size is a multiple of a dimension of an argument: buffers of such sizes have offsets that are
    multiples of it."""
    if size.constant or len(size.terms) != 1:
        return False
    ((atom, coefficient),) = size.terms
    return coefficient > 0 and isinstance(atom, SSAValue) and isinstance(atom.owner, DimOp)


def share_symbolic_memory(function: func.FuncOp) -> int:
    """Let the buffers of symbolic size of a function's block share one allocation. Returns their number."""
    steps = {op: number for number, op in enumerate(function.body.block.ops)}
    found = [buffer for op in steps if (buffer := _buffer(op, steps)) is not None]
    if len(found) < 2:
        return 0
    start = found[0].alloc
    early = [buffer for buffer in found if _is_known_before(buffer.alloc, start, steps)]
    if len(early) < 2 or not may_rewrite("share memory of symbolic size", function):
        return 0
    for buffer in early:
        _hoist(buffer.alloc.operands, start, steps)
    slots, slot_of = _slots(early)
    made: list[Operation] = []
    offsets = _offsets(slots, made)
    arena = AllocOp(buffer_type([DYNAMIC_INDEX], i8), [offsets[-1]], name_hint="symbolic_arena")
    arena.location = start.location
    edit.insert([*made, arena], InsertPoint.before(start))
    for buffer, slot in zip(early, slot_of, strict=True):
        _replace(buffer.alloc, arena.res, offsets[slot], slot)
    return len(early)


def _buffer(op: Operation, steps: dict[Operation, int]) -> _Buffer | None:
    """Return the buffer that an operation allocates: memory of the whole function, of symbolic size and used; else
    None."""
    if not isinstance(op, AllocOp) or scope_of(op.res.type) != GLOBAL or byte_size(op.res.type) is not None:
        return None
    used = sorted(steps_of_accesses(op.res, steps))
    return _Buffer(op, used[0], used[-1]) if used else None


def steps_of_accesses(buffer: SSAValue, steps: dict[Operation, int]) -> Iterator[int]:
    """Yield the positions of the operations that use the elements of a buffer or of a view of it."""
    for use in buffer.uses:
        if isinstance(use.operation, ViewOp):
            yield from steps_of_accesses(use.operation.res, steps)
        elif not isinstance(use.operation, (BindOp, DimOp)):
            at: Operation | None = use.operation
            while at is not None and at not in steps:
                at = at.parent_op()
            assert at is not None
            yield steps[at]


def _is_known_before(alloc: AllocOp, start: Operation, steps: dict[Operation, int]) -> bool:
    """Return whether the sizes of a buffer can be computed before `start`."""
    return all(_is_computable(value, start, steps) for value in alloc.operands)


def _is_computable(value: SSAValue, start: Operation, steps: dict[Operation, int]) -> bool:
    op = value.owner
    if not isinstance(op, Operation) or (op in steps and steps[op] < steps[start]):
        return True
    return op in steps and op.has_trait(Pure) and all(_is_computable(each, start, steps) for each in op.operands)


def _hoist(values: Sequence[SSAValue], start: Operation, steps: dict[Operation, int]) -> None:
    """Move the computations of sizes in front of `start`, operands first."""
    for value in values:
        op = value.owner
        if isinstance(op, Operation) and steps[op] > steps[start]:
            _hoist(op.operands, start, steps)
            edit.move(op, InsertPoint.before(start))
            steps[op] = steps[start] - 1


def _slots(buffers: Sequence[_Buffer]) -> tuple[list[_Key], list[int]]:
    """Return the keys of slots, and the slot of each buffer: the first of its size that is free when it is first
    used."""
    keys: list[_Key] = []
    busy: list[int] = []
    """The last step at which each slot is used so far."""
    chosen: dict[int, int] = {}
    for number in sorted(range(len(buffers)), key=lambda n: buffers[n].first):
        buffer = buffers[number]
        fitting = (n for n, key in enumerate(keys) if key == buffer.key and busy[n] < buffer.first)
        slot = next(fitting, len(keys))
        if slot == len(keys):
            keys.append(buffer.key)
            busy.append(0)
        busy[slot] = buffer.last
        chosen[number] = slot
    return keys, [chosen[number] for number in range(len(buffers))]


def _offsets(slots: Sequence[_Key], made: list[Operation]) -> list[Index]:
    """Return the first bytes of slots, and the end of the last one. A size below 0 takes no memory."""

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    zero = emit(arith.ConstantOp(IntegerAttr(0, IndexType())))
    padded: dict[_Key, Index] = {}
    for symbolic, count in dict.fromkeys(slots):
        # A product of sizes below 0 must not be a positive one.
        sizes = [Index.of(emit(arith.MaxSIOp(emit(ApplyOp(size)), zero))) for size in symbolic]
        padded[symbolic, count] = (product_of(sizes, emit) * count + (ALIGNMENT - 1)) // ALIGNMENT * ALIGNMENT
    offsets = [Index.of(0)]
    for slot in slots:
        offsets.append(Index.of(emit(ApplyOp(offsets[-1] + padded[slot]))))
    return offsets


def _replace(alloc: AllocOp, arena: SSAValue, offset: Index, slot: int) -> None:
    made: list[Operation] = []

    def emit(op: Operation) -> SSAValue:
        made.append(op)
        return op.results[0]

    shape = alloc.shape
    strides = row_major_strides(shape, emit)
    type_ = alloc.res.type
    assert isinstance(type_, MemRefType)
    view = ViewOp(arena, offset, type_, name_hint=alloc.res.name_hint)
    set_slot(view, slot)
    edit.replace(alloc, [*made, view, BindOp(view.res, shape, strides)], [view.res])
