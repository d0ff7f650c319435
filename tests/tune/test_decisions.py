"""Decisions: defaults without records, answers of points, and refusals of what does not fit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.schedule.decisions import decide, deciding


def unread() -> Iterator[int]:
    raise AssertionError("candidates are read")
    yield 0


def test_default_without_reading_the_candidates() -> None:
    assert decide("tile", unread(), 8) == 8


def test_answers_and_defaults() -> None:
    with deciding({"C:tile": 4}) as decisions:
        assert decide("tile", (2, 4, 8), 8, block="C") == 4
        assert decide("tile", (2, 4, 8), 8, block="D") == 8
        assert decide("order", ("rows", "columns"), "rows", changes_sums=True) == "rows"
        assert decide("tile", (2, 4, 8), 8, block="C") == 4
    assert decisions.point == {"C:tile": 4, "D:tile": 8, "order": "rows"}
    assert [d.changes_sums for d in decisions.asked.values()] == [False, False, True]
    assert [(d.block, d.name) for d in decisions.asked.values()] == [("C", "tile"), ("D", "tile"), ("", "order")]
    decisions.check_all_asked()
    assert decide("tile", (2, 4, 8), 8, block="C") == 8


def test_other_candidates_are_another_decision() -> None:
    with deciding({"C:tile#2": 3}) as decisions:
        assert decide("tile", (2, 4), 4, block="C") == 4
        assert decide("tile", (3, 9), 9, block="C") == 3
        assert decide("tile", (2, 4), 4, block="C") == 4
    assert decisions.point == {"C:tile": 4, "C:tile#2": 3}


def test_a_default_is_a_candidate() -> None:
    with deciding() as decisions:
        assert decide("tile", (2, 4), 5) == 5
    assert decisions.asked["tile"].candidates == (5, 2, 4)


@pytest.mark.parametrize("value", [16, True, "4", (4,), None])
def test_what_is_no_candidate_is_refused(value: object) -> None:
    with deciding({"C:tile": value}), pytest.raises(TilewrightError, match=r"decision 'C:tile'") as refusal:  # pyright: ignore
        decide("tile", (1, 4, 8), 8, block="C")
    assert refusal.value.code == "TW0801"


def test_an_answer_that_nobody_asks_is_refused() -> None:
    with deciding({"C:tile": 4}) as decisions:
        decide("tile", (4, 8), 8, block="D")
    with pytest.raises(TilewrightError, match="'C:tile' = 4 is asked by no rule") as refusal:
        decisions.check_all_asked()
    assert refusal.value.code == "TW0801"
