"""CUDA's driver: memory, modules, launches. Calls access a GPU only through a `Driver`.

`CudaDriver` calls NVIDIA's driver through ctypes (CUDA Driver API, "Driver API Reference"). It uses the primary context
of a device, as do torch, cupy and numba, so that their memory can be used without a copy.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, NoReturn, Protocol

from ..buffers import Array, address_of
from ..errors import fail
from ..slots import LAUNCHER

REFUSED, NO_MEMORY, NO_CUDA = "TW0642", "TW0708", "TW0634"
INSTALL = 'pip install "tilewright[cuda]"'

_ATTRIBUTE_CAPABILITY_MAJOR, _ATTRIBUTE_CAPABILITY_MINOR = 75, 76
DEVICE_ATTRIBUTES: dict[str, tuple[int, ...]] = {
    "max_threads_per_block": (1,),
    "max_thread_dimensions": (2, 3, 4),
    "max_shared_memory_per_block": (8,),
    "warp_size": (10,),
    "max_clock_rate": (13,),
    "multi_processor_count": (16,),
}
"""The attributes of a device, with the numbers that `Driver.attribute` takes (CUDA Driver API, CUdevice_attribute)."""
_POINTER_DEVICE_ORDINAL = 9
_FUNCTION_DYNAMIC_SHARED = 8
_EVENT_DISABLE_TIMING = 2
_ERROR_OUT_OF_MEMORY = 2

_P, _I, _U, _S = ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_size_t
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "cuInit": (_U,),
    "cuGetErrorName": (_I, _P),
    "cuGetErrorString": (_I, _P),
    "cuDeviceGetCount": (_P,),
    "cuDeviceGet": (_P, _I),
    "cuDeviceGetName": (_P, _I, _I),
    "cuDeviceGetAttribute": (_P, _I, _I),
    "cuDevicePrimaryCtxRetain": (_P, _I),
    "cuCtxGetCurrent": (_P,),
    "cuCtxSetCurrent": (_P,),
    "cuMemAlloc_v2": (_P, _S),
    "cuMemFree_v2": (_P,),
    "cuMemcpyHtoDAsync_v2": (_P, _P, _S, _P),
    "cuMemcpyDtoHAsync_v2": (_P, _P, _S, _P),
    "cuModuleLoadDataEx": (_P, _P, _U, _P, _P),
    "cuModuleUnload": (_P,),
    "cuModuleGetFunction": (_P, _P, ctypes.c_char_p),
    "cuFuncSetAttribute": (_P, _I, _I),
    "cuLaunchKernel": (_P, _U, _U, _U, _U, _U, _U, _U, _P, _P, _P),
    "cuPointerGetAttribute": (_P, _I, _P),
    "cuEventCreate": (_P, _U),
    "cuEventRecord": (_P, _P),
    "cuEventDestroy_v2": (_P,),
    "cuStreamWaitEvent": (_P, _P, _U),
    "cuStreamSynchronize": (_P,),
}
"""The functions that are used, and the types of their parameters; each returns a status."""


class KernelLaunch(NamedTuple):
    """A launch of a kernel whose parameters are 64-bit words."""

    function: int
    blocks: Sequence[int]
    threads: Sequence[int]
    shared: int
    words: Sequence[int]


class Prepared(Protocol):
    """Prepared launches."""

    @property
    def words(self) -> Any:
        """The parameter words of all launches, one after another, which may be changed between launches."""
        ...


class Driver(Protocol):
    """The interface to the driver of GPUs. Addresses and handles are numbers; memory and kernels are those of the
    device that `use` made the thread's current device. All functions except `synchronize` and the copies return before
    the device is done."""

    def count(self) -> int:
        """Return the number of devices."""
        ...

    def name(self, device: int) -> str:
        """Return the name of a device."""
        ...

    def capability(self, device: int) -> tuple[int, int]:
        """Return the compute capability of a device."""
        ...

    def attribute(self, device: int, number: int) -> int:
        """Return the attribute of a device with a number of CUDA's."""
        ...

    def use(self, device: int) -> int | None:
        """Make a device this thread's current one. Return the argument of `leave` that restores the former one; None
        where the device was current already."""
        ...

    def leave(self, before: int | None) -> None:
        """Make what was current before `use` current again."""
        ...

    def allocate(self, size: int) -> int:
        """Return the address of new memory. Raises TW0708 where there is none."""
        ...

    def free(self, address: int) -> None:
        """Give memory back."""
        ...

    def upload(self, address: int, array: Array, stream: int) -> None:
        """Copy a contiguous array of the host to the device, in the order of a stream."""
        ...

    def download(self, array: Array, address: int, stream: int) -> None:
        """Copy memory of the device to a contiguous array of the host, in the order of a stream."""
        ...

    def load(self, ptx: str) -> int:
        """Load a module of kernels. Raises TW0642 for PTX that the driver does not take."""
        ...

    def unload(self, module: int) -> None:
        """Forget a module."""
        ...

    def function(self, module: int, name: str, dynamic_shared: int) -> int:
        """Return a kernel that may get so many bytes of shared memory at launch."""
        ...

    def prepare(self, launches: Sequence[KernelLaunch], stream: int) -> Prepared:
        """Prepare launches in a stream, one after another, to be made once or often."""
        ...

    def launch(self, prepared: Any) -> None:
        """Make the launches of `prepare`, with the words as they are by then."""
        ...

    def device_of(self, address: int) -> int:
        """Return the number of the device that memory lies on. Raises TW0642 for memory that is no device's."""
        ...

    def wait(self, stream: int, earlier: int) -> None:
        """Let a stream wait for all that another has been given so far."""
        ...

    def synchronize(self, stream: int) -> None:
        """Wait until the device has done all that a stream has been given."""
        ...


