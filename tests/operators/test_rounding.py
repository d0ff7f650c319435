"""References of transcendental operators round once, so that what is folded does not depend on numpy's vector code."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest
from tilewright.operators import get_operator

FUNCTIONS = "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf"
DTYPES = (np.float32, np.float16, ml_dtypes.bfloat16)


@pytest.mark.each("dtype", DTYPES)
@pytest.mark.parametrize("name", FUNCTIONS.split())
def test_a_function_is_that_of_the_c_library_rounded_once(name: str, dtype: type) -> None:
    low, high = (1, 9) if name == "acosh" else (0.01, 0.99)
    x = np.random.default_rng(0).uniform(low, high, 500).astype(dtype)
    want = [getattr(math, name)(float(value)) for value in x]
    (found,) = get_operator(name).compute(x)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.array(want).astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_power_is_that_of_the_c_library_rounded_once(dtype: type) -> None:
    x, y = np.random.default_rng(0).uniform(0.01, 3, (2, 500)).astype(dtype)
    want = [math.pow(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    (found,) = get_operator("pow").compute(x, y)
    np.testing.assert_array_equal(found, np.array(want).astype(dtype))


def test_a_power_of_integers_is_exact() -> None:
    (found,) = get_operator("pow").compute(np.array([3, -2, 10]), np.array([33, 3, 18]))
    np.testing.assert_array_equal(found, [3**33, -8, 10**18])
