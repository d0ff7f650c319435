"""The check that iterations of loops over blocks and threads may run concurrently.

Until `insert-barriers` these iterations run one after another. A value that one iteration passes to another iteration
of the same loop would be a race once the iterations run concurrently, and no barrier can order them: a barrier orders
statements, not iterations. So each pair of accesses inside one such loop must access different elements in different
iterations. Barriers can only order accesses in different loops over threads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from xdsl.ir import SSAValue

from ....analysis.access import Access, accesses_in, in_one_view
from ....analysis.dependence import between_iterations
from ....analysis.domain import is_inside
from ....analysis.radix import forced_equal
from ....diagnostics.locations import name_of
from ....dialects import loop
from ....traversal import operations
from ...shared.barriers.race_errors import fail_race, remedy_for


def check_iterations(kernel: loop.ForOp) -> None:
    """Raise TW0537 where an iteration of a loop over blocks or threads accesses an element that another one writes,
    TW0681 where that could not be decided.

    Threads of a loop that contains barriers already run concurrently. If such a loop contains a loop over the same
    axis, the threads of the inner loop write together, the same for all iterations of the outer loop, which
    `thread_nests` checks.
    """
    by_buffer: dict[SSAValue, list[Access]] = {}
    for access in accesses_in(kernel):
        by_buffer.setdefault(access.buffer, []).append(access)
    in_turns = {op for op in operations(kernel) if isinstance(op, loop.ForOp) and _runs_in_turns(op)}
    for buffer, accesses in by_buffer.items():
        for first, second in combinations_with_replacement(accesses, 2):
            if first.is_write or second.is_write:
                band = [op for op in _bound_around(first, second) if op in in_turns and not is_inside(buffer, op)]
                _check_pair(first, second, band)


def _runs_in_turns(op: loop.ForOp) -> bool:
    """Return whether the iterations of a loop over blocks or threads still run one after another."""
    if not loop.is_over_threads(op):
        return bool(op.kind.tag.data)
    return not any(isinstance(nested, loop.BarrierOp) for nested in operations(op))


def _bound_around(first: Access, second: Access) -> Iterator[loop.ForOp]:
    """Return the loops over blocks and threads around both accesses, outermost first."""
    return (op for op in first.domain.loops if op.kind.tag.data and op.is_ancestor(second.op))


def _check_pair(first: Access, second: Access, band: Sequence[loop.ForOp]) -> None:
    if not band:
        return
    equal = forced_equal(*in_one_view(first, second), band)
    for op in band:
        if op.induction_variable in equal or _is_by_all(first, second, op):
            continue
        for source, sink in ((first, second), (second, first)):
            conflict = between_iterations(source, sink, op)
            if conflict is not None and not (conflict.unknown is not None and first.op is second.op):
                who = "thread" if loop.is_over_threads(op) else "block"
                expected = f"expected different {who}s to write disjoint elements of {name_of(first.buffer)}"
                fail_race(conflict, expected, remedy_for(conflict, op))


def _is_by_all(first: Access, second: Access, op: loop.ForOp) -> bool:
    """Return whether those of the two accesses that write are inside inner loops over the axis of `op`."""
    writes = [access for access in (first, second) if access.is_write]
    return all(any(p.kind == op.kind and p is not op for p in _inside(access, op)) for access in writes)


def _inside(access: Access, op: loop.ForOp) -> Iterator[loop.ForOp]:
    return (p for p in access.domain.loops if op.is_ancestor(p))
