"""The text of a target states everything that plans depend on, and reads back as the same target."""

from __future__ import annotations

import pytest
import tilewright
from hypothesis import given
from hypothesis import strategies as st
from tilewright.dialects import context
from tilewright.dialects.target import (
    AARCH64,
    ARCHITECTURES,
    RISCV64,
    WASM32,
    X86_64,
    CpuTargetAttr,
    CudaTargetAttr,
    OpenClTargetAttr,
)
from tilewright.dialects.target_features import LEVELS, MOST_THREADS, USUAL_CACHES, USUAL_THREADS, with_implied
from tilewright.dialects.target_text import TRIPLES
from tilewright.driver.targets import Target
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import VerifyException

K, M = 1 << 10, 1 << 20


def cpu(target: str) -> CpuTargetAttr:
    attribute = Target(target).attribute()
    assert isinstance(attribute, CpuTargetAttr)
    return attribute


@pytest.mark.parametrize(
    ("options", "caches", "threads"),
    [
        ("-caches=48K,2M,32M -threads=6", (48 * K, 2 * M, 32 * M), 6),
        ("-caches=32768,1M", (32 * K, M, 0), USUAL_THREADS),
        ("-caches=64K", (64 * K, 0, 0), USUAL_THREADS),
        ("-caches=32K,512K,1G -num-cores=3", (32 * K, 512 * K, 1 << 30), 3),
        ("-threads=2 -num-cores=5", USUAL_CACHES["x86-64-v3"], 5),
    ],
)
def test_caches_and_threads_are_stated(options: str, caches: tuple[int, ...], threads: int) -> None:
    for target in (f"llvm -mcpu=x86-64-v3 {options}", f"llvm -mtriple=x86_64-linux-gnu -mcpu=x86-64-v3 {options}"):
        assert (cpu(target).caches, cpu(target).threads) == (caches, threads)


@pytest.mark.parametrize("level", [level for levels in LEVELS.values() for level in levels])
def test_a_level_has_its_usual_caches(level: str) -> None:
    """And not the machine's at hand, which this test may not ask for."""
    architecture = next(name for name, levels in LEVELS.items() if level in levels)
    machine = cpu(f"llvm -mtriple={TRIPLES[architecture]} -mcpu={level}")
    assert (machine.caches, machine.threads) == (USUAL_CACHES[level], MOST_THREADS.get(architecture, USUAL_THREADS))
    assert machine.caches == tuple(sorted(machine.caches))


def test_c_source_is_for_no_machine() -> None:
    plain, stated = cpu("c"), cpu("c -caches=48K,2M -threads=3")
    assert (plain.features.data, plain.vector_bits, plain.threads) == ((), 8, USUAL_THREADS)
    assert (stated.caches, stated.threads, stated.kind) == ((48 * K, 2 * M, 0), 3, "c")


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("-caches=", "the sizes of one to three levels, the nearest first, as in 48K,2M,32M"),
        ("-caches=1K,2K,3K,4K", "one to three levels"),
        ("-caches=-32K", "one to three levels"),
        ("-caches=32k", "one to three levels"),
        ("-caches=32K,,8M", "one to three levels"),
        ("-threads=0", "a number from 1 to 4096"),
        ("-threads=99999", "a number from 1 to 4096"),
        ("-threads=\N{SUPERSCRIPT TWO}", "a number from 1 to 4096"),
        ("-num-cores=many", "a number from 1 to 4096"),
        ("-cache=32K", "-mtriple=, -mcpu=, -mattr=, -vector-width=, -caches= or -threads="),
    ],
)
def test_options_that_make_no_sense(option: str, expected: str) -> None:
    with pytest.raises(tilewright.TilewrightError, match=f"TW0612.*expected .*{expected}.* but got '{option}'"):
        Target(f"llvm -mcpu=x86-64-v3 {option}")


@st.composite
def machines(draw: st.DrawFn) -> CpuTargetAttr:
    """Return CPUs of any level, with more instruction sets, other vectors and any caches."""
    architecture = draw(st.sampled_from(ARCHITECTURES))
    more = {
        X86_64: ("avx512vnni", "avx512bf16", "amx-int8", "sha"),
        AARCH64: ("dotprod", "i8mm", "sve2"),
        RISCV64: ("zfhmin", "zvfh", "zvl256b"),
        WASM32: ("relaxed-simd",),
    }[architecture]
    level = draw(st.sampled_from(sorted(LEVELS[architecture])))
    features = with_implied([*LEVELS[architecture][level], *draw(st.sets(st.sampled_from(more)))], architecture)
    caches = draw(st.tuples(*[st.integers(0, 1 << 28)] * 3))
    bits, threads = 1 << draw(st.integers(3, 11)), draw(st.integers(1, MOST_THREADS.get(architecture, 4096)))
    triple = TRIPLES[architecture]
    if architecture == X86_64:
        triple = draw(st.sampled_from(["", triple]))
    return CpuTargetAttr.get(sorted(features), bits, caches, threads, triple=triple)


@given(machines())
def test_any_target_reads_back_from_its_text(machine: CpuTargetAttr) -> None:
    from tilewright.dialects.target_text import stated

    text = stated(machine)
    assert text is not None
    assert cpu(text) == machine
    assert Target(text).stated == text


@given(machines(), st.sampled_from(["llvm", "c"]))
def test_any_target_reads_back_from_a_module(machine: CpuTargetAttr, language: str) -> None:
    features = [f.data for f in machine.features]
    if language == "c":
        machine = CpuTargetAttr.get([], 8, machine.caches, machine.threads, "c", machine.triple)
    module = ModuleOp([], {"tw.target": machine})
    again = Parser(context(), str(module)).parse_module()
    assert again.attributes["tw.target"] == machine and str(again) == str(module)
    assert features == sorted(features)


@pytest.mark.parametrize(
    "attribute",
    [
        OpenClTargetAttr(),
        CudaTargetAttr.get("sm_80", 512, 98304),
        CpuTargetAttr.get(["sse4.1", "amx-int8", "3dnow_x"], 64, (0, 0, 0), 1),
    ],
    ids=["opencl", "cuda", "unknown sets"],
)
def test_other_targets_read_back_from_a_module(attribute: CpuTargetAttr | CudaTargetAttr | OpenClTargetAttr) -> None:
    module = ModuleOp([], {"tw.target": attribute})
    assert Parser(context(), str(module)).parse_module().attributes["tw.target"] == attribute


@pytest.mark.parametrize("name", ['a "name"', "é", "", "+avx2", "a,b"])
def test_names_that_no_text_can_hold(name: str) -> None:
    with pytest.raises(VerifyException, match="expected names of instruction sets, but got"):
        CpuTargetAttr.get(["sse2", name], 64, (0, 0, 0), 1)
    with pytest.raises(VerifyException, match="expected a triple of"):
        CpuTargetAttr.get(["sse2"], 64, (0, 0, 0), 1, triple=f"x86_64-{name}-linux,")


def test_what_text_cannot_say_is_given_as_the_attribute() -> None:
    from tilewright.dialects.target_text import stated

    gap = CpuTargetAttr.get([*LEVELS[X86_64]["x86-64"], "avx2"], 256, (32 * K, M, 0), 1)
    assert stated(gap) is None and stated(CpuTargetAttr.get([], 64, (0, 0, 0), 1)) is None
    assert Target("cuda -arch=sm_80").stated == str(Target("cuda -arch=sm_80").attribute())
