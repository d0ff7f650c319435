"""The search on spaces whose times are known: what it finds with how many trials, and that it ends."""

from __future__ import annotations

import sys
from math import inf, nan
from statistics import median
from typing import Any

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.schedule.decisions import Point, decide
from tilewright.tune.measure.protocol import Failure, Measured, Options
from tilewright.tune.search import STRATEGIES, Outcome, Search, Trial, search
from tilewright.tune.search.exploring import key_of

from .synthetic import BEST, Asked, Timing, bowl, bowl_seconds, refused

PLAIN = {"rule": "plain"}


def prior(built: Any) -> float:
    """Return a time that is right about rules and wrong about tiles, as a formula is."""
    return bowl_seconds(built.point) * (1.5 if built.point.get("panels.order") == "ji" else 1.0)


def keys(outcome: Outcome) -> list[str]:
    return [key_of(trial.point) for trial in outcome.trials]


def test_the_best_point_is_found_from_the_default() -> None:
    """Of 426 points the best is found, under noise of which pairs share most, and it is confirmed."""
    missed = []
    for seed in range(6):
        timing = Timing(bowl_seconds, noise=0.01, seed=seed)
        found = search(Asked(bowl), timing, trials=64, seed=seed, clock=timing.now)
        if bowl_seconds(found.best.point) > 1.06 * bowl_seconds(BEST):
            missed.append((seed, found.best))
        assert found.ratio is not None and found.ratio[2] < 1
        assert found.why_ended == "trials" and len(found.trials) == 64
    assert not missed


def test_a_prior_saves_trials() -> None:
    """With a prior that ranks well 16 trials are enough."""
    for seed in range(4):
        timing = Timing(bowl_seconds, noise=0.01, seed=seed)
        found = search(Asked(bowl), timing, trials=16, seed=seed, clock=timing.now, prior=prior)
        assert bowl_seconds(found.best.point) <= 1.25 * bowl_seconds(BEST), seed
        assert all(t.predicted == pytest.approx(prior(t.built)) for t in found.trials[1:] if t.built is not None)


def test_plain_loops_as_point_0() -> None:
    """Without the default plan: it is never a candidate, and the best point is found all the same."""
    default = key_of(Asked(bowl).build({}).point)
    for seed in range(4):
        timing = Timing(bowl_seconds, noise=0.01, seed=seed)
        space = Asked(bowl, plain=PLAIN)
        found = search(space, timing, trials=64, seed=seed, clock=timing.now, exclude_default=True)
        assert found.default.point == PLAIN and found.default.number == 0
        assert default not in keys(found)
        assert bowl_seconds(found.best.point) <= 1.06 * bowl_seconds(BEST), seed


def test_a_space_without_plain_loops_is_refused() -> None:
    class NoPlain:
        default: Point = {}
        decisions = Asked(bowl).decisions
        build = Asked(bowl).build

    with pytest.raises(TilewrightError, match="expected a space with plain loops, but NoPlain has none") as caught:
        search(NoPlain(), Timing(bowl_seconds), trials=8, exclude_default=True)
    assert caught.value.code == "TW0832"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_gives_the_same_trials_twice(strategy: str) -> None:
    """Same seed, same measurements: equal trials, samples and verdicts. No point twice, none that is not built."""
    outcomes = []
    for _ in range(2):
        timing = Timing(bowl_seconds, noise=0.02)
        space = Asked(bowl)
        found = search(space, timing, trials=40, seed=7, clock=timing.now, strategy=strategy)
        assert len(set(keys(found))) == len(found.trials) <= 40
        assert [t.number for t in found.trials] == list(range(len(found.trials)))
        assert space.builds < 40 * 60
        text = repr([(t.number, t.point, t.measured, t.predicted) for t in found.trials])
        outcomes.append((text, found.best.number, found.why_ended, found.ratio))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][2] == ("no better neighbour" if strategy == "droplet" else "trials")


def test_the_first_batch_depends_on_no_measurement() -> None:
    """Space, seed and prior give the first batch: with other times it is the same, with another seed another one."""
    for each in (None, prior):
        batches = []
        for seed, seconds in ((3, bowl_seconds), (3, lambda point: 1 / bowl_seconds(point)), (4, bowl_seconds)):
            timing = Timing(seconds, noise=0.05, seed=seed)
            search(Asked(bowl), timing, trials=64, seed=seed, clock=timing.now, prior=each)
            batches.append(timing.measured_once[:17])
        assert batches[0] == batches[1] != batches[2]


