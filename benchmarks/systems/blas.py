"""numpy and scipy, whose matrix products are a BLAS library's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from harness.row import Arrays, Case, Setup


def with_numpy(run: Callable[..., object]) -> Setup:
    """Return a set-up that calls `run(out, *inputs)`, which writes the result into `out`."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        return Case(partial(run, out, *inputs))

    return set_up


def with_scipy(run: Callable[..., object]) -> Setup:
    """Return a set-up that calls `run(blas, out, *inputs)`, which writes the result into `out` by functions of
    scipy.linalg.blas."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        from scipy.linalg import blas

        return Case(partial(run, blas, out, *inputs))

    return set_up
