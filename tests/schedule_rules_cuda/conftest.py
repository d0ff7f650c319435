"""Fixtures of tests of the default schedules: a compiler for PTX where one is installed."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.fixture(scope="session")
def nvvm() -> None:
    """Skip where numba finds no NVVM. Asked of another process: numba keeps what it found, and it may print."""
    code = "from numba import cuda, void; cuda.compile_ptx(lambda: None, void(), cc=(9, 0))"
    if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode != 0:
        pytest.skip("numba finds no NVVM: set CUDA_HOME, or install tilewright[cuda]")
