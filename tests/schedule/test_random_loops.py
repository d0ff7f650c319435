"""A few random schedules of each kind; `make fuzz` runs thousands. And what is kept of one that fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tilewright import semantics

from .choices import Seeded
from .programs import parse
from .random_schedules.campaign import campaign
from .random_schedules.loop_programs import loop_program
from .random_schedules.trial import TRIALS, run


@pytest.mark.sampled(3)
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("kind", TRIALS)
def test_a_random_schedule_keeps_the_values(kind: str, number: int) -> None:
    outcome = run(kind, 1, number)
    assert not outcome.problem, f"{outcome.problem}\n{outcome.program}\n{outcome.trace}"


def test_the_same_number_is_the_same_draw() -> None:
    first, second = run("loop", 1, 0), run("loop", 1, 0)
    assert (first.program, first.trace, first.scheduled) == (second.program, second.trace, second.scheduled)


def test_programs_have_what_schedules_get_wrong() -> None:
    """Scratch, results read while they are made, several writes of one element, conditions, sizes of 0 and 1."""
    programs = [loop_program(Seeded("range", number)) for number in range(60)]
    text = "\n".join(program.text for program in programs)
    for part in ("= spatial(%r", "loop.if", "where (", "= reduce(%", "%o = loop.load %D", "[%i - 1] where", " in 1,"):
        assert part in text, part
    sizes = [each for program in programs for each in program.sizes if each]
    assert {"n": 0, "m": 0} in sizes and {"n": 1, "m": 1} in sizes and any(s["n"] > 1 for s in sizes)


def test_programs_read_only_what_they_wrote() -> None:
    for number in range(40):
        program = loop_program(Seeded("valid", number))
        module = parse(program.text)
        for arguments in program.calls():
            semantics.run(module, "k", *arguments)
            assert not any(np.isnan(a).any() for a in arguments), (number, program.text)


def test_a_failure_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The number, what went wrong, the program and the calls."""
    from .random_schedules import campaign as module

    class Same:
        def __init__(self, jobs: int) -> None: ...
        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None: ...
        def map(self, function, items, chunksize: int):
            return map(function, items)

    def wrong(kind: str, seed: int, number: int):
        outcome = run(kind, seed, number)
        outcome.problem = "AssertionError: planted"
        return outcome

    monkeypatch.setattr(module, "ProcessPoolExecutor", Same)
    monkeypatch.setattr(module, "run", wrong)
    assert campaign("loop", 1, [2], 1, tmp_path) is False
    (kept,) = tmp_path.iterdir()
    assert "--kind loop --seed 1 --number 2" in (text := kept.read_text())
    assert "planted" in text and "func.func @k" in text and "sch." in text
    assert "1 wrong" in capsys.readouterr().out
