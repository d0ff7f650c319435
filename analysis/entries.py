"""Entry functions of a module: the functions that may be called from outside."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

MAIN = "main"


def entry_functions(module: ModuleOp) -> list[func.FuncOp]:
    """Return the functions that callers may enter: public functions with a body that the module does not call, and
    @main."""
    functions = [op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks]
    called = {op.callee.root_reference.data for op in module.walk() if isinstance(op, func.CallOp)}
    public = [f for f in functions if f.sym_visibility is None or f.sym_visibility.data != "private"]
    return [f for f in public if f.sym_name.data == MAIN or f.sym_name.data not in called]
