"""Pass `partition-loops`: ranges of a loop in which its body's conditions are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import Rewriter

from ...analysis.domain import is_inside
from ...analysis.ranges import RangeAnalysis
from ...dialects import loop
from ...dialects.index_expr import LANE, Index, Variable
from ..base import Level, Pass
from ..guards import set_conditions
from ..loops import detach_ops

_MIN_TRIPS = 3
"""Loops of fewer iterations are not worth a second copy of their body."""


@dataclass(frozen=True)
class PartitionLoopsPass(Pass):
    """Splits loops into ranges, so that conditions at the borders disappear from the main part.

    ```mlir
    loop.for %i = 0 to 7 {
      %x = loop.load %X[%i * 16 + lane] where (%i * 16 + lane < 100) else %z : memref<100xf32>, vector<16xf32>
      …
    }
    // becomes
    loop.for %i = 0 to 6 { %x = loop.load %X[%i * 16 + lane] : memref<100xf32>, vector<16xf32> … }
    loop.for %i = 6 to 7 { … as before … }
    ```
    A lower border becomes a range in front. A parallel loop stays one loop, with a `loop.if` that asks for the main
    part. Conditions of `loop.if`, loads and stores count, and so does the second upper bound of an inner loop. What is
    not affine in the loop's variable, or would leave the main part less than half of the iterations, stays guarded.
    `max_ops`: a function that would get more operations than that is left as it is.

    Needs: loop level.
    Grants: nothing that later passes rely on.
    """

    name = "partition-loops"
    phase = 2
    levels = (Level.LOOP,)

    max_ops: int = 600

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                size = sum(1 for _ in function.walk())
                _Partitioner(self.max_ops - size).visit(function.body.block)


@dataclass(frozen=True)
class _Border:
    """A condition that holds where the loop's variable is at least `lower`, or below `upper`."""

    op: Operation
    position: int
    """Of the condition among those of `op`, or of the upper bound where `op` is a loop."""
    lower: Index | None = None
    upper: Index | None = None

    @property
    def place(self) -> Index:
        place = self.lower if self.lower is not None else self.upper
        assert place is not None
        return place


class _Partitioner:
    def __init__(self, budget: int) -> None:
        self.budget = budget
        """How many operations may be added."""

    def visit(self, block: Block) -> None:
        """Partition the loops inside `block`, outer ones first. Parts beside a main part stay as they are."""
        for op in list(block.ops):
            if isinstance(op, loop.ForOp) and op.kind in (loop.SERIAL, loop.PARALLEL):
                self.visit(self._partition(op))
                continue
            for region in op.regions:
                for inner in region.blocks:
                    self.visit(inner)

    def _partition(self, op: loop.ForOp) -> Block:
        """Split `op` if that is worth it; returns the body of the main part."""
        if (trips := op.constant_trip_count) is not None and trips < _MIN_TRIPS:
            return op.body.block
        borders = _choose(op, list(_borders(op)))
        in_place = op.kind == loop.PARALLEL
        if not borders or (in_place and op.iter_args):
            return op.body.block
        size = sum(1 for _ in op.walk()) * (1 if in_place else len({b.lower is None for b in borders}))
        if size > self.budget:
            return op.body.block
        self.budget -= size
        return _split_body(op, borders) if in_place else _split_range(op, borders)


def _borders(op: loop.ForOp) -> Iterator[_Border]:
    """The borders of the conditions inside `op` in the values of its variable."""
    ranges = RangeAnalysis()
    for nested in op.body.walk():
        for position, e in _conditions(nested):
            facts = ranges.at(nested)
            border = _border(op, nested, position, facts.simplify(e))
            if border is not None:
                yield border


def _conditions(op: Operation) -> Iterable[tuple[int, Index]]:
    """Positions and conditions of `op`; for a loop, that an upper bound is above another of constant extent."""
    if isinstance(op, (loop.IfOp, loop.LoadOp, loop.StoreOp)):
        return enumerate(op.conditions)
    if isinstance(op, loop.ForOp) and len(op.uppers) > 1 and len(op.lowers) == 1:
        full = next((u for u in op.uppers if (u - op.lowers[0]).is_constant), None)
        if full is not None:
            return [(i, u - full) for i, u in enumerate(op.uppers) if u != full]
    return ()


