"""The cost model as a prior: seconds of a built point, the numbers behind them, and targets without a model."""

from __future__ import annotations

import math

from tilewright import te, topi
from tilewright.analysis.cost import predict
from tilewright.dialects.target import CpuTargetAttr, CudaTargetAttr
from tilewright.tune.prior import model_prior
from tilewright.tune.search import NO_PRIOR
from tilewright.tune.search.protocol import CountingPrior
from tilewright.tune.tasks import extract_tasks


def test_a_prior_is_the_model_and_gives_its_numbers() -> None:
    a, b = te.placeholder((96, 64), name="A"), te.placeholder((64, 128), name="B")
    (task,) = extract_tasks([a, b, topi.matmul(a, b)])
    prior, built = model_prior(task.target), task.space.build({})
    core = task.target.core
    assert isinstance(core, CpuTargetAttr) and isinstance(prior, CountingPrior)
    assert prior(built) == predict(built.function, core).seconds > 0
    counts = prior.counts(built)
    assert counts["arithmetic"] == 96 * 64 * 128 / 8 / 2
    assert counts["strided"] == counts["spills"] == 0
    assert all(math.isfinite(count) for count in counts.values())


def test_targets_without_a_model_have_the_constant() -> None:
    assert model_prior(CudaTargetAttr.get("sm_80")) is NO_PRIOR
