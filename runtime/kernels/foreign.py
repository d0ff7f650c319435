"""Arrays of other libraries as kernels see them: an address, a shape and strides on a device.

Two protocols describe them: `__cuda_array_interface__` (numba's documentation, "CUDA Array Interface (Version 3)") and
`__dlpack__` (DLPack, "Python Specification"), which is used where the former is missing or lacks the element type, such
as bfloat16. Arrays of this package and tensors of torch need neither. Nothing is copied, and the host does not wait.
"""

from __future__ import annotations

import ctypes
from typing import Any, NoReturn, cast

import numpy as np

from ..arguments import Argument
from ..errors import TilewrightError, fail
from .device_array import DeviceArray
from .layout import ForeignArray, layout
from .tensors import is_tensor, read_tensor

HOST_ARRAY, UNUSABLE, NO_STREAM = "TW0633", "TW0707", "TW0645"
_DLPACK_CUDA, _DLPACK_MANAGED = 2, 13
_DLPACK_KINDS = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}


def is_on_device(value: Any) -> bool:
    """Return whether a value declares itself an array on a GPU."""
    if is_tensor(type(value)):
        return bool(value.is_cuda)
    if hasattr(value, "__dlpack_device__"):
        return int(value.__dlpack_device__()[0]) in (_DLPACK_CUDA, _DLPACK_MANAGED)
    return isinstance(value, DeviceArray) or hasattr(value, "__cuda_array_interface__")


def foreign_array(argument: Argument, value: Any, stream: int) -> ForeignArray:
    """Return the array on the device that an argument's value describes, for use on the stream `stream`.

    Raises TW0633 for an array of the host, TW0703 for another dtype, TW0707 for one that kernels cannot use as it is.
    """
    try:
        read = read_tensor(argument, value) if is_tensor(type(value)) else _by_protocols(argument, value, stream)
    except TilewrightError:
        raise
    except (BufferError, RuntimeError, TypeError) as error:  # torch and cupy refuse an export
        fail(UNUSABLE, f"expected argument '{argument.name}' to be an array that others may use, but: {error}")
    if read is None:
        refuse_host(argument, value)
    if read.layout.dtype != argument.dtype:
        fail(
            "TW0703",
            f"expected argument '{argument.name}' to have dtype {argument.dtype}, but got {read.layout.dtype}",
        )
    return read


def refuse_host(argument: Argument, value: Any) -> NoReturn:
    """Raise TW0633: a value is no array of the device."""
    fail(
        HOST_ARRAY,
        f"expected argument '{argument.name}' to be an array of the GPU, but got {type(value).__name__} of the host",
        help="nd.array(values, tilewright.cuda()) makes one, as do numba.cuda.to_device(array), tensor.cuda() of torch "
        "and cupy.asarray(array); build(..., copy=True) lets arrays of the host be copied at every call",
    )


def stated_device(value: Any) -> int | None:
    """Return the number of the device that a value states; None where it does not say."""
    if is_tensor(type(value)):
        return int(value.get_device())
    return int(value.__dlpack_device__()[1]) if hasattr(value, "__dlpack_device__") else None


def _by_protocols(argument: Argument, value: Any, stream: int) -> ForeignArray | None:
    if not is_on_device(value):
        return None
    return _of_package(value) or _by_interface(argument, value) or _by_dlpack(argument, value, stream)


def _of_package(value: Any) -> ForeignArray | None:
    """Return the description of an array of this package; None for all others."""
    if not isinstance(value, DeviceArray):
        return None
    return ForeignArray(
        value.address, layout(value.shape, None, value.dtype), False, value.device.index, value.stream, value
    )


def _by_interface(argument: Argument, value: Any) -> ForeignArray | None:
    """Return an array by `__cuda_array_interface__`; None where there is none, or none for this element type."""
    interface = cast("dict[str, Any] | None", getattr(value, "__cuda_array_interface__", None))
    if interface is None or np.dtype(interface["typestr"]).kind not in "biuf":
        return None
    if interface.get("mask") is not None:
        fail(UNUSABLE, f"expected argument '{argument.name}' to be an array without a mask, but it has one")
    dtype = np.dtype(interface["typestr"])
    shape = tuple(int(n) for n in interface["shape"])
    strides = interface.get("strides")
    address, is_read_only = interface["data"]
    stream = interface.get("stream")
    if stream == 0:
        fail(UNUSABLE, f"expected argument '{argument.name}' to name its stream, but 0 may be either default stream")
    return ForeignArray(
        int(address or 0),
        layout(shape, None if strides is None else tuple(int(s) for s in strides), dtype),
        bool(is_read_only),
        stream=None if stream is None else int(stream),
        owner=value,
    )


class _DLTensor(ctypes.Structure):
    """DLPack's tensor; a `DLManagedTensor` begins with it."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


def _by_dlpack(argument: Argument, value: Any, stream: int) -> ForeignArray:
    """Return an array by `__dlpack__`: the producer makes `stream` wait for its pending work. The capsule keeps
    the memory, and gives it back by itself."""
    # In this protocol 1 is the default stream that others wait for.
    capsule = value.__dlpack__(stream=stream or 1)
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.argtypes, get_pointer.restype = (ctypes.py_object, ctypes.c_char_p), ctypes.c_void_p
    tensor = _DLTensor.from_address(get_pointer(capsule, b"dltensor"))
    shape = tuple(tensor.shape[n] for n in range(tensor.rank))
    dtype = _dlpack_dtype(argument, tensor)
    strides = None
    if tensor.strides:
        strides = tuple(tensor.strides[n] * dtype.itemsize for n in range(tensor.rank))
    address = (tensor.data or 0) + tensor.byte_offset
    return ForeignArray(address, layout(shape, strides, dtype), device=tensor.device, owner=(value, capsule))


def _dlpack_dtype(argument: Argument, tensor: _DLTensor) -> np.dtype[Any]:
    kind, bits = _DLPACK_KINDS.get(tensor.code), int(tensor.bits)
    try:
        if kind is None or tensor.lanes != 1:
            raise TypeError
        if kind == "bfloat":
            import ml_dtypes

            return np.dtype(ml_dtypes.bfloat16)
        return np.dtype("bool" if kind == "bool" else f"{kind}{bits}")
    except TypeError:
        what = f"type code {tensor.code} of {bits} bits and {tensor.lanes} lanes"
        fail("TW0703", f"expected argument '{argument.name}' to have dtype {argument.dtype}, but got DLPack's {what}")


def stream_handle(stream: Any) -> int:
    """Return the handle of a stream of torch, cupy, numba or any object with `__cuda_stream__`; numbers are handles.

    Raises TW0645 for anything else.
    """
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    protocol: Any = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        version_and_handle: Any = protocol() if callable(protocol) else protocol
        return int(version_and_handle[1])
    for name in ("cuda_stream", "ptr"):  # torch's, cupy's
        if isinstance(handle := getattr(stream, name, None), int):
            return handle
    handle = getattr(stream, "handle", None)  # numba's
    if handle is not None:
        handle = getattr(handle, "value", handle)
        return int(handle or 0)
    fail(NO_STREAM, f"expected a stream of CUDA, but got {type(stream).__name__}")
