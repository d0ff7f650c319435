"""The interpreter backend: programs that the reference semantics run, with the interface of compiled ones.

The module is interpreted at the level at which it is given. Only upstream MLIR is converted first, because it has no
semantics here. The signature is taken from a lowered copy, because the lowering computes the sizes of symbolic outputs.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from ..analysis.entries import entry_functions
from ..diagnostics import fail
from ..diagnostics.expectations import expect_serial
from ..dialects import context
from ..passes.framework.base import Level, level_of
from ..passes.framework.manager import PassManager
from ..passes.pipeline import conversion
from ..runtime.arguments import Signature
from ..runtime.buffers import Array
from ..runtime.checked_call import CheckedCall
from ..runtime.function import Function
from ..runtime.module import Module
from ..semantics import Program
from .signature import signature_of


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """Return a callable that interprets `module`.

    Raises TW0723 where there is no function with a body to enter, TW0725 for several threads.
    """
    expect_serial(threads, InterpretedCall.serial)
    if level_of(module) is Level.UPSTREAM:
        module = module.clone()
        PassManager(conversion(Level.UPSTREAM, Level.TE), verify_each=False).run(context(), module)
    mains = _entries(module)
    return Module({name: Function(InterpretedCall(module, name, signature)) for name, signature in mains.items()})


class InterpretedCall(CheckedCall):
    """Calls of a function without native code. They cost microseconds an operation."""

    serial = "the interpreter runs iterations one after another"

    def __init__(self, module: ModuleOp, name: str, signature: Signature) -> None:
        super().__init__(signature)
        self._name = name
        self._program = Program(module)
        self._has_results = bool(self._program.definition(name).function_type.outputs.data)

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        if not self._has_results:
            self._program.run(self._name, *arrays)
            return 0
        count = len(self.signature.inputs)
        results = self._program.run(self._name, *arrays[:count])
        for result, output in zip(results, arrays[count:], strict=True):
            np.copyto(output, result, casting="no")
        return 0


def _entries(module: ModuleOp) -> dict[str, Signature]:
    level = level_of(module)
    if level > Level.BLOCK:
        module = module.clone()
        PassManager(conversion(level, Level.BLOCK), verify_each=False).run(context(), module)
    entries = entry_functions(module)
    if not entries:
        fail("TW0723", "expected a function @main with a body, but there is none", op=module)
    return {function.sym_name.data: signature_of(function) for function in entries}
