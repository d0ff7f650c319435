"""The code of a compiled module: its texts, and files to save it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...diagnostics.files import write_file
from ...dialects.target import WASM32, CpuTargetAttr
from ...runtime.description import Encoded, Entry
from .host import code_triple


@dataclass(frozen=True)
class CpuCode:
    """A module's code for the CPU: entries, object files, and its texts on demand."""

    type_key: ClassVar[str] = "llvm"

    lowered: Callable[[], ModuleOp]
    """Computes `module`: a program from the cache is lowered only when its IR is requested."""
    entries: Sequence[Entry]
    objects: Sequence[bytes]
    target: CpuTargetAttr
    """The target that the code was compiled for."""
    llvm_text: Callable[[ModuleOp], str]
    assembly: Callable[[ModuleOp], str]
    objects_beside: Callable[[Path], Sequence[bytes]] | None = None
    """For code with debug information: compiles the objects again with line tables for the module's text in that
    file."""

    @cached_property
    def module(self) -> ModuleOp:
        """Executable loop IR."""
        return self.lowered()

    def source(self, kind: str) -> str:
        """Return the module's text as "mlir", "llvm" or "asm"."""
        match kind:
            case "mlir":
                return f"{self.module!s}\n"
            case "llvm" | "ll":
                return self.llvm_text(self.module)
            case "asm" | "s":
                return self.assembly(self.module)
            case _:
                fail("TW0209", f"expected mlir, llvm or asm, but got '{kind}'")

    def save(self, path: Path) -> None:
        """Write the module in the form that the suffix of `path` names."""
        is_webassembly = self.target.architecture == WASM32
        match path.suffix:
            case ".wasm" if is_webassembly:
                from .webassembly import write_webassembly

                write_webassembly(path, self.entries, self._objects_for(path), self.target)
            case ".so" if not is_webassembly:
                self.save_library(path)
            case ".o" if not is_webassembly:
                self.write_library(path)
            case ".mlir" | ".ll" | ".s":
                write_file(path, self.source(path.suffix[1:]).encode())
            case _:
                linked = ".wasm" if is_webassembly else ".so, .tar, .o"
                problem = f"expected a file name that ends in {linked}, .s, .ll or .mlir, but got '{path}'"
                elsewhere = "build the program for target='wasm32'" if path.suffix == ".wasm" else None
                if is_webassembly:
                    elsewhere = "save it as .wasm, or as text"
                fail("TW0614", problem, help=elsewhere)

    def save_library(self, path: Path, weights: str | None = None) -> None:
        """Write a shared library and its header for C; see `library_file.save_library`."""
        from ..library_file import save_library

        save_library(self, path, weights)

    def write_library(self, path: Path, weights: str = "") -> Encoded:
        """Write a shared library, or an object file where the name ends in .o, and its header for C; return its
        encoded block. Constants are left out where `weights` names the file that has them."""
        from .c_interface import write_header, write_library
        from .call_entry import call_entry_object

        if self.target.architecture == WASM32:
            fail("TW0614", f"expected a library for wasm32 to be saved as .wasm, but got '{path.name}'")
        kind = "relocatable" if path.suffix == ".o" else "shared"
        objects = [*self._objects_for(path), call_entry_object(code_triple(self.target))]
        block = write_library(path, self.entries, objects, self.target, kind, weights)
        write_header(path.with_suffix(".h"), self.entries)
        return block

    def _objects_for(self, path: Path) -> Sequence[bytes]:
        """Return the objects for the program at `path`. Debuggers look for the module's text beside it."""
        if self.objects_beside is None:
            return self.objects
        from .debugging import TEXT_SUFFIX

        return self.objects_beside(path.with_suffix(TEXT_SUFFIX))