def test_known_trials_are_not_measured_again() -> None:
    """A search that is cut after 20 trials and resumed: 64 in all, none of them measured in both."""
    first = Timing(bowl_seconds, noise=0.01)
    seen: dict[int, Trial] = {}
    partial = Search(
        Asked(bowl), first, trials=64, seed=1, clock=first.now, on_trial=lambda t: seen.update({t.number: t})
    )
    assert partial.advance(19) is None
    assert len(seen) == 20
    known = [Trial(t.number, t.point, None, t.measured, None) for t in seen.values()]  # as from a record
    second = Timing(bowl_seconds, noise=0.01, seed=5)
    found = search(Asked(bowl), second, trials=64, seed=1, clock=second.now, known=known)
    assert found.trials[:20] == tuple(known)
    assert len(found.trials) == 64 == len(set(keys(found)))
    firsts = [key for asked, _, repeat in second.calls[:-2] for key in asked if repeat == 3]
    assert not set(firsts) & {key_of(t.point) for t in known}
    everything = search(Asked(bowl), Timing(bowl_seconds), trials=20, known=known)
    assert everything.trials == tuple(known) and everything.why_ended == "trials"


def test_starting_points_are_tried_first() -> None:
    """Points of another machine's records come before all others; one that does not fit is passed over."""
    timing = Timing(bowl_seconds)
    found = search(Asked(bowl), timing, trials=8, starts=[BEST, {"rule": "gone"}, BEST], clock=timing.now)
    assert found.trials[1].point == BEST and found.best.number == 1
    assert len(found.trials) == 8


def test_one_program_of_two_points_is_scored_once() -> None:
    """A decision without effect: its points are trials, and only one of them is raced."""

    def ask() -> None:
        decide("tile", (1, 2, 4, 8), 1)
        decide("idle", tuple(range(10)), 0)

    def seconds(point: Point) -> float:
        return 1.0 / float(str(point["tile"]))

    timing = Timing(seconds, noise=0.01, name=lambda point: f"tile {point['tile']}")
    found = Search(Asked(ask), timing, trials=40, clock=timing.now)
    assert found.advance(40) == "trials"
    assert len(found.knowledge.scores) == 4
    outcome = found.finish()
    assert outcome.best.point["tile"] == 8
    assert len(outcome.trials) == 40


def test_limits() -> None:
    """The budget of the clock, and trials without a gain."""
    timing = Timing(lambda point: 1.0)
    found = search(Asked(bowl), timing, trials=1000, budget=60, clock=timing.now)
    assert found.why_ended == "budget"
    assert 54 <= timing.clock <= 54 + 12 + 4 * 6 + 15  # one measurement after 90 %, then those of the end
    timing = Timing(lambda point: 1.0)
    found = search(Asked(bowl), timing, trials=1000, early_stopping=24, clock=timing.now)
    assert found.why_ended == "early stopping" and 24 <= len(found.trials) <= 24 + 48
    assert found.best is found.default
    timing = Timing(bowl_seconds)
    found = search(Asked(bowl), timing, trials=1, clock=timing.now)
    assert found.why_ended == "trials" and len(found.trials) == 1 and found.ratio is None


def test_a_small_space_is_searched_to_its_end() -> None:
    """Each point of a space with fewer points than trials is measured once, whatever the strategy."""

    def ask() -> None:
        if decide("rule", ("a", "b"), "a") == "a":
            decide("tile", (1, 2, 4), 2)
        else:
            decide("order", ("ij", "ji"), "ij")

    for strategy in STRATEGIES.keys() - {"droplet"}:
        timing = Timing(lambda point: 2.0 if point["rule"] == "a" else 1.0)
        found = search(Asked(ask), timing, trials=64, strategy=strategy, clock=timing.now)
        assert (found.why_ended, len(found.trials)) == ("space", 5), strategy
        assert found.best.point["rule"] == "b"
    timing = Timing(lambda point: 1.0)
    found = search(Asked(lambda: None), timing, trials=64, clock=timing.now)
    assert (found.why_ended, len(found.trials), found.best) == ("space", 1, found.default)


def test_a_space_that_refuses_nearly_all() -> None:
    """Four values of 1,000 are legal: the search finds them, and ends."""

    def ask() -> None:
        tile = decide("tile", tuple(range(1000)), 0)
        if tile % 250:
            raise ValueError("planted: no TilewrightError")
        decide("depth", (1, 2), 1)

    space = Asked(ask)
    timing = Timing(lambda point: 2.0 - float(str(point["tile"])) / 1000)
    found = search(space, timing, trials=64, clock=timing.now)
    assert found.why_ended == "space" and len(found.trials) == 8
    assert found.best.point["tile"] == 750
    assert space.builds < 6000


