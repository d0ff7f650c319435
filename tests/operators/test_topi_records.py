"""Records without an operation in the graph dialect: their two definitions agree."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from operator_case import Case
from tilewright import te
from tilewright.operators import OPERATORS, get_operator
from topi_operator_cases import CASES


def test_every_record_has_a_case() -> None:
    assert {case.operator for case in CASES} == {name for name, o in OPERATORS.items() if o.operation is None}


@pytest.mark.each("case", CASES, ids=str)
def test_expression_agrees_with_reference(case: Case) -> None:
    arrays = case.arrays()
    operator = get_operator(case.operator)
    operands = [te.placeholder(a.shape, a.dtype.name, f"x{k}") for k, a in enumerate(arrays)]
    (result,) = operator.express(*operands, **case.values)
    program = tilewright.compile(te.to_module([*operands, result]), "interpreter")
    (expected,) = operator.compute(*arrays, **case.values)
    actual = np.asarray(program(*arrays))
    assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=2e-6)