def no_cuda(reason: str) -> NoReturn:
    """Raise TW0634: there is no GPU to run on."""
    fail(
        NO_CUDA,
        f"expected a GPU with CUDA, but {reason}",
        help=f"kernels run with NVIDIA's driver, and {INSTALL} brings the compiler. Without a GPU, build with "
        'device="simulator", or show the code: get_source("ptx")',
    )


@cache
def cuda_driver() -> Driver:
    """Return the driver of this system. Raises TW0634 where there is none, or no device."""
    name = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        no_cuda(f"this system has no driver of NVIDIA ({name})")
    return CudaDriver(library)


class _Launches(NamedTuple):
    """Prepared launches in the form of a launcher's arguments."""

    words: Any
    pointers: Any
    """The addresses of the words, which the records point to."""
    arguments: tuple[Any, ...]
    launches: Sequence[KernelLaunch]


class CudaDriver:
    """The `Driver` that calls NVIDIA's driver."""

    def __init__(self, library: ctypes.CDLL) -> None:
        self._functions: dict[str, Any] = {}
        for name, types in PROTOTYPES.items():
            function = getattr(library, name)
            function.argtypes, function.restype = types, _I
            self._functions[name] = function
        self._current: Any = self._functions["cuCtxGetCurrent"]
        self._contexts: dict[int, int] = {}
        self._count: int | None = None
        status = self._functions["cuInit"](0)
        if status:
            no_cuda(f"its driver does not start: {self._words(status)}")
        if self.count() == 0:
            no_cuda("its driver finds no device")

    def count(self) -> int:
        """Return the number of devices."""
        if self._count is None:
            self._count = self._int("cuDeviceGetCount")
        return self._count

    def name(self, device: int) -> str:
        """Return the name of a device."""
        text = ctypes.create_string_buffer(256)
        self._do("cuDeviceGetName", text, len(text), self._int("cuDeviceGet", device))
        return text.value.decode()

    def capability(self, device: int) -> tuple[int, int]:
        """Return the compute capability of a device."""
        numbers = _ATTRIBUTE_CAPABILITY_MAJOR, _ATTRIBUTE_CAPABILITY_MINOR
        major, minor = (self.attribute(device, number) for number in numbers)
        return major, minor

    def attribute(self, device: int, number: int) -> int:
        """Return the attribute of a device with a number of CUDA's."""
        return self._int("cuDeviceGetAttribute", number, self._int("cuDeviceGet", device))

    def use(self, device: int) -> int | None:
        """Make a device's primary context this thread's current one. The context stays as long as the process."""
        context = self._contexts.get(device)
        if context is None:
            handle = self._int("cuDeviceGet", device)
            context = self._contexts[device] = self._handle("cuDevicePrimaryCtxRetain", handle)
        current = _P()
        status = self._current(ctypes.byref(current))
        if current.value == context:
            return None
        self._check("cuCtxGetCurrent", status)
        self._do("cuCtxSetCurrent", context)
        return current.value or 0

    def leave(self, before: int | None) -> None:
        """Make what was current before `use` current again. A thread that had none keeps the last."""
        if before:
            self._do("cuCtxSetCurrent", before)

    def allocate(self, size: int) -> int:
        """Return the address of new memory. Raises TW0708 where there is none."""
        address = _P()
        status = self._functions["cuMemAlloc_v2"](ctypes.byref(address), max(size, 1))
        if status == _ERROR_OUT_OF_MEMORY:
            fail(NO_MEMORY, f"expected {size} bytes of the GPU's memory, but there are not as many left")
        self._check("cuMemAlloc_v2", status)
        return address.value or 0

    def free(self, address: int) -> None:
        """Give memory back. The driver waits until the device is done with it."""
        self._do("cuMemFree_v2", address)

    def upload(self, address: int, array: Array, stream: int) -> None:
        """Copy a contiguous array of the host to the device, in the order of a stream."""
        self._do("cuMemcpyHtoDAsync_v2", address, address_of(array), array.nbytes, stream)
        self.synchronize(stream)  # the array may be gone before the device has it

    def download(self, array: Array, address: int, stream: int) -> None:
        """Copy memory of the device to a contiguous array of the host, in the order of a stream."""
        self._do("cuMemcpyDtoHAsync_v2", address_of(array), address, array.nbytes, stream)
        self.synchronize(stream)

    def load(self, ptx: str) -> int:
        """Load a module of kernels. Raises TW0642 for PTX that the driver does not take."""
        log = ctypes.create_string_buffer(8192)
        error_log, error_log_size = 5, 6
        options = (_I * 2)(error_log, error_log_size)
        values = (_P * 2)(ctypes.addressof(log), len(log))
        module = _P()
        text = ptx.encode() + b"\0"
        status = self._functions["cuModuleLoadDataEx"](ctypes.byref(module), text, 2, options, values)
        self._check("cuModuleLoadDataEx", status, log.value.decode(errors="replace"))
        return module.value or 0

    def unload(self, module: int) -> None:
        """Forget a module."""
        self._do("cuModuleUnload", module)

    def function(self, module: int, name: str, dynamic_shared: int) -> int:
        """Return a kernel that may get so many bytes of shared memory at launch."""
        function = self._handle("cuModuleGetFunction", module, name.encode())
        if dynamic_shared:
            self._do("cuFuncSetAttribute", function, _FUNCTION_DYNAMIC_SHARED, dynamic_shared)
        return function

    def prepare(self, launches: Sequence[KernelLaunch], stream: int) -> _Launches:
        """Prepare launches in a stream, one after another, to be made once or often."""
        given = [word for launch in launches for word in launch.words]
        words = (ctypes.c_int64 * len(given))(*given)
        first = ctypes.addressof(words)
        pointers = (_P * len(given))(*range(first, first + 8 * len(given), 8))
        records, parameters = list[int](), ctypes.addressof(pointers)
        for launch in launches:
            records += [launch.function, *launch.blocks, *launch.threads, launch.shared, stream, parameters]
            parameters += 8 * len(launch.words)
        table = (ctypes.c_int64 * len(records))(*records)
        arguments = ctypes.cast(self._functions["cuLaunchKernel"], _P).value, table, len(launches)
        return _Launches(words, pointers, arguments, launches)

    def launch(self, prepared: _Launches) -> None:
        """Make the launches of `prepare`, with the words as they are by then."""
        result = LAUNCHER.value(*prepared.arguments)
        status = result & 0xFFFF_FFFF
        if status:
            refused = prepared.launches[result >> 32]
            how = f"grid {refused.blocks}, block {refused.threads}, {refused.shared} bytes of shared memory"
            self._check("cuLaunchKernel", status, how)

    def device_of(self, address: int) -> int:
        """Return the number of the device that memory lies on. Raises TW0642 for memory that is no device's."""
        device = _I()
        self._do("cuPointerGetAttribute", ctypes.byref(device), _POINTER_DEVICE_ORDINAL, address)
        return device.value

    def wait(self, stream: int, earlier: int) -> None:
        """Let a stream wait for all that another has been given so far. The host does not wait."""
        event = self._handle("cuEventCreate", _EVENT_DISABLE_TIMING)
        try:
            self._do("cuEventRecord", event, earlier)
            self._do("cuStreamWaitEvent", stream, event, 0)
        finally:
            self._do("cuEventDestroy_v2", event)

    def synchronize(self, stream: int) -> None:
        """Wait until the device has done all that a stream has been given."""
        self._do("cuStreamSynchronize", stream)

    def _int(self, name: str, *arguments: Any) -> int:
        value = _I()
        self._do(name, ctypes.byref(value), *arguments)
        return value.value

    def _handle(self, name: str, *arguments: Any) -> int:
        value = _P()
        self._do(name, ctypes.byref(value), *arguments)
        return value.value or 0

    def _do(self, name: str, *arguments: Any) -> None:
        self._check(name, self._functions[name](*arguments))

    def _check(self, name: str, status: int, *details: str) -> None:
        if status:
            notes = [line for text in details for line in text.splitlines() if line.strip()][:8]
            fail(REFUSED, f"expected CUDA's driver to do {name}, but it says {self._words(status)}", notes=notes)

    def _words(self, status: int) -> str:
        """Return the driver's name and description of a status."""
        found: list[str] = []
        for function in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            if self._functions[function](status, ctypes.byref(text)) == 0 and text.value:
                found.append(text.value.decode())
        return f"{found[0]}: {found[1]}" if len(found) == 2 else f"error {status}"
