"""Functions that only copy: each result is made of ranges of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.func import FuncOp

from ...dialects.index_expr import Index, Symbol
from ...traversal import operations
from ..integer_set import System
from ..integer_set.calculus import Calculus, Undecided
from ..integer_set.relation import IntegerSet, Relation
from ..polyhedral.builder import model_of
from ..polyhedral.byte_arenas import width_of
from ..polyhedral.model import Cell, Refusal
from ..polyhedral.subscripts import linear
from .terms import Contents, RelationalModel, Term

OPERATIONS = 20_000
"""The isl operations for one function. Concatenations and slices take some hundreds; a change of layout has more ranges
than `PARTS`, and minutes would pass before that is known."""
PARTS = 64
"""The most ranges that a result is made of."""


@dataclass(frozen=True)
class Copied:
    """A range of bytes of an argument, which is numbered among the arguments that are not outputs."""

    argument: int
    start: int
    end: int


def copied_by(
    function: FuncOp, limit: int = OPERATIONS, seconds: float | None = None
) -> list[tuple[Copied, ...]] | None:
    """Return, for each result, in order, the ranges that it is made of; None for a function that computes anything, or
    whose ranges are symbolic, too many, or not found by so many isl operations and in so many seconds."""
    if any(op.name not in _COPYING for op in operations(function)):
        return None
    model = model_of(function)
    if isinstance(model, Refusal) or model.parameters:
        return None
    positions = sorted(p for p, cell in model.arguments.items() if not cell.is_output)
    found: list[tuple[Copied, ...]] = []
    try:
        program = RelationalModel(model, Calculus((), operations=min(limit, OPERATIONS), seconds=seconds))
        for _, cell in sorted(model.arguments.items()):
            if cell.is_output:
                found.append(tuple(_ranges(program, cell, positions)))
    except (Undecided, _ComputesError):
        return None
    return found


_COPYING = frozenset(
    {
        *("func.func", "func.return", "te.compute", "te.read", "te.yield", "te.reshape", "te.test", "te.apply"),
        *("loop.for", "loop.if", "loop.yield", "loop.block", "loop.load", "loop.store", "loop.view", "loop.bind"),
        *("arith.constant", "arith.select"),
    }
)
"""The operations of functions that may only copy."""


class _ComputesError(Exception):
    """Raised for a function that computes, beside copying."""


def _ranges(program: RelationalModel, cell: Cell, positions: Sequence[int]) -> list[Copied]:
    """Return the ranges of arguments that an output is made of, in the order of its bytes."""
    assert cell.argument is not None
    flat = _row_major(program, cell)
    parts: list[tuple[int, int, Copied]] = []
    for argument, moves in _origins(program, program.output(cell.argument)):
        if argument not in positions:
            raise _ComputesError
        size = width_of(cell.type)
        assert argument is not None  # it is among the positions
        whole = flat.inverse().then(moves).then(_row_major(program, program.model.arguments[argument]))
        for start, end, first in _intervals(whole):
            copied = Copied(positions.index(argument), first * size, (first + end - start) * size)
            parts.append((start, end, copied))
    parts.sort(key=lambda part: part[0])
    total = 1
    for extent in cell.shape:
        total *= extent.constant
    edges = [0, *(end for _, end, _ in parts)]
    if [start for start, _, _ in parts] != edges[:-1] or edges[-1] != total:
        raise _ComputesError  # an element is not written
    return [copied for _, _, copied in parts]


def _row_major(program: RelationalModel, cell: Cell) -> Relation:
    """Relate the elements of a cell to their row-major positions."""
    variables = tuple(Symbol(f"element {k}") for k in range(len(cell.shape)))
    box = System.box({v: (0, extent) for v, extent in zip(variables, cell.shape, strict=True)})
    position = linear([Index.of(v) for v in variables], [extent.constant for extent in cell.shape[1:]])
    return program.calculus.function(variables, [position], [box])


def _origins(program: RelationalModel, term: Term) -> Iterator[tuple[int | None, Relation]]:
    """Yield the arguments that the values of a term come from, None for values of no argument, and at which
    elements."""
    pending = [(term, term.domain.identity())]
    while pending:
        at, moves = pending.pop()
        steps = program.steps(at)
        if steps is None:
            is_argument = isinstance(at.expression, Contents) and at.expression.data is None
            yield at.expression.argument if isinstance(at.expression, Contents) and is_argument else None, moves
            continue
        pending += [(step.term, further) for step in steps if not (further := moves.then(step.moves)).is_empty()]


def _intervals(moves: Relation) -> Iterator[tuple[int, int, int]]:
    """Yield the intervals of positions that are moved by one distance: start, end, and the position that the start is
    moved to."""
    x, y = Symbol("from"), Symbol("to")
    calculus = moves.calculus
    for _ in range(PARTS):
        if moves.is_empty():
            return
        start, first = _least(moves.graph())
        shifted = calculus.set((x, y), [System((Index.of(x) - start,), (Index.of(y) - Index.of(x) - first + start,))])
        along = moves.graph() & shifted
        beyond = (shifted - along).as_relation(1).domain()
        (end,) = _least(beyond)
        yield start, end, first
        taken = calculus.set((x,), [System((Index.of(x) - start, end - 1 - Index.of(x)))])
        moves = moves.on(moves.domain() - taken)
    raise _ComputesError


def _least(points: IntegerSet) -> tuple[int, ...]:
    """Return the lexicographically first point of a set that has one."""
    sample = points.as_relation(0).first().sample()
    assert sample is not None
    return sample.point
