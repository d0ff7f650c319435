"""loop_partition: one loop into several, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.domain import domain_of, is_inside
from ...analysis.ranges import facts_at
from ...diagnostics import fail
from ...dialects import loop
from ...dialects.index_expr import FloorDiv, Index
from ...ir import editor as edit
from ...traversal import operations
from ..engine import Engine
from ..handles import LoopRV
from ..loop_rewriting import function_of, substitute_variable, unique_label
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT, BAD_POINTS, UNSUITABLE, loop_name

_NAME = "loop_partition"


@register_primitive(LOOPS)
def loop_partition(
    sch: Engine, loop: LoopRV, factors: Sequence[int | None] | None = None, *, points: Sequence[int] | None = None
) -> tuple[LoopRV, ...]:
    """Cut a loop into consecutive loops, each with a copy of the body. Returns the loops.

    `factors` are the numbers of iterations of the first loops; the last loop has the rest. One of them may be None: it
    is inferred, so that no rest is left. `points` are the values of the variable at which loops begin: `[2, 64]` cuts
    the range 0 to 128 into 2, 64 and 62 iterations as factors, and into 2, 62 and 64 as points.

    Without both, the range is cut where a condition of the body becomes true, or false, for all iterations of the
    loops inside; where that depends on a size, at the end of the iterations for which the guards of all blocks hold. A
    part in which a guard always holds loses the guard. The order of iterations stays, so every partition is legal.

    before:
    ```mlir
    loop.for %io = 0 to 8 {
      loop.for %ii = 0 to 8 {
        loop.block "B" (%vi = spatial(%io * 8 + %ii) in 57) where (%io * 8 + %ii < 57) { … }
      }
    }
    ```
    after `loop_partition(io)`:
    ```mlir
    loop.for %io = 0 to 7 {
      loop.for %ii = 0 to 8 {
        loop.block "B" (%vi = spatial(%io * 8 + %ii) in 57) { … }
      }
    }
    loop.for %io = 7 to 8 {
      loop.for %ii = 0 to 8 {
        loop.block "B2" (%vi = spatial(%io * 8 + %ii) in 57) where (%io * 8 + %ii < 57) { … }
      }
    }
    ```
    """
    op = sch.loop(loop)
    parts = _loop_partition(op, factors, points)
    sch.retire(op, "partitioned")
    return sch.handles_of(parts)


def _loop_partition(
    op: loop.ForOp, factors: Sequence[int | None] | None, points: Sequence[int] | None
) -> tuple[loop.ForOp, ...]:
    lower, upper = _bounds(op)
    if factors is not None:
        if points is not None:
            fail(BAD_POINTS, f"{_NAME}: expected factors or points for loop {loop_name(op)}, but got both", op=op)
        points = _points_of(op, factors, lower, upper)
    elif points is None:
        points = _turning_points(op, lower, upper)
        if (end := open_end(op)) is not None:
            return _cut_at(op, end)
        if not points:
            message = f"{_NAME}: no condition in loop {loop_name(op)} begins or ceases to hold at a known iteration"
            fail(BAD_POINTS, message, op=op, help="give factors or points")
    if factors is None or points:
        _check_points(op, points, lower, upper)
    parts = [op, *(op.clone() for _ in points)]
    for before, part in zip(parts, parts[1:], strict=False):
        edit.insert(part, InsertPoint.after(before))
        _make_labels_unique(part)
    starts, ends = [lower, *map(Index.of, points)], [*map(Index.of, points), None]
    for part, start, end in zip(parts, starts, ends, strict=True):
        uppers = [upper] if end is None else [end] if upper.is_constant else [end, upper]
        part.set_index_lists(lower=[start], upper=uppers)
        _drop_guards(part)
    return tuple(parts)


def _bounds(op: loop.ForOp) -> tuple[Index, Index]:
    if op.iter_args:
        fail(UNSUITABLE, f"{_NAME}: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    if len(op.lowers) != 1 or len(op.uppers) != 1 or not op.lowers[0].is_constant:
        fail(UNSUITABLE, f"{_NAME}: loop {loop_name(op)} should run from a constant to one bound", op=op)
    if op.kind != loop.SERIAL:
        kind = op.kind.kind.data
        fail(BAD_ARGUMENT, f"{_NAME}: loop {loop_name(op)} is {kind}; partition it before its kind is set", op=op)
    if any(isinstance(nested, loop.DelinearizeOp) for nested in operations(op)):
        fail(UNSUITABLE, f"{_NAME}: loop {loop_name(op)} is fused from symbolic loops", op=op)
    return op.lowers[0], op.uppers[0]


def _points_of(op: loop.ForOp, factors: Sequence[int | None], lower: Index, upper: Index) -> list[int]:
    """Return the values of the variable at which parts of these numbers of iterations begin, the first part left
    out."""
    extent = (upper - lower).constant if upper.is_constant else None
    known = [n for n in factors if n is not None]
    inferred = factors.count(None)
    rest = None if extent is None else extent - sum(known)
    ends_open = inferred == 1 and factors[-1] is None
    if (
        not factors
        or any(n < 1 for n in known)
        or inferred > 1
        or (rest is not None and rest < inferred)
        or (rest is None and inferred == 1 and not ends_open)
    ):
        listing = "[" + ", ".join(str(n) for n in factors) + "]"
        fail(
            BAD_POINTS,
            f"{_NAME}: expected positive factors of at most {upper - lower} iterations in all, one None among them at "
            f"most, for loop {loop_name(op)}, but got {listing}",
            op=op,
            help="the last part has what the factors leave; with a symbolic bound, None is the last factor",
        )
    sizes = [rest if n is None else n for n in factors[: -1 if ends_open else None]]
    starts = [lower.constant + sum(n or 0 for n in sizes[: k + 1]) for k in range(len(sizes))]
    return [start for start in starts if extent is None or start < lower.constant + extent]


def _check_points(op: loop.ForOp, points: Sequence[int], lower: Index, upper: Index) -> None:
    ends = [lower.constant, *points, *([upper.constant] if upper.is_constant else [])]
    if not points or any(a >= b for a, b in zip(ends, ends[1:], strict=False)):
        fail(
            BAD_POINTS,
            f"{_NAME}: expected increasing points between {lower} and {upper} for loop {loop_name(op)}, but got "
            f"{list(points)}",
            op=op,
        )


def _turning_points(op: loop.ForOp, lower: Index, upper: Index) -> list[int]:
    """Return the points at which conditions over the loop's variable, and loops of known range inside, begin or cease
    to hold."""
    variable = op.induction_variable
    found: set[int] = set()
    for user, e in _conditions(op):
        c = e.coefficient(variable)
        rest = e.without(variable)
        if not c or variable in rest.variables or any(not is_inside(v, op) for v in rest.variables):
            continue
        for end in facts_at(user).bounds(rest):
            if end is not None:
                # c * variable + end >= 0 from the first point on (c > 0), or before it.
                found.add(-(end // c) if c > 0 else end // -c + 1)
    first, last = lower.constant, upper.constant if upper.is_constant else None
    return sorted(p for p in found if p > first and (last is None or p < last))


def open_end(op: loop.ForOp) -> Index | None:
    """Return the value of a loop's variable, an expression of sizes, before which all guards over it hold: the loop is
    cut there when no points are given. None where there is no such value, or several, and where the range is cut at
    numbers."""
    if len(op.lowers) != 1 or len(op.uppers) != 1 or not op.lowers[0].is_constant:
        return None
    if _turning_points(op, op.lowers[0], op.uppers[0]):
        return None
    found = {_end_of(op, user, e) for user, e in _conditions(op) if e.coefficient(op.induction_variable)}
    (end,) = found if len(found) == 1 else (None,)
    return end


def _end_of(op: loop.ForOp, user: Operation, condition: Index) -> Index | None:
    """Return the value of the variable from which on a condition holds for some iterations of the loops inside only."""
    step, rest = -condition.coefficient(op.induction_variable), condition.without(op.induction_variable)
    if step <= 0 or op.induction_variable in rest.variables:
        return None
    facts = facts_at(user)
    for value, factor in rest.terms:
        if isinstance(value, SSAValue) and is_inside(value, op):
            low, high = facts.bounds(Index.of(value))
            least = low if factor > 0 else high
            if least is None:
                return None
            rest += (Index.of(least) - value) * factor
    return None if any(is_inside(v, op) for v in rest.variables) else rest // step + 1


def _cut_at(op: loop.ForOp, end: Index) -> tuple[loop.ForOp, ...]:
    """Cut a loop where its guards cease to hold for all iterations of the loops inside."""
    rest = op.clone()
    edit.insert(rest, InsertPoint.after(op))
    _make_labels_unique(rest)
    facts, (lower,), (upper,) = facts_at(op), op.lowers, op.uppers
    if facts.proves(end - lower):  # relative to `lower`, so that facts about sizes bound the accessed elements
        rest.set_index_lists(lower=[Index.of(0)], upper=[upper - end])
        substitute_variable(rest, end + rest.induction_variable, rest, preserve_unit_iters=True)
    else:
        rest.set_index_lists(lower=[lower, end], upper=[upper])
    op.set_index_lists(lower=[lower], upper=[end] if _is_at_most(end, upper) else [end, upper])
    for nested in op.walk():
        if isinstance(nested, loop.BlockOp) and nested.conditions:
            domain = domain_of(nested)
            kept = [e for e in nested.conditions if _end_of(op, nested, domain.resolve(e)) != end]
            nested.set_index_lists(guard=kept)
    return op, rest


def _is_at_most(first: Index, second: Index) -> bool:
    """Return whether a quotient is at most another one because its numerator is."""
    atoms = [[atom for atom, _ in e.terms] for e in (first, second)]
    if (first - second).is_constant:
        return (second - first).constant >= 0
    match atoms:
        case [[FloorDiv() as a], [FloorDiv() as b]] if a.divisor == b.divisor:
            less = (b.numerator - a.numerator) + (second.constant - first.constant) * a.divisor
            return {first.coefficient(a), second.coefficient(b)} == {1} and less.is_constant and less.constant >= 0
        case _:
            return False


def _conditions(op: loop.ForOp) -> Iterator[tuple[Operation, Index]]:
    """Yield the conditions inside a loop, over the variables of loops, each with the operation that has it."""
    for nested in op.walk():
        if isinstance(nested, (loop.BlockOp, loop.IfOp, loop.LoadOp, loop.StoreOp)) and nested.conditions:
            domain = domain_of(nested)
            for e in nested.conditions:
                yield nested, domain.resolve(e)


def _make_labels_unique(part: loop.ForOp) -> None:
    """Give the blocks of a copy unique labels."""
    for nested in part.walk():
        if isinstance(nested, loop.BlockOp):
            label = nested.label
            edit.change(nested).sym = StringAttr("")
            edit.change(nested).sym = StringAttr(unique_label(function_of(part), label))


def _drop_guards(part: loop.ForOp) -> None:
    """Drop the guards of blocks that always hold in the new range."""
    for nested in part.walk():
        if isinstance(nested, loop.BlockOp) and nested.conditions:
            facts = facts_at(nested)
            nested.set_index_lists(guard=[e for e in nested.conditions if not facts.proves(e)])
