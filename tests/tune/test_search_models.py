"""The residual model, scores of paired samples, and the shares of tasks."""

from __future__ import annotations

from math import inf, log, nan

import numpy as np
import pytest
from tilewright.tune.measure.protocol import Failure, Measured
from tilewright.tune.search import Progress, allocate
from tilewright.tune.search.features import Vector, features_of
from tilewright.tune.search.racing import Score, merged, score_of, spread_of, survivors
from tilewright.tune.search.residual import CEILING, ResidualModel


def points(random: np.random.Generator, count: int) -> list[dict[str, object]]:
    return [
        {"rule": str(random.choice(["x", "y"])), "tile": tuple(int(2**e) for e in random.integers(0, 5, size=2))}
        for _ in range(count)
    ]


def truth(point: dict[str, object]) -> float:
    rows, columns = point["tile"]  # type: ignore[misc]
    return abs(np.log2(rows) - 2) * 0.3 + abs(np.log2(columns) - 3) * 0.2 + (0.4 if point["rule"] == "x" else 0.0)


def vectors_of(each: list[dict[str, object]]) -> list[Vector]:
    return [features_of(point) for point in each]  # type: ignore[arg-type]


def test_predictions_rank_unseen_points() -> None:
    """From 40 of 50 points the others' ranks are predicted; at the samples themselves it is sure."""
    random = np.random.default_rng(1)
    seen, unseen = points(random, 40), points(random, 60)
    noise = random.normal(0, 0.01, 40)
    model = ResidualModel(vectors_of(seen), [truth(p) + e for p, e in zip(seen, noise, strict=True)])
    found = model.predict(vectors_of(unseen))
    ranks = [np.argsort(np.argsort(values)) for values in (found.mean, [truth(p) for p in unseen])]
    assert np.corrcoef(*ranks)[0, 1] > 0.9
    at_samples = model.predict(vectors_of(seen))
    far = model.predict([features_of({"rule": "z", "other": 3})])
    assert at_samples.deviation.max() < 0.5 * far.deviation[0]


def test_few_samples_and_none() -> None:
    asked = vectors_of([{"rule": "x", "tile": (1, 1)}])
    assert ResidualModel([], []).predict(asked).mean.tolist() == [0.0]
    assert ResidualModel(asked, [0.7]).predict(asked).mean.tolist() == [0.7]
    assert ResidualModel(asked, [nan]).predict(asked).failing[0] > 0.8
    assert ResidualModel([*asked, *asked], [0.5, 0.5]).predict(asked).mean[0] == pytest.approx(0.5)
    assert ResidualModel(asked, [0.7]).predict([]).mean.tolist() == []


def test_slow_points_are_all_alike() -> None:
    """A sample at 1,000 times the best one weighs as one at the ceiling."""
    rows = [features_of({"n": 2**i}) for i in range(6)]
    one, other = ([0.0, 0.1, 0.2, 0.3, 0.4, top] for top in (log(1000), CEILING))
    predictions = [ResidualModel(rows, logs).predict(rows).mean.tolist() for logs in (one, other)]
    assert predictions[0] == predictions[1]


def test_failures_are_expected_near_failures() -> None:
    rows = [features_of({"rule": "x", "n": n}) for n in (1, 2, 4)] + [
        features_of({"rule": "y", "n": n}) for n in (1, 2)
    ]
    found = ResidualModel(rows, [nan, nan, nan, 0.0, 0.1]).predict(
        [features_of({"rule": "x", "n": 3}), features_of({"rule": "y", "n": 3})]
    )
    assert found.failing[0] > 0.7 and found.failing[1] < 0.3


def test_scores() -> None:
    """Beside an incumbent the ratios count, alone the seconds; an invalid sample makes all invalid."""
    paired = Measured("p", (2.0, 4.2, 1.9), (1.0, 2.0, 1.0))
    score = score_of(paired, log(0.5))
    assert score is not None and score.mean == pytest.approx(log(1.0))
    alone = score_of(Measured("p", (2.0, 4.2, 1.9)), log(0.5))
    assert alone is not None and alone.mean == log(2.0)
    for measured in (
        Measured("p", failure=Failure.CRASH),
        Measured("p", (1.0,), failure=Failure.WRONG),
        Measured("p", (1.0, nan)),
        Measured("p", (1.0,), (0.0,)),
        Measured("p", (inf,)),
        Measured("p"),
    ):
        assert score_of(measured, 0.0) is None


