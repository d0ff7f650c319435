"""Calls of CUDA's driver, against a library of the host with the same functions and types."""

from __future__ import annotations

import ctypes
import importlib
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from needed_tools import skip_without
from tilewright.diagnostics import TilewrightError
from tilewright.runtime.kernels import driver as driver_module
from tilewright.runtime.kernels.driver import PROTOTYPES, CudaDriver, KernelLaunch


class Launch(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char * 64),
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("count", ctypes.c_uint),
        ("stream", ctypes.c_void_p),
        ("words", ctypes.c_longlong * 64),
    )


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    skip_without("cc")
    path = tmp_path_factory.mktemp("libcuda") / "libcuda.so"
    source = Path(__file__).with_name("fake_libcuda.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-w", "-o", str(path), str(source)], check=True)
    return ctypes.CDLL(str(path))


@pytest.fixture
def cuda(library: ctypes.CDLL) -> CudaDriver:
    return CudaDriver(library)


def test_devices(cuda: CudaDriver, library: ctypes.CDLL) -> None:
    assert cuda.count() == 2
    assert [cuda.name(n) for n in (0, 1)] == ["First", "Second"]
    assert [cuda.capability(n) for n in (0, 1)] == [(8, 6), (9, 6)]


def test_the_context_is_put_back(cuda: CudaDriver, library: ctypes.CDLL) -> None:
    library.cuCtxSetCurrent(None)
    retained = ctypes.c_int.in_dll(library, "retained")
    before = retained.value
    first = cuda.use(0)
    assert first == 0 and cuda.use(0) is None
    second = cuda.use(1)
    assert second and cuda.use(1) is None
    cuda.leave(second)
    assert cuda.use(0) is None
    cuda.leave(first)  # there was none
    assert cuda.use(0) is None
    assert retained.value == before + 2  # each once


def test_memory(cuda: CudaDriver) -> None:
    cuda.use(1)
    values = np.arange(12, dtype=np.float32).reshape(3, 4)
    address = cuda.allocate(values.nbytes)
    cuda.upload(address, values, 0)
    assert cuda.device_of(address) == cuda.device_of(address + values.nbytes - 1) == 1
    back = np.zeros_like(values)
    cuda.download(back, address, 3)
    np.testing.assert_array_equal(back, values)
    cuda.free(address)
    with pytest.raises(TilewrightError, match="TW0642.*cuPointerGetAttribute.*CUDA_ERROR_INVALID_VALUE: invalid arg"):
        cuda.device_of(address)
    with pytest.raises(TilewrightError, match="TW0642"):
        cuda.free(address)
    with pytest.raises(TilewrightError, match="TW0708.*GPU's memory"):
        cuda.allocate(1 << 41)
    assert cuda.allocate(0)


def test_a_launch(cuda: CudaDriver, library: ctypes.CDLL) -> None:
    cuda.use(0)
    module = cuda.load(".version 9.0\n")
    function = cuda.function(module, "main_kernel0", 0)
    words = [0, 0, 1 << 33, 4, 0x7F00_0000_1000, -5, 9]
    ctypes.c_int.in_dll(library, "words_wanted").value = len(words)
    cuda.launch(cuda.prepare([KernelLaunch(function, (70000, 2, 3), (32, 4, 2), 1024, words)], 0x5000_0000_0010))
    last = Launch.in_dll(library, "last")
    assert last.name == b"main_kernel0"
    assert ([*last.grid], [*last.block]) == ([70000, 2, 3], [32, 4, 2])
    assert (last.shared, last.stream, [*last.words][: last.count]) == (1024, 0x5000_0000_0010, words)
    prepared = cuda.prepare([KernelLaunch(function, (1, 1, 1), (1, 1, 1), 0, words)], 0)
    prepared.words[4] = 17
    cuda.launch(prepared)
    assert Launch.in_dll(library, "last").words[4] == 17
    several = [KernelLaunch(function, (n, 1, 1), (1024 * (n - 1), 1, 1), 0, [n, *words[1:]]) for n in (1, 2, 3, 4)]
    cuda.launch(cuda.prepare(several[:2], 0))
    last = Launch.in_dll(library, "last")
    assert (last.grid[0], [*last.words][: last.count]) == (2, [2, *words[1:]])
    with pytest.raises(TilewrightError, match="TW0642.*cuLaunchKernel") as raised:
        cuda.launch(cuda.prepare(several, 0))
    assert "block (2048, 1, 1)" in raised.value.notes[0]
    cuda.launch(cuda.prepare([], 0))
    with pytest.raises(TilewrightError, match="TW0642"):
        cuda.launch(cuda.prepare([KernelLaunch(function, (1, 1, 1), (1, 1, 1), 65536, words)], 0))
    large = cuda.function(module, "main_kernel0", 65536)
    cuda.launch(cuda.prepare([KernelLaunch(large, (1, 1, 1), (1, 1, 1), 65536, words)], 0))
    cuda.unload(module)


def test_ptx_that_is_refused(cuda: CudaDriver) -> None:
    with pytest.raises(TilewrightError, match="TW0642.*CUDA_ERROR_INVALID_PTX") as raised:
        cuda.load("nonsense")
    assert raised.value.notes == ["ptxas: syntax error", "line 1"]


def test_a_stream_waits_for_another(cuda: CudaDriver, library: ctypes.CDLL) -> None:
    cuda.wait(0x10, 0x20)
    assert [*(ctypes.c_void_p * 2).in_dll(library, "waits")] == [0x10, 0x20]
    assert ctypes.c_int.in_dll(library, "live_events").value == 0
    cuda.synchronize(0x10)


def test_no_driver_and_no_device(library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    with monkeypatch.context() as patch:
        patch.setattr(driver_module.ctypes, "CDLL", nothing)
        with pytest.raises(TilewrightError, match="TW0634.*no driver of NVIDIA") as raised:
            driver_module.cuda_driver.__wrapped__()
        assert "tilewright[cuda]" in (raised.value.help or "")
    monkeypatch.setattr(CudaDriver, "count", lambda self: 0)
    with pytest.raises(TilewrightError, match="TW0634.*no device"):
        CudaDriver(library)


def test_names_and_types_are_those_of_numba() -> None:
    """Numba calls the same functions; its table says how many parameters they have."""
    table = pytest.importorskip("numba.cuda.cudadrv.drvapi").API_PROTOTYPES
    for name, types in PROTOTYPES.items():
        known = table.get(name) or table.get(re.sub(r"_v2$", "", name))
        if known is not None:
            assert len(known) - 1 == len(types), name
    bindings = importlib.util.find_spec("cuda.bindings.driver") if importlib.util.find_spec("cuda") else None
    if bindings is not None:
        known = dir(importlib.import_module("cuda.bindings.driver"))
        assert [name for name in PROTOTYPES if re.sub(r"_v2$", "", name) not in known] == []
