"""The programs of `source/`: what they follow, that outputs belong to them, and a sample of verdicts."""

from __future__ import annotations

import re
from collections import Counter
from math import inf

import pytest

from .corpus import Pair, pairs, programs
from .faults import FAULTS, by_program
from .repetition import holds
from .verdicts import verdict_on

PAIRS = pairs()
SAMPLE = 40
"""Every n-th pair is proved in the quick tier."""


def test_programs_follow_upstream() -> None:
    found = programs()
    names = Counter(f"{program.family}/{program.name}" for program in found)
    assert len(found) >= 200 and set(names.values()) == {1}
    assert sum(program.is_symbolic for program in found) >= 100
    followed = re.compile(r"mlir/test/[\w/.-]+\.mlir|https://github\.com/llvm/llvm-project/issues/\d+")
    strange = [program.name for program in found if not followed.fullmatch(program.follows)]
    unnamed = [program.name for program in found if f"@{program.name}(" not in program.text]
    assert (strange, unnamed) == ([], [])


def test_each_program_has_an_output() -> None:
    with_output = {(pair.program.family, pair.program.name) for pair in PAIRS}
    assert [p.name for p in programs() if (p.family, p.name) not in with_output] == []
    stale = [pair.name for pair in PAIRS if pair.pipeline not in pair.program.pipelines]
    assert stale == []


def test_condition_of_a_verdict() -> None:
    sizes = {"n": 5, "extent 1 of %a": 3, "k": 0}
    expected = {
        "n <= 5, extent 1 of %a >= 3": True,
        "n < 5; or k = 0": True,
        "((-n) floordiv 3) * 3 + n <= -2": False,
        "at n = 3: all; at n = 5: k > 0; or k = 0": True,
        "at n = 3: all; at n = 4: all": False,
    }
    assert {text: holds(text, sizes) for text in expected} == expected


def check(chosen: list[Pair]) -> None:
    """Prove pairs, of which one of ten may stay undecided."""
    found = {pair.name: verdict_on(pair, inf, executes=False) for pair in chosen}
    undecided = [f"{name}: {each.word}, {each.reason}" for name, each in found.items() if not each.is_decided]
    assert len(undecided) <= len(found) // 10, undecided


def test_a_sample_is_decided() -> None:
    check(PAIRS[::SAMPLE])


@pytest.mark.full
@pytest.mark.parametrize("family", sorted({pair.program.family for pair in PAIRS}))
def test_a_family_is_decided(family: str) -> None:
    check([pair for pair in PAIRS if pair.program.family == family])


@pytest.mark.parametrize("shard", [pytest.param(n, marks=[] if n == 0 else pytest.mark.full) for n in range(6)])
def test_planted_faults_are_refuted(shard: int) -> None:
    outputs = by_program(PAIRS)
    assert len(FAULTS) >= 60
    missed: list[str] = []
    for fault in FAULTS[shard::6]:
        found = verdict_on(fault.planted(outputs), inf, executes=False)
        if found.word != "refuted":
            missed.append(f"{fault.kind}: {fault.program}: '{fault.new}': {found.word}, {found.reason}")
    assert missed == []
