"""What a compiled module keeps of its making: its texts, and files to save it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...runtime.arguments import Signature
from ...runtime.buffers import Array


@dataclass(frozen=True)
class Entry:
    """A function that callers enter: its native symbol and what a call of it needs."""

    name: str
    symbol: str
    signature: Signature
    constants: tuple[Array, ...]
    arena_size: int
    """Bytes."""


@dataclass(frozen=True)
class CpuCode:
    """The code of a module on the CPU."""

    module: ModuleOp
    """Executable loop IR."""
    entries: Sequence[Entry]
    objects: Sequence[bytes]
    llvm_text: Callable[[ModuleOp], str]
    assembly: Callable[[ModuleOp], str]

    def source(self, kind: str) -> str:
        """The module's text as "mlir", "llvm" or "asm"."""
        match kind:
            case "mlir":
                return f"{self.module}\n"
            case "llvm" | "ll":
                return self.llvm_text(self.module)
            case "asm" | "s":
                return self.assembly(self.module)
            case _:
                fail("TW0209", f"expected mlir, llvm or asm, but got '{kind}'")

    def save(self, path: Path) -> None:
        """Write the module in the form that the suffix of `path` names."""
        fail("TW0614", f"expected a file name that ends in .so, .o, .s, .ll or .mlir, but got '{path}'")
