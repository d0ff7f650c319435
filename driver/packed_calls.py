"""Checks of programs that call Python functions: only the CPU backend allows these calls, and refuses to save the
code."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from xdsl.dialects.builtin import ModuleOp

from ..backends import Backend
from ..diagnostics import fail
from ..dialects.loop import PARALLEL, CallExternOp, ForOp, enclosing
from ..runtime.packed import is_packed

if TYPE_CHECKING:
    from ..runtime import Module
    from ..runtime.module import Code

REFUSED = "TW0254"


def packed_calls(module: ModuleOp) -> list[CallExternOp]:
    """Return the calls of functions of Python in a module of any level."""
    return [op for op in module.walk() if isinstance(op, CallExternOp) and is_packed(op.callee)]


def check_packed_calls(module: ModuleOp, backend: Backend) -> None:
    """Raise TW0254 for calls in a parallel loop, and in programs of other backends than that of the CPU."""
    for op in packed_calls(module):
        if not backend.keeps_machine_code:
            fail(
                REFUSED,
                f"expected calls of functions of Python for a CPU only, but the target is {backend.name}",
                op=op,
            )
        if any(isinstance(loop, ForOp) and loop.kind == PARALLEL for loop in enclosing(op, ForOp)):
            fail(REFUSED, "expected calls of functions of Python outside of parallel loops", op=op)


def keep_in_process(program: Module) -> None:
    """Let calls of the program raise what functions of Python raise, and refuse to save its machine code."""
    program.enter_checked()
    if program.code is not None:
        program.code = _CodeOfProcess(program.code)


@dataclass(frozen=True)
class _CodeOfProcess:
    """Machine code that refers to functions of this process."""

    type_key: ClassVar[str] = "llvm"

    code: Code

    def source(self, kind: str) -> str:
        """Return the text of the code."""
        return self.code.source(kind)

    def save(self, path: Path) -> None:
        """Write a text of the code. Raises TW0254 for machine code."""
        if path.suffix in (".so", ".o"):
            fail(REFUSED, f"expected a program without functions of Python to be saved to '{path}'")
        self.code.save(path)
