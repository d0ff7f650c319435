"""Calls whose kernels run on a GPU, through numba.cuda."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...diagnostics import fail
from ...dialects.target import STATIC_SHARED
from ...runtime.arguments import Argument, Signature
from ...runtime.buffers import Array
from ...runtime.checked_call import CheckedCall, Outputs
from ...runtime.extent import Extent
from ..kernels import Kernel, sizes_of_call
from .arrays import Buffers, Kept, flat, storage_dtype
from .compiler import load_source, not_compiled, require_cuda, signature
from .launch import Plan

HOST_ARRAY = "TW0633"


class DeviceMemory:
    """Arrays of numba on the current device."""

    def __init__(self, cuda: Any) -> None:
        self._cuda = cuda

    def empty(self, count: int, dtype: np.dtype[Any]) -> Any:
        """A flat array without values."""
        return self._cuda.device_array(count, dtype)

    def upload(self, array: Array) -> Any:
        """A copy on the device."""
        return self._cuda.to_device(array)

    def slice(self, array: Any, first: int, count: int, dtype: np.dtype[Any]) -> Any:
        """`count` elements of another type that begin `first` bytes after the start of an array."""
        return array.view(np.uint8)[first : first + count * dtype.itemsize].view(dtype)


class DeviceCall(CheckedCall):
    """Calls on arrays of the device; on arrays of the host, which are copied there and back, where `copy` says so.

    Raises TW0634 where there is no GPU, TW0633 for an array of the host that nobody asked to copy, TW0635 for a kernel
    that numba cannot compile, beside the errors of other calls.
    """

    def __init__(self, plan: Plan, signature: Signature, copy: bool) -> None:
        super().__init__(signature)
        self._plan = plan
        self._copy = copy
        self._kernels: dict[str, Any] = {}

    @cached_property
    def _cuda(self) -> Any:
        return require_cuda()

    @cached_property
    def _memory(self) -> DeviceMemory:
        return DeviceMemory(self._cuda)

    @cached_property
    def _kept(self) -> Kept:
        return Kept(self._plan.host, self._memory)

    def __call__(self, *arrays: object, out: Outputs | None = None, threads: int | None = None, **named: object) -> Any:
        """Run the function; see `Function`."""
        self._cuda  # noqa: B018 (no device is the first thing to say)
        if self._copy:
            return super().__call__(*arrays, out=out, threads=threads, **named)
        given, outputs, sizes = self._split(arrays, named, out)
        inputs = [self._device_array(a, v) for a, v in zip(self.signature.inputs, given, strict=True)]
        if outputs is None:
            made = self._allocate(self.signature.bind(inputs))
        else:
            made = [self._device_array(a, v) for a, v in zip(self.signature.outputs, outputs, strict=True)]
        bound = self.signature.bind([*inputs, *made])
        self.signature.check_sizes(sizes, bound)
        self._launch([*inputs, *made])
        if outputs is not None and out is None:
            return None
        return made[0] if len(made) == 1 else tuple(made)

    def _split(
        self, arrays: Sequence[object], named: Mapping[str, object], out: Outputs | None
    ) -> tuple[Sequence[object], Sequence[object] | None, dict[str, object]]:
        if named:
            names = [a.name for a in self.signature.inputs]
            if arrays or set(named) != set(names):
                fail("TW0702", f"expected inputs {', '.join(names)} by name, but got {', '.join(named) or 'others'}")
            arrays = [named[name] for name in names]
        given, outputs, sizes = self.signature.split(arrays)
        if out is not None:
            outputs = [*out.values()] if isinstance(out, Mapping) else [out] if hasattr(out, "dtype") else list(out)
        for values, expected in ((given, self.signature.inputs), (outputs, self.signature.outputs)):
            if values is not None and len(values) != len(expected):
                fail("TW0701", f"expected {len(expected)} arrays, but got {len(values)}")
        return given, outputs, sizes

    def _device_array(self, argument: Argument, value: Any) -> Any:
        is_own = hasattr(value, "copy_to_host")  # numba's
        if not is_own and not hasattr(value, "__cuda_array_interface__"):
            fail(
                HOST_ARRAY,
                f"expected argument '{argument.name}' to be an array of the GPU, but got {type(value).__name__}",
                help="numba.cuda.to_device(array) makes one, as do torch and cupy; build(..., copy=True) lets "
                "arrays of the host be copied at every call",
            )
        array = value if is_own else self._cuda.as_cuda_array(value)
        if array.dtype != argument.dtype:
            fail(
                "TW0703",
                f"expected argument '{argument.name}' to have dtype {argument.dtype}, but got {array.dtype}",
            )
        if not array.is_c_contiguous():
            fail("TW0707", f"expected argument '{argument.name}' to be C-contiguous, but it is not")
        return array

    def _allocate(self, sizes: Mapping[str, int]) -> list[Any]:
        made: list[Any] = []
        for argument in self.signature.outputs:
            missing = {n for d in argument.shape if isinstance(d, Extent) for n in d.symbols() if n not in sizes}
            if missing:
                fail(
                    "TW0712",
                    f"expected output '{argument.name}' as an argument: no input has size {min(missing)}",
                    help="pass all arguments; outputs are written in place",
                )
            shape = tuple(d if isinstance(d, int) else d.evaluate(sizes) for d in argument.shape)
            made.append(self._cuda.device_array(shape, argument.dtype))
        return made

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        """Run on arrays of the host: copy them to the device, and results back."""
        given = [self._memory.upload(flat(array)) for array in arrays]
        self._run_kernels(given, sizes_of_call(self._plan.host, self.signature.arguments, arrays))
        for array, computed in list(zip(arrays, given, strict=True))[len(self.signature.inputs) :]:
            flat(array)[...] = computed.copy_to_host()
        return 0

    def _launch(self, arrays: list[Any]) -> None:
        sizes = sizes_of_call(self._plan.host, self.signature.arguments, arrays)
        flattened = [a.reshape(a.size).view(storage_dtype(a.dtype)) if a.ndim != 1 else a for a in arrays]
        self._run_kernels(flattened, sizes)

    def _run_kernels(self, given: Sequence[Any], sizes: dict[str, int]) -> None:
        plan = self._plan
        temporaries = self._kept.take()
        buffers = Buffers(plan.host, given, sizes, self._memory, self._kept, temporaries)
        for number, kernel, blocks, block in plan.launches(sizes):
            passed = [sizes[p.name] if p.buffer is None else buffers[p.buffer] for p in kernel.parameters]
            shared = plan.dynamic_shared(number)
            self._kernel(kernel, plan.names[number], shared)[tuple(blocks), tuple(block), 0, shared](*passed)
        # Kernels of one stream run in order: the next call may have the memory before these are done.
        self._kept.give_back(temporaries)

    def _kernel(self, kernel: Kernel, name: str, shared: int) -> Any:
        """The compiled kernel."""
        if name not in self._kernels:
            from .module import parameter_types

            try:
                function = getattr(load_source(self._plan.path), name)
                compiled = self._cuda.jit(signature(parameter_types(kernel)))(function)
            except Exception as error:  # numba and its parts raise many kinds, with no base of their own
                not_compiled(error, self._plan.path)
            if shared > STATIC_SHARED:
                _allow_shared(compiled, shared)
            self._kernels[name] = compiled
        return self._kernels[name]


def _allow_shared(compiled: Any, size: int) -> None:
    """Let a kernel ask for more shared memory at launch than any block may have."""
    from numba.cuda.cudadrv import driver, enums

    for overload in compiled.overloads.values():
        handle = overload._codelibrary.get_cufunc().handle
        driver.driver.cuFuncSetAttribute(handle, enums.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, size)
