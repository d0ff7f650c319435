"""Bottlenecks of a scheduled function according to the cost model: each with its operation, loss and remedy.

A reason is reported where its remedy would save a good part of the predicted time. A function at its roofline has
none, nor has a function that takes less time than starting threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from xdsl.ir import Operation

from ...dialects import loop
from .coefficients import NEAR_STRIDE, SPILL_CYCLES
from .instructions import Work, is_accumulator
from .model import BodyCost, Cost
from .nests import Reference, Statement

LEAST_SHARE = 0.1
"""The part of the predicted time that a reason must cost."""

LEAST_CYCLES = 20_000.0
"""Functions that take fewer cycles are left alone."""

WORTH_FORKING = 20.0
"""The least time of a function for which one thread is too few, in times of starting threads."""

ROOFLINE_SHARE = 0.5
"""The share of the roofline below which a function with reasons is said to be slow."""


@dataclass(frozen=True)
class Reason:
    """One bottleneck: the operation, the predicted time lost to it, and the remedy."""

    code: str
    op: Operation
    """The block or loop that it is about."""
    message: str
    remedy: str
    cycles: float
    """Predicted to be lost in a call."""


def reasons(cost: Cost) -> list[Reason]:
    """Return the reasons why a function is slow, the largest loss first; none where nothing costs much."""
    if cost.cycles < LEAST_CYCLES:
        return []
    found: dict[tuple[str, Operation], Reason] = {}
    for body in cost.bodies:
        for rule in _RULES:
            for reason in rule(cost, body):
                key = (reason.code, reason.op)
                if key in found:
                    reason = replace(reason, cycles=reason.cycles + found[key].cycles)
                found[key] = reason
    worth = [reason for reason in found.values() if reason.cycles >= LEAST_SHARE * cost.cycles]
    return sorted(worth, key=lambda reason: -reason.cycles)


def _lost(cost: Cost, body: BodyCost, better: Work) -> float:
    """Return cycles of a call that another work of each iteration would save."""
    return max(0.0, min(_saved(cost, body, better), body.cycles - body.memory_cycles))


def _saved(cost: Cost, body: BodyCost, better: Work) -> float:
    """Return the cycles of a call that another work of each iteration would save, with the transfers from caches
    further away that become fewer with it."""
    now, then = body.work.cycles(cost.machine), better.cycles(cost.machine)
    return min(body.cycles, body.times * (now - then) / body.threads)


def _what(statement: Statement) -> str:
    return f"block '{statement.label}'" if statement.label else "the innermost loop"


def _where(cost: Cost, body: BodyCost, statement: Statement) -> Operation:
    if statement.block is not None:
        return statement.block
    stores = [reference.op for reference in statement.references if reference.is_write]
    return next(iter(stores), None) or body.body.loop or cost.function


def _name(reference: Reference) -> str:
    return f"%{reference.buffer.name_hint or '?'}"


def _accumulators(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    work, machine = body.work, cost.machine
    if not work.memory_accumulators:
        return
    for statement in body.body.statements:
        for reference in statement.references:
            if reference.is_write and not reference.in_registers and _is_carried(cost, statement, reference):
                count = work.memory_accumulators
                better = replace(
                    work,
                    loads=max(0.0, work.loads - count / machine.loads),
                    stores=max(0.0, work.stores - count / machine.stores),
                    chain=min(work.chain, machine.latency),
                    instructions=work.instructions - 2 * count,
                    tails=0.0,
                )
                yield Reason(
                    "TW0841",
                    _where(cost, body, statement),
                    f"{_what(statement)} adds to {_name(reference)} in memory: each iteration of {_loop_name(body)} "
                    f"loads and stores {_count(count, 'element' if statement.vector_loop is None else 'vector')} of it",
                    'cache_write(block, 0, "register"), with the loops over terms outside of the tile, and those of '
                    "the tile unrolled and vectorized",
                    _lost(cost, body, better),
                )
                return


def _is_carried(cost: Cost, statement: Statement, reference: Reference) -> bool:
    """Return True where a loop updates the same elements in each of its iterations, through memory."""
    if not is_accumulator(statement, reference):
        return False
    return any(
        not reference.strides.get(op.induction_variable) and cost.nests.trips[op.induction_variable] > 1
        for op in statement.loops
        if op not in statement.inner
    )


def _strides(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    if body.work.strided:
        for statement in body.body.statements:
            lane = statement.vector_loop
            for reference in statement.references:
                step = abs(reference.strides.get(lane.induction_variable, 0.0)) if lane is not None else 0.0
                if not reference.in_registers and step > NEAR_STRIDE * reference.element_bytes and lane is not None:
                    yield Reason(
                        "TW0842",
                        _where(cost, body, statement),
                        f"{_what(statement)} {_verb(reference)} {_name(reference)} with a lane stride of {step:.0f} "
                        f"bytes: loop %{lane.induction_variable.name_hint} is vectorized, and moves another dimension "
                        "than the last one",
                        "vectorize a loop along the last dimension, or copy the operand with its dimensions in the "
                        "order of the loops: cache_read, transform_layout",
                        _saved(cost, body, replace(body.work, strided=0.0)),
                    )
                    break
    else:
        yield from _strided_scalars(cost, body)


def _strided_scalars(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    """Yield innermost loops of scalars that bring a line for each element, which loops further out use again."""
    op = body.body.loop
    if op is None or body.body.bodies or not body.transfers.get("L1"):
        return
    for statement in body.body.statements:
        if statement.vector_loop is not None:
            continue
        for reference in statement.references:
            step = abs(reference.strides.get(op.induction_variable, 0.0))
            nearer = any(
                0 < abs(reference.strides.get(outer.induction_variable, 0.0)) < cost.machine.line
                for outer in body.body.outer
            )
            if not reference.in_registers and step >= cost.machine.line and nearer:
                yield Reason(
                    "TW0842",
                    _where(cost, body, statement),
                    f"{_what(statement)} {_verb(reference)} {_name(reference)} in steps of {step:.0f} bytes: "
                    f"{_loop_name(body)} is innermost, and moves another dimension than the last one",
                    "reorder the loops so that the innermost one moves the last dimension, and vectorize it",
                    body.cycles * (1 - reference.element_bytes / cost.machine.line),
                )
                return


def _spills(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    spilled = body.work.spills(cost.machine)
    if spilled:
        statement = max(body.body.statements, key=lambda s: len(s.operations) * len(s.inner))
        yield Reason(
            "TW0843",
            _where(cost, body, statement),
            f"{_what(statement)} keeps {body.work.registers:.0f} vectors in registers, of which the target has "
            f"{cost.machine.registers}: {spilled:.0f} go through the stack in each iteration of {_loop_name(body)}",
            "take a smaller tile: split the unrolled loops by smaller factors",
            body.times * SPILL_CYCLES * spilled / body.threads,
        )


def _tails(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    for statement in body.body.statements:
        lane = statement.vector_loop
        if lane is None or statement.share < 1.0:
            continue
        size = max((r.element_bytes for r in statement.references), default=4)
        lanes, full = cost.nests.trips[lane.induction_variable], cost.machine.lanes(8 * size)
        if body.work.tails:
            yield Reason(
                "TW0844",
                _where(cost, body, statement),
                f"{_what(statement)} stores vectors under conditions: its tiles reach beyond the results",
                "split by a factor that divides the extent, or keep the results in registers and store them once: "
                'cache_write(block, 0, "register")',
                _lost(cost, body, replace(body.work, tails=0.0)),
            )
        elif lanes % full and _has_more(statement, lane):
            used = lanes / (-(-lanes // full) * full)
            yield Reason(
                "TW0844",
                _where(cost, body, statement),
                f"{_what(statement)} computes vectors of {lanes:.0f} elements, where registers hold {full}",
                f"split the vectorized loop by {full}, or by a multiple",
                body.work.arithmetic * body.times / body.threads * (1 - used),
            )


def _has_more(statement: Statement, lane: loop.ForOp) -> bool:
    """Return True where the axis of the lanes is longer than they are: another loop moves the block's variable too."""
    if statement.block is None:
        return False
    moved = [e for _, _, e, _ in statement.block.iteration() if lane.induction_variable in e.variables]
    around = {op.induction_variable for op in statement.loops if op.constant_trip_count != 1}
    return any(len(around.intersection(e.variables)) > 1 for e in moved)


