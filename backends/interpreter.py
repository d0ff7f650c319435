"""Programs that the reference semantics run, behind the same face as compiled ones.

The module runs at the level it is given in: nothing is lowered. Only the signature comes from the conversions, because
that is where the sizes of symbolic outputs are worked out.
"""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from ..diagnostics import fail
from ..dialects import context
from ..passes.base import Level, level_of
from ..passes.manager import PassManager
from ..passes.pipeline import conversion
from ..runtime.arguments import Signature
from ..runtime.buffers import Array
from ..runtime.module import Module
from ..semantics import Program
from .signature import signature_of


def build(module: ModuleOp, threads: int | None = None) -> Module:
    """A callable that interprets `module`; `threads` is of no effect.

    Raises TW0723 where there is no function @main with a body.
    """
    return InterpretedModule(module, _signature(module))


class InterpretedModule(Module):
    """A program without native code. Its calls cost microseconds an operation."""

    def __init__(self, module: ModuleOp, signature: Signature) -> None:
        self.signature = signature
        self.threads = 1
        self._program = Program(module)
        self._has_results = bool(self._program.definition("main").function_type.outputs.data)

    def _invoke(self, arrays: list[Array], threads: int) -> int:
        if not self._has_results:
            self._program.run("main", *arrays)
            return 0
        count = len(self.signature.inputs)
        results = self._program.run("main", *arrays[:count])
        for result, output in zip(results, arrays[count:], strict=True):
            np.copyto(output, result, casting="no")
        return 0


def _signature(module: ModuleOp) -> Signature:
    level = level_of(module)
    if level > Level.BLOCK:
        module = module.clone()
        PassManager(conversion(level, Level.BLOCK), verify_each=False).run(context(), module)
    main = next((op for op in module.ops if isinstance(op, FuncOp) and op.sym_name.data == "main"), None)
    if main is None or not main.body.blocks:
        fail("TW0723", "expected a function @main with a body, but there is none", op=module)
    return signature_of(main)
