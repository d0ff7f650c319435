"""The space of the default schedules: its default is the default schedule, its points build, replay and compute."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from math import prod
from typing import cast

import numpy as np
import pytest
import tilewright
from tilewright.backends.cpu import host
from tilewright.diagnostics import TilewrightError
from tilewright.schedule import Schedule
from tilewright.schedule.rules.default import scheduled_copy
from tilewright.schedule.trace import Trace
from tilewright.tune.space import RuleSpace, Space

from .spaces import FUNCTIONS, MACHINES, arguments_of, check, draw, product, run, space_of, target_of

SMALL = [name for name in FUNCTIONS if not name.startswith("large")]


@pytest.mark.sampled(2)
@pytest.mark.each("name", list(FUNCTIONS))
@pytest.mark.parametrize("machine", MACHINES)
def test_the_default_point_is_the_default_schedule(name: str, machine: str) -> None:
    space = space_of(name, machine)
    assert isinstance(space, Space)
    built = space.build(space.default)
    expected = scheduled_copy(space.function, space.target)
    assert str(built.function) == str(expected.schedule.func)
    assert all(d.value == d.default for d in built.decisions)
    full = space.build(built.point)
    assert str(full.function) == str(built.function) and full.decisions == built.decisions


NATIVE = pytest.mark.native("runs machine code for a stated target where the machine at hand has its instructions")


@NATIVE
@pytest.mark.sampled(2)
@pytest.mark.each("name", SMALL)
@pytest.mark.parametrize("machine", MACHINES)
def test_a_random_point_computes_what_the_default_does(name: str, machine: str) -> None:
    check_points(name, machine, range(1))


@NATIVE
@pytest.mark.full
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("machine", MACHINES)
def test_random_points_compute_what_the_default_does(name: str, machine: str) -> None:
    check_points(name, machine, range(1, 31))


def check_points(name: str, machine: str, numbers: Iterable[int]) -> None:
    """Draw points, which build or are refused by a code; those of small functions compute what the default does."""
    space = space_of(name, machine)
    arguments = arguments_of(space.function)
    runs = name in SMALL and not host.obstacle_here(target_of(machine))
    expected = run(space.build({}), arguments) if runs else None
    for number in numbers:
        rng = random.Random(f"0 {name} {machine} {number}")
        try:
            point = draw(space, rng, 1 + number % 6)
            built = space.build(point)
        except TilewrightError as refusal:
            assert refusal.code
            continue
        check(space, built)
        again = space.build(point)
        assert again.trace.as_json() == built.trace.as_json() and again.point == built.point
        if expected is not None:
            np.testing.assert_allclose(run(built, arguments), expected, rtol=2e-4, atol=2e-4)


def test_which_rule_and_which_tile() -> None:
    space = RuleSpace(product(64, 64, 64), target_of("avx2"))
    decisions = {d.name: d for d in space.decisions({})}
    assert decisions["rule"].default == "contraction", "panels do not pay"
    assert decisions["rule"].candidates == ("panels", "contraction", "inner_reduction", None)
    assert decisions["rule"].changes_sums and not decisions["contraction.tile"].changes_sums
    assert (4, 1, 2, 8) in decisions["contraction.tile"].candidates
    tiles = cast(Sequence[tuple[int, int, int, int]], decisions["contraction.tile"].candidates)
    assert all(r * s * v + min(r, s * v) + 1 <= 16 for r, s, v, _ in tiles)
    plain = space.build({"matmul:rule": None, "relu:rule": None})
    assert "vector" not in str(plain.function) and "unrolled" not in str(plain.function)
    assert "contraction.tile" not in {d.name for d in plain.decisions}


SIZES = {
    "product": 1000,
    "large product": 1000,
    "product of any number of rows": 300,
    "large convolution": 1000,
    "large softmax": 50,
    "row sums": 30,
}


@pytest.mark.each(("name", "least"), SIZES.items())
def test_spaces_are_large(name: str, least: int) -> None:
    """Spaces of primes and of open sizes are large too. For each rule that fits, its further decisions are counted."""
    space = space_of(name, "avx2")
    first = next(d for d in space.decisions({}) if d.name in ("rule", "chain"))
    size = 0
    for rule in first.candidates:
        decisions = space.decisions({first.key: rule})
        assert all(len(set(d.candidates)) == len(d.candidates) > 1 for d in decisions)
        size += prod(len(d.candidates) for d in decisions if d.name not in ("rule", "chain"))
    assert size >= least


@pytest.mark.each(
    ("point", "message"),
    [
        ({"matmul:contraction.tile": (6, 1, 4, 8)}, "candidates of decision 'matmul:contraction.tile'"),
        ({"matmul:rule": "spatial"}, "candidates of decision 'matmul:rule'"),
        ({"matmul:rule": None, "matmul:contraction.tile": (1, 1, 1, 8)}, "is asked by no rule"),
    ],
)
def test_misfits_are_refused(point: dict[str, object], message: str) -> None:
    with pytest.raises(TilewrightError, match=message) as refusal:
        RuleSpace(product(64, 64, 64), target_of("avx2")).build(point)  # pyright: ignore[reportArgumentType]
    assert refusal.value.code == "TW0801"


def test_a_trace_whose_decision_is_no_candidate_is_refused() -> None:
    space = RuleSpace(product(64, 64, 64), target_of("avx2"))
    text = space.build({}).trace.as_json()
    step = json.loads(text)
    assert step[0]["method"] == "decide" and step[0]["keywords"]["decision"] == "contraction"
    for value in ("panel", True, 0, ["contraction"]):
        step[0]["keywords"]["decision"] = value
        with pytest.raises(TilewrightError, match="candidates of decision 'matmul:rule'") as refusal:
            Trace.from_json(json.dumps(step)).apply_to(Schedule(space.function.clone()))
        assert refusal.value.code == "TW0801"


def test_traces_without_a_point_state_no_decisions() -> None:
    function = product(64, 64, 64)
    trace = scheduled_copy(function, target_of("avx2")).schedule.trace
    assert "decide" not in {step.method for step in trace.instructions}


def test_rules_of_users_decide_and_can_be_left_out() -> None:
    def rows(schedule: tilewright.Schedule, block: object, target: object) -> bool | None:
        loops = schedule.get_loops(block)
        if len(loops) != 2:
            return None
        width = tilewright.decide("rows.width", (2, 4, 8), 4, block="relu")
        schedule.split(loops[1], [None, width])
        return True

    tilewright.register_schedule_rule()(rows)
    try:
        space = RuleSpace(product(64, 64, 64), target_of("avx2"))
        decisions = {d.key: d for d in space.decisions({})}
        assert decisions["relu:user_rule"].candidates == ("rows", None)
        assert decisions["relu:rows.width"].candidates == (2, 4, 8)
        assert "to 32" in str(space.build({"relu:rows.width": 2}).function)
        without = space.build({"relu:user_rule": None})
    finally:
        tilewright.unregister_schedule_rule("rows")
    assert str(without.function) == str(space.build({}).function)
