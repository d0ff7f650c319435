"""The cost model: predicted time of a scheduled function, loop by loop.

Each body of a serial loop takes the time of its bottleneck: instructions by port, chains of dependent operations, or
the lines that come from a cache further away. Iterations multiply it; a parallel loop divides it by the threads that
find work. Bodies follow one another, so their times add up.

The limits of a loop body are those of S. Williams et al., "Roofline", CACM 52(4), 2009, with a roof for each port and
each cache; adding the times of levels in part follows H. Stengel et al., "Quantifying Performance Bottlenecks of
Stencil Computations Using the Execution-Cache-Memory Model", ICS 2015.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, prod

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.func import CallOp, FuncOp

from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from ...traversal import operations
from .coefficients import (
    LOOP_ENTRY_CYCLES,
    MEMORY_OVERLAP,
    MISPREDICTION_CYCLES,
    PREDICTED_TRIPS,
    TASK_CYCLES,
    UNKNOWN_EXTENT,
)
from .footprints import Footprints, paths_of
from .instructions import Counter, Work
from .machine import Level, Machine, machine_of
from .nests import Body, Nests, Statement, element_bytes, nests_of


@dataclass(frozen=True)
class BodyCost:
    """The predicted cost of one body of loops, over the whole call."""

    body: Body
    times: float
    """Iterations in a call."""
    work: Work
    """Of one iteration."""
    entries: float
    """Executions of its loop."""
    transfers: Mapping[str, float]
    """Lines, or pages, that come into each level."""
    threads: float
    """Threads that share the work out, by how evenly they do."""
    compute_cycles: float
    memory_cycles: float
    overhead_cycles: float
    cycles: float
    """The time of the slowest thread, for which the call waits."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The blocks whose statements it runs."""
        return tuple(dict.fromkeys(s.label for s in self.body.statements if s.label))


@dataclass(frozen=True)
class Cost:
    """The predicted time of one call of a function, on data that the caches hold as far as they can."""

    function: FuncOp
    machine: Machine
    bodies: tuple[BodyCost, ...]
    """In program order."""
    forks: float
    """Starts of parallel loops."""
    least_cycles: float
    """The roofline: the operations at the rate of all ports and threads, or the arguments at that of their level."""
    is_whole: bool
    """False where the function calls others or runs foreign code, whose time is not predicted."""
    nests: Nests = field(repr=False)

    @property
    def cycles(self) -> float:
        return sum(body.cycles for body in self.bodies) + self.forks * self.machine.fork

    @property
    def seconds(self) -> float:
        """At the clock of the target."""
        return self.cycles / self.machine.hertz

    @property
    def roofline_share(self) -> float:
        """The part of the attainable speed that is predicted."""
        return min(1.0, self.least_cycles / self.cycles) if self.cycles else 1.0

    @property
    def slowest(self) -> BodyCost | None:
        return max(self.bodies, key=lambda body: body.cycles, default=None)

    def __str__(self) -> str:
        """Return a table of the bodies: iterations, cycles for each, registers, transfers."""
        heads = ("loop", "iterations", "cycles each", "registers", "Mcycles", "of it memory", "blocks")
        rows = [_row(body) for body in self.bodies if body.body.statements]
        widths = [max(len(row[k]) for row in (heads, *rows)) for k in range(len(heads))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in (heads, *rows)
        ]
        return "\n".join([*lines, f"{self.cycles:.4g} cycles, {self.roofline_share:.0%} of the roofline"])


def predict(function: FuncOp, target: CpuTargetAttr) -> Cost:
    """Return the predicted time of a function of loop IR, with blocks or without, on a CPU.

    Sizes that are known only when the program is called are taken to be `UNKNOWN_EXTENT`.
    """
    machine = machine_of(target)
    nests = nests_of(function)
    footprints = [Footprints(nests, level) for level in machine.levels]
    counter = Counter(nests, machine)
    paths = paths_of(nests.root)
    bodies = tuple(_body_cost(body, paths[body], nests, counter, footprints) for body in nests.root.walk())
    forks = sum(_forks(body, nests) for body in nests.root.walk())
    is_whole = not any(isinstance(op, (CallOp, loop.CallExternOp)) for op in operations(function))
    return Cost(function, machine, bodies, forks, _least(nests, bodies, machine), is_whole, nests)


