"""Pass `partition-loops`: splits a loop into ranges in which conditions of its body are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from ...analysis.borders import Border, Condition, border_of, conditions_in, implying, names_registers, together
from ...analysis.ranges import Facts, RangeAnalysis, facts_at
from ...diagnostics.locations import name_of
from ...diagnostics.remarks import remark
from ...dialects import loop
from ...dialects.index_expr import Index
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..framework.context import PassContext
from ..shared.guards import set_conditions

_MIN_TRIPS = 3
"""Loops of fewer iterations are not worth a second copy of their body."""
_MIN_TRIPS_OF_MOVING = 8
"""The same where the border moves with a loop around: the parts' extents are known no more."""
_MUCH_SMALLER = 4
"""The least ratio of sizes of a loop and a loop inside it for which a condition is left to the inner loop."""
_LEAST_SHARE = 1 / 200
"""The guarded share of a loop's operations below which copies of the rest cost more than they save."""
_SMALL = 100
"""The operations of a loop that is copied all the same."""
_ASSUMED_TRIPS = 8
"""Of a loop whose trip count is not known."""
_NO_BORDER = "no condition in it holds for at least half of its iterations in one range"
_MOST_COUNTED = 4096
"""In longer parallel loops every condition counts as one that mostly holds."""


@dataclass(frozen=True)
class PartitionLoopsPass(Pass):
    """Split loops into ranges, so that conditions at the borders disappear from the main part.

    ```mlir
    loop.for %i = 0 to 7 {
      %x = loop.load %X[%i * 16 + lane] where (%i * 16 + lane < 100) else %z : memref<100xf32>, vector<16xf32>
      …
    }
    // becomes
    loop.for %i = 0 to 6 { %x = loop.load %X[%i * 16 + lane] : memref<100xf32>, vector<16xf32> … }
    loop.for %i = 6 to 7 { … as before … }
    ```
    A lower border becomes a range in front. A parallel loop stays one loop, in which a `loop.if` selects the main part;
    conditions on remainders are removed there too. The pass considers the conditions of `loop.if`, loads and stores,
    and the second upper bound of an inner loop. If partitioning a much smaller inner loop removes a condition, the
    inner loop is partitioned instead. A condition stays if it is not affine, if the main part would have less than half
    of the iterations, if registers would be indexed by variables, or if it guards a small part of a loop with many
    operations.
    `max_ops`: a function that would get more operations than that is left as it is. Under the setting
    `tir.LoopPartition`, with `partition_const_loop` False, loops of constant extent are left as they are.

    Needs: loop level.
    Grants: nothing that later passes rely on.
    """

    name = "partition-loops"
    phase = 2
    levels = (Level.LOOP,)
    opt_level = 2

    max_ops: int = 600

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        setting = PassContext.current().value("tir.LoopPartition", dict)
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks:
                constant = setting.get("partition_const_loop", True)
                _Partitioner(self.max_ops - _size(function), constant=constant).visit(function.body.block)


class _Partitioner:
    def __init__(self, budget: int, *, constant: bool) -> None:
        self.budget = budget
        """The number of operations that may be added."""
        self.constant = constant
        """True if loops of constant extent are partitioned too."""

    def visit(self, block: Block) -> None:
        """Partition the loops inside `block`, outer ones first, and main parts before the other parts."""
        for op in list(block.ops):
            if isinstance(op, loop.ForOp) and op.kind in (loop.SERIAL, loop.PARALLEL):
                for part in self._partition(op):
                    self.visit(part)
                continue
            for region in op.regions:
                for inner in region.blocks:
                    self.visit(inner)

    def _partition(self, op: loop.ForOp) -> list[Block]:
        """Split `op` if that is worth it; returns the bodies of the parts, the main part's first."""
        if (trips := op.constant_trip_count) is not None and (trips < _MIN_TRIPS or not self.constant):
            return [op.body.block]
        conditions = [condition for condition in conditions_in(op) if not _is_left_to_inner(op, condition)]
        if conditions and _size(op) > _SMALL:
            least = _work(op.body.block) * _LEAST_SHARE
            conditions = [c for c in conditions if isinstance(c.op, loop.ForOp) or _runs(op, c.op) >= least]
        if not conditions:
            return [op.body.block]
        return self._split_in_place(op, conditions) if op.kind == loop.PARALLEL else self._split(op, conditions)

    def _split(self, op: loop.ForOp, conditions: Sequence[Condition]) -> list[Block]:
        candidates = (border_of(condition, op.induction_variable) for condition in conditions)
        found = [border for border in candidates if border is not None]
        if names_registers(op):
            found = [border for border in found if _is_fixed(border.lower) and _is_fixed(border.upper)]
        borders = _choose(op, found)
        if not borders:
            return _left_whole(op, _NO_BORDER if found else None)
        if not self._affords(op, len({b.lower is None for b in borders})):
            return _left_whole(op, self._too_large())
        if not may_rewrite("partition", op):
            return [op.body.block]
        _remark_split(op, len(borders))
        return _split_range(op, borders)

    def _split_in_place(self, op: loop.ForOp, conditions: Sequence[Condition]) -> list[Block]:
        chosen = [] if op.iter_args else _choose_conditions(op, conditions)
        if not chosen:
            is_about_it = any(op.induction_variable in condition.least.values() for condition in conditions)
            return _left_whole(op, _NO_BORDER if is_about_it else None)
        if not self._affords(op, 1):
            return _left_whole(op, self._too_large())
        if not may_rewrite("partition", op):
            return [op.body.block]
        _remark_split(op, len(chosen))
        return _split_body(op, chosen)

    def _too_large(self) -> str:
        return f"the copies would be more than the {self.budget} operations that the function may still grow by"

    def _affords(self, op: loop.ForOp, copies: int) -> bool:
        """Take copies of `op` from the budget; return whether it sufficed."""
        size = _size(op) * copies
        if size > self.budget:
            return False
        self.budget -= size
        return True


