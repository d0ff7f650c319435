"""The search over schedules of rules, timed by the cost model in the place of a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from tilewright.analysis.cost import predict
from tilewright.dialects import loop
from tilewright.tune.measure.protocol import Measured, Options
from tilewright.tune.search import search
from tilewright.tune.search.winner import proof_of
from tilewright.tune.space import Built

from .spaces import space_of, target_of


def modelled(candidates: Sequence[Built], incumbent: Built | None, options: Options) -> Iterator[Measured]:
    """Times as the cost model predicts them."""
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