def test_spread_is_pooled() -> None:
    """30 candidates of three samples each give the spread of all; one outlier does not rule it."""
    random = np.random.default_rng(2)
    scores = [Score(0.0, tuple(random.normal(0, 0.05, 3))) for _ in range(60)]
    assert spread_of(scores) == pytest.approx(0.05, rel=0.15)
    assert spread_of([*scores, Score(0.0, (0.0, 0.0, 2.0))]) < 0.08
    assert spread_of([]) == 0.03


def test_survivors() -> None:
    """Candidates that are surely slower than the incumbent or the best are out; a sure winner needs no more pairs."""
    near = {n: Score(0.0, (x,) * 3) for n, x in enumerate((-0.01, 0.01, 0.30, -0.02))}
    assert survivors(near, 0.0, 0.03) == [3, 0, 1]
    assert survivors({**near, 4: Score(0.0, (-0.5,) * 3)}, 0.0, 0.03) == []
    assert survivors({4: Score(0.0, (-0.5,) * 3), 5: Score(0.0, (-0.49,) * 3)}, 0.0, 0.03) == [4, 5]
    assert survivors({}, 0.0, 0.03) == []
    assert len(survivors({n: Score(0.0, (0.0,) * 3) for n in range(9)}, 0.0, 0.03)) == 4


def test_merging_samples() -> None:
    one, other = Measured("p", (1.0, 2.0), (3.0, 4.0), machine="m"), Measured("p", (5.0,), (6.0,), machine="m")
    assert merged(one, other) == Measured("p", (1.0, 2.0, 5.0), (3.0, 4.0, 6.0), machine="m")
    assert merged(one, Measured("p", failure=Failure.CRASH)).failure is Failure.CRASH
    assert merged(Measured("p", (1.0,)), other).paired == ()


def run_tasks(curves: dict[str, tuple[float, list[float]]], rounds: int) -> list[str]:
    """Return the tasks that got a round of 16 trials, in order: each has occurrences and the times after its rounds."""
    names = list(curves)
    seconds: dict[str, list[float]] = {name: [curves[name][1][0]] for name in names}
    order: list[str] = []
    for _ in range(rounds):
        tasks = [
            Progress(curves[name][0], seconds[name], has_ended=len(seconds[name]) > 16 * (len(curves[name][1]) - 1))
            for name in names
        ]
        chosen = allocate(tasks)
        if chosen is None:
            break
        name = names[chosen]
        order.append(name)
        after = curves[name][1][(len(seconds[name]) - 1) // 16 + 1]
        seconds[name] += [after] * 16
    return order


def test_allocation() -> None:
    """One round each, the largest share first; then the task that gains, and the one that takes most of the time."""
    order = run_tasks(
        {
            "large": (1, [8.0, 7.9, 7.9, 7.9, 7.9, 7.9, 7.9, 7.9]),
            "often": (10, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
            "gains": (1, [4.0, 3.0, 2.0, 1.0, 0.9, 0.9, 0.9, 0.9]),
            "small": (1, [0.01, 0.005, 0.005, 0.005, 0.005, 0.005, 0.005, 0.005]),
        },
        16,
    )
    assert order[:4] == ["large", "often", "gains", "small"]
    assert order[4:].count("small") == 0
    assert order.count("large") > order.count("often") > 1
    assert order == run_tasks(
        {
            "large": (1, [8.0, 7.9, 7.9, 7.9, 7.9, 7.9, 7.9, 7.9]),
            "often": (10, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
            "gains": (1, [4.0, 3.0, 2.0, 1.0, 0.9, 0.9, 0.9, 0.9]),
            "small": (1, [0.01, 0.005, 0.005, 0.005, 0.005, 0.005, 0.005, 0.005]),
        },
        16,
    )


def test_tasks_that_have_ended_get_nothing() -> None:
    assert allocate([]) is None
    assert allocate([Progress(1, [1.0], has_ended=True)]) is None
    assert allocate([Progress(1, [1.0] * 20, has_ended=True), Progress(1, [1e-9] * 20)]) == 1
    assert allocate([Progress(1, [1.0] * 20, least=1.0), Progress(1, [0.5] * 20)]) == 1
    assert allocate([Progress(1, [1.0]), Progress(1, [inf])]) == 1
