"""math.powf as it is compiled, against float64: powers of every size, and every pair of special values."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import te

SPECIAL = (0.0, 1.0, 2.0, 0.5, 3.0, 2.5, 1e-40, 1e38, np.inf, 16777216.0, 8388609.0, 1.0000001, 0.99999994)


def arguments() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    special = np.array([*SPECIAL, *(-s for s in SPECIAL), np.nan], dtype=np.float32)
    a, b = np.meshgrid(special, special)
    base = np.exp2(rng.uniform(-149, 128, 2**16)).astype(np.float32)
    power = (rng.uniform(-152, 130, 2**16) / np.log2(base.astype(np.float64))).astype(np.float32)
    near = rng.uniform(0.9, 1.1, 2**14).astype(np.float32)
    large = rng.uniform(-900, 900, 2**14).astype(np.float32)
    x = np.concatenate([a.ravel(), base, -base[:4096], near])
    return x, np.concatenate([b.ravel(), power, np.round(power[:4096]), large])


def test_power_is_within_two_ulp_and_special_values_are_those_of_c() -> None:
    x, y = arguments()
    a, b = te.placeholder(x.shape, name="a"), te.placeholder(x.shape, name="b")
    found = tilewright.build([a, b, te.compute(x.shape, lambda i: te.pow(a[i], b[i]))])(x, y)
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.float64), y.astype(np.float64))
        rounded = exact.astype(np.float32)
    finite = np.isfinite(rounded)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    zero = (rounded == 0) & (found == 0)
    np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(rounded[zero]))
    ulp = np.spacing(np.maximum(np.abs(rounded[finite]), np.float32(1e-45))).astype(np.float64)
    assert np.max(np.abs(found[finite] - exact[finite]) / ulp) <= 2.0


@pytest.mark.each(
    ("target", "dtype", "exponent"),
    [
        *(("cpu", dtype, k) for dtype in ("float32", "float64", "float16") for k in (-1, 1, 2, 3, 4)),
        *(("c", "float32", k) for k in (2, 3)),
    ],
)
def test_small_whole_exponents_are_products(target: str, dtype: str, exponent: int) -> None:
    rng = np.random.default_rng(7)
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-30, -1e30, 3.0, -5.0]
    drawn = [*special, *rng.standard_normal(1000), *rng.integers(-40, 40, 100)]
    with np.errstate(all="ignore"):
        x = np.array(drawn).astype(dtype)
    a = te.placeholder(x.shape, dtype, name="a")
    b = te.compute(x.shape, lambda i: te.pow(a[i], te.const(exponent, dtype)))
    found = tilewright.build([a, b], target=target)(x)
    with np.errstate(all="ignore"):
        wide = x.astype(np.longdouble)
        exact = (wide ** float(exponent)).astype(dtype)
    both_nan = np.isnan(found) & np.isnan(exact)
    same = ((found == exact) & (np.signbit(found) == np.signbit(exact))) | both_nan
    if dtype == "float16" or exponent <= 2:
        assert same.all()
    with np.errstate(all="ignore"):
        ulps = np.abs(found.astype(np.longdouble) - wide ** float(exponent)) / np.spacing(np.abs(exact)).astype(
            np.longdouble
        )
    assert ((ulps <= (1.5 if exponent <= 3 else 2.5)) | same).all()
    whole = np.isfinite(x) & (x == np.round(x)) & (np.abs(x) < 20)
    assert same[whole].all()
