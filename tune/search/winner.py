"""The winner of a search: timed against the default plan, and proved equivalent to the function without a schedule."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ...analysis.equivalence import Budget, Proved, Refuted
from ..estimate import Estimate
from ..measure.protocol import Measured, Options
from ..space import Built, Space
from .exploring import Candidate
from .knowledge import Knowledge
from .protocol import Measure, Trial
from .racing import score_of

if TYPE_CHECKING:
    from xdsl.dialects.func import FuncOp

MOST_FINALISTS = 5
FINALIST_PAIRS = 6
"""The fewest pairs whose median has an interval of 95 %."""
WINNER_PAIRS = 15
"""Fresh pairs for the fastest of the finalists, because the pairs by which it was chosen are biased in its favour."""
PROOF_SECONDS = 20.0
REFUTED = "refuted"

CLEARLY_FASTER = 0.5
"""A ratio of times for which `FINALIST_PAIRS` pairs suffice."""

Ratio = tuple[float, float, float]
Finalist = tuple[Trial, Candidate]


def confirmed(knowledge: Knowledge, default: Trial, measure: Measure, options: Options) -> tuple[Trial, Ratio | None]:
    """Return the winner, and the ratio of the fastest candidate's time to that of the default, measured alternately.

    The winner is the default unless the interval of the ratio is below 1. A default that has no time loses to the
    fastest trial.
    """
    beside = knowledge.candidate(default.number)
    finalists = _finalists(knowledge)
    if default.seconds == inf or not isinstance(beside, Candidate):
        return (finalists[0][0], None) if finalists else (default, None)
    fastest = _fastest(finalists, measure, options)
    if fastest is None or fastest[0].number == default.number:
        return default, None
    trial, found = fastest
    is_clear = trial.seconds < CLEARLY_FASTER * default.seconds
    pairs = FINALIST_PAIRS if is_clear else WINNER_PAIRS
    (again,) = _paired([found.built], beside.built, measure, options, pairs)
    if again is None:
        return default, None
    ratio = (again.median, again.low, again.high)
    return (trial if again.high < 1.0 else default), ratio


def _finalists(knowledge: Knowledge) -> list[Finalist]:
    """Return the fastest trials, the incumbent first."""
    numbers = knowledge.leaders(MOST_FINALISTS)
    if knowledge.incumbent in numbers:
        numbers.remove(knowledge.incumbent)
        numbers.insert(0, knowledge.incumbent)
    found = ((knowledge.trials[number], knowledge.candidate(number)) for number in numbers)
    return [(trial, candidate) for trial, candidate in found if isinstance(candidate, Candidate)]


def _fastest(finalists: list[Finalist], measure: Measure, options: Options) -> Finalist | None:
    """Return the fastest of the finalists, each timed beside the first."""
    if len(finalists) < 2:
        return finalists[0] if finalists else None
    first, *others = finalists
    timed = _paired([found.built for _, found in others], first[1].built, measure, options, FINALIST_PAIRS)
    ratios = [1.0, *(inf if estimate is None else estimate.median for estimate in timed)]
    return finalists[min(range(len(finalists)), key=ratios.__getitem__)]


def _paired(
    candidates: list[Built], default: Built, measure: Measure, options: Options, pairs: int
) -> list[Estimate | None]:
    """Return the ratios of candidates to the default; None where there is no valid one."""
    options = replace(options, repeat=pairs, stop_above=inf)
    return [_estimate(measured) for measured in measure(candidates, default, options)]


def _estimate(measured: Measured) -> Estimate | None:
    """Return the estimate of a ratio, from all pairs."""
    if score_of(measured, 0.0) is None or not measured.paired:
        return None
    return Estimate.of(measured.ratios)


@runtime_checkable
class HasFunction(Protocol):
    """A space of the schedules of one function."""

    @property
    def function(self) -> FuncOp:
        """The function without a schedule."""
        ...


def proof_of(space: Space, built: Built) -> str:
    """Return the prover's verdict on the equivalence of a schedule and the function without one: "proved", or the
    reason.

    The schedule may change arithmetic in the ways that `auto-schedule` may.
    """
    if not isinstance(space, HasFunction):
        return "not proved: the space has no function without a schedule"
    from ...passes.framework.base import algebra_of
    from ...passes.phase0.auto_schedule import AutoSchedulePass
    from ...semantics.proving import prove

    algebra = algebra_of(AutoSchedulePass())
    judgement = prove(space.function, built.function, algebra, Budget(seconds=PROOF_SECONDS))
    match judgement.verdict:
        case Proved():
            return "proved"
        case Refuted():
            return f"{REFUTED}: {judgement.reason}"
        case _:
            return f"not proved: {judgement.reason}"
