"""Compares files of numbers, one a line, with the first: `compare.py expected.txt FILE...`."""

from __future__ import annotations

import sys

import numpy as np

expected, *others = map(np.loadtxt, sys.argv[1:])
for name, actual in zip(sys.argv[2:], others, strict=True):
    np.testing.assert_allclose(actual, expected, atol=1e-5, err_msg=name)
print(f"{len(others)} programs agree on {len(expected)} scores; the largest is number {expected.argmax()}")
