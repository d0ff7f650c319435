"""The order of a small program by enumeration: every instance, what it touches, and when it runs.

Nothing of `analysis/` is asked here but which operations form a reduction: the engine's answers are held against this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tilewright.analysis.block_reductions import reduction_of
from tilewright.dialects import loop
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

Environment = dict[SSAValue, int]


@dataclass(frozen=True)
class Touch:
    """One access of one instance."""

    op: Operation
    buffer: tuple[SSAValue, tuple[int, ...]]
    """The buffer and, for one that is allocated in loops, the iterations that it belongs to."""
    element: tuple[int, ...]
    is_write: bool
    updates: loop.BlockOp | None
    """The block whose reduction this access accumulates, if it does."""


@dataclass(frozen=True)
class Instance:
    """One run of a block: the iterations around it, in order from the outermost, and what it touches."""

    block: loop.BlockOp
    path: tuple[tuple[Block, int, int], ...]
    """Body, place of the statement in it, and iteration, from the function down to the block."""
    loops: tuple[loop.ForOp, ...]
    touches: tuple[Touch, ...]

    def iteration(self, op: loop.ForOp) -> int:
        return next(self.path[1 + k][2] for k, each in enumerate(self.loops) if each is op)

    @property
    def time(self) -> tuple[int, ...]:
        """When it runs in the program as it stands: greater is later."""
        return tuple(n for _, position, iteration in self.path for n in (iteration, position))

    def time_with(self, order: Sequence[loop.ForOp]) -> tuple[int, ...]:
        """Return when the instance would run with nested loops in that order; all of them are around the block."""
        slots = [k for k, op in enumerate(self.loops) if op in order]
        path = list(self.path)
        for slot, op in zip(slots, order, strict=True):
            path[1 + slot] = (*self.path[1 + slot][:2], self.iteration(op))
        return tuple(n for _, position, iteration in path for n in (iteration, position))


def instances(function: FuncOp) -> list[Instance]:
    """Return all instances in the order in which they run."""
    return list(_run(function.body.block, {}, (), (), 0, {}))


def _run(
    body: Block,
    environment: Environment,
    path: tuple[tuple[Block, int, int], ...],
    loops: tuple[loop.ForOp, ...],
    iteration: int,
    homes: dict[SSAValue, tuple[int, ...]],
) -> Iterator[Instance]:
    for position, op in enumerate(body.ops):
        here = (*path, (body, position, iteration))
        match op:
            case loop.ForOp():
                lower = max(e.evaluate(environment) for e in op.lowers)
                upper = min(e.evaluate(environment) for e in op.uppers)
                for i in range(lower, upper):
                    inner = environment | {op.induction_variable: i}
                    yield from _run(op.body.block, inner, here, (*loops, op), i, dict(homes))
            case loop.BlockOp():
                if all(e.evaluate(environment) >= 0 for e in op.conditions):
                    yield Instance(op, here, loops, tuple(_touches(op, environment, homes)))
            case loop.AllocOp():
                homes[op.res] = tuple(i for _, _, i in here)
            case _:
                assert not op.regions, f"expected loops and blocks, but got {op.name}"


def _touches(block: loop.BlockOp, outside: Environment, homes: dict[SSAValue, tuple[int, ...]]) -> Iterator[Touch]:
    environment = dict(outside)
    for variable, _, binding, _ in block.iteration():
        environment[variable] = binding.evaluate(outside)
    is_first = all(environment[v] == 0 for v, kind, _, _ in block.iteration() if kind == "reduce")
    reduction = reduction_of(block)
    accumulating = {reduction.load, reduction.store} if reduction is not None else set[Operation]()
    for op in block.body.walk():
        if not isinstance(op, (loop.LoadOp, loop.StoreOp)):
            continue
        if isinstance(op.parent_op(), loop.InitOp) and not is_first:
            continue
        if not all(e.evaluate(environment) >= 0 for e in op.conditions):
            continue
        element = tuple(e.evaluate(environment) for e in op.index)
        buffer = (op.buffer, homes.get(op.buffer, ()))
        yield Touch(op, buffer, element, isinstance(op, loop.StoreOp), block if op in accumulating else None)


def conflicting(first: Instance, second: Instance, *, updates_commute: bool) -> tuple[Touch, Touch] | None:
    """Return accesses that tie two instances to their order."""
    for a in first.touches:
        for b in second.touches:
            if a.buffer != b.buffer or a.element != b.element or not (a.is_write or b.is_write):
                continue
            if updates_commute and a.updates is not None and a.updates is b.updates:
                continue
            return a, b
    return None


def dependent(function: FuncOp, *, updates_commute: bool = True) -> list[tuple[Instance, Instance]]:
    """Return pairs of instances whose order matters, each in the order in which it runs."""
    pairs = combinations(instances(function), 2)
    return [(a, b) for a, b in pairs if conflicting(a, b, updates_commute=updates_commute)]


def reorder_is_legal(function: FuncOp, order: Sequence[loop.ForOp]) -> bool:
    """Return whether permuting a perfect nest keeps every dependent pair in order."""
    inside = [(a, b) for a, b in dependent(function) if {*order} <= {*a.loops} and {*order} <= {*b.loops}]
    return all(a.time_with(order) < b.time_with(order) for a, b in inside)


def is_independent(function: FuncOp, op: loop.ForOp) -> bool:
    """Return whether no two iterations of a loop, at one iteration of those around it, depend on one another."""
    return not any(_in_different_iterations(a, b, op) for a, b in dependent(function, updates_commute=False))


def _in_different_iterations(a: Instance, b: Instance, op: loop.ForOp) -> bool:
    if op not in a.loops or op not in b.loops:
        return False
    outside = a.loops[: a.loops.index(op)]
    return all(a.iteration(o) == b.iteration(o) for o in outside) and a.iteration(op) != b.iteration(op)


def merge_is_legal(function: FuncOp, first: loop.ForOp, second: loop.ForOp) -> bool:
    """Return whether running the iterations of two loops in a row by turns keeps every dependent pair in order."""
    across = [(a, b) for a, b in dependent(function) if first in a.loops and second in b.loops]
    outside = [op for op in (across[0][0].loops if across else ()) if op.is_ancestor(first) and op is not first]
    same = [(a, b) for a, b in across if all(a.iteration(o) == b.iteration(o) for o in outside)]
    return all(a.iteration(first) <= b.iteration(second) for a, b in same)


def at(points: dict[SSAValue, int], function: FuncOp, block: loop.BlockOp | None) -> list[Instance]:
    """Return the instances of a block at the iterations that a counter-example names."""
    return [
        each
        for each in instances(function)
        if each.block is block and all(points.get(op.induction_variable, i) == i for op, i in _iterations(each))
    ]


def _iterations(instance: Instance) -> list[tuple[loop.ForOp, int]]:
    return [(op, instance.iteration(op)) for op in instance.loops]
