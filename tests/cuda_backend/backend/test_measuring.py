"""Measuring kernels of a GPU, with the host in place of a card: arguments on the device, the reference on the host."""

from __future__ import annotations

import os
from collections.abc import Iterator
from multiprocessing import Pipe
from typing import Any

import pytest
from tilewright import te
from tilewright.driver.targets import Target
from tilewright.tune.measure.building import program_of, workload_of
from tilewright.tune.measure.protocol import CompiledProgram, Failure, Measured, Options, Workload
from tilewright.tune.measure.worker import Request, Session
from tilewright.tune.space import RuleSpace
from tilewright.tune.tasks import extract_tasks


def task(factor: float) -> Any:
    a = te.placeholder((3, 5), name="A")
    return extract_tasks([a, te.compute((3, 5), lambda i, j: a[i, j] * factor, name="B")], "cuda")[0]


@pytest.fixture
def programs(driver: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Workload, CompiledProgram, CompiledProgram]:
    """Return a workload, a program for it, and one that is wrong."""
    monkeypatch.setattr("tilewright.runtime.kernels.driver.cuda_driver", lambda: driver)
    right, wrong = task(2.0), task(3.0)
    target = Target("cuda").attribute()
    workload = workload_of(right.function, target)
    return workload, *(program_of(RuleSpace(each.function, target).build({}), 2) for each in (right, wrong))


@pytest.fixture(autouse=True)
def keep_cpus() -> Iterator[None]:
    """Restore the CPUs of the process, which a session chooses."""
    cpus = os.sched_getaffinity(0)
    yield
    os.sched_setaffinity(0, cpus)


@pytest.mark.parametrize("cold", [False, True])
def test_kernels_are_compared_and_timed(programs: Any, driver: Any, cold: bool) -> None:
    workload, right, wrong = programs
    assert (workload.reference.device, right.device) == ("cpu", "cuda")
    ours, _ = Pipe()
    session = Session(ours)
    options = Options(number=1, repeat=2, stop_above=1e9, cold=cold)
    outcomes = [
        session._answer(Request(given, program, options, right, frozenset(os.sched_getaffinity(0))))
        for given, program in ((workload, right), (None, wrong), (None, right))
    ]
    assert all(isinstance(each, Measured) for each in outcomes)
    assert [each.failure for each in outcomes] == [None, Failure.WRONG, None]
    assert "elements differ" in outcomes[1].detail and len(outcomes[2].ratios) == 2
    assert driver.asked("launch")
