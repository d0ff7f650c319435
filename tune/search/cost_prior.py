"""The cost model (`analysis.cost`) as the prior of a search."""

from __future__ import annotations

from collections.abc import Mapping
from math import nan

from ...analysis.cost import Cost, predict
from ...dialects.target import CpuTargetAttr, TargetAttr
from ..space import Built
from .protocol import NO_PRIOR, Prior


class CostPrior:
    """Predicts times by the cost model (`analysis.cost`) for a CPU; also gives the parts of the prediction."""

    def __init__(self, target: CpuTargetAttr) -> None:
        self._target = target
        self._last: tuple[Built, Cost] | None = None

    def __call__(self, built: Built) -> float:
        """Return the seconds; NaN where the function calls code that the model does not see."""
        cost = self._cost(built)
        return cost.seconds if cost.is_whole else nan

    def counts(self, built: Built) -> Mapping[str, float]:
        """Return the cycles by cause, lines from each cache, and the limits that the innermost loops run into."""
        cost = self._cost(built)
        found = {
            "compute": sum(body.compute_cycles for body in cost.bodies),
            "memory": sum(body.memory_cycles for body in cost.bodies),
            "overhead": sum(body.overhead_cycles for body in cost.bodies),
            "forks": cost.forks,
            "registers": max((body.work.registers for body in cost.bodies), default=0.0),
            "spills": sum(body.times * body.work.spills(cost.machine) for body in cost.bodies),
            "strided": sum(body.times * body.work.strided for body in cost.bodies),
        }
        for level in cost.machine.levels:
            found[level.name] = sum(body.transfers[level.name] for body in cost.bodies)
        return found

    def _cost(self, built: Built) -> Cost:
        """Return the cost of a function; the last one is cached, because it is needed twice."""
        if self._last is None or self._last[0] is not built:
            self._last = built, predict(built.function, self._target)
        return self._last[1]


def prior_for(target: TargetAttr) -> Prior:
    """Return the prior for a target: the cost model for a CPU, the constant for other targets."""
    return CostPrior(target.core) if target.core is not None else NO_PRIOR
