"""Random schedules of random computations: whatever the engine accepts computes numpy's result.

Drawn are three to eight primitives. The result is compared on the CPU backend and in the interpreter, for equality: all
numbers are small integers. The share of primitives that were accepted is printed at the end, and is above one half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest
import tilewright
from hypothesis import given, note
from hypothesis import strategies as st
from tilewright import TilewrightError, te
from tilewright.dialects.loop import BlockOp
from tilewright.schedule import Schedule

from .budget import draws
from .choices import Drawn
from .drawing import Drawer
from .programs import verify
from .random_computes import COMPUTATIONS, Computation

LEAST, MOST = 3, 8
ACCEPTED: Counter[str] = Counter()
REFUSED: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def acceptance() -> Iterator[None]:
    yield
    accepted, total = ACCEPTED.total(), ACCEPTED.total() + REFUSED.total()
    if total:
        print(f"\n{accepted} of {total} primitives accepted ({accepted / total:.0%}), refused of each name:")
        print(", ".join(f"{name} {REFUSED[name]}/{n + REFUSED[name]}" for name, n in sorted(ACCEPTED.items())))
        assert accepted * 2 > total


def schedule_of(computation: Computation) -> Schedule:
    module = tilewright.IRModule({"main": te.create_prim_func(computation.args)})
    return Schedule(module)


def apply_random_steps(schedule: Schedule, data: st.DataObject) -> None:
    drawer = Drawer(schedule, Drawn(data.draw))
    for _ in range(data.draw(st.integers(LEAST, MOST))):
        before = str(schedule.func)
        try:
            name = drawer.step()
        except TilewrightError as error:
            assert error.code.startswith("TW04"), error
            assert str(schedule.func) == before, f"a refused primitive leaves the function as it was: {error}"
            REFUSED[drawer.attempted] += 1
        else:
            if name:
                ACCEPTED[name] += 1


def check(computation: Computation, schedule: Schedule) -> None:
    """Check that one compiled function gives numpy's result at all sizes."""
    verify(schedule.mod.op)
    for target in ("cpu", "interpreter"):
        program = tilewright.build(schedule, target=target)
        for inputs, expected in computation.calls():
            results = program(*inputs)
            for want, got in zip(expected, results if isinstance(results, tuple) else (results,), strict=True):
                np.testing.assert_array_equal(got, want, err_msg=f"{target}\n{schedule.trace}\n{schedule.func}")


@pytest.mark.full
@draws(40)
@given(COMPUTATIONS, st.data())
def test_random_schedules(computation: Computation, data: st.DataObject) -> None:
    schedule = schedule_of(computation)
    assert any(isinstance(op, BlockOp) for op in schedule.func.walk())
    apply_random_steps(schedule, data)
    note(f"{schedule.trace}\n{schedule.func}")
    check(computation, schedule)
