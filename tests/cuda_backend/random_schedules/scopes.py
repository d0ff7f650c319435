"""Faults planted in who has memory: rows of scratch mixed up, and what is each thread's own shared by all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from tilewright.backends.cuda.module import build
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import loop
from tilewright.dialects.index_expr import Index
from tilewright.dialects.loop.storage import THREAD_OWNER, owner_of
from tilewright.runtime import Module
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint, Rewriter

from .races import Planted, judge, parsed

_Access = loop.LoadOp | loop.StoreOp


def plant_scopes(module: Module, check: Callable[[Module], None]) -> Planted:
    """Change who has each buffer in turn and run `check`. Raises AssertionError for a fault that is not found."""
    text = module.get_source("mlir")
    result = Planted()
    for number in range(len(_changes(parsed(text)))):
        changed = parsed(text)
        _changes(changed)[number]()
        with suppress(TilewrightError):  # what cannot be built is no fault of the simulator's
            result += judge(build(changed, device="simulator"), check, f"with fault {number} of scopes")
    return result


def _changes(module: ModuleOp) -> list[Callable[[], None]]:
    """Return the possible changes; calling one applies it."""
    rows = [op for op in module.walk() if isinstance(op, (loop.AllocOp, loop.ViewOp)) and owner_of(op)]
    rows = [op for op in rows if _in_first_row(op)]
    private = [op for op in module.walk() if isinstance(op, loop.AllocOp) and _is_private(op)]
    return [*(lambda op=op: _one_row(op) for op in rows), *(lambda op=op: _share(op) for op in private)]


def _is_private(alloc: loop.AllocOp) -> bool:
    """Return whether a buffer is one thread's, of constant size, and plainly accessed."""
    users = [use.operation for use in alloc.res.uses]
    return (
        loop.scope_of(alloc.res.type) == loop.LOCAL
        and alloc.res.type.has_static_shape()
        and bool(users)
        and all(isinstance(user, (loop.LoadOp, loop.StoreOp)) and user.lanes is None for user in users)
        and any(map(loop.is_over_threads, loop.enclosing(alloc, loop.ForOp)))
    )


def _bound(op: Operation) -> Iterator[loop.ForOp]:
    return (p for p in loop.enclosing(op, loop.ForOp) if isinstance(p, loop.ForOp) and p.kind.tag.data)


def _in_first_row(op: loop.AllocOp | loop.ViewOp) -> list[tuple[loop.LoadOp | loop.StoreOp, list[Index]]]:
    """Return the accesses of scratch, each with the index of the same element of the first row; empty where all rows
    are one.

    An access keeps its place in the row, which may depend on the thread or the block: a read of another element of its
    own row would be a wrong program in which every element is its owner's, and no race.
    """
    users = [use.operation for use in op.results[0].uses]
    accesses = [user for user in users if isinstance(user, (loop.LoadOp, loop.StoreOp))]
    if not accesses:
        return []
    type_ = op.results[0].type
    assert isinstance(type_, MemRefType)
    shape = type_.get_shape()
    flat = len(shape) == 1 and shape[0] != DYNAMIC_INDEX
    indices = _first_of_strides(accesses, shape[0], owner_of(op)) if flat else _first_of_dimensions(accesses)
    changed = any(index != list(access.index) for access, index in zip(accesses, indices, strict=True))
    return list(zip(accesses, indices, strict=True)) if changed else []


def _first_of_strides(accesses: Sequence[_Access], size: int, owner: str) -> list[list[Index]]:
    """Return the rows of a flat buffer: those of the outermost loop have the largest stride.

    The loops over blocks have rows, and where rows belong to threads, those over threads. Where rows belong to blocks,
    a loop over threads has them if it moves all accesses from one row to the next.
    """
    loops = [{p.kind.tag.data: p for p in _bound(access)} for access in accesses]
    indices = [access.index[0] for access in accesses]
    stride = size
    everywhere = set[str].intersection(*map(set, loops))
    for tag, outer in reversed(loops[0].items()):
        extent = outer.constant_trip_count
        if tag not in everywhere or not extent:  # rows of an extent that a call states have no constant stride
            continue
        row, rest = divmod(stride, extent)
        variables = [nest[tag].induction_variable for nest in loops]
        moved = all(access.index[0].coefficient(v) == row for access, v in zip(accesses, variables, strict=True))
        if not rest and (moved or owner == THREAD_OWNER or tag.startswith("blockIdx")):
            stride = row
            if extent > 1:
                indices = [index - Index.of(v) * row for index, v in zip(indices, variables, strict=True)]
    return [[index] for index in indices]


def _first_of_dimensions(accesses: Sequence[_Access]) -> list[list[Index]]:
    """Return the rows of a buffer of unknown size: its outer dimensions that loops over blocks and threads index."""
    indices = [list(access.index) for access in accesses]
    for axis in range(len(indices[0])):
        tags = {_tag(access, access.index[axis]) for access in accesses}
        if len(tags) != 1 or None in tags:
            break
        for index in indices:
            index[axis] = Index.of(0)
    return indices


def _tag(access: _Access, index: Index) -> str | None:
    """Return the axis of the loop over blocks or threads whose variable an index is; "" for the only row there is."""
    if index == Index.of(0):
        return ""
    return next((p.kind.tag.data for p in _bound(access) if p.induction_variable is index.single_value), None)


def _one_row(op: loop.AllocOp | loop.ViewOp) -> None:
    """Let all blocks or threads that have rows of scratch use the first one."""
    for access, index in _in_first_row(op):
        access.set_index_lists(indices=index)


def _share(alloc: loop.AllocOp) -> None:
    """Let the threads of a block share what each of them has."""
    outermost = [p for p in _bound(alloc) if loop.is_over_threads(p)][-1]
    type_ = alloc.res.type
    shared = loop.AllocOp(loop.buffer_type(type_.get_shape(), type_.element_type, loop.SHARED), [], alloc.res.name_hint)
    Rewriter.insert_op(shared, InsertPoint.before(outermost))
    alloc.res.replace_all_uses_with(shared.res)
    Rewriter.erase_op(alloc)
