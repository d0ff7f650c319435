"""Tests see a machine that is described, and the machine at hand only where they are marked."""

from __future__ import annotations

import re
from pathlib import Path

import described_hosts
import numpy as np
import pytest
import tilewright
from described_hosts import DEFAULT, HOSTS, MACHINES, THREADS, values_where_they_run
from tilewright import te
from tilewright.backends.cpu import host
from tilewright.dialects.target_features import LEVELS
from tilewright.driver.targets import Target

TESTS = Path(__file__).resolve().parents[1]
ASKS = ("llvm", "cpu", "llvm -mattr=+avx2", "llvm -threads=3", "llvm -mcpu=native", "interpreter")
DOES_NOT_ASK = ("llvm -mcpu=x86-64-v4", "llvm -mtriple=x86_64-linux-gnu", "c", "opencl", "cuda")


@pytest.mark.parametrize("target", ASKS)
def test_a_test_may_not_ask_for_the_machine(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(host.HOST_VARIABLE)
    with pytest.raises(AssertionError, match=r"test_may_not_ask.*\[.*asks what this machine is.*state the target"):
        Target(target).attribute()


@pytest.mark.parametrize("target", DOES_NOT_ASK)
def test_targets_that_do_not_ask(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = Target(target).attribute()
    monkeypatch.delenv(host.HOST_VARIABLE)
    assert Target(target).attribute() == expected


@pytest.mark.native("the machine at hand is described by what the system says")
def test_the_machine_at_hand() -> None:
    machine = host.host_target()
    assert machine == host.measured_target() == Target("llvm").attribute() == Target("llvm -mcpu=native").attribute()
    assert tuple(f.data for f in machine.features) == host.host_features() and machine.threads >= 1
    assert host.obstacle_here(machine) is None


def test_the_described_machine_is_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Target("llvm").attribute() == Target(DEFAULT).attribute() == host.host_target()
    monkeypatch.setenv(host.HOST_VARIABLE, "llvm -mcpu=x86-64-v4 -caches=48K,2M -threads=7")
    machine = Target("llvm -mattr=+avx512vnni").attribute()
    assert machine == Target("llvm -mcpu=x86-64-v4 -mattr=+avx512vnni -caches=48K,2M -threads=7").attribute()
    assert Target("llvm -threads=2").attribute() == Target("llvm -mcpu=x86-64-v4 -caches=48K,2M -threads=2").attribute()
    monkeypatch.setenv(host.HOST_VARIABLE, "riscv64 -threads=7")
    assert Target("llvm").attribute() == Target("riscv64 -threads=7").attribute()


@pytest.mark.parametrize("text", ["cuda", "x86-64-v3", "c -threads=2"])
def test_a_description_of_no_cpu_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.HOST_VARIABLE, text)
    with pytest.raises(tilewright.TilewrightError, match=rf"(?s)TW0612.*TILEWRIGHT_HOST.*'{text}'.*help: .*-caches="):
        Target("llvm").attribute()


def test_the_described_machines_differ_in_what_plans_depend_on() -> None:
    found = [Target(text).attribute() for text in HOSTS.values()]
    assert len(set(found)) == len(MACHINES) * len(THREADS) == 8
    assert {machine.vector_bits for machine in found} == {128, 256, 512}


def test_where_a_machine_lacks_something_values_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.HOST_VARIABLE, HOSTS["avx512-1"])
    monkeypatch.setattr(host, "host_features", lambda: LEVELS["x86_64"]["x86-64-v3"])
    a = te.placeholder((100,), name="a")
    module = tilewright.build([a, te.compute((100,), lambda i: a[i] * 2, name="b")])
    assert "zmm" in module.get_source("asm")
    lacking = pytest.raises(pytest.skip.Exception, match=f"{described_hosts.NOT_RUN} this machine has no avx512bw")
    with lacking, values_where_they_run():
        module(np.ones(100, np.float32))
    with pytest.raises(tilewright.TilewrightError, match="TW0704"), values_where_they_run():
        module(np.ones(3, np.float32))


def test_no_test_asks_the_system_by_itself() -> None:
    """Only code that skips values reads the machine's instruction sets."""
    allowed = {"conditions", "portability"}
    asking = [
        str(path.relative_to(TESTS))
        for path in TESTS.rglob("*.py")
        if path.relative_to(TESTS).parts[0] not in allowed
        and re.search(r"\b(host_features|measured_target|available_threads)\b", path.read_text(encoding="utf-8"))
    ]
    assert asking == []


def test_lit_describes_the_same_machine() -> None:
    text = (TESTS.parent / "lit" / "lit.cfg.py").read_text(encoding="utf-8")
    assert f'config.environment["{host.HOST_VARIABLE}"] = "{DEFAULT}"' in text
