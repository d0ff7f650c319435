"""The array libraries that calls support: the current stream of each, and the allocation of its arrays.

A library is identified by the name of the module that a value's class comes from. A value of a library exists only if
that library is imported already, so nothing is imported here.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import Any, Protocol

import numpy as np

from .device_array import DeviceArray
from .driver import Driver


class Kind(Protocol):
    """A library of arrays."""

    def stream(self, device: int) -> int | None:
        """Return the handle of the stream that the library is working in; None where it has no such notion."""
        ...

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int) -> Any:
        """Return an array without values, to be written in the order of a stream."""
        ...


class Torch:
    """Tensors of torch. Memory comes from torch's pool, whose blocks belong to the stream in which they were
    allocated."""

    def __init__(self) -> None:
        self._torch: Any = sys.modules["torch"]
        self._raw_stream: Any = getattr(getattr(self._torch, "_C", None), "_cuda_getCurrentRawStream", None)
        """torch's function for the current stream that code compiled by torch calls too: it makes no object."""

    def stream(self, device: int) -> int | None:
        if self._raw_stream is not None:
            return self._raw_stream(device)
        return int(self._torch.cuda.current_stream(device).cuda_stream)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int) -> Any:
        torch = self._torch
        where = f"cuda:{device}"
        if stream == self.stream(device):
            return torch.empty(shape, dtype=getattr(torch, dtype.name), device=where)
        with torch.cuda.stream(torch.cuda.ExternalStream(stream, device=where)):
            return torch.empty(shape, dtype=getattr(torch, dtype.name), device=where)


class _External:
    """A stream that implements CUDA's stream protocol."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self._handle


class Cupy:
    """Arrays of cupy, from its pool."""

    def __init__(self) -> None:
        self._cupy: Any = sys.modules["cupy"]

    def stream(self, device: int) -> int | None:
        return int(self._cupy.cuda.get_current_stream(device).ptr)

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int) -> Any:
        cuda = self._cupy.cuda
        with cuda.Device(device):
            wrap: Any = getattr(cuda.Stream, "from_external", None)  # since cupy 14
            with wrap(_External(stream)) if wrap is not None else cuda.ExternalStream(stream, device):
                return self._cupy.empty(shape, dtype)


class Numba:
    """Device arrays of numba. Its default stream is CUDA's."""

    def __init__(self) -> None:
        self._cuda: Any = sys.modules["numba.cuda"]

    def stream(self, device: int) -> int | None:
        return None

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int) -> Any:
        with self._cuda.gpus[device]:
            return self._cuda.device_array(shape, dtype)


class DeviceArrays:
    """Arrays of this package, for callers whose arrays belong to none of the libraries above."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver

    def stream(self, device: int) -> int | None:
        return None

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int) -> Any:
        made = DeviceArray.empty(shape, dtype, device, self._driver)
        made.stream = stream
        return made


_LIBRARIES: dict[str, type[Torch] | type[Cupy] | type[Numba]] = {
    "torch": Torch,
    "cupy": Cupy,
    "numba": Numba,
    "numba_cuda": Numba,
}
_OF_NUMPY = (Cupy, Numba)
"""The libraries whose dtypes are numpy's."""


def kind_of(value: Any, driver: Driver) -> Kind:
    """Return the library of an array."""
    return _kind(type(value)) or DeviceArrays(driver)


@lru_cache(maxsize=256)
def _kind(cls: type[Any]) -> Torch | Cupy | Numba | None:
    library = _LIBRARIES.get(cls.__module__.partition(".")[0])
    return None if library is None else library()


def empty(kind: Kind, shape: tuple[int, ...], dtype: np.dtype[Any], device: int, stream: int, driver: Driver) -> Any:
    """Return an array of that library, or one of this package's where the library has no such elements."""
    if isinstance(kind, _OF_NUMPY) and dtype.isbuiltin == 2:
        kind = DeviceArrays(driver)
    return kind.empty(shape, dtype, device, stream)