def test_a_search_that_looks_no_further_does_not_say_that_the_space_ends() -> None:
    """The points behind 2,000 refused ones are not looked at, and the reason says that."""

    def ask() -> None:
        tile = decide("tile", tuple(range(2500)), 0)
        if tile > 4:
            raise ValueError("planted: no TilewrightError")

    timing = Timing(lambda point: 1.0)
    found = search(Asked(ask), timing, trials=16, strategy="gridsearch", clock=timing.now)
    assert (found.why_ended, len(found.trials)) == ("nothing new", 5)


def test_a_needle() -> None:
    """One fast point in 40 equal ones, next to none: a search that goes on finds it."""

    def ask() -> None:
        decide("a", tuple(range(8)), 0)
        decide("b", tuple(range(5)), 0)

    for strategy in STRATEGIES.keys() - {"droplet"}:
        timing = Timing(lambda point: 0.1 if point == {"a": 5, "b": 3} else 1.0, noise=0.01)
        found = search(Asked(ask), timing, trials=100, strategy=strategy, clock=timing.now)
        assert found.best.point == {"a": 5, "b": 3}, strategy


def test_nothing_can_be_built() -> None:
    """Every point is refused, the default too: it is the best, with its cause."""
    found = search(Asked(refused), Timing(bowl_seconds), trials=64)
    assert (found.why_ended, len(found.trials)) == ("space", 1)
    assert found.best is found.default
    assert found.best.measured.failure is Failure.REFUSED
    assert found.best.measured.detail == "TilewrightError: error[TW0409]: planted"
    assert found.proof == "", "the default schedule needs no proof"


def test_nothing_can_be_measured() -> None:
    """Every program crashes, or has times that are no numbers: failures are trials, and the default is the best."""
    timings = [Timing(bowl_seconds, fails=lambda point: Failure.CRASH)]
    timings += [Timing(lambda point, x=x: x) for x in (nan, inf, 0.0, -1.0)]
    for timing in timings:
        for strategy in STRATEGIES:
            found = search(Asked(bowl), timing, trials=24, strategy=strategy, clock=lambda: 0.0)
            assert found.best is found.default and found.ratio is None
            assert found.why_ended in ("trials", "no better neighbour")
            assert all(trial.seconds == inf for trial in found.trials)


def test_a_default_that_fails_loses() -> None:
    timing = Timing(bowl_seconds, fails=lambda point: Failure.WRONG if point["rule"] == "rows" else None)
    found = search(Asked(bowl), timing, trials=32, clock=timing.now)
    assert found.default.measured.failure is Failure.WRONG
    assert found.best.point["rule"] == "panels" and found.ratio is None


def test_failures_teach() -> None:
    """Half of all tiles crash: after some of them few more are tried, though they lie beside the fastest."""

    def crashes(point: Point) -> Failure | None:
        return Failure.CRASH if point["rule"] == "panels" and point["panels.pack"] is True else None

    timing = Timing(bowl_seconds, noise=0.01, fails=crashes)
    found = search(Asked(bowl), timing, trials=64, clock=timing.now)
    failed = [trial.number for trial in found.trials if trial.measured.failure is not None]
    assert failed
    assert len([number for number in failed if number >= 32]) <= 3
    assert bowl_seconds(found.best.point) <= 1.1 * 1.5 * bowl_seconds(BEST)


def test_tuned_is_never_slower() -> None:
    """Candidates that are as fast as the default, under much noise: the default stays."""
    for seed in range(5):
        timing = Timing(lambda point: 1.0, noise=0.1, seed=seed)
        found = search(Asked(bowl), timing, trials=64, seed=seed, clock=timing.now)
        assert found.best is found.default or (found.ratio is not None and found.ratio[2] < 1)


def test_a_measure_that_gives_too_few_outcomes() -> None:
    timing = Timing(bowl_seconds)

    def short(candidates: Any, incumbent: Any, options: Any) -> Any:
        return iter(list(timing(candidates, incumbent, options))[: max(1, len(candidates) - 1)])

    with pytest.raises(TilewrightError, match="expected 8 outcomes of measurements, but got 7") as caught:
        search(Asked(bowl), short, trials=32)
    assert caught.value.code == "TW0833"


def test_an_unknown_strategy() -> None:
    with pytest.raises(TilewrightError, match="default, random, gridsearch, ga, droplet, model") as caught:
        search(Asked(bowl), Timing(bowl_seconds), trials=32, strategy="xgb")
    assert caught.value.code == "TW0831"


def test_the_grid_is_in_order() -> None:
    """The default first, then the points in lexicographic order of their decisions."""

    def ask() -> None:
        decide("a", (1, 2, 3), 2)
        decide("b", (False, True), False)

    timing = Timing(lambda point: 1.0)
    search(Asked(ask), timing, trials=64, strategy="gridsearch", clock=timing.now)
    assert timing.measured_once == [f'{{"a":{a},"b":{b}}}' for a in (2, 1, 3) for b in ("false", "true")]


