"""The cost model as the prior of a search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.cost import predict
from ..dialects.target import TargetAttr
from .space import Built


@dataclass(frozen=True)
class ModelPrior:
    """Predicts candidates for one target; infinity where the cost model says nothing of the target."""

    target: TargetAttr

    def __call__(self, built: Built) -> float:
        """Seconds of a call."""
        core = self.target.core
        return float("inf") if core is None else predict(built.function, core).seconds

    def counts(self, built: Built) -> Mapping[str, float]:
        """Cycles by resource, registers, and the lines that come into each cache, of the whole call."""
        core = self.target.core
        if core is None:
            return {}
        cost = predict(built.function, core)
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


def model_prior(target: TargetAttr) -> ModelPrior:
    """The prior of the cost model for a target."""
    return ModelPrior(target)
