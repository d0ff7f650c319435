"""CUDA's driver as far as calls go, over the host's memory: what tests of calls put where NVIDIA's would be.

"Devices" own ranges of the host's addresses, kernels are run by a simulator when they are launched, and all that is
asked is noted. What it is given as PTX says where the kernels' source is.
"""

from __future__ import annotations

import ctypes
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from tilewright.diagnostics import fail

MARK = "// kernels: "


def source_as_ptx(path: Path, kernels: Mapping[str, Any], capability: tuple[int, int]) -> str:
    """Return, in place of `ptx_of`, a text that names the file and says what types each kernel's parameters have."""
    return MARK + json.dumps({"path": str(path), "types": {name: k.types for name, k in kernels.items()}}) + "\n"


def simulate(path: Path, kernel: str, blocks: Any, threads: Any, arguments: Sequence[Any], shared: int) -> None:
    """Run a kernel in this project's simulator."""
    from tilewright.backends.cuda import simulator

    simulator.launch(simulator.load(path).function(kernel), blocks, threads, arguments, shared_bytes=shared)


class HostDriver:
    """A driver of so many devices."""

    def __init__(
        self, devices: int = 1, capability: tuple[int, int] = (9, 0), run: Callable[..., None] = simulate
    ) -> None:
        self.log: list[tuple[Any, ...]] = []
        """Names of what was asked, with what matters of the arguments."""
        self.devices = devices
        self.current: int | None = None
        self.fail_at: str | None = None
        """Something that is refused."""
        self._capability = capability
        self._run = run
        self._memory: dict[int, tuple[int, int, Any]] = {}
        """Address -> bytes, device, and what owns them."""
        self._modules: dict[int, Any] = {}
        self._functions: dict[int, tuple[int, str]] = {}

    # For tests

    def register_array(self, values: np.ndarray, device: int = 0) -> int:
        """Let the memory of an array be of a device; its address."""
        address = values.__array_interface__["data"][0]
        self._memory[address] = (max(values.nbytes, 1), device, values)
        return address

    def asked(self, *names: str) -> list[tuple[Any, ...]]:
        """Return the calls of these functions, in order."""
        return [entry for entry in self.log if entry[0] in names]

    @property
    def allocated(self) -> int:
        """Return how many allocations there are."""
        return len(self.asked("allocate")) - len(self.asked("free"))

    # As calls see it

    def count(self) -> int:
        return self.devices

    def name(self, device: int) -> str:
        return f"host {device}"

    def capability(self, device: int) -> tuple[int, int]:
        return self._capability

    def attribute(self, device: int, number: int) -> int:
        assert 0 <= device < self.devices
        return 1000 + number

    def use(self, device: int) -> int | None:
        assert 0 <= device < self.devices
        before, self.current = self.current, device
        return None if before == device else (-1 if before is None else before)

    def leave(self, before: int | None) -> None:
        if before is not None:
            self.current = None if before < 0 else before

    def allocate(self, size: int) -> int:
        assert self.current is not None
        size = max(size, 1)
        raw = np.full(size + 256, 0xFF, np.uint8)
        address = -(-raw.__array_interface__["data"][0] // 256) * 256
        self._memory[address] = (size, self.current, raw)
        self.log.append(("allocate", size))
        return address

    def free(self, address: int) -> None:
        assert self._memory.pop(address)[1] == self.current
        self.log.append(("free", address))

    def upload(self, address: int, array: np.ndarray, stream: int) -> None:
        self._at(address, array.nbytes)[:] = array.reshape(-1).view(np.uint8)
        self.log.append(("upload", array.nbytes, stream))

    def download(self, array: np.ndarray, address: int, stream: int) -> None:
        array.reshape(-1).view(np.uint8)[:] = self._at(address, array.nbytes)
        self.log.append(("download", array.nbytes, stream))

    def load(self, ptx: str) -> int:
        self.log.append(("load",))
        line = next(line for line in ptx.splitlines() if line.startswith(MARK))
        self._modules[len(self._modules) + 1] = json.loads(line.removeprefix(MARK))
        return len(self._modules)

    def unload(self, module: int) -> None:
        self.log.append(("unload", module))

    def function(self, module: int, name: str, dynamic_shared: int) -> int:
        assert name in self._modules[module]["types"]
        self._functions[len(self._functions) + 1] = (module, name)
        return len(self._functions)

    def prepare(self, launches: Sequence[Any], stream: int) -> SimpleNamespace:
        return SimpleNamespace(words=[w for launch in launches for w in launch.words], launches=launches, stream=stream)

    def launch(self, prepared: Any) -> None:
        words = list(prepared.words)
        for launch in prepared.launches:
            self._launch(launch, prepared.stream, [words.pop(0) for _ in launch.words])

    def _launch(self, launch: Any, stream: int, given: list[int]) -> None:
        if self.fail_at == "launch":
            fail("TW0642", "expected CUDA's driver to do cuLaunchKernel, but it says no")
        module, name = self._functions[launch.function]
        self.log.append(("launch", name, stream))
        arguments: list[Any] = []
        for type_ in self._modules[module]["types"][name]:
            if not type_.endswith("[]"):
                arguments.append(given.pop(0))
                continue
            host, parent, count, size, address, extent, stride = (given.pop(0) for _ in range(7))
            dtype = np.dtype(type_.removesuffix("[]").replace("boolean", "bool"))
            assert (host, parent, extent, stride) == (0, 0, count, size) and size == dtype.itemsize
            arguments.append(self._at(address, count * size).view(dtype))
        assert not given
        path = Path(self._modules[module]["path"])
        self._run(path, name, launch.blocks, launch.threads, arguments, launch.shared)

    def device_of(self, address: int) -> int:
        for first, (size, device, _) in self._memory.items():
            if first <= address < first + size:
                return device
        fail("TW0642", "expected CUDA's driver to do cuPointerGetAttribute, but it says CUDA_ERROR_INVALID_VALUE")

    def wait(self, stream: int, earlier: int) -> None:
        self.log.append(("wait", stream, earlier))

    def synchronize(self, stream: int) -> None:
        self.log.append(("synchronize", stream))

    def _at(self, address: int, size: int) -> np.ndarray:
        assert size == 0 or self.device_of(address) == self.current
        return np.frombuffer((ctypes.c_uint8 * size).from_address(address), np.uint8)


class CudaArray:
    """An array that `__cuda_array_interface__` tells of; `changes` are entries of that."""

    def __init__(self, driver: HostDriver, values: np.ndarray, device: int = 0, **changes: Any) -> None:
        self.values = values
        base = values
        while isinstance(base.base, np.ndarray):
            base = base.base
        driver.register_array(base, device)
        self.__cuda_array_interface__ = {
            "shape": values.shape,
            "typestr": values.dtype.str,
            "data": (values.__array_interface__["data"][0], False),
            "strides": None if values.flags.c_contiguous else values.strides,
            "version": 3,
            **changes,
        }


class _Managed(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class DlpackArray:
    """An array that `__dlpack__` tells of."""

    CODES = {"i": 0, "u": 1, "f": 2, "V": 4, "b": 6}

    def __init__(self, driver: HostDriver, values: np.ndarray, device: int = 0, kind: int = 2, lanes: int = 1) -> None:
        self.values = values
        self.device = (kind, device)
        self.lanes = lanes
        self.streams: list[Any] = []
        """The streams that consumers named."""
        driver.register_array(values, device)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, *, stream: Any = None) -> Any:
        self.streams.append(stream)
        values = self.values
        shape = (ctypes.c_int64 * values.ndim)(*values.shape)
        strides = (ctypes.c_int64 * values.ndim)(*(s // values.itemsize for s in values.strides))
        self.kept = shape, strides, managed = (shape, strides, _Managed())
        managed.data = values.__array_interface__["data"][0]
        managed.device_type, managed.device = self.device
        managed.rank = values.ndim
        managed.code, managed.bits, managed.lanes = self.CODES[values.dtype.kind], values.itemsize * 8, self.lanes
        managed.shape, managed.strides = ctypes.addressof(shape), ctypes.addressof(strides)
        new = ctypes.pythonapi.PyCapsule_New
        new.argtypes, new.restype = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p), ctypes.py_object
        return new(ctypes.addressof(managed), b"dltensor", None)
