"""Convolution by fewer multiplications: how far its results are from the exact ones."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright.operators import get_operator
from tilewright.operators.blocks import from_blocks, to_blocks
from tilewright.operators.winograd import transformed_weights

WINDOW = {"strides": (1, 1), "padding": (1, 1, 1, 1), "dilations": (1, 1), "groups": 1}


@pytest.mark.parametrize("channels", [16, 256])
def test_results_are_as_accurate_as_those_of_the_plain_sum(channels: int) -> None:
    """Both rounded to float32 at every step; the error of transformed tiles is not several times as large."""
    rng = np.random.default_rng(channels)
    x = rng.standard_normal((1, channels, 24, 24)).astype(np.float32)
    w = (rng.standard_normal((32, channels, 3, 3)) / np.sqrt(9 * channels)).astype(np.float32)
    convolve = get_operator("conv2d").reference
    exact = np.asarray(convolve(x.astype(np.float64), w.astype(np.float64), **WINDOW))
    plain = np.asarray(convolve(x, w, **WINDOW))
    packed = w.reshape(2, 16, channels // 16, 16, 3, 3).transpose(0, 2, 4, 5, 3, 1)
    operands = (to_blocks(x, 16), transformed_weights(packed))
    tiles = from_blocks(np.asarray(get_operator("winograd_conv2d").reference(*operands, padding=(1, 1, 1, 1))))
    scale = np.abs(exact).max()
    assert np.abs(tiles - exact).max() < 3e-6 * scale
    assert np.abs(tiles - exact).max() < 4 * np.abs(plain - exact).max()
