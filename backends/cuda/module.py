"""Compilation of loop IR to a program of kernels, and its texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from pathlib import Path
from typing import Any, ClassVar

from xdsl.dialects.builtin import MemRefType, ModuleOp

from ...diagnostics import fail
from ...diagnostics.expectations import expect_serial
from ...diagnostics.files import write_file
from ...dialects import loop
from ...dialects.loop.storage import words_at_once
from ...dialects.target import CudaTargetAttr
from ...hardware import MOST_RESIDENT_BLOCKS, MULTIPROCESSOR_REGISTERS, THREAD_INDEX
from ...runtime.checked_call import CheckedCall
from ...runtime.description import Encoded, Entry
from ...runtime.function import Function
from ...runtime.kernels.program import LAUNCHES_KERNELS, LaunchProgram
from ...runtime.kernels.saved import save_kernels
from ...runtime.module import Module
from ...traversal import operations
from ..checks import numbered_checks
from ..kernels import HostFunction, Kernel
from .checks import check_barriers, check_host, target_of
from .compiler import Prototype, ptx_of
from .emit.kernel import CudaLanguage, cuda_functions
from .emit.types import storage_type
from .launch import SimulatedCall
from .program import program_of
from .source import program_text, source_file

SIMULATOR, GPU = "simulator", "gpu"
DEVICES = (GPU, SIMULATOR)
"""The devices that kernels run on."""


def build(module: ModuleOp, threads: int | None = None, device: str | None = None, copy: bool = False) -> Module:
    """Build a program whose thread-bound loops are kernels of CUDA.

    `device` says where they run: on the "gpu", unless given, or in the "simulator". On a GPU arguments are arrays of
    the device, unless `copy` lets arrays of the host be copied there and back.
    `module.imported_modules[0].get_source()` is the source of the kernels. Raises TW0601 for operations that cannot be
    written, TW0612 for another device, TW0630 for functions that do not consist of kernels, TW0636 to TW0639 for
    launches beyond a GPU's limits, TW0725 for several threads.
    """
    expect_serial(threads, LAUNCHES_KERNELS)
    if device not in (None, *DEVICES):
        fail("TW0612", f"expected a device of {', '.join(DEVICES)}, but got '{device}'")
    program = KernelProgram.of(module)
    code = DeviceModule(program)
    calls = calls_of(program.program, lambda: program.ptx, device or GPU, copy)
    return Module({name: Function(call) for name, call in calls.items()}, CudaCode(module, code), [code])


def calls_of(program: LaunchProgram, ptx: Callable[[], str], device: str, copy: bool) -> dict[str, CheckedCall]:
    """Return the functions of a program as calls, by name."""
    if device == SIMULATOR:
        return {entry.name: SimulatedCall(entry, program) for entry in program.entries}
    from ...runtime.kernels.device_call import DeviceCall
    from ...runtime.kernels.device_program import DeviceProgram

    shared = DeviceProgram(program, ptx)
    return {entry.name: DeviceCall(entry, shared, copy) for entry in program.entries}


def cuda_python_text(module: ModuleOp) -> str:
    """Return the source of the kernels that executable loop IR becomes."""
    return KernelProgram.of(module).text


def ptx_text(module: ModuleOp) -> str:
    """Return the PTX of the kernels that executable loop IR becomes. Raises TW0635 where there is no compiler for
    it."""
    return KernelProgram.of(module).ptx


def sass_text(module: ModuleOp) -> str:
    """Return the instructions of the kernels that executable loop IR becomes. Raises TW0643 without the tools for
    it."""
    return KernelProgram.of(module).sass


@dataclass(frozen=True)
class KernelProgram:
    """The kernels of a module as one file."""

    module: ModuleOp
    hosts: tuple[HostFunction, ...]
    text: str
    names: dict[str, str] = field(repr=False)
    """A kernel -> its function in the file: kernels of the same text share one function."""
    language: CudaLanguage = field(repr=False)

    @staticmethod
    def of(module: ModuleOp) -> KernelProgram:
        """Write a module of executable loop IR. Raises as `build` does."""
        check_barriers(module)
        target, language = target_of(module), CudaLanguage(numbered_checks(module))
        hosts = tuple(cuda_functions(module, language))
        for host in hosts:
            check_host(host, target, [language.shared_bytes[k.nest] for k in host.kernels])
        kernels = [kernel for host in hosts for kernel in host.kernels]
        names, texts = _distinct(kernels)
        title = ", ".join(f"'{host.function.sym_name.data}'" for host in hosts)
        return KernelProgram(module, hosts, program_text(title, texts), names, language)

    @cached_property
    def path(self) -> Path:
        """The file, which is written when it is first asked for."""
        return source_file(self.text)

    @cached_property
    def program(self) -> LaunchProgram:
        """The program that calls of the functions run."""
        return program_of(self.hosts, self.language, self.names, self.text, self.path, target_of(self.module))

    @cached_property
    def ptx(self) -> str:
        """The kernels as PTX for the module's target. Raises TW0635 where there is no compiler for it."""
        target = target_of(self.module)
        kernels: dict[str, Prototype] = {}
        for kernel in (kernel for host in self.hosts for kernel in host.kernels):
            name, threads = self.names[kernel.name], _threads(kernel, target)
            known = kernels.get(name)
            threads = max(threads, known.threads if known else 0)
            kernels[name] = Prototype(parameter_types(kernel), threads, _blocks(kernel, threads))
        for op in operations(self.module):
            if isinstance(op, loop.PrintOp):
                fail("TW0690", "expected a kernel that prints nothing, but a GPU is to run it", op=op)
        return ptx_of(self.path, kernels, target.arch)

    @property
    def sass(self) -> str:
        """The kernels as instructions of the target's architecture. Raises TW0643 where a tool for that is missing."""
        from .assembler import assemble

        return assemble(self.ptx, target_of(self.module).arch).sass


