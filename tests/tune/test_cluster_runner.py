"""Measuring on a dask cluster of two processes: the outcomes of one process, and nothing lost with a worker."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hangs import HANG
from tilewright import TilewrightError
from tilewright.backends.cpu.host import host_target
from tilewright.tune.measure import ClusterRunner, LocalRunner, measure_for, workload_of
from tilewright.tune.measure.cluster import RESOURCE
from tilewright.tune.measure.protocol import CompiledProgram, Failure, Measured, Options

from .planted_candidates import planted, workload
from .product_candidates import candidates, product_loops, tiled

distributed = pytest.importorskip("distributed", reason="dask is not installed: `make test-cluster` installs it")

pytestmark = pytest.mark.filterwarnings("ignore")  # of dask, about ports
ONCE = Options(number=1, repeat=2, timeout=HANG, stop_above=1e9)


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    options: dict[str, Any] = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with (
        distributed.LocalCluster(**options, resources={RESOURCE: 1}) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def untimed(outcomes: Any) -> list[Measured]:
    """Return outcomes without times, but with how many there are."""
    return [replace(each, samples=(1.0,) * len(each.samples), paired=(1.0,) * len(each.paired)) for each in outcomes]


def test_24_candidates_have_the_outcomes_of_one_process(client: Any) -> None:
    task, listed = workload_of(product_loops(), host_target()), candidates()
    assert len(listed) == 24
    with measure_for(task, threads=1) as measure:
        alone = untimed(measure(listed, listed[0], ONCE))
    with measure_for(task, ClusterRunner(client), threads=1) as measure:
        assert untimed(measure(listed, listed[0], ONCE)) == alone
    assert all(each.failure is None and len(each.ratios) == 2 for each in alone)
    assert len({each.name for each in alone}) > 12


def test_planted_faults_leave_the_workers_alone(client: Any) -> None:
    names = ["right", "crash", "abort", "wrong", "leak", "silent", "right", "exit", "right"]
    programs = [planted(name) for name in names]
    workers = set(client.scheduler_info(n_workers=-1)["workers"])
    outcomes = untimed(ClusterRunner(client).measure(workload(), programs, ONCE, planted("right")))
    with LocalRunner() as runner:
        assert [(each.failure, each.detail) for each in outcomes] == [
            (each.failure, each.detail) for each in runner.measure(workload(), programs, ONCE, planted("right"))
        ]
    assert set(client.scheduler_info(n_workers=-1)["workers"]) == workers


def test_a_hang_is_ended_in_its_worker(client: Any) -> None:
    runner = ClusterRunner(client)
    (hung,) = runner.measure(workload(), [planted("hang")], replace(ONCE, timeout=1))
    (after,) = runner.measure(workload(), [planted("right")], ONCE)
    assert (hung.failure, hung.detail, after.failure) == (Failure.TIME, "no end within 1 s", None)


def test_a_killed_worker_loses_nothing(client: Any) -> None:
    """The worker is killed in the middle of the list, while programs are on their way to it."""
    killed: list[int] = []

    def programs() -> Iterator[CompiledProgram]:
        for number in range(24):
            if number == 12:
                worker = next(iter(client.run(os.getpid).values()))
                killed.append(worker)
                os.kill(worker, signal.SIGKILL)
            yield planted("wrong" if number % 3 == 1 else "right")

    outcomes = list(ClusterRunner(client).measure(workload(), programs(), ONCE))
    assert [each.failure for each in outcomes] == [Failure.WRONG if n % 3 == 1 else None for n in range(24)]
    assert killed and killed[0] not in client.run(os.getpid).values()


def test_a_program_that_no_worker_survives(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from tilewright.tune.measure import cluster

    monkeypatch.setattr(cluster, "measure_in_worker", _kill)
    (lost,) = ClusterRunner(client).measure(workload(), [planted("right")], ONCE)
    assert lost.failure is Failure.CRASH and lost.detail.startswith("each of the workers that ran it was lost")


def _kill(*given: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_errors_of_the_runner_come_back(client: Any) -> None:
    with pytest.raises(TilewrightError, match="running them: SIGSEGV") as refusal:
        list(ClusterRunner(client).measure(workload("crash"), [planted("right")], ONCE))
    assert refusal.value.code == "TW0810"


def test_workers_without_the_resource_are_refused() -> None:
    options: dict[str, Any] = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, ClusterRunner(cluster, patience=0.1) as runner:
        with pytest.raises(TilewrightError, match="none of 1 workers has it") as refusal:
            next(runner.measure(workload(), [planted("right")], ONCE))
        assert refusal.value.code == "TW0812"


def test_without_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(TilewrightError, match="expected dask.distributed") as refusal:
        ClusterRunner("tcp://127.0.0.1:1")
    assert refusal.value.code == "TW0812"


def test_compiled_here_and_measured_there(client: Any) -> None:
    """Refused candidates and equal programs keep their turn."""
    refused = tiled(2, 4)
    refused.function.detach()
    task = workload_of(product_loops(), host_target())
    with measure_for(task, ClusterRunner(client), threads=1) as measure:
        found = list(measure([tiled(4, 16), refused, tiled(4, 16), tiled(1, 8)], None, ONCE))
    assert [each.failure for each in found] == [None, Failure.REFUSED, None, None]
    assert found[0] is found[2]
