"""Proofs and runs of random pairs do not contradict each other."""

from __future__ import annotations

from .campaign import campaign


def test_no_proof_is_contradicted_by_a_run() -> None:
    counts, wrong = campaign(40, seed=7)
    assert wrong == []
    assert counts["proved"] >= 8 and counts["refuted"] >= 8, counts
