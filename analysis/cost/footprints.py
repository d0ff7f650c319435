"""Footprints of loops in cache lines, and the traffic of each cache level that follows from them.

The footprint of an access over some loops is a number of cache lines: strides below a line make one run of bytes,
larger ones multiply runs, and strides that overlap extend one another. A loop reuses data where the footprint of one
iteration, over all accesses in it, fits the cache: then each line is fetched once for the whole loop; else each
iteration fetches the lines of its inner loops again. Caches are warm between calls: data that fits as a whole is never
fetched.

Source of the idea: working sets of loops in M. E. Wolf, M. S. Lam, "A Data Locality Optimizing Algorithm", PLDI 1991.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import gcd, prod

from xdsl.ir import SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE
from .coefficients import RESIDENT, SCATTERED_LINES, UNKNOWN_EXTENT, WRITTEN_LINES
from .machine import Level
from .nests import Body, Nests, Reference, Statement

_SCATTERED_BYTES = 2048
"""The distance of lines beyond which nearly each of them is in another page."""

_SPARED_WAYS = 0.75
"""The part of a set that one access may fill before its lines drive out one another."""


def lines_of(strides: Sequence[tuple[float, float]], element: int, level: Level) -> tuple[float, float]:
    """Return lines of a level that an access touches whose loops move it by (bytes, trips) each, and lines that these
    occupy.

    Where one set is to hold more lines than it has room for, the access occupies that much of all sets.
    """
    run, steps = float(element), list[tuple[float, float]]()
    for stride, trips in sorted((abs(s), n) for s, n in strides if s and n > 1):
        if stride <= max(run, level.line):
            run += stride * (trips - 1)
        elif steps and stride % steps[-1][0] == 0 and stride / steps[-1][0] <= steps[-1][1]:
            last, count = steps[-1]
            steps[-1] = (last, count + stride / last * (trips - 1))
        else:
            steps.append((stride, trips))
    lines = max(1.0, run / level.line) * prod(n for _, n in steps)
    return lines, lines if not level.sets else _occupied(lines, max(1.0, run / level.line), steps, level)


def _occupied(lines: float, run: float, steps: Sequence[tuple[float, float]], level: Level) -> float:
    reached = run
    for stride, trips in steps:
        reached *= min(trips, level.sets / gcd(level.sets, max(1, round(stride / level.line))))
    reached = min(reached, level.sets)
    ways = level.bytes / level.line / level.sets
    return lines if lines / reached <= ways * _SPARED_WAYS else max(lines, lines / reached * level.sets)


class Footprints:
    """Footprints of the loops of a function, for one level."""

    def __init__(self, nests: Nests, level: Level) -> None:
        self.nests = nests
        self.level = level
        self._iterations: dict[Body, float] = {}
        self._touched: dict[tuple[Reference, int], tuple[float, float]] = {}

    @cached_property
    def room(self) -> float:
        """Lines that stay in the level."""
        return self.level.bytes * RESIDENT / self.level.line

    def touched(self, reference: Reference, loops: Sequence[loop.ForOp]) -> tuple[float, float]:
        """Return lines that an access touches and occupies while these loops, the innermost ones around it, run."""
        key = (reference, len(loops))
        if key not in self._touched:
            self._touched[key] = self._count(reference, loops)
        return self._touched[key]

    def _count(self, reference: Reference, loops: Sequence[loop.ForOp]) -> tuple[float, float]:
        if reference.is_random:
            lines = min(self._whole(reference), prod(self.nests.trips[op.induction_variable] for op in loops))
            return lines, lines
        moves = [(reference.strides.get(op.induction_variable, 0.0), self._trips(op)) for op in loops]
        lanes = getattr(reference.op, "lanes", None)
        if lanes:
            moves.append((reference.strides.get(LANE, 0.0), float(lanes)))
        return lines_of(moves, reference.element_bytes, self.level)

    def iteration(self, body: Body) -> float:
        """Return lines that one iteration of a body occupies, those of inner loops among them."""
        if body not in self._iterations:
            depth = len(body.outer)
            most: dict[SSAValue, float] = {}
            for statement in body.all_statements:
                for reference in statement.references:
                    if not reference.in_registers:
                        _, lines = self.touched(reference, statement.loops[depth:])
                        most[reference.buffer] = max(most.get(reference.buffer, 0.0), lines)
            self._iterations[body] = sum(most.values())
        return self._iterations[body]

    def transfers(self, path: Sequence[Body], statement: Statement) -> float:
        """Return lines that a statement's accesses bring into the level in one call of the function.

        `path` are the bodies around the statement, the function first. A line that another access of the same iteration
        has brought counts there.
        """
        if self.iteration(path[0]) <= self.room:
            return 0.0
        times = 1.0
        for outer, body in zip(path, path[1:], strict=False):
            if self.iteration(body) <= self.room:
                break
            times *= prod(self._trips(op) for op in body.outer[len(outer.outer) :])
        else:
            body = None
        around = path[-1] if body is None else path[path.index(body) - 1]
        loops = statement.loops[len(around.outer) :]
        return times * sum(self._brought(r, loops, around, statement) for r in statement.references)

    def _brought(self, reference: Reference, loops: Sequence[loop.ForOp], around: Body, statement: Statement) -> float:
        if reference.in_registers:
            return 0.0
        mine, _ = self.touched(reference, loops)
        known, depth = 0.0, len(around.outer)
        for other in around.all_statements:
            for earlier in other.references:
                if earlier is reference:
                    return max(0.0, mine - known) * self._weight(reference, loops)
                if earlier.buffer is reference.buffer and not earlier.in_registers:
                    known = max(known, self.touched(earlier, other.loops[depth:])[0])
        return mine * self._weight(reference, loops)

    def _weight(self, reference: Reference, loops: Sequence[loop.ForOp]) -> float:
        """Return the cost of a line over that of one in a stream that is read.

        Transfers into the first cache overlap with one another, wherever lines lie.
        """
        if self.level.sets:
            return 1.0
        strides = [abs(reference.strides.get(op.induction_variable, 0.0)) for op in loops]
        if any(strides):
            strides.append(abs(reference.strides.get(LANE, 0.0)))
        nearest = min((stride for stride in strides if stride), default=0.0)
        scattered = reference.is_random or nearest > _SCATTERED_BYTES
        return (SCATTERED_LINES if scattered else 1.0) * (WRITTEN_LINES if reference.is_write else 1.0)

    def _trips(self, op: loop.ForOp) -> float:
        return self.nests.trips[op.induction_variable]

    def _whole(self, reference: Reference) -> float:
        type_ = reference.buffer.type
        elements = prod(n if n > 0 else UNKNOWN_EXTENT for n in type_.get_shape())  # pyright: ignore
        return max(1.0, elements * reference.element_bytes / self.level.line)


def paths_of(root: Body) -> Mapping[Body, tuple[Body, ...]]:
    """Return the bodies around each body, the function first, itself last."""
    found: dict[Body, tuple[Body, ...]] = {}

    def visit(body: Body, around: tuple[Body, ...]) -> None:
        found[body] = (*around, body)
        for inner in body.bodies:
            visit(inner, found[body])

    visit(root, ())
    return found
