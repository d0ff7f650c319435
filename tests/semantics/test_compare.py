"""The first difference of two lists of outputs."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest
from tilewright.semantics import default_tolerance, first_difference
from tilewright.semantics.compare import Difference, Mismatch, spread


def test_equal() -> None:
    a = np.array([1.0, np.nan, np.inf, -0.0], np.float32)
    b = np.array([1.0, np.nan, np.inf, 0.0], np.float32)
    assert first_difference([a, np.int32(3)], [b, np.int32(3)]) is None
    assert first_difference([a.astype(ml_dtypes.bfloat16)], [b.astype(ml_dtypes.bfloat16)]) is None


def test_the_first_differing_element_is_reported() -> None:
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    b = a.copy()
    b[0, 2] = np.nextafter(b[0, 2], np.float32(9))
    b[1, 1] = 7
    found = first_difference([a, a], [a, b])
    assert found == Difference(1, (0, 2), np.float32(2), b[0, 2], 0.0, 2)
    assert str(found) == f"output 1 at [0, 2]: expected 2.0, but got {b[0, 2]!s}; 2 elements differ"


@pytest.mark.parametrize(("error", "differs"), [(0.5e-4, False), (2e-4, True)])
def test_the_tolerance_is_scaled_by_the_spread(error: float, differs: bool) -> None:
    """Relative to its own value, the small element may be far off."""
    a = np.array([1e-3, -400.0, 600.0], np.float32)
    b = a.copy()
    b[0] += np.float32(error * 1000)
    found = first_difference([a], [b], exact=False)
    assert (found is not None) == differs
    if found is not None:
        assert str(found).startswith("output 0 at [0]: expected 0.001 within 0.1, but got 0.201")
    assert first_difference([a], [b]) is not None


def test_a_given_tolerance() -> None:
    a, b = np.array([0.0, 1.0]), np.array([0.0, 1.01])
    assert first_difference([a], [b], exact=False, tolerance=0.02) is None
    assert isinstance(first_difference([a], [b], exact=False, tolerance=0.005), Difference)


@pytest.mark.parametrize("dtype", [np.int32, np.bool_, np.uint8])
def test_integers_are_never_approximate(dtype: type) -> None:
    a, b = np.array([0, 1, 1]).astype(dtype), np.array([0, 1, 0]).astype(dtype)
    assert first_difference([a], [b], exact=False, tolerance=10.0) == Difference(0, (2,), a[2], b[2], 0.0, 1)
    assert default_tolerance(np.dtype(dtype)) == 0.0


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_must_be_alike(value: float) -> None:
    a, b = np.array([0.0, 1.0, value]), np.array([0.0, 1.0, 2.0])
    assert first_difference([a], [a], exact=False) is None
    assert first_difference([a], [b], exact=False) is not None
    assert first_difference([b], [a], exact=False) is not None


def test_mismatches() -> None:
    a = np.zeros((2, 3), np.float32)
    assert first_difference([a], []) == Mismatch("1 outputs", "0")
    assert str(first_difference([a], [a.T])) == "expected output 0 of float32[2, 3], but got float32[3, 2]"
    assert str(first_difference([a], [a.astype(np.float64)])) == (
        "expected output 0 of float32[2, 3], but got float64[2, 3]"
    )


def test_spread() -> None:
    assert spread(np.array([-1.0, 3.0, np.inf, np.nan])) == 4.0
    assert spread(np.array([-2.0, -2.0])) == 2.0
    assert spread(np.array([np.nan])) == 0.0
    assert spread(np.zeros(0)) == 0.0
