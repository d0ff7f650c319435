"""Code that functions bring for their foreign calls: LLVM text becomes part of their module, C a further object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...dialects.loop import foreign_code
from ...dialects.target import CpuTargetAttr
from ...toolchain import compile_c, definitions

MISFIT = "TW0432"


def linked_text(module: ModuleOp) -> dict[str, tuple[str, ...]]:
    """The LLVM text that each function brings."""
    return {
        function.sym_name.data: tuple(a.code.data for a in foreign_code(function) if a.language.data == "llvm")
        for function in _functions(module)
    }


def foreign_objects(module: ModuleOp, target: CpuTargetAttr) -> dict[str, bytes]:
    """The object files of the C source that the functions bring, by source."""
    brought = (a for function in _functions(module) for a in foreign_code(function))
    sources = dict.fromkeys(a.code.data for a in brought if a.language.data == "c")
    features = [f.data for f in target.features]
    return {source: compile_c(source, features) for source in sources}


def link_in(module: Any, foreign: Any) -> None:
    """Make the functions of a foreign llvmlite module private functions of another one.

    Private, because every function of a program that brings them does the same. Raises TW0432 where a function is
    declared with other parameters than it has.
    """
    defined = definitions(foreign)
    for function in module.functions:
        wanted = tuple(str(a.type) for a in function.arguments)
        if defined.get(function.name, wanted) != wanted:
            fail(
                MISFIT,
                f"expected foreign function @{function.name} to take ({', '.join(wanted)}), as it is called, "
                f"but it takes ({', '.join(defined[function.name])})",
            )
    module.link_in(foreign)
    for function in module.functions:
        if function.name in defined:
            function.linkage = "internal"


def _functions(module: ModuleOp) -> Iterator[func.FuncOp]:
    return (op for op in module.ops if isinstance(op, func.FuncOp))