def test_more_pairs_for_survivors() -> None:
    """A candidate that is surely slower is measured once, one that may be faster with more pairs."""
    timing = Timing(bowl_seconds, noise=0.02)
    found = search(Asked(bowl), timing, trials=32, clock=timing.now)
    samples = {trial.number: len(trial.measured.samples) for trial in found.trials}
    assert {3, 12} <= set(samples.values()) <= {3, 6, 9, 12, 18}  # six more for a new incumbent
    slow = [trial.number for trial in found.trials if trial.seconds > 2 * found.default.seconds]
    assert slow and all(samples[number] == 3 for number in slow)


def test_reports_of_trials() -> None:
    """`on_trial` gets each trial when it is measured, and again when it has more samples."""
    reports: list[Trial] = []
    timing = Timing(bowl_seconds, noise=0.02)
    found = search(Asked(bowl), timing, trials=32, clock=timing.now, on_trial=reports.append)
    last = {trial.number: trial for trial in reports}
    assert tuple(last[number] for number in range(32)) == found.trials
    firsts = list(dict.fromkeys(trial.number for trial in reports))
    assert firsts == list(range(32))
    assert len(reports) > 32


def test_many_samples_without_lightgbm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond 500 samples the model in numpy goes on with a part of them, and a remark says so."""
    from tilewright.tune.search import residual

    monkeypatch.setattr(residual, "find_spec", lambda name: None)
    assert "lightgbm" not in sys.modules
    with collect_remarks() as remarks:
        model = residual.ResidualModel([{"x": i / 100} for i in range(600)], [abs(i - 300) / 300 for i in range(600)])
        found = model.predict([{"x": 3.0}, {"x": 0.1}])
    assert found.mean[0] == pytest.approx(0.0, abs=0.02) and found.mean[1] > 0.5
    assert [remark.code for remark in remarks] == ["TW0830"]


@pytest.mark.needs("lightgbm")
def test_a_search_of_many_trials_with_lightgbm() -> None:
    """Beyond 500 trials, failures among them: all are new points, and the same ones twice."""

    def ask() -> None:
        decide("a", tuple(range(40)), 0)
        decide("b", tuple(range(30)), 0)

    def seconds(point: Point) -> float:
        return 1.0 + abs(int(str(point["a"])) - 29) / 10 + abs(int(str(point["b"])) - 11) / 10

    def fails(point: Point) -> Failure | None:
        return Failure.CRASH if int(str(point["b"])) % 7 == 3 else None

    space, before = Asked(ask), Timing(seconds, fails=fails)
    built = [space.build({"a": a, "b": b}) for a in range(28) for b in range(30)][:660]
    pairs = zip(built, before(built, None, Options()), strict=True)
    known = [Trial(number, each.point, None, measured, None) for number, (each, measured) in enumerate(pairs)]
    assert 500 < sum(trial.seconds < inf for trial in known) < len(known)
    found = []
    for _ in range(2):
        timing = Timing(seconds, fails=fails)
        found.append(search(Asked(ask), timing, trials=len(known) + 16, seed=3, known=known, clock=timing.now))
    assert keys(found[0]) == keys(found[1]) and len(set(keys(found[0]))) == len(known) + 16
    new = [seconds(trial.point) for trial in found[0].trials[len(known) :]]
    assert median(new) < 0.7 * median(trial.seconds for trial in known), "what the model promises is fast"


@pytest.mark.needs("lightgbm")
def test_many_samples_with_lightgbm() -> None:
    """The same from all samples, and the same twice."""
    from tilewright.tune.search.residual import ResidualModel

    rows = [{"x": i / 100} for i in range(600)]
    model = ResidualModel(rows, [abs(i - 300) / 300 for i in range(600)])
    with collect_remarks() as remarks:
        found = model.predict(rows)
        assert abs(found.mean[300]) < 0.05 and found.mean[10] > 0.8
        assert (model.predict(rows).mean == found.mean).all()
    assert not remarks


def test_measured_is_data() -> None:
    """An outcome that arrives with a failure and samples is a failure."""
    assert Trial(0, {}, None, Measured("a", (1.0,), failure=Failure.TIME), None).seconds == inf
    assert Measured("a", (1.0, 3.0), (2.0, 4.0)).ratios == (0.5, 0.75)
    assert Measured("a", (1.0, 3.0)).ratios == ()
    with pytest.raises(ValueError, match="shorter"):
        _ = Measured("a", (1.0, 3.0), (2.0,)).ratios