def _is_fixed(bound: Index | None) -> bool:
    return bound is None or bound.is_constant


def _is_left_to_inner(op: loop.ForOp, condition: Condition) -> bool:
    """Return whether a much smaller loop inside `op` can be partitioned for a condition, as copies of it cost less."""
    guarded = condition.op
    if isinstance(guarded, loop.ForOp):
        return False
    assert isinstance(guarded, (loop.IfOp, loop.LoadOp, loop.StoreOp))
    inside = [n for n in loop.enclosing(guarded, loop.ForOp) if isinstance(n, loop.ForOp) and op.is_ancestor(n)]
    moving = guarded.conditions[condition.position].variables
    outermost = next((n for n in reversed(inside) if n is not op and n.induction_variable in moving), None)
    if outermost is None or outermost.kind != loop.SERIAL:
        return False
    trips = outermost.constant_trip_count
    return trips is not None and trips >= _MIN_TRIPS_OF_MOVING and _size(outermost) * _MUCH_SMALLER <= _size(op)


def _work(block: Block) -> int:
    """Return the number of operations that a block executes."""
    inside = [(op, sum(_work(inner) for region in op.regions for inner in region.blocks)) for op in block.ops]
    return sum(1 + work * (_trips(op) if isinstance(op, loop.ForOp) else 1) for op, work in inside)


def _runs(op: loop.ForOp, guarded: Operation) -> int:
    """Return the number of times that an operation inside a loop runs in one iteration."""
    around = (n for n in loop.enclosing(guarded, loop.ForOp) if isinstance(n, loop.ForOp))
    return prod(_trips(n) for n in around if n is not op and op.is_ancestor(n))


def _trips(op: loop.ForOp) -> int:
    return _ASSUMED_TRIPS if op.constant_trip_count is None else op.constant_trip_count


def _size(op: Operation) -> int:
    return sum(1 for _ in operations(op))


def _left_whole(op: loop.ForOp, reason: str | None) -> list[Block]:
    if reason is not None:
        remark("TW0221", lambda: f"loop {name_of(op.induction_variable)} is not partitioned: {reason}", op=op)
    return [op.body.block]


def _remark_split(op: loop.ForOp, conditions: int) -> None:
    name, count = name_of(op.induction_variable), "a condition" if conditions == 1 else f"{conditions} conditions"
    remark("TW0220", lambda: f"loop {name} is partitioned: its main part is free of {count}", op=op, kind="passed")


def _choose(op: loop.ForOp, borders: Sequence[Border]) -> list[Border]:
    """Choose the borders worth splitting for: at most one split point on each side."""
    if (bounds := op.constant_bounds) is not None:
        borders = _keeping_half(borders, bounds, facts_at(op))
    lowers = _largest_group([b for b in borders if b.lower is not None])
    uppers = _largest_group([b for b in borders if b.upper is not None])
    chosen = [*lowers, *uppers]
    return [] if bounds is not None and all(_always_holds(b, bounds) for b in chosen) else chosen


def _keeping_half(borders: Sequence[Border], bounds: tuple[int, int], facts: Facts) -> list[Border]:
    """Return the borders that together leave the main part at least half of the iterations, wherever in their ranges
    they lie."""
    lower, upper = bounds
    chosen: list[Border] = []
    for border in borders:
        first, last = facts.bounds(border.bound)
        if first is None or last is None or (first < last and bounds[1] - bounds[0] < _MIN_TRIPS_OF_MOVING):
            continue
        low = lower if border.lower is None else max(lower, last)
        high = upper if border.upper is None else min(upper, first)
        if (high - low) * 2 >= bounds[1] - bounds[0]:
            lower, upper = low, high
            chosen.append(border)
    return chosen


