"""Arrays on a device. The CPU's are numpy's own: functions take and return those directly.

`NDArray` adds what programs for several devices ask of an array; on the CPU nothing is copied to answer. Arrays on a
GPU are `runtime.kernels.device_array.DeviceArray`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .runtime.buffers import aligned_empty
from .runtime.devices import Device

__all__ = ["NDArray", "array", "empty"]


class NDArray(np.ndarray[Any, np.dtype[Any]]):
    """A numpy array. `device` is numpy's: "cpu"."""

    def numpy(self) -> npt.NDArray[Any]:
        """The same memory as a plain numpy array."""
        return np.asarray(self)

    asnumpy = numpy

    def copyfrom(self, source: npt.ArrayLike) -> NDArray:
        """Take over the elements of another array of the same shape."""
        self[...] = source
        return self


def array(values: npt.ArrayLike, device: Device | None = None) -> Any:
    """A copy of `values` on the device, an `NDArray` on the CPU. Raises TilewrightError TW0634 without a GPU."""
    source = np.asarray(values)
    if device is not None and device.kind == "cuda":
        from .runtime.kernels.device_array import DeviceArray

        return DeviceArray.of(source, device.index)
    result = empty(source.shape, source.dtype, device)
    result[...] = source
    return result


def empty(shape: Sequence[int], dtype: npt.DTypeLike = "float32", device: Device | None = None) -> Any:
    """An array of unspecified values, an `NDArray` on the CPU. Raises TilewrightError TW0634 without a GPU."""
    if device is not None and device.kind == "cuda":
        from .runtime.kernels.device_array import DeviceArray

        return DeviceArray.empty(shape, np.dtype(dtype), device.index)
    return aligned_empty(shape, np.dtype(dtype)).view(NDArray)
