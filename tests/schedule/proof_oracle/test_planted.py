"""Faults planted in passes and primitives are refuted, at sizes and an element where numbers differ."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import TilewrightError
from tilewright.analysis.equivalence import Proved, Refuted, equivalent

from .interpreted import arguments_after
from .planted import PLANTED, Planted


def _name(planted: Planted) -> str:
    return f"{planted.step.split('(')[0]}: {planted.name}"


@pytest.mark.each("planted", PLANTED, ids=_name)
def test_the_fault_is_refuted_where_numbers_differ(planted: Planted) -> None:
    step = planted.taken()
    verdict = equivalent(step.before, step.after, step.algebra)
    assert isinstance(verdict, Refuted), verdict
    expected = arguments_after(step.before, verdict.sizes)
    if verdict.output is None:
        with pytest.raises(TilewrightError) as error:
            arguments_after(step.after, verdict.sizes, step.before)
        assert error.value.code in ("TW0721", "TW0722")
        return
    found = arguments_after(step.after, verdict.sizes, step.before)[verdict.output]
    before = expected[verdict.output].reshape(-1)[_position(verdict.element, expected[verdict.output].shape)]
    after = found.reshape(-1)[_position(verdict.element, expected[verdict.output].shape)]
    assert before != after


@pytest.mark.each("planted", PLANTED, ids=_name)
def test_the_step_without_the_fault_is_proved(planted: Planted) -> None:
    if planted.refused_without:
        with pytest.raises(TilewrightError) as error:
            planted.taken(planted=False)
        assert error.value.code == "TW0401"
        return
    step = planted.taken(planted=False)
    verdict = equivalent(step.before, step.after, step.algebra)
    assert isinstance(verdict, Proved), verdict


def _position(element: tuple[int, ...], shape: tuple[int, ...]) -> int:
    return int(np.ravel_multi_index(element, shape))
