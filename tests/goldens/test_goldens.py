"""A sample of the goldens is as it was, and what is not is told. `make goldens` compares all of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tilewright.backends.cpu import host

sys.path.append(str(Path(__file__).resolve().parents[1]))

from goldens.bits import bits
from goldens.plans import plans, subjects
from goldens.run import BITS, HERE, PLANS, compare

SAMPLE = ("matmul-f32-256 threads 1", "conv-64ch-56-3x3 threads 2", "softmax-4096 threads 2", "squeezenet")


def golden(name: str) -> list[str]:
    return (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("file", PLANS)
@pytest.mark.parametrize("subject", SAMPLE)
def test_plans_are_as_they_were(subject: str, file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.HOST_VARIABLE, PLANS[file])
    compile_ = dict(subjects())[subject]
    known = [line for line in golden(file) if line.startswith(f"{subject} | ")]
    assert known
    assert plans(subject, compile_) == known


@pytest.mark.native("runs machine code for a stated target where the machine at hand has its instructions")
@pytest.mark.parametrize("file", BITS)
def test_bits_are_as_they_were(file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(host.HOST_VARIABLE, BITS[file])
    if obstacle := host.obstacle_here(host.host_target()):
        pytest.skip(f"values are not checked: {obstacle}")
    for line in golden(file)[:12]:
        assert bits(int(line.partition(" ")[0]), BITS[file]) == line


def test_a_change_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = ["row | main | p4[v8[B]] 1234", "row | other | 4[B] 5678"]
    assert compare("plans", "target", lines, write=True, folder=tmp_path) == 0
    assert compare("plans", "target", lines, folder=tmp_path) == 0
    changed = [lines[0].replace("v8", "v4"), lines[1]]
    capsys.readouterr()
    assert compare("plans", "target", changed, folder=tmp_path) == 2
    printed = capsys.readouterr().out
    assert (
        "-row | main | p4[v8[B]] 1234" in printed
        and "+row | main | p4[v4[B]] 1234" in printed
        and "other" not in printed
    )
    assert compare("plans", "target", lines[:1], folder=tmp_path) == 1
    assert compare("plans", "another target", lines, folder=tmp_path) == 2
