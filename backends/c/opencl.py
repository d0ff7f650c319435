"""Programs of OpenCL kernels: their source, and running them through pyopencl where that is installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.expectations import expect_serial
from ...diagnostics.files import write_file
from ...dialects.dtypes import numpy_dtype
from ...dialects.index_expr import Symbol
from ...runtime.arguments import Signature
from ...runtime.buffers import Array
from ...runtime.checked_call import CheckedCall
from ...runtime.function import Function
from ...runtime.kernels.program import LAUNCHES_KERNELS
from ...runtime.module import Module
from ..kernels import HostFunction, Kernel, launch_shape, sizes_of_call
from ..signature import signature_of
from .kernels import opencl_functions
from .opencl_text import program_text

_FORMS = "save the source of the kernels as .cl, or the loops that they come from as .mlir"
"""The files that hold programs of kernels."""


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Build a program whose thread-bound loops are OpenCL kernels.

    `module.imported_modules[0].get_source()` is the source of the kernels. Calls need pyopencl and a device. Raises
    TW0601 for operations that cannot be written in C, TW0621 for functions that do not consist of kernels, TW0725 for
    several threads.
    """
    expect_serial(threads, OpenClCall.serial)
    hosts = opencl_functions(module)
    source = program_text([kernel.text for host in hosts for kernel in host.kernels])
    device = DeviceModule(source)
    functions = {h.function.sym_name.data: Function(OpenClCall(h, signature_of(h.function), device)) for h in hosts}
    return Module(functions, OpenClCode(module, source), [device])


def opencl_text(module: ModuleOp) -> str:
    """Return the kernels that executable loop IR becomes."""
    return program_text([kernel.text for host in opencl_functions(module) for kernel in host.kernels])


class DeviceModule:
    """The kernels of a program, as an imported module with their source."""

    type_key: ClassVar[str] = "opencl"

    def __init__(self, source: str) -> None:
        self._source = source
        self._kernels: dict[str, Any] = {}

    def get_source(self, kind: str = "cl") -> str:
        """Return the source of the kernels, in OpenCL C."""
        if kind not in ("cl", "opencl"):
            fail("TW0209", f"expected cl, but got '{kind}'")
        return self._source

    def save(self, path: str | Path) -> None:
        """Write the source to a file that ends in .cl. Raises TW0614 for another suffix."""
        if Path(path).suffix != ".cl":
            fail("TW0614", f"expected a file name that ends in .cl, but got '{path}'", help=_FORMS)
        write_file(Path(path), self._source.encode())

    @cached_property
    def queue(self) -> Any:
        """A queue of the first device that pyopencl finds. Raises TW0622 where there is none."""
        try:
            import pyopencl  # pyright: ignore[reportMissingImports]
        except ImportError as error:
            help_ = "pip install 'tilewright[opencl]', and PoCL where the machine has no device for OpenCL"
            fail("TW0622", f"expected pyopencl to run kernels with, but {error}", help=help_)
        try:
            return pyopencl.CommandQueue(pyopencl.create_some_context(interactive=False))
        except pyopencl.Error as error:
            fail("TW0622", f"expected an OpenCL device, but {error}")

    @cached_property
    def program(self) -> Any:
        """The compiled kernels."""
        import pyopencl  # pyright: ignore[reportMissingImports]

        return pyopencl.Program(self.queue.context, self._source).build()

    def kernel(self, name: str) -> Any:
        """Return a compiled kernel. Each is made once: making one is expensive."""
        if name not in self._kernels:
            import pyopencl  # pyright: ignore[reportMissingImports]

            self._kernels[name] = pyopencl.Kernel(self.program, name)
        return self._kernels[name]


@dataclass(frozen=True)
class OpenClCode:
    """The code of a module of OpenCL kernels: its loop IR and its text."""

    type_key: ClassVar[str] = "opencl"

    module: ModuleOp
    text: str

    def source(self, kind: str) -> str:
        """Return the module's text: "cl" for the kernels, "mlir" for the loops that they come from."""
        match kind:
            case "cl" | "opencl" | "llvm":  # the default of `Module.get_source` is the backend's language
                return self.text
            case "mlir":
                return f"{self.module!s}\n"
            case _:
                fail("TW0209", f"expected cl or mlir, but got '{kind}'")

    def save(self, path: Path) -> None:
        """Write the text to a file that ends in .cl or .mlir."""
        if path.suffix not in (".cl", ".mlir"):
            fail("TW0614", f"expected a file name that ends in .cl or .mlir, but got '{path}'", help=_FORMS)
        write_file(path, self.source(path.suffix[1:]).encode())


class OpenClCall(CheckedCall):
    """Calls of a function that launches kernels. Arrays are copied to the device and back."""

    serial = LAUNCHES_KERNELS
    device_kinds = ()

    def __init__(self, host: HostFunction, signature: Signature, device: DeviceModule) -> None:
        super().__init__(signature)
        self._host = host
        self._device = device

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        queue = self._device.queue  # refused where there is no pyopencl
        import pyopencl.array  # pyright: ignore[reportMissingImports]

        sizes = sizes_of_call(self._host, self.signature.arguments, arrays)
        arguments = self._host.function.body.block.args
        first = len(arguments) - len(arrays)
        buffers: dict[Any, Any] = {
            arguments[first + n]: pyopencl.array.to_device(queue, a) for n, a in enumerate(arrays)
        }
        values = {Symbol(name): value for name, value in sizes.items()}
        for value, (element, extents) in self._host.temporaries.items():
            count = prod(int(e.evaluate(values)) for e in extents)
            buffers[value] = pyopencl.array.empty(queue, max(count, 1), numpy_dtype(element))
        for kernel in self._host.kernels:
            self._launch(kernel, buffers, sizes)
        for number in range(len(self.signature.inputs), len(arrays)):
            arrays[number][...] = buffers[arguments[first + number]].get()
        return 0

    def _launch(self, kernel: Kernel, buffers: dict[Any, Any], sizes: dict[str, int]) -> None:
        blocks, group = launch_shape(kernel.extents, sizes)
        items = [blocks[n] * group[n] for n in range(3)]
        if 0 in items:
            return
        passed = [np.int64(sizes[p.name]) if p.buffer is None else buffers[p.buffer].data for p in kernel.parameters]
        self._device.kernel(kernel.name)(self._device.queue, items, group, *passed)
