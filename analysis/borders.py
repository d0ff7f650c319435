"""Ranges of a loop's variable in which the conditions inside the loop are known to hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.ir import Operation, SSAValue

from ..dialects import loop
from ..dialects.index_expr import LANE, FloorDiv, Index, Variable, variables_of
from ..dialects.loop.storage import words_at_once
from ..traversal import operations
from .domain import is_inside
from .ranges import RangeAnalysis


@dataclass(frozen=True)
class Condition:
    """A condition of an operation inside a loop, and a condition that implies it."""

    op: Operation
    position: int
    """Among the conditions of `op`, or among the upper bounds where `op` is a loop."""
    least: Index
    """The condition holds where this is >= 0: an expression of the loop's variable and values from outside."""


@dataclass(frozen=True)
class Border:
    """A condition that holds where the loop's variable is at least `lower`, or below `upper`."""

    condition: Condition
    lower: Index | None = None
    upper: Index | None = None

    @property
    def bound(self) -> Index:
        bound = self.lower if self.lower is not None else self.upper
        assert bound is not None
        return bound


def conditions_in(op: loop.ForOp) -> Iterator[Condition]:
    """Yield the conditions inside `op` that depend on its variable and, for all iterations of loops inside, on no
    more."""
    ranges = RangeAnalysis()
    for nested in operations(op)[1:]:
        for position, e in _conditions(nested):
            least = _least(ranges.at(nested).simplify(e), op, nested)
            if least is not None and _is_over(least, op):
                yield Condition(nested, position, least)


def necessary_in(op: loop.ForOp, nested: Operation, ranges: RangeAnalysis) -> Iterator[Condition]:
    """Yield conditions on the variable of `op` that are necessary for `nested` to run in any iteration of the loops
    between.

    `least` of a condition is an expression that is >= 0 wherever `nested` runs.
    """
    for guarded in _guarding(op, nested):
        for position, e in enumerate(guarded.conditions):
            least = _least(-ranges.at(guarded).simplify(e), op, guarded)
            if least is not None and _is_over(least, op):
                yield Condition(guarded, position, -least)


def _guarding(op: loop.ForOp, nested: Operation) -> Iterator[loop.IfOp | loop.StoreOp]:
    """Yield the operations inside `op` whose conditions all hold where `nested` runs."""
    if isinstance(nested, loop.StoreOp):
        yield nested
    inner = nested
    while (parent := inner.parent_op()) is not op and parent is not None:
        if isinstance(parent, loop.IfOp) and inner.parent_region() is parent.then_body:
            yield parent
        inner = parent


def implying(condition: Condition, variable: SSAValue) -> Index:
    """Return an expression that is >= 0 only where the condition holds, solved for the variable if that is possible."""
    border = border_of(condition, variable)
    if border is None:
        return condition.least
    return Index.of(variable) - border.bound if border.lower is not None else border.bound - 1 - Index.of(variable)


