"""The elements of a buffer that later iterations of a loop read, one of each cache line, as a prefetch requests
them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import SSAValue

from ..analysis.access import accesses_in
from ..analysis.bounds import extents_of
from ..analysis.domain import is_inside, loops_around
from ..diagnostics.locations import name_of
from ..dialects import loop
from ..dialects.index_expr import Index
from ..hardware import CACHE_LINE_BYTES
from .loop_positions import statements_in
from .refusal import loop_name
from .regions import defined_before, touched_spans


class Lines(NamedTuple):
    """Indices along one dimension: `lines` of them from `start` on, at a distance of `step`."""

    start: Index
    lines: Index
    step: int


def lines_ahead(buffer: SSAValue, target: loop.ForOp, ahead: int, at: loop.ForOp | None = None) -> list[Lines] | str:
    """Return, for each dimension, the lines that the iteration `ahead` later reads, as a box; or the reason why nothing
    is known.

    With `at`, a loop inside `target`, the box holds the reads of one iteration of `at`. Lines may lie beyond the
    buffer. The indices are over values that are known before the first statement of the inner loop.
    """
    at = at or target
    reads = [a for a in accesses_in(at) if a.buffer is buffer and not a.is_write]
    shape = [n for n in extents_of(buffer) if n is not None]
    rank = len(extents_of(buffer))
    if (
        not reads
        or is_inside(buffer, target)
        or len(shape) < rank
        or any(a.index is None or len(a.index) != rank for a in reads)
    ):
        return f"loop {loop_name(at)} reads no known part of {name_of(buffer)}"
    spans = touched_spans(reads, shape, defined_before(at.body.block, statements_in(at)[0]))
    variable = target.induction_variable
    if not any(variable in start.variables for start, _ in spans):
        return f"the elements read of {name_of(buffer)} are the same in all iterations of loop {loop_name(target)}"
    steps = [1] * (rank - 1) + [_elements_a_line(buffer)]
    later = {variable: Index.of(variable) + ahead}
    return [
        Lines(start.substitute(later), count.ceildiv(step), step)
        for (start, count), step in zip(spans, steps, strict=True)
    ]


def idle_loops(lines: Sequence[Lines], target: loop.ForOp, at: loop.ForOp) -> list[loop.ForOp]:
    """Return the loops inside `target` down to `at`, outermost first, in all of whose iterations the same lines are
    asked for, as far as they are known to run from 0 to a constant."""
    between = [op for op in (*loops_around(at), at) if is_inside(op.induction_variable, target) and op is not target]
    used = {v for start, count, _ in lines for e in (start, count) for v in e.values()}
    return [
        op
        for op in between
        if op.induction_variable not in used and op.constant_trip_count is not None and op.lowers == (Index.of(0),)
    ]


def _elements_a_line(buffer: SSAValue) -> int:
    assert isinstance(buffer.type, MemRefType)
    width = getattr(buffer.type.element_type, "bitwidth", 64)
    return max(1, CACHE_LINE_BYTES * 8 // width)
