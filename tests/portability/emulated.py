"""Machines that are not this one, where their emulators and compilers are installed: values, not only assembly.

Linux on other processors runs under QEMU: a C program reads the inputs of each call from files, makes it with three
threads, and writes the outputs. WebAssembly runs in wasmtime, whose host code is this process.
"""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tilewright.backends.cpu.webassembly import ALLOCATE, RELEASE
from tilewright.runtime import Module

Array = NDArray[Any]
THREADS = 3


Call = tuple[str, Sequence[Array]]
"""A function of a module, and its inputs."""


def results(module: Module, function: str, inputs: Sequence[Array]) -> list[Array]:
    """Return arrays of the shapes and types of a call's outputs."""
    signature = module[function].signature
    return signature.allocate(signature.bind(inputs))


def sizes(module: Module, function: str, inputs: Sequence[Array]) -> list[int]:
    """Return the symbolic sizes, as the C function takes them behind its arrays."""
    return [*module[function].signature.bind(inputs).values()]


@dataclass(frozen=True)
class Emulated:
    """A Linux on another processor."""

    target: str
    triple: str
    options: tuple[str, ...] = ()
    """Of the emulator."""

    @property
    def compiler(self) -> str:
        return f"{self.triple}-gcc"

    @property
    def emulator(self) -> str:
        return f"qemu-{self.triple.partition('-')[0]}"

    @property
    def tools(self) -> tuple[str, ...]:
        return self.compiler, self.emulator

    def run(self, module: Module, calls: Sequence[Call], folder: Path, form: str = "so") -> list[list[Array]]:
        """Return the outputs of the calls, all of which one process makes; it is linked with a library or an object
        file."""
        program = f"program.{form}"
        module.save(folder / program)
        lines: list[str] = []
        outputs = [results(module, *call) for call in calls]
        for number, ((function, inputs), written) in enumerate(zip(calls, outputs, strict=True)):
            arrays, given = [*inputs, *written], len(inputs)
            for position, array in enumerate(inputs):
                (folder / f"{number}.{position}").write_bytes(array.tobytes())
            blocks = [f'block("{number}.{k}", {a.nbytes}, {int(k < given)})' for k, a in enumerate(arrays)]
            passed = [*(f"b[{k}]" for k in range(len(arrays))), *sizes(module, function, inputs), THREADS]
            symbol = "tw_main" if function == "main" else function
            lines += [
                f"static int call{number}(void) {{",
                f"  void *b[] = {{{', '.join([*blocks, '0'])}}};",
                f"  if ({symbol}({', '.join(map(str, passed))})) return 5;",
                *(f'  keep("{number}.{k}", b[{k}], {a.nbytes});' for k, a in enumerate(arrays) if k >= given),
                *(f"  free(b[{k}]);" for k in range(len(arrays))),
                "  return 0;",
                "}",
            ]
        made = [f"  if (call{number}()) return 5;" for number in range(len(calls))]
        (folder / "driver.c").write_text("\n".join([_HEAD, *lines, _MAIN, *made, "  return 0;", "}", ""]))
        _command(folder, self.compiler, "-O1", "driver.c", program, "-o", "driver", "-Wl,-rpath,$ORIGIN", "-lm", "-ldl")
        _command(folder, self.emulator, *self.options, "-L", f"/usr/{self.triple}", "./driver")
        for number, ((function, inputs), written) in enumerate(zip(calls, outputs, strict=True)):
            for position, array in enumerate(written, len(inputs)):
                array[...] = np.fromfile(folder / f"{number}.{position}", array.dtype, array.size).reshape(array.shape)
            outputs[number] = module[function].signature.results_of(written)
        return outputs


AARCH64 = Emulated("aarch64", "aarch64-linux-gnu")
RISCV64 = Emulated("riscv64", "riscv64-linux-gnu")
RISCV64_VECTORS = Emulated(
    "riscv64 -mcpu=rv64gcv", "riscv64-linux-gnu", ("-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128")
)
VECTOR_ROUNDING = "QEMU 7.2 aborts where it translates vfcvt.rtz and vfclass, of vectors of floats"


def _command(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command[0]}: status {done.returncode}\n{done.stderr}"


_HEAD = """\
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "program.h"

static void *block(const char *name, size_t size, int filled) {
  void *data = aligned_alloc(64, (size + 127) / 64 * 64);
  if (!filled) return data;
  FILE *file = fopen(name, "rb");
  if (!file || fread(data, 1, size, file) != size) exit(2);
  fclose(file);
  return data;
}

static void keep(const char *name, void *data, size_t size) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(data, 1, size, file) != size) exit(3);
  fclose(file);
}
"""

_MAIN = """
int main(void) {
  void *openmp = dlopen("libgomp.so.1", RTLD_NOW);
  if (!openmp) return 4;
  void *runtime[] = {dlsym(openmp, "GOMP_parallel"), dlsym(openmp, "omp_get_thread_num"),
                     dlsym(openmp, "omp_get_num_threads")};
  tilewright_use_openmp(runtime);"""


@dataclass(frozen=True)
class WebAssembly:
    """A module of WebAssembly in wasmtime, without imports."""

    target: str = "wasm32"
    tools: tuple[str, ...] = ("clang", "wasm-ld", "wasi-libc", "wasmtime")

    def run(self, module: Module, calls: Sequence[Call], folder: Path, form: str = "wasm") -> list[list[Array]]:
        """Return the outputs of the calls, all of which one instance makes."""
        path = folder / f"program.{form}"
        module.save(path)
        instance = Instance(path)
        return [instance.run(module, *call) for call in calls]


WASM32 = WebAssembly()
MACHINES: Mapping[str, Emulated | WebAssembly] = {
    "aarch64": AARCH64,
    "riscv64": RISCV64,
    "riscv64-vectors": RISCV64_VECTORS,
    "wasm32": WASM32,
}


class Instance:
    """An instance of a module of WebAssembly, which is given nothing to import."""

    def __init__(self, path: Path) -> None:
        import wasmtime

        engine = wasmtime.Engine()
        self.store = wasmtime.Store(engine)
        compiled = wasmtime.Module.from_file(engine, str(path))
        assert not list(compiled.imports)
        self.exports: Any = wasmtime.Instance(self.store, compiled, []).exports(self.store)

    def run(self, module: Module, function: str, inputs: Sequence[Array]) -> list[Array]:
        """Return the outputs of a function of the module that was saved."""
        outputs = results(module, function, inputs)
        addresses = [*map(self.address_of, (*inputs, *outputs))]
        assert self.call(function, *addresses, *sizes(module, function, inputs), 1) == 0
        for array, address in zip(outputs, addresses[len(inputs) :], strict=True):
            array[...] = np.frombuffer(self.read(address, array.nbytes), array.dtype).reshape(array.shape)
        for address in addresses:
            self.call(RELEASE, address)
        return module[function].signature.results_of(outputs)

    def address_of(self, array: Array) -> int:
        """Return the address of a copy of an array in the module's memory."""
        address = self.call(ALLOCATE, array.nbytes)
        assert address and address % 64 == 0
        self.exports["memory"].write(self.store, array.tobytes(), address)
        return address

    def read(self, address: int, size: int) -> bytes:
        """Return bytes of the memory."""
        return bytes(self.exports["memory"].read(self.store, address, address + size))

    def call(self, function: str, *arguments: int) -> int:
        """Return the result of an exported function, without sign."""
        return ctypes.c_uint32(self.exports[function](self.store, *arguments) or 0).value