def _border(op: loop.ForOp, nested: Operation, position: int, e: Index) -> _Border | None:
    """Where `e >= 0` for all iterations of the loops between `op` and `nested` and all lanes."""
    if not _depends_on(e, op, nested):
        return None
    least = _least(e, op, nested)
    if least is None or (c := least.coefficient(op.induction_variable)) == 0:
        return None
    rest = least - Index.of(op.induction_variable) * c
    if any(is_inside(v, op) for v in rest.values()):
        return None
    if c > 0:
        return _Border(nested, position, lower=(-rest).ceildiv(c))
    return _Border(nested, position, upper=rest // -c + 1)


def _depends_on(e: Index, op: loop.ForOp, nested: Operation) -> bool:
    variables = {op.induction_variable, *(p.induction_variable for p in _between(op, nested))}
    return any(v in variables for v in e.values())


def _least(e: Index, op: loop.ForOp, nested: Operation) -> Index | None:
    """A lower bound of `e` over the loops between `op` and `nested` and the lanes; None where it is not affine."""
    lanes = getattr(nested, "lanes", None)
    if lanes is not None:
        if (least := _at_end(e, LANE, Index.of(0), Index.of(lanes - 1))) is None:
            return None
        e = least
    for inner in _between(op, nested):
        variable = inner.induction_variable
        lower, last = _constant_first(inner.lowers, max), _constant_first(inner.uppers, min) - 1
        if (least := _at_end(e, variable, lower, last)) is None:
            return None
        e = least
    return e


def _at_end(e: Index, variable: Variable, lower: Index, upper: Index) -> Index | None:
    """The least value of `e` for `variable` in [lower, upper]."""
    if variable not in e.variables:
        return e
    c = e.coefficient(variable)
    rest = e - Index.of(variable) * c
    if variable in rest.variables:
        return None
    return rest + (lower if c > 0 else upper) * c


def _constant_first(bounds: Sequence[Index], combine: Callable[[Iterable[int]], int]) -> Index:
    """One of several bounds: the tightest constant, or else the first."""
    constants = [e.constant for e in bounds if e.is_constant]
    return Index.of(combine(constants)) if constants else bounds[0]


def _between(op: loop.ForOp, nested: Operation) -> Iterator[loop.ForOp]:
    """The loops inside `op` and around `nested`, innermost first."""
    for parent in loop.enclosing(nested, loop.ForOp):
        if parent is op:
            return
        assert isinstance(parent, loop.ForOp)
        yield parent


def _choose(op: loop.ForOp, borders: Sequence[_Border]) -> list[_Border]:
    """The borders worth splitting for: at most one place on each side."""
    if (bounds := op.constant_bounds) is not None:
        borders = _keeping_half(borders, bounds)
    lowers = _largest_group([b for b in borders if b.lower is not None])
    uppers = _largest_group([b for b in borders if b.upper is not None])
    chosen = [*lowers, *uppers]
    return [] if bounds is not None and all(_always_holds(b, bounds) for b in chosen) else chosen


def _keeping_half(borders: Sequence[_Border], bounds: tuple[int, int]) -> list[_Border]:
    """Constant borders that together leave the main part at least half of the iterations."""
    lower, upper = bounds
    chosen: list[_Border] = []
    for border in borders:
        if not border.place.is_constant:
            continue
        low = lower if border.lower is None else max(lower, border.lower.constant)
        high = upper if border.upper is None else min(upper, border.upper.constant)
        if (high - low) * 2 >= bounds[1] - bounds[0]:
            lower, upper = low, high
            chosen.append(border)
    return chosen


def _largest_group(borders: Sequence[_Border]) -> list[_Border]:
    """The most borders that differ by constants only: one place serves them all."""
    groups: dict[Index, list[_Border]] = {}
    for border in borders:
        place = border.place
        groups.setdefault(place - place.constant, []).append(border)
    return max(groups.values(), key=len, default=[])


def _always_holds(border: _Border, bounds: tuple[int, int]) -> bool:
    """Whether the border lies outside of the loop, so that nothing need be split for it."""
    place = border.place.constant
    return place <= bounds[0] if border.lower is not None else place >= bounds[1]


def _cuts(borders: Sequence[_Border]) -> tuple[list[Index], list[Index]]:
    """Where the main part starts and ends; empty lists where it does so with the loop."""
    lowers = [b.lower for b in borders if b.lower is not None]
    uppers = [b.upper for b in borders if b.upper is not None]
    return (
        [max(lowers, key=lambda e: e.constant)] if lowers else [],
        [min(uppers, key=lambda e: e.constant)] if uppers else [],
    )


def _without_repetition(bounds: Sequence[Index], combine: Callable[[Iterable[int]], int]) -> list[Index]:
    """The bounds, with one constant in the place of several."""
    symbolic = list(dict.fromkeys(e for e in bounds if not e.is_constant))
    constants = [e.constant for e in bounds if e.is_constant]
    return [*symbolic, Index.of(combine(constants))] if constants else symbolic


def _drop(body: Operation, copy: Operation, borders: Sequence[_Border]) -> None:
    """Remove the conditions of `borders`, found inside `body`, from the operations of its copy."""
    copies = dict(zip(body.walk(), copy.walk(), strict=True))
    positions: dict[Operation, set[int]] = {}
    for border in borders:
        positions.setdefault(copies[border.op], set()).add(border.position)
    for op, dropped in positions.items():
        if isinstance(op, loop.ForOp):
            op.set_index_lists(upper=[e for i, e in enumerate(op.uppers) if i not in dropped])
        elif isinstance(op, (loop.IfOp, loop.LoadOp, loop.StoreOp)):
            set_conditions(op, [e for i, e in enumerate(op.conditions) if i not in dropped])


def _split_range(op: loop.ForOp, borders: Sequence[_Border]) -> Block:
    """Loops one after the other, the first and the last where there is a border. Returns the main part's body.

    Each is empty where its bounds cross, so that together they cover every iteration once, wherever the borders lie.
    """
    lowers, uppers = _cuts(borders)
    pieces: list[loop.ForOp] = []
    carried: Sequence[SSAValue] = tuple(op.iter_args)

    def add(lower: Sequence[Index], upper: Sequence[Index]) -> loop.ForOp:
        nonlocal carried
        piece = op.clone()
        piece.set_index_lists(lower=_without_repetition(lower, max), upper=_without_repetition(upper, min))
        if piece.constant_trip_count != 0:
            piece.operands = [*piece.dims, *carried]
            carried = piece.res
            pieces.append(piece)
        return piece

    if lowers:
        add(op.lowers, [*op.uppers, *lowers])
    main = add([*op.lowers, *lowers], [*op.uppers, *uppers])
    if uppers:
        add([*op.lowers, *lowers, *uppers], op.uppers)
    _drop(op, main, borders)
    Rewriter.replace_op(op, pieces, carried)
    return main.body.block


def _split_body(op: loop.ForOp, borders: Sequence[_Border]) -> Block:
    """The body twice, the first for the main part, which is returned."""
    lowers, uppers = _cuts(borders)
    variable = Index.of(op.induction_variable)
    inside = RangeAnalysis().inside(op.body.block)
    conditions = [*(variable - e for e in lowers), *(e - 1 - variable for e in uppers)]
    choice = loop.IfOp([e for e in conditions if not inside.proves(e, exact=False)], else_body=Region(Block()))
    choice.location = op.location
    copy = op.clone()
    _drop(op, copy, borders)
    copy.induction_variable.replace_all_uses_with(op.induction_variable)
    choice.then_body.block.add_ops(detach_ops(copy.body.block))
    copy.erase()
    choice.else_body.block.add_ops(detach_ops(op.body.block))
    op.body.block.add_op(choice)
    return choice.then_body.block
