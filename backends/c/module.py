"""Modules of loop IR compiled by the system's C compiler: their source, the loaded code and saved libraries."""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.files import fail_writing, write_file, written_whole
from ...dialects.constant_data import constant_array
from ...runtime.cpu_features import present_features
from ...runtime.description import USE_OPENMP as USE_IN_LIBRARY
from ...runtime.description import Encoded, Entry, encode
from ...runtime.executable import Executable
from ...runtime.function import Function
from ...runtime.module import Module
from ...runtime.openmp import openmp
from ...runtime.shared_library import open_library
from ...toolchain.c_compiler import compile_library
from ..constant_block import move_to_block
from ..library_exports import BLOCK, block_source, constants_source, entry_declarations, exports_source
from ..library_file import save_library, write_shared
from ..signature import signature_of
from ..written.c_declarations import SIZE_FUNCTIONS
from .model import write_model
from .program import write_program

if TYPE_CHECKING:
    from ...runtime.buffers import Array


USE_OPENMP = "tw_use_openmp"
"""The library's function that takes the addresses of the runtime's functions, in the order of `openmp.SYMBOLS`."""

OPENMP_SOURCE = f"""
static void *tw_openmp[3];

void {USE_OPENMP}(void *const *functions) {{
  for (int i = 0; i < 3; ++i) tw_openmp[i] = functions[i];
}}

#define TW_HIDDEN __attribute__((visibility("hidden")))
static __thread int tw_alone;
TW_HIDDEN void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags) {{
  if (threads != 1) {{
    ((void (*)(void (*)(void *), void *, unsigned, unsigned))tw_openmp[0])(body, data, threads, flags);
    return;
  }}
  ++tw_alone;
  body(data);
  --tw_alone;
}}
TW_HIDDEN int omp_get_thread_num(void) {{ return tw_alone ? 0 : ((int (*)(void))tw_openmp[1])(); }}
TW_HIDDEN int omp_get_num_threads(void) {{ return tw_alone ? 1 : ((int (*)(void))tw_openmp[2])(); }}
"""
"""The functions of OpenMP that GCC's code calls for a statically scheduled parallel loop. They pass the calls on to the
runtime of this process, so that a process never holds two. Clang's code calls other functions, and is linked to the
runtime of the process."""


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Write a module of executable loop IR as C, compile it and load it into this process.

    `threads` is how many threads its parallel loops use unless a call says otherwise; None takes all that this process
    may use. Raises TW0601 for operations that cannot be written, TW0428 where there is no C compiler, TW0429 where it
    rejects the source, TW0705 where weights are missing.
    """
    source = write_program(module)
    move_to_block(source.constants)
    constants: tuple[Array, ...] = tuple(constant_array(value) for value in source.constants)
    library = _load(compile_library(source.text + OPENMP_SOURCE, openmp().library))
    entries = [
        Entry(
            entry.function.sym_name.data,
            entry.symbol,
            signature_of(entry.function),
            constants,
            entry.arena_size,
            source.checks,
        )
        for entry in source.entries
    ]
    functions = {
        e.name: Function.of(
            Executable(_address(library, e.symbol), e.signature, constants, e.arena_size, (library,), e.checks), threads
        )
        for e in entries
    }
    return Module(functions, CCode(module, source.text, entries))


def c_text(module: ModuleOp) -> str:
    """Return the C source of executable loop IR."""
    return write_program(module).text


@dataclass(frozen=True)
class CCode:
    """The code of a module that was compiled from C: its loop IR, its text and its entries."""

    type_key: ClassVar[str] = "c"

    module: ModuleOp
    """Executable loop IR."""
    text: str
    entries: Sequence[Entry]

    def source(self, kind: str) -> str:
        """Return the module's text as "c" or "mlir"."""
        match kind:
            case "c" | "llvm":  # the default of `Module.get_source` is the backend's language
                return self.text
            case "mlir":
                return f"{self.module!s}\n"
            case _:
                fail("TW0209", f"expected c or mlir, but got '{kind}'")

    def save(self, path: Path) -> None:
        """Write the model as C files (`write_model`), its loops to a file that ends in .mlir, or a shared library, .so,
        for machines such as this."""
        match path.suffix:
            case ".c":
                write_model(self.module, path)
            case ".mlir":
                write_file(path, self.source("mlir").encode())
            case ".so":
                self.save_library(path)
            case _:
                fail(
                    "TW0614",
                    f"expected a file name that ends in .so, .c or .mlir, but got '{path}'",
                    help="save the model as C, .c, as a library for machines such as this, .so, or its loops, .mlir",
                )

    def save_library(self, path: Path, weights: str | None = None) -> None:
        """Write a shared library; see `library_file.save_library`."""
        save_library(self, path, weights)

    def write_library(self, path: Path, weights: str = "") -> Encoded:
        """Write a shared library and return its encoded block, without constants where `weights` names their file."""
        return write_library(path, self.text, self.entries, weights)


def _load(data: bytes) -> ctypes.CDLL:
    """Load a shared library. Its file is deleted at once; the mapping stays valid."""
    handle, name = tempfile.mkstemp(suffix=".so", prefix="tilewright")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        library = open_library(name)
    finally:
        os.unlink(name)
    runtime = openmp()
    addresses = (ctypes.c_void_p * len(runtime.addresses))(*runtime.addresses.values())
    getattr(library, USE_OPENMP)(addresses)
    return library


def _address(library: ctypes.CDLL, symbol: str) -> int:
    address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
    assert address is not None
    return address


_USE_OPENMP = f"void {USE_IN_LIBRARY}(void *const *functions) {{ {USE_OPENMP}(functions); }}\n"
"""The entry by which loaders pass the OpenMP runtime."""


def write_library(path: Path, text: str, entries: Sequence[Entry], weights: str = "") -> Encoded:
    """Write the library of C source and return its encoded block: the description of its entries, and their constants.

    If `weights` names a file, the description refers to that file for the constants. Raises TW0428 where there is no C
    compiler that has OpenMP, TW0204 where the file cannot be written.
    """
    features = present_features()
    block = encode(entries, features, weights=weights, made_for="c")
    exported = constants_source(weak=False) + entry_declarations(entries) + exports_source(entries, block, features)
    with tempfile.TemporaryDirectory(prefix="tilewright") as folder:
        head = Path(folder) / BLOCK
        head.write_bytes(block.head)
        interface = block_source(str(head), "globl") + _USE_OPENMP + SIZE_FUNCTIONS + exported
        linked = compile_library(text + OPENMP_SOURCE + interface, openmp().library)
    try:
        with written_whole(path) as temporary, temporary.open("wb") as file:
            write_shared(linked, block, file)
    except OSError as error:
        fail_writing(path, error)
    return block
