"""Proofs and runs of random pairs do not contradict each other."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.analysis.equivalence import EXACT, Proved
from tilewright.analysis.equivalence.verdict import Computed, Refuted

from ...schedule.programs import chain, parse
from ...schedule.proof_oracle.judge import Judge
from ...schedule.proof_oracle.steps import Step, functions
from . import pass_pairs
from .campaign import campaign


def test_no_proof_is_contradicted_by_a_run() -> None:
    counts, wrong = campaign(40, seed=7)
    assert wrong == []
    assert counts["proved"] >= 8 and counts["refuted"] >= 8, counts


def test_no_pair_of_a_pass_is_refuted_that_runs_find_equal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2])  # where random pipelines find their generators
    counts = pass_pairs.campaign(22, seed=7, most=3)
    assert counts.wrong == []
    assert {kind for kind, _ in counts.by_kind} == set(pass_pairs.DRAWN)
    assert counts.meanings[pass_pairs.Meaning.PROVED] >= 12, counts.meanings


def test_a_wrong_prover_is_noticed() -> None:
    (function,) = functions(parse(chain(8)))
    (other,) = functions(parse(chain(8, "7 - %vj")))
    refuted = Refuted(sizes={}, output=0, element=(0,), before=Computed(""), after=Computed(""))
    counts = pass_pairs.Counts()
    for name, after, verdict in (("right", function, refuted), ("wrong", other, Proved())):
        step = Step(name, function, after, EXACT)
        judge = Judge(lambda *_, verdict=verdict: verdict)
        counts.add("kind", step, judge.judge(step), "draw")
    assert len(counts.wrong) == 2
    assert counts.equal == 1
