"""Random calls on the stages of random computations: what lowering accepts is numpy's result, in every order of calls.

A refusal, at the call or when the schedule is lowered, is an error of schedules that points at the user's call. The
shares of calls and of schedules that were accepted are printed at the end, and are above one half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
import tilewright
from hypothesis import given
from hypothesis import strategies as st
from tilewright import TilewrightError, te
from tilewright.diagnostics.locations import source_position
from tilewright.schedule.stages import LazySchedule
from tilewright.te.tensor import Placeholder

from . import drawing_stages
from .budget import draws
from .choices import Drawn
from .drawing_stages import Call, StageDrawer
from .random_computes import COMPUTATIONS, Computation

LEAST, MOST = 1, 6
FEW = 20
"""Of so few no share is asked: chance decides it."""

CALLS: Counter[bool] = Counter()
SCHEDULES: Counter[bool] = Counter()
REFUSALS: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def acceptance() -> Iterator[None]:
    yield
    for name, counts in (("calls", CALLS), ("schedules", SCHEDULES)):
        if total := counts.total():
            print(f"\n{counts[True]} of {total} {name} accepted ({counts[True] / total:.0%})")
            assert counts[True] * 2 > total or total < FEW
    print("refusals when lowered:", ", ".join(f"{name} {count}" for name, count in REFUSALS.most_common()))


def create(computation: Computation) -> LazySchedule:
    return te.create_schedule([t.op for t in computation.args if not isinstance(t.op, Placeholder)])


def check_refusal(error: TilewrightError) -> None:
    """Check that the error is about the schedule, and names the line of the call."""
    assert error.code.startswith("TW04"), error
    position = source_position(error.location)
    assert position is not None and position.file == drawing_stages.__file__, error


def make_random_calls(schedule: LazySchedule, data: st.DataObject) -> list[Call]:
    """Make random calls, and return those that were accepted."""
    made: list[Call] = []
    drawer = StageDrawer(schedule, Drawn(data.draw))
    for _ in range(data.draw(st.integers(LEAST, MOST))):
        call = drawer.call()
        if call is None:
            continue
        try:
            call.make(schedule)
        except TilewrightError as error:
            check_refusal(error)
            CALLS[False] += 1
        else:
            CALLS[True] += 1
            made.append(call)
    return made


def lowered(schedule: LazySchedule, computation: Computation) -> str | None:
    """Return the program, or None where lowering refuses the schedule."""
    try:
        return str(tilewright.lower(schedule, computation.args))
    except TilewrightError as error:
        check_refusal(error)
        REFUSALS[f"{error.code} {error.message.partition(':')[0]}"] += 1
        return None


def in_another_order(calls: Sequence[Call], data: st.DataObject) -> list[Call]:
    """Return the same calls in another order: those about one stage stay in order."""
    left, found = list(calls), list[Call]()
    while left:
        ready = [k for k, call in enumerate(left) if not any(call.depends_on(earlier) for earlier in left[:k])]
        found.append(left.pop(ready[data.draw(st.integers(0, len(ready) - 1))]))
    return found


def check(computation: Computation, schedule: LazySchedule) -> None:
    for target in ("cpu", "interpreter"):
        program = tilewright.build(schedule, computation.args, target=target)
        for inputs, expected in computation.calls():
            results = program(*inputs)
            for want, got in zip(expected, results if isinstance(results, tuple) else (results,), strict=True):
                np.testing.assert_array_equal(got, want, err_msg=f"{target}\n{schedule.trace}")


@draws(12)
@given(COMPUTATIONS, st.data())
def test_random_stages(computation: Computation, data: st.DataObject) -> None:
    schedule = create(computation)
    calls = make_random_calls(schedule, data)
    text = lowered(schedule, computation)
    SCHEDULES[text is not None] += 1
    again = create(computation)
    for call in (order := in_another_order(calls, data)):
        call.make(again)
    if order != calls:
        assert lowered(again, computation) == text
    if text is not None:
        check(computation, schedule)
