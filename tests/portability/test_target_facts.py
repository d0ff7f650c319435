"""Facts of a machine in targets: their text, their defaults, their sources, and files of targets."""

from __future__ import annotations

from pathlib import Path

import pytest
import tilewright
from hypothesis import given
from hypothesis import strategies as st
from tilewright.backends.cpu import host
from tilewright.dialects import context
from tilewright.dialects.target import CpuTargetAttr, CudaTargetAttr, OpenClTargetAttr
from tilewright.dialects.target_facts import CPU_FACTS, CUDA_FACTS, FactAttr, FactKind, option_name
from tilewright.dialects.target_text import file_text
from tilewright.driver.targets import Target
from xdsl.dialects.builtin import ArrayAttr, FloatData, ModuleOp, StringAttr
from xdsl.parser import Parser
from xdsl.utils.exceptions import ParseError, VerifyException

K = 1 << 10
LEVEL = "llvm -mcpu=x86-64-v3"


def cpu(text: str) -> CpuTargetAttr:
    attribute = Target(text).attribute()
    assert isinstance(attribute, CpuTargetAttr)
    return attribute


@st.composite
def facts_of(draw: st.DrawFn, kinds: dict[str, FactKind]) -> list[FactAttr]:
    """Return any facts of a kind of targets, in any order."""
    found: list[FactAttr] = []
    for kind in draw(st.permutations([*kinds.values()])):
        if draw(st.booleans()):
            number = st.integers(int(kind.least), int(kind.most)).filter(lambda n, k=kind: n >= k.least)
            part = st.just(0.0) if kind.whole else st.sampled_from([0.0, 0.5, 0.125, 0.004])
            numbers = [min(draw(number) + draw(part), kind.most) for _ in kind.default]
            found.append(FactAttr.get(kind, numbers, draw(st.sampled_from(["measured", "stated", "intel-sdm_2.1"]))))
    return found


@given(facts_of(dict(CPU_FACTS)), facts_of(dict(CUDA_FACTS)))
def test_facts_read_back_from_modules_texts_and_attributes(cpu_facts: list[FactAttr], gpu: list[FactAttr]) -> None:
    plain = cpu(LEVEL)
    features = [f.data for f in plain.features]
    for target in (
        CpuTargetAttr.get(features, 256, plain.caches, 4, facts=cpu_facts),
        CpuTargetAttr.get([], 8, plain.caches, 4, "c", facts=cpu_facts),
        CudaTargetAttr.get("sm_80", facts=gpu),
    ):
        module = ModuleOp([], {"tw.target": target})
        again = Parser(context(), str(module)).parse_module()
        assert again.attributes["tw.target"] == target and str(again) == str(module)
        if isinstance(target, CpuTargetAttr):
            from tilewright.dialects.target_text import stated

            text = stated(target)
            assert text is not None and Target(text).attribute() == target and Target(text).stated == text
    for fact in cpu_facts:
        assert Parser(context(), str(fact)).parse_attribute() == fact


def test_a_target_without_facts_prints_none_and_has_the_defaults() -> None:
    assert "facts" not in str(cpu(LEVEL)) and "facts" not in str(CudaTargetAttr.get())
    for target, kinds in ((cpu(LEVEL), CPU_FACTS), (CudaTargetAttr.get(), CUDA_FACTS)):
        assert target.fact_kinds is kinds
        for name, kind in kinds.items():
            assert target.numbers_of(name) == kind.default and target.source_of(name) == "default"
            assert kind.fits(kind.default), name
    assert cpu(LEVEL).number_of("line") == 64
    assert not OpenClTargetAttr().fact_kinds and not OpenClTargetAttr().facts


def test_options_state_facts_with_their_source() -> None:
    target = cpu(f"{LEVEL} -page-reach=2048@datasheet-7 -bandwidths=48.5,12,4 -loads=1 -loads=3@measured")
    assert (target.number_of("page_reach"), target.source_of("page_reach")) == (2048, "datasheet-7")
    assert (target.numbers_of("bandwidths"), target.source_of("bandwidths")) == ((48.5, 12, 4), "stated")
    assert (target.number_of("loads"), target.source_of("loads")) == (3, "measured"), "the last counts"
    assert [fact.fact for fact in target.facts] == ["loads", "bandwidths", "page_reach"], "the order of the table"
    assert Target({"kind": "llvm", "mcpu": "x86-64-v3", "latencies": [4, 12, 40, 300]}).attribute() == cpu(
        f"{LEVEL} -latencies=4,12,40,300"
    )
    assert Target("c -line=32").attribute().number_of("line") == 32
    gpu = Target("cuda -processors=78 -shared-memory=102400@nvidia").attribute()
    assert (gpu.number_of("processors"), gpu.source_of("shared_memory")) == (78, "nvidia")


