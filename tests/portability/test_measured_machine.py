"""Measuring the machine: facts from synthetic samples, kernels that do what they are named for, and the command."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.backends.cpu import thread_pool
from tilewright.backends.cpu.jit import load_objects
from tilewright.backends.cpu.llvm import CodeOptions, emit_object
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver.targets import Target
from tilewright.tools.target import report, target_command
from tilewright.tune.machine import kernels, sampling
from tilewright.tune.machine.estimates import Samples, facts_of, page_reach

CYCLE = 0.25e-9
"""Seconds of a cycle at 4 GHz."""


def paged(tables: list[tuple[int, float]], miss: float) -> dict[int, float]:
    """Return cycles that a load costs by the number of pages, for tables of (entries, cycles) and what is in none of
    them."""
    return {
        count: next((cost for entries, cost in tables if count <= entries), miss)
        for octave in range(4, 14)
        for count in (1 << octave, 5 << (octave - 2), 6 << (octave - 2), 7 << (octave - 2))
    }


SAMPLES = Samples(
    addition=CYCLE,
    multiply_adds={1: 4 * CYCLE, 4: CYCLE, 8: CYCLE / 2, 12: CYCLE / 2},
    load=CYCLE / 2,
    store=CYCLE,
    chases=[5 * CYCLE, 14 * CYCLE, 50 * CYCLE, 300 * CYCLE],
    streams=[CYCLE / 40, CYCLE / 12, CYCLE / 6],
    memory=CYCLE / 9,
    pages={n: (20 * CYCLE + c * CYCLE, 20 * CYCLE) for n, c in paged([(64, 0), (1536, 7)], 40).items()},
    line=64,
    page=4096,
    fork=7000 * CYCLE,
)


def numbers(samples: Samples) -> dict[str, tuple[float, ...]]:
    return {fact.fact: fact.numbers for fact in facts_of(samples)}


def test_facts_are_ratios_to_an_addition() -> None:
    found = numbers(SAMPLES)
    assert found == {
        "clock": (4,),
        "multiply_adds": (2,),
        "multiply_add_latency": (4,),
        "loads": (2,),
        "stores": (1,),
        "latencies": (5, 14, 50, 300),
        "bandwidths": (40, 12, 6),
        "memory_bandwidth": (9,),
        "line": (64,),
        "page": (4096,),
        "page_reach": (1536,),
        "fork": (7000,),
    }
    sources = {fact.fact: fact.source for fact in facts_of(SAMPLES)}
    assert {name for name, source in sources.items() if source == "system"} == {"line", "page"}
    assert {*sources.values()} == {"system", "measured"}
    slower = replace(
        SAMPLES,
        addition=2 * CYCLE,
        multiply_adds={k: 2 * s for k, s in SAMPLES.multiply_adds.items()},
        chases=[2 * s for s in SAMPLES.chases],
    )
    assert numbers(slower)["clock"] == (2,), "half the clock"
    assert numbers(slower)["multiply_adds"] == (2,) and numbers(slower)["latencies"] == (5, 14, 50, 300)


def test_samples_that_make_no_sense_give_no_fact() -> None:
    bare = replace(SAMPLES, line=0, load=1.0, pages={}, store=CYCLE / 1000, fork=0.0)
    assert {*numbers(SAMPLES)} - {*numbers(bare)} == {"line", "loads", "stores", "page_reach", "fork"}
    target = CpuTargetAttr.get(["sse2"], 128, (0, 0, 0), 1, facts=facts_of(bare))
    assert target.source_of("loads") == "default" and target.source_of("clock") == "measured"


def test_a_nearer_level_is_no_slower_than_one_beyond_it() -> None:
    crowded = replace(SAMPLES, chases=[5 * CYCLE, 14 * CYCLE, 400 * CYCLE, 300 * CYCLE], streams=[CYCLE / 8] * 3)
    assert numbers(crowded)["latencies"] == (5, 14, 300, 300)
    assert numbers(crowded)["bandwidths"] == (8, 8, 8)


@pytest.mark.parametrize("entries", [512, 1024, 1536, 2048, 3072])
def test_the_reach_of_pages_is_where_the_last_plateau_begins(entries: int) -> None:
    assert page_reach(paged([(64, 0), (entries, 7)], 40)) == entries
    assert page_reach(paged([(entries, 0)], 30)) == entries, "one table"
    rng = np.random.default_rng(entries)
    noisy = {n: c + float(rng.uniform(-1, 1)) for n, c in paged([(64, 0), (entries, 7)], 40).items()}
    noisy[96] += 60  # one measurement that another program disturbed
    assert page_reach(noisy) == entries


def test_no_reach_where_no_number_of_pages_costs_more() -> None:
    assert page_reach({}) is None
    assert page_reach(dict.fromkeys((16, 32, 64, 128), 3.0)) is None, "large pages"


def run(text: str, count: int, p: np.ndarray, q: np.ndarray) -> None:
    """Run a kernel on a baseline x86-64 or whatever machine runs the tests."""
    code = load_objects([emit_object(text, CodeOptions(()))], {}, ["work"])
    work = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)(code["work"])
    work(count, p.ctypes.data, q.ctypes.data)


def aligned(count: int) -> np.ndarray:
    """Return zeros of float32 that begin at a multiple of 64 bytes."""
    room = np.zeros(count + 16, np.float32)
    start = -room.ctypes.data % 64 // 4
    return room[start : start + count]


def test_chains_take_the_result_of_the_step_before() -> None:
    q = np.array([3, 5], np.int64)
    run(kernels.additions_text(), 2, q, q)
    x = 0
    for _ in range(kernels.STEPS):
        x = (x + 3) ^ 5
    assert q[0] == x
    q = aligned(64)
    q[:] = 0.5
    run(kernels.multiply_adds_text(4, 1, fused=False), 1, q, q)
    value = np.float32(0)
    for _ in range(kernels.STEPS):
        value = value * np.float32(0.5) + np.float32(0.5)
    assert (q[:4] == value).all()


def test_accesses_touch_each_vector_once() -> None:
    p, q = aligned(4 * kernels.STEPS + 4), aligned(16)
    q[:] = 7
    run(kernels.accesses_text(4, stores=True), 1, p, q)
    assert (p[: 4 * kernels.STEPS] == 7).all() and (p[4 * kernels.STEPS :] == 0).all()
    run(kernels.accesses_text(4, stores=False), 3, p, q)
    assert (q == 7).all(), "loads leave nothing"


def test_a_walk_goes_through_all_lines_and_comes_back() -> None:
    lines, steps = 4 * kernels.STEPS, kernels.STEPS
    offsets = sampling._order(lines * 64, 64)  # pyright: ignore[reportPrivateUsage]
    assert sorted(offsets) == [64 * line for line in range(lines)]
    memory, at = np.zeros(lines * 64, np.uint8), np.zeros(8, np.uint64)
    memory.view(np.uint64)[offsets // 8] = (np.roll(offsets, -1) + memory.ctypes.data).astype(np.uint64)
    first = memory[int(offsets[0]) :]
    for iterations in (1, 2, 4):
        run(kernels.chase_text(), iterations, first, at)
        assert int(at[0]) - memory.ctypes.data == offsets[iterations * steps % lines]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_the_threads_of_a_fork_meet(threads: int) -> None:
    counter = np.zeros(1, np.int64)
    code = load_objects([emit_object(kernels.forks_text(threads), CodeOptions(()))], thread_pool.addresses(), ["work"])
    ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_void_p)(code["work"])(5, counter.ctypes.data)
    assert counter[0] == 5 * threads


def test_a_stream_reads_every_vector() -> None:
    iterations = 3
    p, q = aligned(4 * kernels.STEPS * iterations), aligned(16)
    p[:] = np.arange(len(p)) % 7
    run(kernels.stream_text(4), iterations, p, q)
    last = np.zeros(4, np.float32)
    for vector in p.reshape(-1, 4)[7::8]:  # the eighth of the sums, which is stored last
        last += vector
    assert (q[:4] == last).all()


def test_the_command_prints_targets_with_facts_and_sources(capsys: pytest.CaptureFixture[str]) -> None:
    target_command("llvm -mcpu=x86-64-v3 -loads=3@datasheet", None, measures=False)
    first, header, *rows = capsys.readouterr().out.splitlines()
    assert first == "llvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=4"
    assert header.split()[:4] == ["fact", "value", "unit", "source"]
    assert [row.split()[:5] for row in rows if row.startswith("loads")] == [
        ["loads", "3", "1/cycle", "datasheet", "1.50"]
    ]
    assert [row.split()[3] for row in rows if row.startswith("stores")] == ["default"]
    assert [*report(Target("opencl").attribute())] == ["#target.opencl"]
    assert any(line.startswith("processors") for line in report(Target("cuda").attribute()))


@pytest.fixture
def fake_sample(monkeypatch: pytest.MonkeyPatch) -> Callable[[], CpuTargetAttr]:
    """Provide a machine whose measurement gives SAMPLES."""
    machine = Target("llvm -mcpu=x86-64-v3 -caches=32K,1M,32M -threads=2").attribute()
    assert isinstance(machine, CpuTargetAttr)
    monkeypatch.setattr(sampling, "measured_target", lambda: machine)
    monkeypatch.setattr(sampling, "sample", lambda target: SAMPLES)
    return lambda: machine


def test_what_is_measured_is_a_target_to_compile_for(
    fake_sample: Callable[[], CpuTargetAttr], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "here.target"
    target_command(None, str(file), measures=True)
    printed = capsys.readouterr().out
    assert "page_reach" in printed and "measured" in printed
    target = Target(str(file)).attribute()
    assert target == sampling.measured_machine() and target.number_of("clock") == 4
    assert isinstance(target, CpuTargetAttr) and target.caches == fake_sample().caches
    with pytest.raises(tilewright.TilewrightError, match="TW0209.*expected no target with --measure, but got 'cuda'"):
        target_command("cuda", None, measures=True)
    with pytest.raises(tilewright.TilewrightError, match="TW0209.*ends in .target, but got 'here.txt'"):
        target_command(None, "here.txt", measures=False)
    with pytest.raises(tilewright.TilewrightError, match="TW0209.*expected a CPU to write to 'x.target'"):
        target_command("opencl", "x.target", measures=False)


@pytest.mark.native("runs the kernels on the machine at hand")
def test_this_machine_is_measured_without_error(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"LEAST_SECONDS": 1e-6, "LEAST_MEMORY": 1 << 20, "MOST_MEMORY": 1 << 20}.items():
        monkeypatch.setattr(sampling, name, value)
    monkeypatch.setattr(sampling, "MOST_PAGES", 64)
    monkeypatch.setattr(sampling, "MOST_OF_A_WALK", 64)
    target = sampling.measured_machine()
    assert target.features.data and all(kind.fits(target.numbers_of(n)) for n, kind in target.fact_kinds.items())
