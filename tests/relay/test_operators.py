"""Operators of relay beside numpy: by the reference semantics, and compiled, many in one program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from relay_cases import CASES, Case
from tilewright import relay
from tilewright.classic.relay.types import TupleType

_TYPES = {"float64": "float32", "int64": "int32"}


def checked_types(value: Any) -> list[Any]:
    found = value.checked_type
    return list(found.fields) if isinstance(found, TupleType) else [found]


def same(found: np.ndarray, wanted: np.ndarray, what: str) -> None:
    assert found.shape == wanted.shape, f"{what}: {found.shape}, numpy has {wanted.shape}"
    np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-5, err_msg=what)


@pytest.mark.each("case", CASES, ids=[case.name for case in CASES])
def test_an_operator_computes_as_numpy(case: Case) -> None:
    variables = case.variables()
    made = case.make(*variables)
    value = made.astuple() if isinstance(made, relay.Call) and len(made) > 1 else made
    program = relay.create_executor("debug").evaluate(relay.Function(variables, value))
    found = program(*case.arrays)
    results = found if isinstance(found, list) else [found]
    wanted = case.results()
    assert len(results) == len(wanted)
    for result, expected, type_ in zip(results, wanted, checked_types(value), strict=True):
        assert (result.shape, result.dtype.name) == (type_.shape, type_.dtype)
        kinds = {"f": "floats", "i": "integers", "u": "integers", "b": "truth values"}
        assert kinds[result.dtype.kind] == kinds[expected.dtype.kind], f"{result.dtype}, numpy has {expected.dtype}"
        same(np.asarray(result), expected, case.name)


_PART = 24
_PARTS = [CASES[k : k + _PART] for k in range(0, len(CASES), _PART)]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("cases", _PARTS, ids=[part[0].name for part in _PARTS])
def test_operators_compiled_in_one_program(cases: list[Case]) -> None:
    variables: list[Any] = []
    fields: list[Any] = []
    counts: list[int] = []
    for number, case in enumerate(cases):
        variables_of_case = case.variables(f"x{number}_")
        variables += variables_of_case
        made = case.make(*variables_of_case)
        parts = list(made) if isinstance(made, (relay.Tuple, relay.Call)) else [made]
        fields += parts
        counts.append(len(parts))
    program = relay.create_executor("graph").evaluate(relay.Function(variables, relay.Tuple(fields)))
    results = iter(program(*(array for case in cases for array in case.arrays)))
    for case, count in zip(cases, counts, strict=True):
        for expected in case.results()[:count]:
            same(np.asarray(next(results)), expected, case.name)


def test_every_operator_has_a_case() -> None:
    """Names that stand for another one, and operators whose results a case of another name shows."""
    elsewhere = {"flip", "fast_softmax"}
    named = {case.name.split()[0] for case in CASES}
    modules = (*relay.op.PLAIN, relay.nn, relay.image, relay.vision)
    missing = {name for module in modules for name in module.__all__} - named - elsewhere
    assert not missing
    assert relay.flip is relay.reverse and relay.nn.fast_softmax is relay.nn.softmax
