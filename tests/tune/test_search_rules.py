"""The search over schedules of rules, timed by the cost model in the place of a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import pytest
from tilewright import te, topi
from tilewright.analysis.cost import predict
from tilewright.dialects import loop
from tilewright.dialects.target import TARGET_ATTRIBUTE
from tilewright.driver.targets import Target
from tilewright.schedule.decisions import Decision, Point, decide, deciding
from tilewright.schedule.records import TRIAL, VERDICT, Winners
from tilewright.schedule.rules.default import scheduled_copy
from tilewright.tune.measure.protocol import Measured, Options
from tilewright.tune.records import RecordStore
from tilewright.tune.search import NO_PRIOR, CountingPrior, prior_for, search
from tilewright.tune.search.winner import proof_of
from tilewright.tune.session import Session, Settings
from tilewright.tune.space import Built
from tilewright.tune.tasks import Task
from xdsl.dialects.builtin import ModuleOp

from .spaces import function_of, space_of, target_of


def modelled(candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
    """Yield times as the cost model predicts them."""
    for built in candidates:
        times = [predict(each.function, target_of("avx2")).seconds for each in (built, incumbent) if each is not None]
        yield Measured(str(built.point), times[:1] * options.repeat, times[1:] * options.repeat)  # type: ignore[arg-type]


def kinds(built: Built) -> set[str]:
    return {op.kind.kind.data for op in built.function.walk() if isinstance(op, loop.ForOp)}


@pytest.mark.parametrize("name", ["product", "convolution", "softmax"])
def test_plain_loops_are_a_point(name: str) -> None:
    """No loop of it is parallel, a vector or unrolled; the prover needs no algebra to see that nothing changed."""
    space = space_of(name, "avx2")
    built = space.build(space.plain)
    assert kinds(built) == {"serial"}
    assert proof_of(space, built) == "proved"


def test_a_winner_is_proved() -> None:
    """From plain loops to a schedule that the model takes for ten times as fast, with its proof; twice the same."""
    points = []
    for _ in range(2):
        space = space_of("product", "avx2")
        found = search(space, modelled, trials=10, seed=2, exclude_default=True)
        assert found.default.point == space.plain
        assert space.build({}).point not in [trial.point for trial in found.trials]
        assert found.ratio is not None and found.ratio[2] < 0.2
        assert found.proof == "proved"
        points.append([dict(trial.point) for trial in found.trials])
    assert points[0] == points[1]


def test_a_schedule_of_another_function_is_no_winner() -> None:
    assert proof_of(space_of("product", "avx2"), space_of("softmax", "avx2").build({})) == (
        "not proved: the functions have different arguments"
    )


class WrongSpace:
    """A space with a point that computes something else in half of the time."""

    default: Point = {}

    def __init__(self) -> None:
        a, b = te.placeholder((12, 16), name="A"), te.placeholder((16, 8), name="B")
        product = topi.matmul(a, b)
        self.function = function_of([a, b, topi.nn.relu(product)])
        self._other = function_of([a, b, topi.nn.relu(topi.add(product, product))])

    def decisions(self, point: Point) -> tuple[Decision, ...]:
        return self.build(point).decisions

    def build(self, point: Point) -> Built:
        with deciding(point) as decisions:
            function = self._other if decide("wrong", (False, True), False) else self.function
        schedule, _ = scheduled_copy(function, target_of("avx2"))
        ModuleOp([schedule.func], {TARGET_ATTRIBUTE: target_of("avx2")})
        return Built(schedule.func, schedule.trace, tuple(decisions.asked.values()))


def by_answer(candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
    """Yield times of which the wrong point has half; nobody compares its results."""
    for built in candidates:
        times = [1.0 - 0.5 * bool(each.point["wrong"]) for each in (built, incumbent) if each is not None]
        yield Measured(str(built.point), times[:1] * options.repeat, times[1:] * options.repeat)  # type: ignore[arg-type]


def test_a_winner_that_is_refuted_gives_way_to_the_default() -> None:
    found = search(WrongSpace(), by_answer, trials=2)
    assert [(trial.point["wrong"], trial.seconds) for trial in found.trials] == [(False, 1.0), (True, 0.5)]
    assert found.ratio == (0.5, 0.5, 0.5) and found.proof.startswith("refuted: ")
    assert found.best is found.default and found.best.point == {"wrong": False}


def test_the_verdict_on_a_refuted_winner_is_the_default_schedule(tmp_path: Path) -> None:
    """It says so in the record, and compiling applies nothing, though the samples of the other point are shorter."""

    @dataclass(frozen=True)
    class WrongTask(Task):
        @property
        def space(self) -> WrongSpace:  # type: ignore[override]
            return WrongSpace()

    task = WrongTask("key", "kernel", WrongSpace().function, target_of("avx2"))
    store = RecordStore(tmp_path / "records.jsonl")
    Session([task], store, Settings(2), lambda task, known: by_answer).run()
    *trials, verdict = store.read().records
    assert [(trial.trial, trial.samples[0]) for trial in trials if trial.role == TRIAL] == [(0, 1.0), (1, 0.5)]
    assert (verdict.role, verdict.is_default, verdict.samples[0], verdict.paired[0]) == (VERDICT, True, 1.0, 0.5)
    assert verdict.detail.startswith("refuted: ")
    winners = Winners.of([*trials, verdict], verdict.machine, verdict.compiler)
    assert winners.best["key"] == verdict and winners.digest(verdict.target) == ""


def test_the_cost_model_as_prior() -> None:
    """Trials have its predictions, and the residual model its counts; the same trials twice."""
    space, core = space_of("product", "avx2"), target_of("avx2")
    outcomes = [search(space, modelled, trials=20, seed=1, prior=prior_for(core)) for _ in range(2)]
    for trial in outcomes[0].trials[1:]:
        assert trial.built is not None
        assert trial.predicted == pytest.approx(predict(trial.built.function, core).seconds)
    assert outcomes[0].best.seconds <= outcomes[0].default.seconds
    assert [t.point for t in outcomes[0].trials] == [t.point for t in outcomes[1].trials]
    prior = prior_for(core)
    assert isinstance(prior, CountingPrior)
    counts = prior.counts(space.build({}))
    assert counts["compute"] > 0 and all(isfinite(count) for count in counts.values())


def test_no_prior_for_a_card() -> None:
    assert prior_for(Target.of("cuda -arch=sm_80").attribute()) is NO_PRIOR
