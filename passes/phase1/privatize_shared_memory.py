"""Pass `privatize-shared-memory`: a shared buffer whose elements threads do not share becomes private to threads.

Consecutive statements pass their results in shared memory. Often each thread reads only elements that it wrote, such as
the elements of a row that softmax exponentiates, sums and divides. Registers can hold these elements, and no barrier is
needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ...analysis.access import Access, accesses_of
from ...analysis.thread_memory import Parts, becomes_constant, most_words, parts_of_threads, words
from ...dialects import loop
from ...dialects.dtypes import numpy_dtype
from ...dialects.loop.storage import set_words_at_once
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.pipeline_stages import is_annotated
from ..shared.replaced_scopes import remark_replaced_scope


@dataclass(frozen=True)
class PrivatizeSharedMemoryPass(Pass):
    """Replace a shared buffer of which no two threads access one element by private memory of each thread.

    ```mlir
    %s = loop.alloc : memref<8192xf32, "shared">
    loop.for %t = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 8 { … loop.store %x, %s[%i * 1024 + %t * 4] : memref<8192xf32, "shared"> }
    }
    loop.for %u = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 8 { %y = loop.load %s[%i * 1024 + %u * 4] : memref<8192xf32, "shared"> … }
    }
    // becomes
    %s = loop.alloc : memref<256x32xf32, "local">
    loop.for %t = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 8 { … loop.store %x, %s[%t, %i * 4] : memref<256x32xf32, "local"> }
    }
    loop.for %u = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 8 { %y = loop.load %s[%u, %i * 4] : memref<256x32xf32, "local"> … }
    }
    ```
    The variable of each thread axis has to be a digit of the element's index, the same one at all accesses. The
    remaining digits have to be constant once loops are unrolled, and the parts of a thread have to fit its registers at
    each time. Other buffers stay shared: so do targets of asynchronous copies, and buffers that a schedule pipelines,
    doubles or lays out.

    Needs: loop level; the loops of a kernel over one axis have one extent.
    Grants: the dimensions in front of such a buffer are the thread; `compact-private` leaves them out. Remark TW0674
    names each such buffer. An annotation states the largest number of words of such memory that a thread holds at a
    time.
    """

    name = "privatize-shared-memory"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [nested for nested in operations(op) if is_kernel(nested)]:
            axes = axes_of(kernel)
            if axes:
                _privatize_in(kernel, axes)


def is_kernel(op: Operation) -> bool:
    """Return whether an operation is an outermost loop over blocks or threads."""
    return _is_bound(op) and not any(_is_bound(around) for around in loop.enclosing(op, loop.ForOp))


def _is_bound(op: Operation) -> bool:
    return isinstance(op, loop.ForOp) and bool(op.kind.tag.data)


def axes_of(kernel: Operation) -> dict[str, int]:
    """Return the number of threads along each axis; empty where one of them is not known."""
    loops = [op for op in operations(kernel) if isinstance(op, loop.ForOp) and loop.is_over_threads(op)]
    counts = dict.fromkeys((op.kind.tag.data, op.constant_trip_count) for op in loops)
    axes = {tag: count for tag, count in counts if count is not None}
    return axes if len(axes) == len(counts) else {}


@dataclass(frozen=True)
class _Candidate:
    """A shared buffer that threads may have parts of."""

    alloc: loop.AllocOp
    accesses: Sequence[Access]
    parts: Parts
    first: int
    """The number of the operation, beside the allocation, that touches it first."""
    last: int
    """That of the last one, or a greater number where there is one only."""

    @property
    def words(self) -> int:
        return words(prod(self.parts.shape), numpy_dtype(self.alloc.res.type.element_type).itemsize)


def _privatize_in(kernel: Operation, axes: dict[str, int]) -> None:
    limit = most_words(prod(axes.values()))
    chosen: list[_Candidate] = []
    for candidate in _candidates(kernel, axes):
        if _most_at_once([*chosen, candidate]) <= limit and may_rewrite("give threads their parts of", candidate.alloc):
            chosen.append(candidate)
    for candidate in chosen:
        set_words_at_once(_privatize(candidate, axes), _most_at_once(chosen))


def _most_at_once(candidates: Sequence[_Candidate]) -> int:
    """Return the most words that a thread has between two statements.

    One that reads the last of one buffer and writes the first of another does so element by element.
    """
    return max(sum(c.words for c in candidates if c.first <= at.first < c.last) for at in candidates)


def _candidates(kernel: Operation, axes: dict[str, int]) -> Iterator[_Candidate]:
    order = {op: number for number, op in enumerate(kernel.walk())}
    for alloc in [op for op in operations(kernel) if isinstance(op, loop.AllocOp)]:
        if not may_be_private(alloc):
            continue
        accesses = sorted(accesses_of(alloc.res), key=lambda access: order[access.op])
        parts = parts_of_threads(accesses, alloc.res.type.get_shape(), axes)
        if parts is None or not all(becomes_constant(e) for index in parts.indices for e in index):
            continue
        assert alloc.parent is not None
        beside = [alloc.parent.find_ancestor_op_in_block(access.op) for access in accesses]
        numbers = [order[op] for op in beside if op is not None]
        yield _Candidate(alloc, accesses, parts, min(numbers), max(*numbers, min(numbers) + 1))


def may_be_private(alloc: loop.AllocOp) -> bool:
    """Return whether a shared buffer outside of the loops over threads is used by plain loads and stores alone.

    Asynchronous copies, software pipelines and annotations of the layout need shared memory."""
    type = alloc.res.type
    if loop.scope_of(type) != loop.SHARED or not type.has_static_shape() or alloc.attributes or not alloc.res.first_use:
        return False
    if any(map(loop.is_over_threads, loop.enclosing(alloc, loop.ForOp))):
        return False
    users = [use.operation for use in alloc.res.uses]
    return all(
        isinstance(user, (loop.LoadOp, loop.StoreOp))
        and loop.ASYNC not in user.attributes
        and not any(_keeps_shared(op, alloc) for op in loop.enclosing(user, loop.ForOp))
        for user in users
    )


def _keeps_shared(around: Operation, alloc: loop.AllocOp) -> bool:
    """Return whether a loop around an access is annotated as a pipeline, or runs over blocks inside of the
    allocation."""
    return is_annotated(around) or (
        isinstance(around, loop.ForOp) and around.kind.tag.data.startswith("blockIdx") and not around.is_ancestor(alloc)
    )


def _privatize(candidate: _Candidate, axes: dict[str, int]) -> loop.AllocOp:
    alloc, parts = candidate.alloc, candidate.parts
    remark_replaced_scope(alloc, "becomes memory of each thread", "no two threads access one of its elements")
    type = loop.buffer_type([*axes.values(), *parts.shape], alloc.res.type.element_type, loop.LOCAL)
    private = loop.AllocOp(type, [], alloc.res.name_hint)
    edit.insert(private, InsertPoint.before(alloc), of=alloc)
    for access, thread, index in zip(candidate.accesses, parts.threads, parts.indices, strict=True):
        access.set_index([*thread, *index])
    edit.replace_uses(alloc.res, private.res)
    edit.erase(alloc)
    return private
