"""Insertion of barriers into programs of threads that state none.

In TVMScript and in statements of a `tir.ir_builder` the iterations of a loop over threads are concurrent, and a thread
waits before it reads an element of shared memory that another thread wrote. In the IR such iterations run one after
another unless the loop contains a barrier. The readers of these programs therefore insert the barriers.
"""

from __future__ import annotations

from collections.abc import Iterable

from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from ....analysis.domain import is_inside
from ....analysis.effects import is_pure
from ....diagnostics import TilewrightError
from ....dialects.loop import SHARED, AllocOp, BarrierOp, ForOp, enclosing, family_of, is_over_threads
from ....ir import editor as edit
from ....traversal import operations
from .separation import Separation
from .thread_nests import Nest

_UNKNOWN = "TW0681"


def separate_in_shared_memory(statements: Iterable[Operation]) -> None:
    """Insert barriers between accesses of different threads to one element of shared memory.

    ```mlir
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      loop.store %v, %s[%t] : memref<8xf32, "shared">
      %w = loop.load %s[7 - %t] : memref<8xf32, "shared"> …
    }
    // becomes
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      loop.store %v, %s[%t] : memref<8xf32, "shared">
      loop.barrier <"shared">
      %w = loop.load %s[7 - %t] : memref<8xf32, "shared"> …
    }
    ```
    A barrier stands only where all threads of the block reach it: outside of conditions and of loops whose bounds
    differ between threads. Shared memory that each thread allocates becomes one buffer for all threads. Raises TW0537
    where threads conflict inside of such a condition or loop.
    """
    for statement in list(statements):
        for op in [nested for nested in operations(statement) if is_over_threads(nested)]:
            nest = None if any(map(is_over_threads, enclosing(op, ForOp))) else _nest_from(op)
            if nest is not None:
                _separate(nest)


def _nest_from(outermost: Operation) -> Nest | None:
    """Return the loops over threads inside one another, with nothing between them but declarations; None for others."""
    nest: list[ForOp] = []
    op: Operation | None = outermost
    while op is not None:
        if not isinstance(op, ForOp) or not is_over_threads(op) or op.iter_args:
            return None
        nest.append(op)
        inner = [each for each in op.body.block.ops if any(map(is_over_threads, operations(each)))]
        if inner and not all(each is inner[0] or _declares(each) for each in op.body.block.ops):
            return None
        op = inner[0] if inner else None
    return tuple(nest) if len({each.kind.tag.data for each in nest}) == len(nest) else None


def _declares(op: Operation) -> bool:
    return is_pure(op) or isinstance(op, AllocOp)


def _separate(nest: Nest) -> None:
    moved = _share(nest)
    if any(isinstance(op, BarrierOp) for op in operations(nest[0])):  # threads share their allocations
        moved = []
    separation = Separation(nest, only=SHARED)
    if separation.first_conflict() is not None and _check(separation, raises=not moved):
        separation.separate()
        return
    for alloc, after in moved:
        edit.detach(alloc)
        edit.insert(alloc, InsertPoint.before(after))


def _share(nest: Nest) -> list[tuple[AllocOp, Operation]]:
    """Move allocations of shared memory before the threads, as one buffer for all. Returns each with the operation that
    it stood before."""
    found = [op for op in operations(nest[0]) if isinstance(op, AllocOp) and family_of(op.res.type) == SHARED]
    if any(is_inside(size, nest[0]) for alloc in found for size in alloc.operands):
        return []
    moved: list[tuple[AllocOp, Operation]] = []
    for alloc in reversed(found):
        after = alloc.next_op
        assert after is not None, "an allocation is used behind it"
        moved.insert(0, (alloc, after))
    for alloc, _ in moved:
        edit.detach(alloc)
        edit.insert(alloc, InsertPoint.before(nest[0]))
    return moved[::-1]


def _check(separation: Separation, *, raises: bool) -> bool:
    """Return whether barriers can order the accesses of threads. Memory that each thread allocates may be private,
    which `insert-barriers` decides; accesses at unknown elements it examines again."""
    try:
        separation.check_statements()
    except TilewrightError as error:
        if raises and error.code != _UNKNOWN:
            raise
        return error.code == _UNKNOWN
    return True
