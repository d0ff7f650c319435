"""The package's array type for GPU memory."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from copy import copy
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from ..buffers import Array
from ..devices import Device
from ..errors import fail
from ..memory import contiguous_copy
from .driver import Driver, cuda_driver

if TYPE_CHECKING:
    import numpy.typing as npt


class DeviceArray:
    """A dense array on a GPU. It frees its memory when it is collected; torch, cupy and numba accept it without a
    copy."""

    def __init__(self, address: int, shape: Sequence[int], dtype: np.dtype[Any], device: int, driver: Driver) -> None:
        self.address = address
        self.shape = tuple(shape)
        self.dtype = dtype
        self.device = Device("cuda", device)
        self.stream = 0
        """The stream in whose order its values come to be."""
        self._driver = driver
        self._freed = weakref.finalize(self, free, driver, device, [address])
        self._freed.atexit = False  # the process's end frees all
        self._base: DeviceArray | None = None
        """The array whose memory it is a view of."""

    @staticmethod
    def empty(shape: Sequence[int], dtype: np.dtype[Any], device: int = 0, driver: Driver | None = None) -> DeviceArray:
        """Return an array without values. Raises TW0634 without a GPU, TW0708 where its memory is full."""
        driver = driver or cuda_driver()
        before = driver.use(device)
        try:
            address = driver.allocate(prod(shape) * dtype.itemsize)
        finally:
            driver.leave(before)
        return DeviceArray(address, shape, dtype, device, driver)

    @staticmethod
    def of(values: Array, device: int = 0, driver: Driver | None = None) -> DeviceArray:
        """Return a copy of an array of the host. Raises TW0708 where there is no memory for it."""
        if not values.flags.c_contiguous:
            values = contiguous_copy(values, "an array for a device")
        values = np.ascontiguousarray(values)
        made = DeviceArray.empty(values.shape, values.dtype, device, driver)
        before = made._driver.use(device)
        try:
            made._driver.upload(made.address, values, 0)
        finally:
            made._driver.leave(before)
        return made

    def viewed(self, shape: Sequence[int]) -> DeviceArray:
        """Return the same memory, of as many elements, in another shape."""
        view = copy(self)
        view.shape, view._base = tuple(shape), self
        return view

    def numpy(self) -> Array:
        """Return a copy on the host, made when all that the array's stream was given is done."""
        values = np.empty(self.shape, self.dtype)
        before = self._driver.use(self.device.index)
        try:
            self._driver.download(values, self.address, self.stream)
        finally:
            self._driver.leave(before)
        return values

    asnumpy = copy_to_host = numpy

    def copyfrom(self, source: npt.ArrayLike) -> DeviceArray:
        """Take over the elements of an array of the host of the same shape. Raises TW0704 for another shape."""
        given = np.asarray(source)
        if given.shape != self.shape:
            fail("TW0704", f"expected an array of shape {[*self.shape]} to copy, but got {[*given.shape]}")
        values = np.ascontiguousarray(given, self.dtype)
        before = self._driver.use(self.device.index)
        try:
            self._driver.upload(self.address, values, self.stream)
        finally:
            self._driver.leave(before)
        return self

    def copyto(self, target: Any) -> Any:
        """Copy the elements to an array of the same shape, or to a new one on a device; the copy."""
        if isinstance(target, Device):
            values = self.numpy()
            return DeviceArray.of(values, target.index, self._driver) if target.kind == "cuda" else values
        if isinstance(target, DeviceArray):
            return target.copyfrom(self.numpy())
        target[...] = self.numpy()
        return target

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": None,
            "version": 3,
            "stream": self.stream or 1,  # the protocol's number of the default stream
        }

    def __repr__(self) -> str:
        return f"<array on {self.device}: {self.dtype.name}[{', '.join(map(str, self.shape))}]>"


def free(driver: Driver, device: int, addresses: list[int]) -> None:
    """Free memory of a device."""
    if addresses:
        before = driver.use(device)
        try:
            for address in addresses:
                driver.free(address)
        finally:
            driver.leave(before)
