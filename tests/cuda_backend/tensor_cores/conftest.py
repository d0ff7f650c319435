"""Kernels go to a folder of the test; whether there is a compiler for vectors of shared memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def vectors_of_shared(nvvm: None) -> None:
    """Skips where shared memory cannot be aligned: numba's own compiler does not know how."""
    code = (
        "from numba import cuda, float32, void\n"
        "cuda.compile_ptx(lambda: cuda.shared.array(4, float32, alignment=16), void(), cc=(8, 0))"
    )
    if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode != 0:
        pytest.skip('numba\'s own compiler does not align shared memory: install "tilewright[cuda]"')
