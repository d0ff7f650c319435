"""Arrays on a device. On the CPU these are numpy arrays, which functions take and return directly.

`NDArray` adds the methods that programs for several devices use; on the CPU they copy nothing. Arrays on a GPU are
`runtime.kernels.device_array.DeviceArray`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from ..diagnostics import fail
from ..diagnostics.expectations import coded_names, expect_type
from ..lazy import missing_field
from ..runtime.buffers import aligned_empty
from ..runtime.devices import Device, cpu, cuda, refuse_device
from ..runtime.devices import device as named
from ..runtime.memory import expect_memory

__all__ = ["NDArray", "array", "cpu", "cuda", "empty", "gpu"]

gpu = cuda


class NDArray(np.ndarray[Any, np.dtype[Any]]):
    """A numpy array. `device` is numpy's: "cpu"."""

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_field(self, "an array", name)

    def numpy(self) -> npt.NDArray[Any]:
        """Return the same memory as a plain numpy array."""
        return np.asarray(self)

    asnumpy = numpy

    def copyto(self, target: Any) -> Any:
        """Copy the elements to an array of the same shape, or to a new one on a device; the copy."""
        if isinstance(target, Device):
            return array(self, target)
        if not isinstance(target, np.ndarray) and not hasattr(target, "copyfrom"):
            expect_type("target", target, np.ndarray, Device)
        if isinstance(target, np.ndarray):
            _expect_shape(target.shape, self.shape)
            target[...] = self
        else:
            target.copyfrom(self)
        return target

    def copyfrom(self, source: npt.ArrayLike) -> NDArray:
        """Take over the elements of another array of the same shape. Raises TW0704 for another shape."""
        values = np.asarray(source)
        _expect_shape(self.shape, values.shape)
        self[...] = values
        return self


def array(values: npt.ArrayLike, device: Device | str | None = None, *, ctx: Device | None = None) -> Any:
    """Return a copy of `values` on the device, an `NDArray` on the CPU; `ctx` is an older name of `device`.

    Raises TilewrightError TW0634 without a GPU. Values of the GPU are copied to the host first.
    """
    chosen = _device(device, ctx)
    source = np.asarray(values.numpy() if isinstance(values, _WithCopy) else values)
    if chosen.kind == "cuda":
        from ..runtime.kernels.device_array import DeviceArray

        return DeviceArray.of(source, chosen.index)
    result = empty(source.shape, source.dtype, chosen)
    result[...] = source
    return result


def empty(
    shape: int | Sequence[int],
    dtype: npt.DTypeLike = "float32",
    device: Device | str | None = None,
    *,
    ctx: Device | None = None,
) -> Any:
    """Return an array of unspecified values, an `NDArray` on the CPU; `ctx` is an older name of `device`.

    The lanes of a vector's type, such as "float32x4", are the last dimension. Raises TilewrightError TW0634
    without a GPU, TW0450 for an unknown type, TW0708 where there is no memory for it.
    """
    chosen = _device(device, ctx)
    sizes = [shape] if isinstance(shape, int) else [int(size) for size in shape]
    elements, lanes = _elements(dtype)
    sizes += lanes
    if chosen.kind == "cuda":
        from ..runtime.kernels.device_array import DeviceArray

        return DeviceArray.empty(sizes, elements, chosen.index)
    expect_memory(sizes, elements, "an array")
    return aligned_empty(sizes, elements).view(NDArray)


def _elements(dtype: Any) -> tuple[np.dtype[Any], list[int]]:
    """Return numpy's type of elements, and the lanes of a vector's type."""
    try:
        return np.dtype(dtype), []
    except TypeError:
        from ..dialects.dtypes import numpy_dtype
        from ..te.dtypes import dtype_info, vector_of

    element, *lanes = vector_of(dtype) or (dtype_info(dtype).name,)
    return numpy_dtype(element), lanes


@runtime_checkable
class _WithCopy(Protocol):
    """The protocol of arrays that can be copied to the host."""

    def numpy(self) -> npt.NDArray[Any]: ...


def _device(device: object, ctx: object) -> Device:
    """Return the device that one of the two arguments names; the CPU where neither does. numpy's arrays call theirs
    "cpu"."""
    given = device if ctx is None else ctx
    chosen = named(given) if isinstance(given, str) else given
    expect_type("device", chosen, Device, str, type(None))
    if not isinstance(chosen, Device):
        return cpu()
    if chosen.kind not in ("cpu", "cuda", "simulator"):
        refuse_device(chosen.kind)
    return chosen


def _expect_shape(wanted: tuple[int, ...], shape: tuple[int, ...]) -> None:
    if wanted != shape:
        fail("TW0704", f"expected an array of shape {[*wanted]} to copy, but got {[*shape]}")


coded_names(globals(), __all__)
