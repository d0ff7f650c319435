"""The campaign itself: what it draws, how it judges, and that it notices a prover that is wrong."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from tilewright.analysis.equivalence import EXACT, Bounded, Proved, Unknown

from ..choices import Seeded
from ..programs import chain, elementwise, parse, symbolic
from ..test_empty_reductions import row_sums
from . import campaign
from .faults import changed, changes_of
from .interpreted import INTEGERS, OPEN, Numbers, Point, completed, draw, first_difference, points
from .judge import Judge, Meaning
from .steps import KINDS, Step, functions


def step_of(before: str, after: str) -> Step:
    first, second = (functions(parse(text))[0] for text in (before, after))
    return Step("step", first, second, EXACT)


WRONG = step_of(chain(8), chain(8, "7 - %vj"))
TWICE = "%w = arith.addf %start, %start : f64\n loop.store %w"
AT_ZERO = step_of(row_sums(), row_sums().replace("loop.store %start", TWICE))


def always(verdict: Any) -> Any:
    return lambda *arguments: verdict


@pytest.mark.parametrize(
    ("verdict", "meaning"),
    [
        (Proved(), Meaning.UNSOUND),
        (Bounded(({},)), Meaning.UNSOUND),
        (Unknown("why"), Meaning.MISSED),
    ],
)
def test_a_wrong_step_shows_what_a_verdict_is_worth(verdict: Any, meaning: Meaning) -> None:
    judged = Judge(always(verdict)).judge(WRONG)
    assert (judged.meaning, judged.differs) == (meaning, True)
    assert meaning.is_fault == isinstance(verdict, (Proved, Bounded))


@pytest.mark.parametrize(("n", "meaning"), [(5, Meaning.UNSOUND), (4, Meaning.MISSED)])
def test_a_bounded_proof_speaks_of_its_sizes_alone(n: int, meaning: Meaning) -> None:
    copy = """
    func.func @k(%A: memref<?xf64>, %B: memref<?xf64> {tw.output}) {
      %n = loop.dim %A, 0 : memref<?xf64>
      loop.bind %A shape [%n] strides [1] : memref<?xf64>
      loop.bind %B shape [%n] strides [1] : memref<?xf64>
      loop.for %i = 0 to %n {
        loop.block "B" (%vi = spatial(%i) in %n) {
          %a = loop.load %A[%vi] : memref<?xf64>
          loop.store %a, %B[%vi] : memref<?xf64>
        }
      }
      func.return
    }"""
    no_fifth = step_of(copy, copy.replace("0 to %n", "0 to min(%n, 4)"))
    judged = Judge(always(Bounded(({"argument 0 extent 0": n},)))).judge(no_fifth)
    assert (judged.meaning, judged.differs) == (meaning, True)


def test_sizes_that_a_verdict_leaves_open_are_what_the_function_says_or_several() -> None:
    function, *_ = functions(
        parse("""
        func.func @k(%A: memref<?x?xf64>, %B: memref<?xf64> {tw.output}, %c: index) {
          %n = loop.dim %A, 0 : memref<?x?xf64>
          %m = loop.dim %A, 1 : memref<?x?xf64>
          loop.bind %A shape [%n, %m] strides [%m, 1] : memref<?x?xf64>
          loop.bind %B shape [%n * 2] strides [1] : memref<?xf64>
          func.return
        }""")
    )
    found = completed(function, {"argument 0 extent 0": 4})
    assert [each["argument 0 extent 1"] for each in found] == [*OPEN]
    assert [each["argument 2"] for each in found] == [*OPEN]
    assert all(each["argument 1 extent 0"] == 8 for each in found)
    for each in found:
        a, c = draw(function, each)
        assert (a.shape, c) == ((4, each["argument 0 extent 1"]), each["argument 2"])
    assert completed(function, found[0]) == [found[0]]


def test_the_prover_refutes_it() -> None:
    judged = Judge().judge(WRONG)
    assert (judged.meaning, judged.verdict) == (Meaning.REFUTED, "refuted")
    assert "value 0 at [0]" in judged.difference


def test_what_the_prover_raises_is_a_fault() -> None:
    def fails(*arguments: Any) -> Any:
        raise ZeroDivisionError("planted")

    judged = Judge(fails).judge(WRONG)
    assert judged.meaning is Meaning.CRASHED and judged.meaning.is_fault and "planted" in judged.reason


def test_sizes_of_0_and_1_are_run() -> None:
    sizes = {dict(p.sizes)["n"] for p in points(AT_ZERO.before, exact=False)}
    assert {0, 1, 2} <= sizes
    before, after = Numbers(AT_ZERO.before), Numbers(AT_ZERO.after, AT_ZERO.before)
    found = first_difference(before, after, [Point((("n", 0),), INTEGERS)], exact=True)
    assert found is not None and "expected 3.0, but got 6.0" in found.problem


def test_elements_that_nobody_wrote_may_become_anything() -> None:
    text = chain(8).replace("loop.for %i = 0 to 8", "loop.for %i = 0 to 5")
    other = text.replace("0 to 5", "0 to 6")
    step = step_of(text, other)
    before, after = Numbers(step.before), Numbers(step.after, step.before)
    at = points(step.before, exact=True)
    assert before.at(at[0]) is not None and before.at(at[0]).undefined == 3
    assert first_difference(before, after, at, exact=True) is None
    assert first_difference(after, before, at, exact=True) is not None


def test_the_sign_of_a_zero_is_a_bit() -> None:
    def times(zero: str) -> str:
        return elementwise(4, 4).replace("constant 2.0", f"constant {zero}")

    step = step_of(times("0.0"), times("-0.0"))
    before, after = Numbers(step.before), Numbers(step.after, step.before)
    at = [Point((), INTEGERS)]
    assert first_difference(before, after, at, exact=True) is not None
    assert first_difference(before, after, at, exact=False) is None


def test_faults_of_every_sort_are_valid_and_differ() -> None:
    (function,) = functions(parse(symbolic()))
    assert {c.sort for c in changes_of(function)} == {"index", "bound", "constant", "order"}
    for number in range(20):
        found = changed(function, Seeded("fault", number))
        assert found is not None
        description, copy = found
        assert str(copy) != str(function), description


@pytest.mark.parametrize("kind", KINDS)
def test_a_draw_is_right_and_reproducible(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2])  # where the command finds the other generators
    steps = (list(islice(KINDS[kind](Seeded(kind, 0, n)), 3)) for n in range(8))
    number, drawn = next((n, found) for n, found in enumerate(steps) if found)  # some are refused as a whole
    judge = Judge()
    judged = [judge.judge(step) for step in drawn]
    assert judged and not any(j.meaning.is_fault for j in judged)
    assert kind == "fault" or not any(j.differs for j in judged)
    again = list(islice(KINDS[kind](Seeded(kind, 0, number)), 3))
    assert [(a.name, str(a.after)) for a in again] == [(d.name, str(d.after)) for d in drawn]


@pytest.mark.full
def test_an_unsound_prover_fails_the_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(campaign, "Judge", lambda: Judge(always(Proved())))
    monkeypatch.setattr(campaign, "ProcessPoolExecutor", Inline)
    status = campaign.main(["--kind", "fault", "--count", "3", "--out", str(tmp_path)])
    assert status == 1
    (path, *_) = sorted((tmp_path / "unsound").glob("*.txt"))
    assert path.read_text().startswith("python tests/schedule/proof_oracle/run.py --kind fault --seed 0 --number ")
    texts = [path.with_suffix(f".{word}.mlir").read_text() for word in ("before", "after")]
    assert texts[0] != texts[1]
    assert all(len(functions(parse(text))) == 1 for text in texts)
    assert "proved, and numbers differ" in capsys.readouterr().out


class Inline:
    """A pool of no processes."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

    def __enter__(self) -> Inline:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    def map(self, function: Any, items: Any, chunksize: int) -> Any:
        return map(function, items)
