"""te.sigmoid as it is compiled, against float64 over every exponent."""

from __future__ import annotations

import numpy as np
import tilewright
from tilewright import te


def test_within_two_ulp_everywhere() -> None:
    high = np.arange(2**16, dtype=np.uint32) << np.uint32(16)
    low = np.random.default_rng(0).integers(0, 2**16, 2**16, dtype=np.uint32)
    near = np.linspace(-104, 104, 2**16, dtype=np.float32)
    x = np.concatenate([high.view(np.float32), (high | low).view(np.float32), near])
    a = te.placeholder(x.shape, name="a")
    y = tilewright.build([a, te.compute(x.shape, lambda i: te.sigmoid(a[i]))])(x)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        power = np.exp(-np.abs(wide))
        exact = np.where(wide >= 0, 1, power) / (1 + power)
    np.testing.assert_array_equal(np.isnan(y), np.isnan(exact))
    finite = np.isfinite(exact)
    ulp = np.spacing(np.maximum(exact[finite].astype(np.float32), np.float32(1e-45))).astype(np.float64)
    assert np.max(np.abs(y[finite] - exact[finite]) / ulp) <= 2.0
