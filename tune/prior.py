"""The cost model as the prior of a search."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from ..analysis.cost import Cost, predict
from ..dialects.target import CpuTargetAttr, TargetAttr
from .search.protocol import NO_PRIOR, Prior
from .space import Built


class ModelPrior:
    """Predicts candidates for a CPU, and gives the numbers that a prediction is made of."""

    def __init__(self, target: CpuTargetAttr) -> None:
        self._target = target
        self._last: tuple[Built, Cost] | None = None

    def __call__(self, built: Built) -> float:
        """Seconds of a call; NaN where the function calls code that the model does not read."""
        cost = self._cost(built)
        return cost.seconds if cost.is_whole else nan

    def counts(self, built: Built) -> Mapping[str, float]:
        """Cycles by resource, registers, and the lines that come into each cache, of the whole call."""
        cost = self._cost(built)
        counts = {
            "arithmetic": sum(b.times * b.work.arithmetic for b in cost.bodies),
            "loads": sum(b.times * b.work.loads for b in cost.bodies),
            "stores": sum(b.times * b.work.stores for b in cost.bodies),
            "strided": sum(b.times * b.work.strided for b in cost.bodies),
            "chain": sum(b.times * b.work.chain for b in cost.bodies),
            "instructions": sum(b.times * b.work.instructions for b in cost.bodies),
            "spills": sum(b.times * b.work.spills(cost.machine) for b in cost.bodies),
            "registers": max((b.work.registers for b in cost.bodies), default=0.0),
            "memory accumulators": sum(b.times * b.work.memory_accumulators for b in cost.bodies),
            "entries": sum(b.entries for b in cost.bodies),
            "forks": cost.forks,
        }
        for level in cost.machine.levels:
            counts[level.name] = sum(b.transfers[level.name] for b in cost.bodies)
        return counts

    def _cost(self, built: Built) -> Cost:
        """The cost of a candidate; the last one is kept, as `counts` is asked right after."""
        if self._last is None or self._last[0] is not built:
            self._last = built, predict(built.function, self._target)
        return self._last[1]


def model_prior(target: TargetAttr) -> Prior:
    """The cost model for a CPU, the constant for targets that it does not describe."""
    return NO_PRIOR if target.core is None else ModelPrior(target.core)