def _body_cost(
    body: Body, path: Sequence[Body], nests: Nests, counter: Counter, footprints: Sequence[Footprints]
) -> BodyCost:
    machine = counter.machine
    work = counter.work(body)
    executed = max((statement.executed for statement in body.statements), default=1.0)
    times = executed * prod(_iterations(op, nests, machine) for op in body.outer)
    entries = times / _iterations(body.loop, nests, machine) if body.loop is not None else 0.0
    transfers = {
        prints.level.name: executed * sum(prints.transfers(path, statement) for statement in body.statements)
        for prints in footprints
    }
    threads = _threads(body.outer, nests, machine)
    compute = times * work.cycles(machine) + entries * work.once
    memory = _memory_cycles(transfers, machine, threads)
    parallel = body.loop is not None and body.loop.kind == loop.PARALLEL
    overhead = entries * _entry_cycles(body, nests) + (times * TASK_CYCLES if parallel else 0.0)
    private = max(compute / threads, memory) + MEMORY_OVERLAP * min(compute / threads, memory)
    return BodyCost(
        body, times, work, entries, transfers, threads, compute, memory, overhead, private + overhead / threads
    )


def _entry_cycles(body: Body, nests: Nests) -> float:
    """Return cycles for an execution of a loop beside its iterations."""
    is_long = body.loop is not None and nests.trips[body.loop.induction_variable] > PREDICTED_TRIPS
    return LOOP_ENTRY_CYCLES + (MISPREDICTION_CYCLES if is_long else 0.0)


def _memory_cycles(transfers: Mapping[str, float], machine: Machine, threads: float) -> float:
    """Return cycles that one thread waits for lines: of the slowest level, and a part of the others."""
    each = [transfers[level.name] * level.cycles / min(threads, max(1.0, level.most)) for level in machine.levels]
    return max(each) + MEMORY_OVERLAP * (sum(each) - max(each)) if each else 0.0


def _iterations(op: loop.ForOp | None, nests: Nests, machine: Machine) -> float:
    """Return the executions of a loop's body: one for each vector where the loop is vectorized."""
    if op is None:
        return 1.0
    trips = nests.trips[op.induction_variable]
    return ceil(trips / machine.lanes(32)) if op.kind == loop.VECTORIZED else trips


def _threads(outer: Sequence[loop.ForOp], nests: Nests, machine: Machine) -> float:
    """Return the threads that the iterations of the outermost parallel loop keep busy, by the slowest one's share."""
    for op in outer:
        if op.kind == loop.PARALLEL:
            trips = nests.trips[op.induction_variable]
            return trips / ceil(trips / machine.threads)
    return 1.0


def _forks(body: Body, nests: Nests) -> float:
    """Return the number of starts of an outermost parallel loop."""
    if body.loop is None or body.loop.kind != loop.PARALLEL:
        return 0.0
    around = body.outer[:-1]
    if any(op.kind == loop.PARALLEL for op in around):
        return 0.0
    return prod(nests.trips[op.induction_variable] for op in around)


def _least(nests: Nests, bodies: Sequence[BodyCost], machine: Machine) -> float:
    """Return cycles that no schedule of the same operations undercuts."""
    arithmetic = sum(body.times * body.work.elements for body in bodies) / machine.arithmetic / machine.threads
    moved = sum(_bytes_of(argument.type) for argument in nests.function.body.block.args)
    level = next((level for level in machine.caches if moved <= level.bytes), None)
    if level is machine.caches[0]:
        return arithmetic
    behind = machine.caches[-1] if level is None else machine.caches[machine.caches.index(level) - 1]
    return max(arithmetic, moved / behind.line * behind.cycles / min(machine.threads, max(1.0, behind.most)))


def _bytes_of(type_: object) -> float:
    if not isinstance(type_, MemRefType):
        return 0.0
    return float(prod(n if n > 0 else UNKNOWN_EXTENT for n in type_.get_shape()) * element_bytes(type_.element_type))


def _row(body: BodyCost) -> tuple[str, ...]:
    op = body.body.loop
    name = "function" if op is None else f"%{op.induction_variable.name_hint or '?'}"
    return (
        name,
        f"{body.times:.0f}",
        f"{body.compute_cycles / max(body.times, 1):.1f}",
        f"{body.work.registers:.0f}",
        f"{1e-6 * body.cycles:.3f}",
        f"{1e-6 * body.memory_cycles:.3f}",
        ", ".join(body.labels),
    )


__all__ = ["BodyCost", "Cost", "Level", "Statement", "predict"]
