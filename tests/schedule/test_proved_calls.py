"""`Schedule(validate="symbolic")`: each call that changes the function is proved, under what that call does to sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import tilewright
from proof_answers import Prover, refuted_at
from tilewright.analysis import equivalence
from tilewright.analysis.equivalence import EXACT, Algebra, Axiom, Proved, Unknown
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.schedule import Schedule
from tilewright.schedule.handles import LoopRV

from .programs import matmul, parse


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> Iterator[Prover]:
    made = Prover(Proved(seconds=0.5))
    monkeypatch.setattr(equivalence, "equivalent", made, raising=False)
    yield made


@pytest.fixture
def shorten() -> Iterator[Callable[[Schedule, LoopRV], None]]:
    """Register a primitive of a user's own that is wrong."""

    @tilewright.register_primitive()
    def shorten(sch: Schedule, target: LoopRV) -> None:
        """Leave the last iteration out."""
        op = sch.loop(target)
        op.set_index_lists(upper=[op.uppers[0] - 1])

    yield shorten
    tilewright.unregister_primitive("shorten")


def test_calls_that_change_the_function_are_proved(prover: Prover) -> None:
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="symbolic")
    i, j, k = s.get_loops(s.get_block("C"))
    s.split(i, factors=[None, 4])
    s.reorder(k, j)
    assert s.proofs is not None
    assert [(call.method, call.judgement.word) for call in s.proofs.calls] == [
        ("split", "proved"),
        ("reorder", "proved"),
    ]
    assert len(s.trace.instructions) == 4
    assert s.copy().proofs == s.proofs


def test_a_call_is_proved_under_its_algebra(prover: Prover) -> None:
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="symbolic")
    i, j, k = s.get_loops(s.get_block("C"))
    s.pad_einsum(s.get_block("C"), [1, 1, 3])
    i, j, k = s.get_loops(s.get_block("C"))
    ko, ki = s.split(k, factors=[None, 2])
    s.reorder(ki, ko)
    s.split(i, factors=[None, 4])
    padding = frozenset({Axiom.ADD_ZERO, Axiom.MULTIPLY_ZERO})
    assert prover.algebras == [Algebra(axioms=padding), EXACT, Algebra(reassociates=True), EXACT]
    assert s.algebra == Algebra(reassociates=True, axioms=padding) and s.reassociates


def test_without_being_asked_nothing_is_proved(prover: Prover) -> None:
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)))
    s.split(s.get_loops(s.get_block("C"))[0], factors=[None, 4])
    assert s.proofs is None and not prover.algebras


def test_a_wrong_step_is_refused_at_the_call(prover: Prover, shorten: Callable[[Schedule, LoopRV], None]) -> None:
    prover.answer = refuted_at((7, 5), 2, "loop.store")
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="symbolic")
    (i, *_) = s.get_loops(s.get_block("C"))
    with pytest.raises(TilewrightError) as raised:
        shorten(s, i)
    error = raised.value
    assert error.code == "TW0474"
    assert error.message.startswith("shorten: it changes what @") and error.message.endswith("[7, 5] differs")
    before, after, numbers, saved = error.notes
    assert before.startswith("before: a loop.store") and after.startswith("after: b loop.store")
    assert numbers.startswith("the interpreter finds ") and saved.startswith("'tilewright prove ")
    assert Path(__file__).name in str(error)
    assert [step.method for step in s.trace.instructions] == ["get_block", "get_loops"]


def test_a_step_that_is_not_proved_is_reported(prover: Prover) -> None:
    prover.answer = Unknown("a product of sizes")
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="symbolic")
    with collect_remarks() as remarks:
        s.split(s.get_loops(s.get_block("C"))[0], factors=[None, 4])
    assert [remark.code for remark in remarks] == ["TW0475"]
    assert remarks[0].message.endswith("after split is not proved: a product of sizes")


def test_a_refutation_with_equal_numbers_refuses_nothing(prover: Prover) -> None:
    prover.answer = refuted_at((0, 0), 2, "loop.store")
    s = Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="symbolic")
    with collect_remarks() as remarks:
        s.split(s.get_loops(s.get_block("C"))[0], factors=[None, 4])
    assert [remark.code for remark in remarks] == ["TW0475", "TW0243"]
    assert s.proofs is not None and s.proofs.calls[0].judgement.lacks_axiom


def test_how_to_validate_has_to_be_known() -> None:
    with pytest.raises(TilewrightError, match="TW0403.*expected validate to be None or 'symbolic', but got 'sampled'"):
        Schedule(parse(matmul(8, 6, 4, epilogue=False)), validate="sampled")