def border_of(condition: Condition, variable: SSAValue) -> Border | None:
    """Return the border of a condition; None where it is met in no single range."""
    least = condition.least
    if c := least.coefficient(variable):
        rest = least - Index.of(variable) * c
        if variable in rest.variables:
            return None
        if c > 0:  # v >= -rest / c
            return Border(condition, lower=(-rest).ceildiv(c))
        return Border(condition, upper=rest // -c + 1)
    return _border_of_quotient(condition, variable)


def _border_of_quotient(condition: Condition, variable: SSAValue) -> Border | None:
    """Return the border of a variable that occurs in one quotient (v + k) floordiv d."""
    holding = [(a, c) for a, c in condition.least.terms if variable in variables_of(a)]
    if len(holding) != 1:
        return None
    quotient, c = holding[0]
    if not isinstance(quotient, FloorDiv):
        return None
    k = quotient.numerator - variable
    if variable in k.variables:
        return None
    rest = condition.least - Index.of_atom(quotient) * c
    if c > 0:  # quotient >= q where v + k >= q * d
        return Border(condition, lower=(-rest).ceildiv(c) * quotient.divisor - k)
    return Border(condition, upper=(rest // -c + 1) * quotient.divisor - k)


def _conditions(op: Operation) -> Iterable[tuple[int, Index]]:
    """Return positions and conditions of `op`; for a loop, that an upper bound is above another of constant extent."""
    if isinstance(op, (loop.IfOp, loop.LoadOp, loop.StoreOp)):
        return enumerate(op.conditions)
    if isinstance(op, loop.ForOp) and len(op.uppers) > 1 and len(op.lowers) == 1:
        full = next((u for u in op.uppers if (u - op.lowers[0]).is_constant), None)
        if full is not None:
            return [(i, u - full) for i, u in enumerate(op.uppers) if u != full]
    return ()


def _is_over(least: Index, op: loop.ForOp) -> bool:
    variable = op.induction_variable
    values = least.values()
    return variable in values and not any(is_inside(v, op) for v in values if v is not variable)


def _least(e: Index, op: loop.ForOp, nested: Operation) -> Index | None:
    """Return a lower bound of `e` over the loops between `op` and `nested` and the lanes; None where it is not
    affine."""
    lanes = getattr(nested, "lanes", None)
    least = e if lanes is None else _at_end(e, LANE, Index.of(0), Index.of(lanes - 1))
    for inner in loop.enclosing(nested, loop.ForOp):
        if inner is op or least is None:
            break
        assert isinstance(inner, loop.ForOp)
        lower, last = _constant_first(inner.lowers, max), _constant_first(inner.uppers, min) - 1
        least = _at_end(least, inner.induction_variable, lower, last)
    return least


def _at_end(e: Index, variable: Variable, lower: Index, upper: Index) -> Index | None:
    """Return the least value of `e` for `variable` in [lower, upper]."""
    if variable not in e.variables:
        return e
    c = e.coefficient(variable)
    rest = e - Index.of(variable) * c
    if variable in rest.variables:
        return None
    return rest + (lower if c > 0 else upper) * c


def _constant_first(bounds: Sequence[Index], combine: Callable[[Iterable[int]], int]) -> Index:
    """Return one of several bounds: the tightest constant, or else the first."""
    constants = [e.constant for e in bounds if e.is_constant]
    return Index.of(combine(constants)) if constants else bounds[0]


def together(bounds: Sequence[Index], combine: Callable[[Iterable[int]], int]) -> list[Index]:
    """Return the bounds of a loop, with several constants merged into one."""
    symbolic = list(dict.fromkeys(e for e in bounds if not e.is_constant))
    constants = [e.constant for e in bounds if e.is_constant]
    return [*symbolic, Index.of(combine(constants))] if constants else symbolic


def names_registers(op: loop.ForOp, *, of_iterations: bool = True) -> bool:
    """Return whether the variable of a loop selects registers, so that the loop has to keep a constant extent.

    Buffers that each iteration has for itself, in which positions count from a corner that the variable moves, do not
    say so; they count with `of_iterations`, as their positions depend on the bounds that other passes choose.
    """
    accesses = (n for n in operations(op) if isinstance(n, (loop.LoadOp, loop.StoreOp)))
    return any(
        op.induction_variable in e.variables
        for access in accesses
        if _is_to_be_registers(access.buffer) and (of_iterations or not is_made_in(access.buffer, op))
        for e in access.index
    )


def is_made_in(buffer: SSAValue, op: loop.ForOp) -> bool:
    """Return whether each iteration of a loop has a buffer for itself."""
    return isinstance(buffer.owner, loop.AllocOp) and op.is_ancestor(buffer.owner)


def _is_to_be_registers(buffer: SSAValue) -> bool:
    if loop.scope_of(buffer.type) == loop.REGISTER:
        return True
    return isinstance(buffer.owner, loop.AllocOp) and words_at_once(buffer.owner) > 0
