"""Wrong schedules that the engine accepted once: each is refuted, at sizes and an element where numbers differ."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.analysis.equivalence import Refuted, equivalent

from .interpreted import arguments_after
from .known_wrong import WRONG, Wrong


@pytest.mark.each("wrong", WRONG, ids=lambda wrong: wrong.name)
def test_it_is_refuted_where_numbers_differ(wrong: Wrong) -> None:
    step = wrong.step()
    verdict = equivalent(step.before, step.after, step.algebra)
    assert isinstance(verdict, Refuted), verdict
    assert verdict.output is not None
    expected = arguments_after(step.before, verdict.sizes)[verdict.output]
    found = arguments_after(step.after, verdict.sizes, step.before)[verdict.output]
    assert found.shape == expected.shape
    differing = np.argwhere(~((found == expected) | (np.isnan(found) & np.isnan(expected))))
    assert verdict.element in [tuple(map(int, index)) for index in differing]
    has_sizes = "memref<?" in wrong.text or "x?x" in wrong.text
    assert bool(verdict.sizes) == has_sizes
    if wrong.name.startswith("no terms"):
        assert 0 in verdict.sizes.values()
