"""Every operator on drawn operands, compiled from te and from the graph, against its reference in numpy.

Element types are all that a record takes, sizes 0, 1 and odd ones among others, numbers NaN, infinities and the limits
of integers (`drawn_operators`). The suite runs the same part of them each time. `make fuzz` asks for as many draws of
every operator as TILEWRIGHT_FUZZ says.
"""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from drawn_operators import BY_NAME, DTYPES, check, compare, draw
from tilewright.operators import OPERATORS
from tilewright.operators.declaration import registered

COUNT = int(os.environ.get("TILEWRIGHT_FUZZ", "0"))
SAMPLE = 90

UNDRAWN: dict[str, str] = {
    "prefix": "its result has a size that no caller knows: it is tested with what follows it, in test_counted_results",
}
"""Operators that are not drawn, and why."""

NAMES = sorted(set(OPERATORS) - set(UNDRAWN) - set(registered()))
DRAWS = (
    [(name, seed) for name in NAMES for seed in range(COUNT)]
    if COUNT
    else [(name, 0) for name in random.Random(1).sample(NAMES, SAMPLE)]
)


def test_every_operator_is_drawn_or_listed() -> None:
    drawn = {name for name in BY_NAME if draw(name, 0) is not None}
    assert drawn == set(OPERATORS) - set(registered()) - set(UNDRAWN)


def test_draws_are_of_all_kinds() -> None:
    """One operator of any elements is drawn with every element type, with nothing in it, with one and with oddities."""
    found = [each for seed in range(300) if (each := draw("concat", seed)) is not None]
    arrays = [array for each in found for array in each.arrays]
    assert {array.dtype.name for array in arrays} == set(DTYPES)
    assert {0, 1, 3, 5, 7} <= {size for array in arrays for size in array.shape}
    floats = np.concatenate([array.reshape(-1) for array in arrays if array.dtype == np.float32])
    assert np.isnan(floats).any() and np.isposinf(floats).any() and np.isneginf(floats).any()
    whole = np.concatenate([array.reshape(-1) for array in arrays if array.dtype == np.int16])
    assert {-(2**15), 2**15 - 1} <= set(whole.tolist())


def test_a_wrong_element_is_noticed() -> None:
    wanted = np.array([1.0, np.nan, np.inf], np.float32)
    compare([wanted.copy()], [wanted])
    for wrong in ([1.001, np.nan, np.inf], [1.0, 0.0, np.inf], [1.0, np.nan, -np.inf]):
        with pytest.raises(AssertionError):
            compare([np.array(wrong, np.float32)], [wanted])
    with pytest.raises(AssertionError):
        compare([wanted.astype(np.float64)], [wanted])


@pytest.mark.sampled(3)
@pytest.mark.each(("name", "seed"), DRAWS, ids=[f"{name}-{seed}" for name, seed in DRAWS], shards=3)
def test_agrees_with_numpy(name: str, seed: int) -> None:
    found = draw(name, seed)
    if found is not None:
        check(found)