def _parallel(cost: Cost, body: BodyCost) -> Iterator[Reason]:
    threads = cost.machine.threads
    if threads == 1 or cost.cycles < WORTH_FORKING * cost.machine.fork or body.threads > 1:
        return
    if any(op.kind == loop.PARALLEL for op in body.body.outer):
        return
    for op in body.body.outer:
        moves = any(
            r.is_write and r.strides.get(op.induction_variable) for s in body.body.statements for r in s.references
        )
        if moves and cost.nests.trips[op.induction_variable] >= threads:
            yield Reason(
                "TW0845",
                op,
                f"no loop around {_labels(body)} is parallel: one of {threads} threads does the work",
                f"mark an outer loop that moves the result, such as %{op.induction_variable.name_hint}: parallel(loop)",
                body.cycles * (1 - 1 / threads),
            )
            return


def _labels(body: BodyCost) -> str:
    names = [f"'{label}'" for label in body.labels]
    return f"block{'s' if len(names) > 1 else ''} {', '.join(names)}" if names else "the innermost loop"


def _loop_name(body: BodyCost) -> str:
    op = body.body.loop
    return "the function" if op is None else f"loop %{op.induction_variable.name_hint or '?'}"


def _count(number: float, noun: str) -> str:
    return f"{number:.0f} {noun}{'' if number == 1 else 's'}"


def _verb(reference: Reference) -> str:
    return "stores" if reference.is_write else "loads"


_RULES: tuple[Callable[[Cost, BodyCost], Iterator[Reason]], ...] = (_accumulators, _strides, _spills, _tails, _parallel)