def _threads(kernel: Kernel, target: CudaTargetAttr) -> int:
    """Return the largest number of threads of a block."""
    extents = [extent for tag, extent in kernel.extents.items() if tag.startswith(THREAD_INDEX)]
    return prod(e.constant for e in extents) if all(e.is_constant for e in extents) else target.max_threads


OTHER_REGISTERS = 32
"""The registers that a thread needs beside the elements that it keeps."""

USUAL_REGISTERS = 64
"""Registers of a thread below which more blocks at a time are not worth a register less."""


def _blocks(kernel: Kernel, threads: int) -> int:
    """Return the number of resident blocks that the registers of private elements allow; 0 where there are none.

    Without this bound the assembler takes more registers to have more loads in flight, and fewer blocks are resident.
    """
    allocations = [op for op in operations(kernel.nest) if isinstance(op, loop.AllocOp)]
    words = max(map(words_at_once, allocations), default=0)
    wanted = threads * max(words + OTHER_REGISTERS, USUAL_REGISTERS)
    return min(MULTIPROCESSOR_REGISTERS // wanted, MOST_RESIDENT_BLOCKS) if words else 0


def parameter_types(kernel: Kernel) -> tuple[str, ...]:
    """Return the types of a kernel's parameters: `float32[]` for an array, `int64` for a size."""
    types: list[str] = []
    for parameter in kernel.parameters:
        type_: Any = None if parameter.buffer is None else parameter.buffer.type
        element = storage_type(type_.element_type) if isinstance(type_, MemRefType) else "int64"
        types.append("int64" if parameter.is_size else f"{element}[]")
    return tuple(types)


def _distinct(kernels: list[Kernel]) -> tuple[dict[str, str], list[str]]:
    """Return each kernel's function in the file, and the texts of these functions: of kernels that differ in name alone
    one stays."""
    names: dict[str, str] = {}
    first: dict[str, str] = {}
    texts: list[str] = []
    for kernel in kernels:
        body = _without_names(kernel)
        if body not in first:
            first[body] = kernel.name
            texts.append(kernel.text)
        names[kernel.name] = first[body]
    return names, texts


def _without_names(kernel: Kernel) -> str:
    """Return a kernel's text with its parameters numbered, without its name and comments."""
    text = re.sub(r"  # .*$", "", kernel.text, flags=re.M).replace(kernel.name, "", 1)
    numbers = {parameter.name: f"@{n}" for n, parameter in enumerate(kernel.parameters)}
    types = ", ".join(parameter_types(kernel))
    return types + re.sub(r"(?<![.\w])[A-Za-z]\w*", lambda found: numbers.get(found[0], found[0]), text)


class DeviceModule:
    """The kernels of a program, as an imported module with their texts."""

    type_key: ClassVar[str] = "cuda"

    def __init__(self, program: KernelProgram) -> None:
        self.program = program

    def get_source(self, kind: str = "cuda-python") -> str:
        """Return the source of the kernels as "cuda-python", their "ptx" or "sass". Raises TW0209 for another kind."""
        match kind:
            case "cuda-python" | "cuda" | "python":
                return self.program.text
            case "ptx":
                return self.program.ptx
            case "sass":
                return self.program.sass
            case _:
                fail("TW0209", f"expected cuda-python, ptx or sass, but got '{kind}'")

    def save(self, path: str | Path) -> None:
        """Write the kernels to a file that ends in .py or .ptx; the second can be loaded again. Raises TW0614 for
        another suffix."""
        path = Path(path)
        match path.suffix:
            case ".ptx":
                save_kernels(path, self.program.program, self.program.ptx)
            case ".py":
                write_file(path, self.program.text.encode())
            case _:
                fail("TW0614", f"expected a file name that ends in .py or .ptx, but got '{path}'")


@dataclass(frozen=True)
class CudaCode:
    """The code of a module of CUDA kernels: its loop IR and its device code."""

    type_key: ClassVar[str] = "cuda"

    module: ModuleOp
    device: DeviceModule

    @property
    def entries(self) -> Sequence[Entry]:
        """The functions as libraries state them."""
        from .library import library_entries

        return library_entries(self.device.program.program)

    def source(self, kind: str) -> str:
        """Return the module's text: "cuda-python", "ptx" or "sass" of the kernels, "mlir" of the loops that they come
        from."""
        if kind == "mlir":
            return f"{self.module!s}\n"
        if kind not in ("cuda-python", "ptx", "sass", "llvm"):  # the last is the default of calls
            fail("TW0209", f"expected cuda-python, ptx, sass or mlir, but got '{kind}'")
        return self.device.get_source("cuda-python" if kind == "llvm" else kind)

    def save(self, path: Path) -> None:
        """Write the module in the form that the suffix of `path` names. Libraries (.so), object files (.o) and PTX
        (.ptx) hold all that calls take, and can be loaded again."""
        match path.suffix:
            case ".so":
                self.save_library(path)
            case ".o":
                self.write_library(path)
            case ".mlir":
                write_file(path, self.source("mlir").encode())
            case ".py" | ".ptx":
                self.device.save(path)
            case _:
                message = f"expected a file name that ends in .so, .tar, .o, .ptx, .py or .mlir, but got '{path}'"
                fail("TW0614", message, help="save kernels as a library, .so, or as .ptx: load_module reads both")

    def save_library(self, path: Path, weights: str | None = None) -> None:
        """Write a shared library; see `library_file.save_library`."""
        from ..library_file import save_library

        save_library(self, path, weights)

    def write_library(self, path: Path, weights: str = "") -> Encoded:
        """Write a shared library, or an object file where the name ends in .o, and return its encoded block.

        Constants are left out where `weights` names the file that has them.
        """
        from .library import write_library

        program = self.device.program
        return write_library(path, self.entries, program.program, program.ptx, weights)
