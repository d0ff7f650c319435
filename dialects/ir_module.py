"""`IRModule`: a module of functions, seen from Python as a mapping from names to functions.

A view, not a copy: the operation is `IRModule.op`, and text, passes and tools work on that. The class exists because
users speak of the functions of a module by name, and because `script()` is what they print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from ..diagnostics import fail
from ..diagnostics.expectations import WRONG_TYPE
from ..diagnostics.suggestions import did_you_mean
from ..lazy import provided

_SCRIPTS = ("mlir", "tvmscript")


class IRModule(Mapping[str, FuncOp]):
    """The functions of a module by name.

    Made from a module operation, which it shares, or from functions by name, which it copies and names after their
    keys.
    """

    def __init__(self, functions: ModuleOp | Mapping[str, Any] | None = None) -> None:
        if isinstance(functions, ModuleOp):
            self.op = functions
        else:
            self.op = ModuleOp([_named(name, _operation_of(f)) for name, f in (functions or {}).items()])

    @classmethod
    def from_expr(cls, function: Any) -> IRModule:
        """The module of one function, under its own name."""
        op = _operation_of(function)
        return cls({op.sym_name.data: op})

    @property
    def functions(self) -> dict[str, FuncOp]:
        """The functions by name, in the order of the text."""
        return {op.sym_name.data: op for op in self.op.ops if isinstance(op, FuncOp)}

    def script(self, dialect: str = "mlir") -> str:
        """The module as text, which can be read back: MLIR's, or with "tvmscript" Python's syntax.

        Raises TilewrightError TW0725 for another dialect, TW0316 where TVMScript has no form for the module.
        """
        if dialect == "mlir":
            return str(self.op)
        if dialect not in _SCRIPTS:
            near = did_you_mean(dialect, _SCRIPTS)
            fail(WRONG_TYPE, f"expected a dialect of {', '.join(_SCRIPTS)}, but got {dialect!r}{near}")
        return provided(f"script {dialect}")(self.op)

    def clone(self) -> IRModule:
        """A copy that shares no operation with this one."""
        return IRModule(self.op.clone())

    def __getitem__(self, name: str) -> FuncOp:
        return self.functions[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.functions)

    def __len__(self) -> int:
        return len(self.functions)

    def __str__(self) -> str:
        return self.script()

    def __repr__(self) -> str:
        return f"IRModule({', '.join(f'@{name}' for name in self)})"

    def _repr_html_(self) -> str:
        """Coloured, a part for each function, as notebooks show it."""
        return provided("html of modules")(self.op)


def _operation_of(function: Any) -> FuncOp:
    """The operation of a function, or of a face that has one as `op`."""
    return function if isinstance(function, FuncOp) else function.op


def _named(name: str, function: FuncOp) -> Operation:
    copy = function.clone()
    copy.sym_name = StringAttr(name)
    return copy
