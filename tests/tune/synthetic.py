"""Search spaces without programs: a time is a function of the point, and noise comes from a seeded generator."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, log2
from typing import Any, cast

from tilewright.diagnostics import fail
from tilewright.schedule.decisions import Point, decide, deciding
from tilewright.tune.measure.protocol import Failure, Measured, Options
from tilewright.tune.search.exploring import key_of
from tilewright.tune.space import Built, Decision


@dataclass
class Asked:
    """A space whose `ask` asks decisions with `decide`, as rules do, and raises where it refuses."""

    ask: Callable[[], None]
    plain: dict[str, Any] = field(default_factory=dict)
    default: dict[str, Any] = field(default_factory=dict)
    builds: int = 0

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        return self.build(point).decisions

    def build(self, point: Point) -> Built:
        self.builds += 1
        with deciding(point) as decisions:
            self.ask()
        decisions.check_all_asked()
        return Built(cast(Any, None), cast(Any, None), tuple(decisions.asked.values()))


def bowl() -> None:
    """Choose a rule, of which two ask for what the others do not; tiles of one have an order."""
    rule = decide("rule", ("plain", "rows", "panels"), "rows")
    if rule == "rows":
        decide("rows.height", tuple(range(1, 9)), 2)
        decide("rows.width", (1, 2, 4, 8, 16, 32), 1)
    elif rule == "panels":
        tile = decide("panels.tile", tuple((r, v) for r in range(1, 7) for v in (1, 2, 4, 8)), (1, 1))
        if tile[0] > 2:
            decide("panels.order", ("ij", "ji"), "ij")
        decide("panels.pack", (False, True), False)
        decide("panels.depth", (64, 128, 256, 512), 64)


def bowl_seconds(point: Point) -> float:
    """Return the seconds of a point; the fastest takes 0.001: panels of 5 x 4, order ji, packed, 256 deep."""
    match point["rule"]:
        case "plain":
            return 0.1
        case "rows":
            height, width = cast(int, point["rows.height"]), cast(int, point["rows.width"])
            return 0.004 * (1 + 0.2 * abs(height - 6)) * (1 + 0.3 * abs(log2(width) - 3))
    rows, vectors = cast(tuple[int, int], point["panels.tile"])
    depth = cast(int, point["panels.depth"])
    seconds = 0.001 * (1 + 0.25 * abs(rows - 5)) * (1 + 0.4 * abs(log2(vectors) - 2)) * (1 + 0.1 * abs(log2(depth) - 8))
    seconds *= 1.0 if point.get("panels.order") == "ji" else 1.3
    return seconds * (1.0 if point["panels.pack"] else 1.5)


BEST = {
    "rule": "panels",
    "panels.tile": (5, 4),
    "panels.order": "ji",
    "panels.pack": True,
    "panels.depth": 256,
}


@dataclass
class Timing:
    """A measure: times by a function of the point, with noise that both of a pair share in part.

    `fails` gives a cause for some points. `calls` holds what was asked for, in order.
    """

    seconds: Callable[[Point], float]
    noise: float = 0.0
    seed: int = 0
    fails: Callable[[Point], Failure | None] = lambda point: None
    name: Callable[[Point], str] = key_of
    calls: list[tuple[list[str], str | None, int]] = field(default_factory=list)
    clock: float = 0.0

    def __post_init__(self) -> None:
        self.random = random.Random(self.seed)

    def now(self) -> float:
        """Return the time of the fake clock: measurements let it go on, nothing else does."""
        return self.clock

    def __call__(self, candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
        beside = None if incumbent is None else key_of(incumbent.point)
        self.calls.append(([key_of(candidate.point) for candidate in candidates], beside, options.repeat))
        for candidate in candidates:
            yield self._measured(candidate.point, incumbent, options)

    def _measured(self, point: Point, incumbent: Built | None, options: Options) -> Measured:
        cause = self.fails(point)
        if cause is not None:
            self.clock += 0.01
            return Measured(self.name(point), failure=cause, detail="planted")
        samples, paired = [], []
        other = inf if incumbent is None else self.seconds(incumbent.point)
        for _ in range(options.repeat):
            load = self.random.lognormvariate(0, 10 * self.noise)
            samples.append(self.seconds(point) * load * self.random.lognormvariate(0, self.noise))
            if incumbent is not None:
                paired.append(other * load * self.random.lognormvariate(0, self.noise))
            self.clock += samples[-1]
        return Measured(self.name(point), tuple(samples), tuple(paired), machine="fake")

    @property
    def measured_once(self) -> list[str]:
        """The keys of the points that were measured, each at its first measurement."""
        return list(dict.fromkeys(key for keys, _, _ in self.calls for key in keys))


def refused() -> None:
    """Refuse all points."""
    fail("TW0409", "planted")
