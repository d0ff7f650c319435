"""A sample of the tests that the onnx package brings: none is wrong, none raises what is no error of ours."""

from __future__ import annotations

from copy import copy
from functools import cache

import pytest
from onnx.backend.test.case.test_case import TestCase

from .suite import PASSED, REFUSED, WRONG, cases, judge

EVERY = 6
"""Of as many tests one is in the sample, by name."""
PARTS = 8


@cache
def node_cases() -> list[TestCase]:
    """Return the tests of single operators. The package computes their results when they are asked for, for ten
    seconds: not where tests are collected, which each process does."""
    return cases("node")


@pytest.mark.sampled(8)
@pytest.mark.parametrize("part", range(PARTS))
def test_no_result_is_wrong(part: int) -> None:
    sample = [*node_cases()[::EVERY], *cases("simple")]
    assert len(sample) > 200
    outcomes = [judge(case) for case in sample[part::PARTS]]
    assert [outcome for outcome in outcomes if outcome.verdict not in (PASSED, REFUSED)] == []


def test_a_wrong_result_is_noticed() -> None:
    case = copy(next(case for case in node_cases() if case.name == "test_relu"))
    ((inputs, outputs),) = case.data_sets
    for spoilt, said in (
        (outputs[0] + 1, "60 of 60 values differ"),
        (outputs[0].astype("float64"), "dtype float32"),
        (outputs[0][:1], "shape (3, 4, 5)"),
    ):
        case.data_sets = [(inputs, [spoilt])]
        outcome = judge(case)
        assert outcome.verdict == WRONG and outcome.reason.startswith(said)
