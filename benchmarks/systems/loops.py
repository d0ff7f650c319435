"""numba on plain loops, as in programs that call no library."""

from __future__ import annotations

import numpy as np
from harness.row import Arrays, Case, Setup


def with_numba(kernel: str) -> Setup:
    """Return the kernel of that name in `numba_kernels`, called with the inputs and then the output."""

    def set_up(inputs: Arrays, out: np.ndarray, threads: int) -> Case:
        from . import numba_kernels

        run = getattr(numba_kernels, kernel)
        return Case(lambda: run(*inputs, out))

    return set_up