def _largest_group(borders: Sequence[Border]) -> list[Border]:
    """Return the most borders that differ by constants only: one split point serves them all."""
    groups: dict[Index, list[Border]] = {}
    for border in borders:
        bound = border.bound
        groups.setdefault(bound - bound.constant, []).append(border)
    return max(groups.values(), key=len, default=[])


def _always_holds(border: Border, bounds: tuple[int, int]) -> bool:
    """Return whether the border is outside of the loop's range, so that it needs no split."""
    bound = border.bound
    if not bound.is_constant:
        return False
    return bound.constant <= bounds[0] if border.lower is not None else bound.constant >= bounds[1]


def _cuts(borders: Sequence[Border]) -> tuple[list[Index], list[Index]]:
    """Return the bounds of the main part; empty lists where they are those of the loop."""
    lowers = [b.lower for b in borders if b.lower is not None]
    uppers = [b.upper for b in borders if b.upper is not None]
    return (
        [max(lowers, key=lambda e: e.constant)] if lowers else [],
        [min(uppers, key=lambda e: e.constant)] if uppers else [],
    )


def _choose_conditions(op: loop.ForOp, conditions: Sequence[Condition]) -> list[Condition]:
    """Choose the conditions that together leave the main part at least half of the iterations, where these can be
    counted."""
    bounds, variable = op.constant_bounds, op.induction_variable
    if bounds is None or bounds[1] - bounds[0] > _MOST_COUNTED:
        return list(conditions)
    left = range(*bounds)
    chosen: list[Condition] = []
    for condition in conditions:
        if condition.least.values() != (variable,):
            continue
        holding = [v for v in left if condition.least.evaluate({variable: v}) >= 0]
        if len(holding) * 2 >= bounds[1] - bounds[0]:
            left = holding
            chosen.append(condition)
    return chosen if len(left) < bounds[1] - bounds[0] else []


def _drop(body: Operation, copy: Operation, conditions: Iterable[Condition]) -> None:
    """Remove conditions, found inside `body`, from the operations of its copy."""
    copies = dict(zip(operations(body), operations(copy), strict=True))
    positions: dict[Operation, set[int]] = {}
    for condition in conditions:
        positions.setdefault(copies[condition.op], set()).add(condition.position)
    for op, dropped in positions.items():
        if not copy.is_ancestor(op):
            continue  # it stood in the branch of a condition that always holds
        if isinstance(op, loop.ForOp):
            op.set_index_lists(upper=[e for i, e in enumerate(op.uppers) if i not in dropped])
        elif isinstance(op, (loop.IfOp, loop.LoadOp, loop.StoreOp)):
            set_conditions(op, [e for i, e in enumerate(op.conditions) if i not in dropped])


def _split_range(op: loop.ForOp, borders: Sequence[Border]) -> list[Block]:
    """Split the loop into loops one after the other, the first and the last where there is a border. Return their
    bodies, the main part's first.

    Each is empty where its bounds cross, so that together they cover every iteration once, wherever the borders lie.
    """
    lowers, uppers = _cuts(borders)
    pieces: list[loop.ForOp] = []
    carried: Sequence[SSAValue] = tuple(op.iter_args)

    def add(lower: Sequence[Index], upper: Sequence[Index]) -> loop.ForOp | None:
        nonlocal carried
        piece = op.clone()
        piece.set_index_lists(lower=together(lower, max), upper=together(upper, min))
        if piece.constant_trip_count == 0:
            edit.erase(piece)
            return None
        edit.change(piece).operands = [*piece.dims, *carried]
        carried = piece.res
        pieces.append(piece)
        return piece

    if lowers:
        add(op.lowers, [*op.uppers, *lowers])
    main = add([*op.lowers, *lowers], [*op.uppers, *uppers])
    if uppers:
        add([*op.lowers, *lowers, *uppers], op.uppers)
    if main is not None:
        _drop(op, main, (border.condition for border in borders))
    edit.replace(op, pieces, carried)
    return [piece.body.block for piece in sorted(pieces, key=lambda piece: piece is not main)]


def _split_body(op: loop.ForOp, conditions: Sequence[Condition]) -> list[Block]:
    """Write the body twice, the first for the main part. Return both."""
    inside = RangeAnalysis().inside(op.body.block)
    tightest: dict[Index, Index] = {}
    for e in (implying(condition, op.induction_variable) for condition in conditions):
        if not inside.proves(e, exact=False):
            known = tightest.setdefault(e - e.constant, e)
            tightest[e - e.constant] = min(known, e, key=lambda e: e.constant)
    choice = loop.IfOp(list(tightest.values()), else_body=Region(Block()))
    choice.location = op.location
    copy = op.clone()
    _drop(op, copy, conditions)
    edit.replace_uses(copy.induction_variable, op.induction_variable)
    edit.append(choice.then_body.block, *edit.detach_all(copy.body.block))
    edit.erase(copy)
    edit.append(choice.else_body.block, *edit.detach_all(op.body.block))
    edit.append(op.body.block, choice)
    return [choice.then_body.block, choice.else_body.block]
