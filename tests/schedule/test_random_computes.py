"""Random schedules of random computations: whatever the engine accepts computes numpy's result.

Drawn are up to eight primitives. The result is compared on the CPU backend and in the interpreter, for equality: all
numbers are small integers. The share of primitives that were accepted is printed at the end, and is above one half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
import tilewright
from hypothesis import given
from hypothesis import strategies as st
from tilewright import TilewrightError, te
from tilewright.dialects.loop import BlockOp
from tilewright.schedule import Schedule

from .budget import draws
from .drawing import Drawer
from .programs import verify
from .random_computes import COMPUTATIONS, Computation

MOST = 8
ACCEPTED: Counter[bool] = Counter()


@pytest.fixture(scope="module", autouse=True)
def acceptance() -> Iterator[None]:
    yield
    total = ACCEPTED.total()
    if total:
        print(f"\n{ACCEPTED[True]} of {total} primitives accepted ({ACCEPTED[True] / total:.0%})")
        assert ACCEPTED[True] * 2 > total


def schedule_of(computation: Computation) -> Schedule:
    module = tilewright.IRModule({"main": te.create_prim_func(computation.args)})
    return Schedule(module)


def apply_random_steps(schedule: Schedule, data: st.DataObject) -> None:
    drawer = Drawer(schedule, data)
    for _ in range(data.draw(st.integers(1, MOST))):
        before = str(schedule.func)
        try:
            applied = drawer.step()
        except TilewrightError as error:
            assert error.code.startswith("TW04"), error
            assert str(schedule.func) == before, f"a refused primitive leaves the function as it was: {error}"
            ACCEPTED[False] += 1
        else:
            if applied:
                ACCEPTED[True] += 1


def check(computation: Computation, schedule: Schedule) -> None:
    verify(schedule.mod.op)
    expected = computation.expected()
    for target in ("cpu", "interpreter"):
        program = tilewright.build(schedule, target=target)
        results = program(*computation.inputs)
        for want, got in zip(expected, results if isinstance(results, tuple) else (results,), strict=True):
            np.testing.assert_array_equal(got, want, err_msg=f"{target}\n{schedule.trace}\n{schedule.func}")


@draws(40)
@given(COMPUTATIONS, st.data())
def test_random_schedules(computation: Computation, data: st.DataObject) -> None:
    schedule = schedule_of(computation)
    assert any(isinstance(op, BlockOp) for op in schedule.func.walk())
    apply_random_steps(schedule, data)
    check(computation, schedule)
