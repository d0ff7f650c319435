"""Measuring in another process: times, and each way in which a candidate fails, as data."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import tilewright
from hangs import HANG
from tilewright import TilewrightError, te
from tilewright.backends.cpu.host import host_target
from tilewright.hardware import machine_name
from tilewright.tune.measure import LocalRunner, measure_for, workload_of
from tilewright.tune.measure.building import packed
from tilewright.tune.measure.protocol import Argument, CompiledProgram, Failure, Measured, Options, Workload
from tilewright.tune.measure.worker import cpus_alone
from tilewright.tune.space import RuleSpace

from .planted_candidates import planted, workload
from .product_candidates import product_loops, tiled

ONCE = Options(number=1, repeat=2, timeout=HANG, stop_above=1e9)


@pytest.fixture(scope="module")
def runner() -> Iterator[LocalRunner]:
    with LocalRunner() as runner:
        yield runner


PLANTED: dict[str, tuple[Failure, str]] = {
    "crash": (Failure.CRASH, "SIGSEGV"),
    "abort": (Failure.CRASH, "SIGABRT: heap is corrupt"),
    "exit": (Failure.CRASH, "the process ends with status 3"),
    "writes inputs": (Failure.CRASH, "SIGSEGV"),
    "wrong": (Failure.WRONG, "output 0 at [2]: expected 0.52407074 within 0.000132, but got 1.5240707"),
    "silent": (Failure.WRONG, "output 0 at [1]: expected 0.2854879 within 0.000132, but got nan; 3 elements differ"),
    "sometimes": (Failure.WRONG, "output 0 at [3]: expected 1.0009184 within 0.000132, but got 7.0"),
    "leak": (Failure.MEMORY, "memory grows: "),
}
"""Each planted fault, its cause and its line."""


@pytest.mark.parametrize("with_incumbent", [False, True])
def test_planted_faults_are_outcomes_and_measuring_goes_on(runner: LocalRunner, with_incumbent: bool) -> None:
    names = [name for fault in PLANTED for name in (fault, "right")]
    incumbent = planted("right") if with_incumbent else None
    outcomes = list(runner.measure(workload(), [planted(name) for name in names], ONCE, incumbent))
    for name, outcome in zip(names, outcomes, strict=True):
        assert (outcome.name, outcome.machine) == (planted(name).name, machine_name())
        if name == "right":
            assert (outcome.failure, outcome.detail) == (None, "")
            assert len(outcome.samples) == 2 and len(outcome.ratios) == 2 * with_incumbent
        else:
            failure, detail = PLANTED[name]
            assert outcome.failure is failure and not outcome.samples, name
            assert outcome.detail.startswith(detail), name


def test_a_hang_is_ended(runner: LocalRunner) -> None:
    """It sleeps, so that its limit of time costs no processor time; the limits of others are out of reach."""
    (before,) = runner.measure(workload(), [planted("right")], ONCE)
    (hung,) = runner.measure(workload(), [planted("hang")], replace(ONCE, timeout=1))
    (after,) = runner.measure(workload(), [planted("right")], ONCE)
    assert (hung.failure, hung.detail) == (Failure.TIME, "no end within 1 s")
    assert before.failure is None and after.failure is None


def test_a_program_with_one_thread_has_a_cpu(runner: LocalRunner) -> None:
    (measured,) = runner.measure(workload(), [planted("alone", 1)], ONCE, planted("right", 1))
    assert measured.failure is None
    (measured,) = runner.measure(workload(), [planted("alone", 2)], ONCE)
    assert (measured.failure is None) == (len(runner.cpus) == 1)


@pytest.fixture
def separate_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody else hold a CPU."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


@pytest.mark.usefixtures("separate_locks")
def test_a_cpu_on_which_another_process_measures_is_left_to_it() -> None:
    """Programs with one thread run on the highest CPU that is free; the program's first result is the CPU's number."""
    with LocalRunner() as runner:
        _check_used_cpus(runner)


def _check_used_cpus(runner: LocalRunner) -> None:
    (free,) = runner.measure(workload(), [planted("cpu", 1)], ONCE)
    used = 1000 + max(runner.cpus)
    assert free.failure is Failure.WRONG and f"but got {used}.0" in free.detail
    if len(runner.cpus) == 1:
        return
    with cpus_alone({max(runner.cpus)}, 1, pytest.fail):
        (beside,) = runner.measure(workload(), [planted("cpu", 1)], ONCE)
    assert "but got 10" in beside.detail and f"but got {used}.0" not in beside.detail


@pytest.mark.usefixtures("separate_locks")
def test_cpus_are_waited_for() -> None:
    waited: list[str] = []
    with cpus_alone({10_000, 10_001}, 1, pytest.fail) as first:
        assert first == {10_001}
        with cpus_alone({10_000, 10_001}, 1, pytest.fail) as second:
            assert second == {10_000}
    with cpus_alone({10_001}, 1, pytest.fail):
        # What waits gives up what it has first: here it is told that it waits, and is freed.
        with pytest.raises(InterruptedError), cpus_alone({10_000, 10_001}, 2, partial(_interrupt, waited)):
            pass
        with cpus_alone({10_000}, 1, pytest.fail):
            pass
    assert waited == ["waits"]


def _interrupt(waited: list[str]) -> None:
    waited.append("waits")
    raise InterruptedError


def test_a_limit_of_memory(runner: LocalRunner) -> None:
    n = 1 << 24
    a = te.placeholder((n,), name="A")
    twice = te.compute((n,), lambda i: a[i] * 2, name="twice")
    shifted = te.compute((n,), lambda i: twice[n - 1 - i] + 1, name="shifted")
    schedule = te.create_schedule(shifted.op)
    program = packed(tilewright.build(schedule, [a, shifted], "cpu"))
    task = Workload((Argument((n,), "float32"), Argument((n,), "float32", True)), program)
    runner.close()
    (measured,) = runner.measure(task, [program], replace(ONCE, memory=1 << 24))
    assert measured.failure is Failure.MEMORY


def test_a_reference_that_fails_is_an_error(runner: LocalRunner) -> None:
    with pytest.raises(TilewrightError, match="running them: SIGSEGV") as refusal:
        next(runner.measure(workload("crash"), [planted("right")], ONCE))
    assert refusal.value.code == "TW0810"
    (after,) = runner.measure(workload(), [planted("right")], ONCE)
    assert after.failure is None


def test_a_process_that_was_ended_is_started_again(runner: LocalRunner) -> None:
    next(runner.measure(workload(), [planted("right")], ONCE))
    assert runner._process is not None
    os.kill(runner._process._process.pid, signal.SIGKILL)
    runner._process._process.wait()
    (after,) = runner.measure(workload(), [planted("right")], ONCE)
    assert after.failure is None


@pytest.mark.parametrize("cold", [False, True])
def test_samples_and_limits_of_their_number(runner: LocalRunner, cold: bool) -> None:
    task = replace(workload(), arguments=(Argument((4,), "float32", is_constant=True), workload().arguments[1]))
    options = Options(repeat=4, least_time=1e-6, timeout=HANG, cold=cold, stop_above=1e9)
    (measured,) = runner.measure(task, [planted("right")], options)
    assert len(measured.samples) == 4 and min(measured.samples) > 0 and not measured.paired
    (measured,) = runner.measure(task, [planted("right")], replace(options, stop_above=0), planted("right"))
    assert len(measured.samples) == len(measured.paired) == 1


def test_narrow_types_and_results_of_several_kinds(runner: LocalRunner) -> None:
    a = te.placeholder((3, 5), "bfloat16", "A")
    b = te.placeholder((), "int8", "B")
    c = te.compute((3, 5), lambda i, j: a[i, j] + a[i, j], name="C")
    d = te.compute((), lambda: b() + te.const(1, "int8"), name="D")
    program = packed(tilewright.build([a, b, c, d], [a, b, c, d], "cpu"))
    arguments = [Argument((3, 5), "bfloat16"), Argument((), "int8", low=-8, high=8)]
    arguments += [Argument((3, 5), "bfloat16", True), Argument((), "int8", True)]
    (measured,) = runner.measure(Workload(tuple(arguments), program), [program], ONCE)
    assert measured.failure is None


def test_candidates_are_compiled_and_measured_in_order(runner: LocalRunner) -> None:
    """Hand-made schedules beside the default one: equal programs are measured once, refused ones keep their turn."""
    task = workload_of(product_loops(), host_target())
    default = RuleSpace(product_loops(), host_target()).build({})
    refused = tiled(2, 4)
    refused.function.detach()
    built = [tiled(4, 16), default, tiled(4, 16), refused, tiled(1, 8, vector=False)]
    with measure_for(task, runner, threads=1) as measure:
        found = list(measure(built, default, ONCE))
        assert [each.failure for each in found] == [None, None, None, Failure.REFUSED, None]
        assert found[0] is found[2] and found[3].name == ""
        again = list(measure([tiled(4, 16), tiled(4, 16)], default, ONCE))
        assert again[0] is again[1] and again[0] is not found[0] and again[0].name == found[0].name


class CountingRunner:
    """Counts, and says of each program that it takes a second."""

    def __init__(self) -> None:
        self.measured: list[str] = []

    def measure(self, workload: object, programs: object, options: object, incumbent: object = None) -> object:
        for program in programs:  # pyright: ignore
            self.measured.append(program.name)
            yield Measured(program.name, (float(len(self.measured)),))

    def close(self) -> None:
        """Close nothing: nothing was started."""


def test_a_duplicate_gets_the_samples_of_the_first() -> None:
    """Also where the schedule is another one, and where it comes in a later call."""
    counting = CountingRunner()
    measure = measure_for(workload(), counting)  # pyright: ignore
    measure._pool._make = lambda built: CompiledProgram("same", b"")
    first, second, third = tiled(1, 4), tiled(2, 4), tiled(3, 4)
    assert [m.samples for m in measure([first, second], None, ONCE)] == [(1.0,), (1.0,)]
    assert [m.samples for m in measure([third, second], None, ONCE)] == [(1.0,), (1.0,)]
    assert [m.samples for m in measure([third, first], None, ONCE)] == [(1.0,), (2.0,)]
    assert counting.measured == ["same", "same"]


def test_outcomes_of_an_earlier_run_are_those_of_duplicates() -> None:
    """The schedule itself is measured again, whoever asks for it."""
    counting = CountingRunner()
    measure = measure_for(workload(), counting)  # pyright: ignore
    measure._pool._make = lambda built: CompiledProgram("same", b"")
    earlier = Measured("same", (9.0,))
    measure.recall({tiled(1, 4).trace.as_json(): earlier, "[]": Measured("", failure=Failure.REFUSED)})
    assert list(measure([tiled(2, 4)], None, replace(ONCE, repeat=7))) == [earlier] and not counting.measured
    assert [m.samples for m in measure([tiled(1, 4)], None, ONCE)] == [(1.0,)]


WORKER = """
import sys
from multiprocessing import Pipe
from tilewright.tune.measure.worker import Session
print([name for name in ("xdsl", "llvmlite", "islpy", "numba", "tilewright.driver") if name in sys.modules])
"""


def test_the_process_imports_no_compiler() -> None:
    done = subprocess.run([sys.executable, "-c", WORKER], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


PARENT = """
import sys, time
sys.path.insert(0, {folder!r})
from planted_candidates import planted, workload
from tilewright.tune.measure.local import LocalRunner
from tilewright.tune.measure.worker import cpus_alone
from tilewright.tune.measure.protocol import Options
runner = LocalRunner()
next(runner.measure(workload(), [planted("right")], Options()))
print(runner._process._process.pid, flush=True)
list(runner.measure(workload(), [planted("hang")], Options(timeout=3600)))
"""


def is_there(process: int) -> bool:
    """Return whether a process runs; one that has ended and that nobody has asked for is not there."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_no_process_outlives_the_one_that_measures() -> None:
    """Killed while a candidate runs that never ends."""
    code = PARENT.format(folder=str(Path(__file__).parent))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert is_there(worker)
        parent.send_signal(signal.SIGKILL)
    started = time.monotonic()
    while is_there(worker):
        assert time.monotonic() < started + HANG
        time.sleep(0.01)


def test_no_process_is_left_after_close() -> None:
    with LocalRunner() as runner:
        (measured,) = runner.measure(workload(), [planted("right")], ONCE)
        assert runner._process is not None and np.isfinite(measured.samples).all()
        worker = runner._process._process.pid
        assert is_there(worker)
    assert not is_there(worker)
