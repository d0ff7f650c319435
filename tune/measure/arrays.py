"""The arguments of a workload in memory, for programs of the CPU and of a GPU, and the results that are expected."""

from __future__ import annotations

import ctypes
import mmap
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...runtime.buffers import Array, address_of, large_block, rounded
from ...runtime.hardware import LARGE_PAGE_BYTES
from ...semantics.compare import first_difference
from ...semantics.random_streams import Purpose, generator
from .protocol import Argument, CompiledProgram, Workload

if TYPE_CHECKING:
    from ...runtime.function import Function
    from ...runtime.kernels.device_array import DeviceArray

FLUSHED_BYTES = 128 << 20
"""Bytes that are written to flush the caches: several times the caches of one core, and most of a large shared one."""
_READ_ONLY = 1


@dataclass
class HostArrays:
    """Arrays of the host."""

    workload: Workload
    inputs: list[Array]
    """In memory that no program can write to."""
    outputs: list[Array]
    expected: list[Array] = field(default_factory=list[Array])
    _flushed: Array | None = None

    @property
    def passed(self) -> list[Any]:
        """The arguments of a call."""
        return [*self.inputs, *self.outputs]

    def spoil(self) -> None:
        """Fill outputs with values that no result has: elements that a program does not write differ from the
        reference."""
        for array in self.outputs:
            array.reshape(-1).view(np.uint8)[...] = 0xFF

    def difference(self) -> str | None:
        """Return the first element that differs from the reference."""
        found = first_difference(self.expected, self.outputs, exact=False, tolerance=self.workload.tolerance)
        return None if found is None else str(found)

    def prepare_flush(self) -> None:
        """Allocate what `flush` writes to."""
        if self._flushed is None:
            self._flushed = large_block(FLUSHED_BYTES)

    def flush(self) -> None:
        """Evict all arguments from the caches. If some arguments are weights, load the other arguments again."""
        assert self._flushed is not None
        self._flushed += 1
        arguments = self.workload.arguments
        if any(argument.is_constant for argument in arguments):
            for argument, array in zip(arguments, self.passed, strict=True):
                if not argument.is_constant:
                    array.reshape(-1).view(np.uint8).max(initial=0)


class DeviceArrays:
    """Copies of a workload's arguments on a GPU."""

    def __init__(self, host: HostArrays) -> None:
        from ...runtime.kernels.device_array import DeviceArray

        self._host = host
        self._flushed: DeviceArray | None = None
        self._zeros = np.zeros(0, np.uint8)
        self.passed: list[DeviceArray] = [DeviceArray.of(array) for array in host.passed]
        """The arguments of a call."""

    def spoil(self) -> None:
        """Fill outputs as `HostArrays.spoil` does. Inputs are copied anew: nothing keeps a program from writing to
        them."""
        self._host.spoil()
        for copy, array in zip(self.passed, self._host.passed, strict=True):
            copy.copyfrom(array)

    def difference(self) -> str | None:
        """Return the first element that differs from the reference."""
        results = self.passed[len(self._host.inputs) :]
        for array, result in zip(self._host.outputs, results, strict=True):
            array[...] = result.numpy()
        return self._host.difference()

    def prepare_flush(self) -> None:
        """Allocate what `flush` writes to."""
        from ...runtime.kernels.device_array import DeviceArray

        if self._flushed is None:
            self._zeros = np.zeros(FLUSHED_BYTES, np.uint8)
            self._flushed = DeviceArray.of(self._zeros)

    def flush(self) -> None:
        """Put all arguments out of the cache of the GPU."""
        assert self._flushed is not None
        self._flushed.copyfrom(self._zeros)


def drawn_arrays(workload: Workload) -> HostArrays:
    """Draw the arguments of a workload, and run the reference on them."""
    drawn = [_drawn(a, workload.seed, number) for number, a in enumerate(workload.arguments) if not a.is_output]
    outputs = [a for a in workload.arguments if a.is_output]
    results = _together([(a.shape, _dtype(a.dtype)) for a in outputs])
    arrays = HostArrays(workload, _protected(drawn), results)
    arrays.spoil()
    loaded(workload.reference).call(*arrays.passed)
    return replace(arrays, expected=_protected(results))


def loaded(program: CompiledProgram) -> Function:
    """Return the entry of a program, in this process."""
    module: Any = pickle.loads(program.code)
    function: Function = module.entry
    return function


def _dtype(name: str) -> np.dtype[Any]:
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes

        return np.dtype(getattr(ml_dtypes, name))


def _drawn(argument: Argument, seed: int, number: int) -> Array:
    rng, dtype = generator(Purpose.TASK_ARGUMENTS, seed, number), _dtype(argument.dtype)
    if dtype.kind in "biu" or argument.dtype.startswith(("int", "uint")):
        return rng.integers(int(argument.low), int(argument.high), argument.shape).astype(dtype)
    return np.asarray(rng.uniform(argument.low, argument.high, argument.shape)).astype(dtype)


def _together(wanted: Sequence[tuple[tuple[int, ...], np.dtype[Any]]]) -> list[Array]:
    """Return arrays behind one another in separate pages, in large pages where they fill some."""
    sizes = [int(np.prod(shape, dtype=np.int64)) * dtype.itemsize for shape, dtype in wanted]
    block = large_block(max(LARGE_PAGE_BYTES // 2, sum(map(rounded, sizes))))
    found: list[Array] = []
    end = 0
    for (shape, dtype), size in zip(wanted, sizes, strict=True):
        found.append(block[end : end + size].view(dtype).reshape(shape))
        end += rounded(size)
    return found


def _protected(arrays: Sequence[Array]) -> list[Array]:
    """Return copies in write-protected memory: a program that writes to an input crashes rather than corrupt later
    measurements."""
    copies = _together([(a.shape, a.dtype) for a in arrays])
    for copy, array in zip(copies, arrays, strict=True):
        copy[...] = array
    if copies and address_of(copies[0]) % mmap.PAGESIZE == 0:
        size = sum(rounded(a.nbytes) for a in arrays)
        size = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        ctypes.CDLL(None).mprotect(ctypes.c_void_p(address_of(copies[0])), ctypes.c_size_t(size), _READ_ONLY)
    return copies
