"""Fixtures of tests of kernels: a compiler for PTX and an assembler where they are installed, and a driver that is the
host."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tilewright.backends.cuda.assembler import Cubin, assemble, disassemble
from tilewright.diagnostics import TilewrightError
from tilewright.runtime import Module


@pytest.fixture(scope="session")
def nvvm() -> None:
    """Skip where numba finds no NVVM. Asked of another process: numba keeps what it found, and it may print."""
    code = "from numba import cuda, void; cuda.compile_ptx(lambda: None, void(), cc=(9, 0))"
    if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode != 0:
        pytest.skip("numba finds no NVVM: set CUDA_HOME, or install tilewright[cuda]")


_EMPTY = """.version 7.0
.target sm_80
.address_size 64
.visible .entry empty()
{
    ret;
}
"""


@pytest.fixture(scope="session")
def assembled(nvvm: None) -> Callable[[Module], Cubin]:
    """Assemble the kernels of a module for its target, as a `Cubin` that knows their registers, spills and
    instructions. Skips where the extras `cuda` and `sass` are not installed."""
    pytest.importorskip("numba_cuda", reason="registers and instructions take the extra `cuda`", exc_type=ImportError)
    try:
        disassemble(assemble(_EMPTY, "sm_80").data)
    except TilewrightError as error:
        assert error.code == "TW0643", error
        pytest.skip(f"{error.message}: {error.help}")

    def assemble_module(module: Module) -> Cubin:
        ptx = module.get_source("ptx")
        return assemble(ptx, ptx.split(".target ", 1)[1].split()[0].rstrip(","))

    return assemble_module


_spec = importlib.util.spec_from_file_location("host_driver", Path(__file__).parent / "backend" / "host_driver.py")
assert _spec is not None and _spec.loader is not None
host_driver = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(host_driver)


@pytest.fixture
def drivers() -> ModuleType:
    """Return the module that has the stand-in for CUDA's driver, and arrays that lie on its devices."""
    return host_driver


@pytest.fixture
def use_driver(monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Any]:
    """Put a driver in place of CUDA's, for programs that are built afterwards."""

    def use(driver: Any) -> Any:
        monkeypatch.setattr("tilewright.runtime.kernels.device_program.cuda_driver", lambda: driver)
        monkeypatch.setattr("tilewright.runtime.kernels.device_array.cuda_driver", lambda: driver)
        monkeypatch.setattr("tilewright.backends.cuda.module.ptx_of", host_driver.source_as_ptx)
        return driver

    return use


@pytest.fixture
def driver(use_driver: Callable[[Any], Any]) -> Any:
    """Use one device, which is the host with the simulator."""
    return use_driver(host_driver.HostDriver())


@pytest.fixture(scope="session")
def vectors_of_shared(nvvm: None) -> None:
    """Skip where shared memory cannot be aligned: numba's own compiler does not know how."""
    code = (
        "from numba import cuda, float32, void\n"
        "def kernel(x):\n"
        "    shared = cuda.shared.array(4, float32, alignment=16)\n"
        "    shared[0] = x[0]\n"
        "    x[1] = shared[0]\n"
        "cuda.compile_ptx(kernel, void(float32[:]), cc=(8, 0))"
    )
    if subprocess.run([sys.executable, "-c", code], capture_output=True).returncode != 0:
        pytest.skip('numba\'s own compiler does not align shared memory: install "tilewright[cuda]"')
