"""The check that a software pipeline keeps dependences, and the number of versions of its buffers.

In time step t a statement of stage k runs iteration t - k, in the order of the annotation. So the stages and the order
of two statements, and the distance of two iterations, determine whether the pipeline reverses the order of two
dependent instances. The dependence analysis is asked only for the distances at which it would.

Each iteration has a private copy of a buffer that is allocated inside the loop. V versions, used in turn, are enough if
the last use of a version by iteration i precedes its first use by iteration i + V.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from xdsl.ir import Operation, SSAValue

from ....analysis.access import Access, accesses_in, accesses_of
from ....analysis.coverage import is_private
from ....analysis.dependence import Conflict, at_distance
from ....analysis.domain import is_inside
from ....analysis.exact_coverage import stores_cover_reads
from ....analysis.ranges import RangeAnalysis
from ....diagnostics import fail
from ....diagnostics.locations import describe, name_of
from ....dialects import loop
from ...shared.pipeline_stages import Statement


@dataclass(frozen=True, eq=False)
class _Part:
    """An access as part of a statement."""

    access: Access
    statement: Statement
    position: int
    """Its position in the body: other statements may stand between a load and the statement that uses its value."""


def check_order(around: loop.ForOp, statements: Sequence[Statement]) -> dict[loop.AllocOp, int]:
    """Return the number of versions that each buffer needs which is private to the iterations of `around`.

    Raises TilewrightError TW0541 for a dependence that the pipeline turns around, TW0542 where that is undecided.
    """
    versions: dict[loop.AllocOp, int] = {}
    for buffer, parts in _by_buffer(around, statements).items():
        owner = buffer.owner
        if isinstance(owner, loop.AllocOp) and is_inside(buffer, around):
            versions[owner] = _versions(parts)
        elif not any(part.access.is_write for part in parts):
            continue
        elif (found := _turned_around(parts, around)) is not None:
            if not (isinstance(owner, loop.AllocOp) and _is_private(buffer, around)):
                _refuse(around, *found)
            versions[owner] = _versions(parts)
        if isinstance(owner, loop.AllocOp) and owner in versions:
            _check_same_iteration(parts, around)
    return versions


def _by_buffer(around: loop.ForOp, statements: Sequence[Statement]) -> dict[SSAValue, list[_Part]]:
    positions = {op: k for k, op in enumerate(around.body.block.ops)}
    found: dict[SSAValue, list[_Part]] = {}
    accesses: dict[Operation, list[Access]] = {}
    for statement in statements:
        for op in statement.ops:
            if op not in accesses:
                accesses[op] = accesses_in(op)
            for access in accesses[op]:
                if not is_inside(access.buffer, op):
                    found.setdefault(access.buffer, []).append(_Part(access, statement, positions[op]))
    return found


def _pairs(parts: Sequence[_Part]) -> Iterator[tuple[_Part, _Part]]:
    """Yield ordered pairs of accesses by different statements, one of them a write."""
    for first in parts:
        for second in parts:
            if first.statement is not second.statement and (first.access.is_write or second.access.is_write):
                yield first, second


def _most(first: _Part, second: _Part) -> int:
    """Return the greatest distance of iterations at which the second statement runs before the first one."""
    a, b = first.statement, second.statement
    return a.stage - b.stage - (0 if b.order < a.order else 1)


def _versions(parts: Sequence[_Part]) -> int:
    """Return the least V such that statements are done with iteration i before others begin with iteration i + V."""
    return max((1, *(_most(a, b) + 1 for a, b in _pairs(parts))))


def _turned_around(parts: Sequence[_Part], around: loop.ForOp) -> tuple[_Part, _Part, Conflict] | None:
    """Return two dependent instances, of one iteration or of two, whose order the pipeline reverses."""
    for first, second in _pairs(parts):
        least = 0 if first.position < second.position else 1
        if (found := _conflict(first, second, around, least, _most(first, second))) is not None:
            return first, second, found
    return None


def _check_same_iteration(parts: Sequence[_Part], around: loop.ForOp) -> None:
    """Refuse a pipeline that reverses the order of dependent instances of one iteration."""
    for first, second in _pairs(parts):
        if first.position < second.position and _most(first, second) >= 0:
            found = _conflict(first, second, around, 0, 0)
            if found is not None:
                _refuse(around, first, second, found)


def _conflict(first: _Part, second: _Part, around: loop.ForOp, least: int, most: int) -> Conflict | None:
    return at_distance(first.access, second.access, around, least, most) if least <= most else None


def _is_private(buffer: SSAValue, around: loop.ForOp) -> bool:
    """Return whether each iteration reads only elements that it wrote, so that it may have a private copy of the
    buffer."""
    accesses = accesses_of(buffer)
    if not all(around.is_ancestor(a.op) for a in accesses):
        return False
    return is_private(around, accesses, RangeAnalysis()) or stores_cover_reads(around, accesses)


def _refuse(around: loop.ForOp, first: _Part, second: _Part, conflict: Conflict) -> NoReturn:
    buffer, name = name_of(conflict.source.buffer), name_of(around.induction_variable)
    a, b = first.statement, second.statement
    where = [f"{describe(s.root)}statement {s.number}: stage {s.stage}, order {s.order}" for s in (a, b)]
    if conflict.unknown is not None:
        fail(
            "TW0542",
            f"loop {name} is not pipelined: whether statements {a.number} and {b.number} touch the same elements of "
            f"{buffer} is not known: {conflict.unknown}",
            op=second.access.op,
            notes=where,
        )
    variable = around.induction_variable
    earlier, later = conflict.source_point.get(variable, 0), conflict.sink_point.get(variable, 0)
    element = ", ".join(map(str, conflict.element() or ()))
    does = ["writes" if part.access.is_write else "reads" for part in (first, second)]
    fail(
        "TW0541",
        f"loop {name} cannot be pipelined like this: statement {b.number} at {name} = {later} would run before "
        f"statement {a.number} at {name} = {earlier}",
        op=second.access.op,
        notes=[
            f"statement {a.number} at {name} = {earlier} {does[0]} {buffer}[{element}], which statement {b.number} at "
            f"{name} = {later} {does[1]} after it",
            *where,
        ],
    )
