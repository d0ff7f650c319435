"""A sample of the tests that the onnx package brings: none is wrong, none raises what is no error of ours."""

from __future__ import annotations

import pytest
from onnx.backend.test.case.test_case import TestCase

from .suite import PASSED, REFUSED, WRONG, cases, judge

EVERY = 6
"""Of as many tests one is in the sample, by name."""

CASES = [*cases("node")[::EVERY], *cases("simple")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_result_is_wrong(case: TestCase) -> None:
    outcome = judge(case)
    assert outcome.verdict in (PASSED, REFUSED), outcome.reason


def test_a_wrong_result_is_noticed() -> None:
    case = next(case for case in cases("node") if case.name == "test_relu")
    ((inputs, outputs),) = case.data_sets
    for spoilt, said in (
        (outputs[0] + 1, "60 of 60 values differ"),
        (outputs[0].astype("float64"), "dtype float32"),
        (outputs[0][:1], "shape (3, 4, 5)"),
    ):
        case.data_sets = [(inputs, [spoilt])]
        outcome = judge(case)
        assert outcome.verdict == WRONG and outcome.reason.startswith(said)