def test_a_described_host_has_the_facts_of_its_description(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(host.HOST_VARIABLE, f"{LEVEL} -loads=3@measured -line=128")
    assert cpu("llvm").number_of("loads") == 3
    assert cpu("llvm -loads=1").numbers_of("loads") == (1,), "what a target states goes before"
    assert cpu("llvm -loads=1").number_of("line") == 128
    assert cpu(LEVEL).source_of("loads") == "default", "another machine"
    file = tmp_path / "host.target"
    file.write_text(f"{LEVEL}\n-stores=2@measured")
    monkeypatch.setenv(host.HOST_VARIABLE, str(file))
    assert cpu("llvm").number_of("stores") == 2


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ("-loads=0", "-loads= with a number from 0.01 to 64 (1/cycle)"),
        ("-loads=two", "-loads= with a number"),
        ("-loads=2,2", "-loads= with a number"),
        ("-loads=1e3", "-loads= with a number"),
        ("-loads=2@default", "@ and a name after it say the source"),
        ("-loads=2@", "@ and a name after it say the source"),
        ("-latencies=4,14,50", "-latencies= with 4 numbers from 1 to 100000 (cycle)"),
        ("-page=4096.5", "-page= with a number without fraction"),
        ("-line=99999", "-line= with a number without fraction from 16 to 1024 (byte)"),
        ("-processors=4", "-threads=, or a fact of the machine"),
    ],
)
def test_facts_that_make_no_sense(option: str, expected: str) -> None:
    with pytest.raises(tilewright.TilewrightError) as raised:
        Target(f"{LEVEL} {option}")
    assert raised.value.code == "TW0612"
    assert expected in raised.value.message and f"but got '{option}'" in raised.value.message


def fact(name: str, numbers: list[float], unit: str, source: str = "measured") -> FactAttr:
    values = ArrayAttr(FloatData(number) for number in numbers)
    return FactAttr(StringAttr(name), values, StringAttr(unit), StringAttr(source))


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ([fact("speed", [1], "1/cycle")], "expected facts of clock, multiply_adds, .*, but got 'speed'"),
        ([fact("loads", [1], "byte")], "expected loads in 1/cycle, but got 'byte'"),
        ([fact("loads", [0], "1/cycle")], "expected loads to be a number from 0.01 to 64 .*, but got \\[0\\]"),
        ([fact("loads", [float("nan")], "1/cycle")], "expected loads to be a number .*, but got \\[nan\\]"),
        ([fact("loads", [1, 2], "1/cycle")], "expected loads to be a number .*, but got \\[1, 2\\]"),
        ([fact("loads", [1], "1/cycle", "default")], "expected the source of loads as measured.*, but got 'default'"),
        ([fact("loads", [1], "1/cycle", 'a "b"')], "expected the source of loads"),
        ([fact("loads", [1], "1/cycle")] * 2, "expected each fact once, .*, but got loads, loads"),
    ],
)
def test_attributes_that_hold_no_facts_of_their_kind(facts: list[FactAttr], message: str) -> None:
    with pytest.raises(VerifyException, match=message):
        CpuTargetAttr.get(["sse2"], 128, (0, 0, 0), 1, facts=facts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('threads 1, facts loads [1] "1/cycle" "stated">', "'\\[' expected"),
        ('threads 1, facts [loads 1 "1/cycle" "stated"]>', "'\\[' expected"),
        ('threads 1, facts [loads [1] "stated"]>', "string"),
        ("threads 1, speeds [1]>", "expected triple, language or facts"),
    ],
)
def test_text_that_holds_no_facts(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=message):
        Parser(context(), f"#target.cpu<features [], vector_bits 64, caches [0, 0, 0], {text}").parse_attribute()


def test_a_file_stands_for_its_text(tmp_path: Path) -> None:
    target = cpu(f"{LEVEL} -threads=3 -loads=2.5@measured -bandwidths=40,10,5")
    text = file_text(target, "a machine")
    assert text.startswith("# a machine\nllvm -mcpu=x86-64-v3 -caches=32K,512K,8M -threads=3\n")
    assert all(f"-{option_name(fact.fact)}=" in text and CPU_FACTS[fact.fact].unit in text for fact in target.facts)
    file = tmp_path / "a machine.target"
    file.write_text(text)
    assert cpu(str(file)) == target and Target(str(file)).target == Target(target_text(text)).target
    plain = tmp_path / "b.target"
    plain.write_text(text)
    assert cpu(f"{plain} -threads=1 -loads=1").threads == 1
    assert cpu(f"{plain} -threads=1 -loads=1").numbers_of("loads") == (1,)
    unnamed = CpuTargetAttr.get(["avx2"], 256, (K, K, 0), 1, facts=target.facts)
    _, why, first, *facts = file_text(unnamed, "no text says it").splitlines()
    assert why.startswith("# instruction sets are those of the machine that reads")
    assert first == "llvm -caches=1K,1K,0 -threads=1" and len(facts) == 2


def target_text(text: str) -> str:
    """Return a file's text without comments and ends of lines."""
    return " ".join(word for line in text.splitlines() for word in line.partition("#")[0].split())


@pytest.mark.parametrize("text", ["", "# nothing\n", "-loads=2\n", "other.target -loads=2"])
def test_files_that_hold_no_target(text: str, tmp_path: Path) -> None:
    file = tmp_path / "x.target"
    file.write_text(text)
    with pytest.raises(tilewright.TilewrightError, match="TW0860.*begin with the kind of a target, but got"):
        Target(str(file))


def test_files_that_cannot_be_read_or_hold_wrong_options(tmp_path: Path) -> None:
    with pytest.raises(tilewright.TilewrightError, match="TW0204.*missing.target"):
        Target(str(tmp_path / "missing.target"))
    file = tmp_path / "x.target"
    file.write_text("llvm -mcpu=x86-64-v3\n-loads=none  # unknown\n")
    with pytest.raises(tilewright.TilewrightError, match="TW0612.*but got '-loads=none'"):
        Target(str(file))
