"""Foreign code of functions: LLVM text is linked into the module of its callers, C is compiled to a further object."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from typing import Any

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from ...diagnostics import fail
from ...dialects.loop import CallExternOp, CallPureExternOp, ForeignAttr, foreign_code
from ...dialects.target import CpuTargetAttr
from ...runtime.packed import addresses
from ...toolchain import c_as_llvm, compile_c, definitions
from .host import foreign_triple

MISFIT = "TW0432"


def linked_text(module: ModuleOp, target: CpuTargetAttr) -> dict[str, tuple[str, ...]]:
    """Return the LLVM text that each function brings, and that a compiler makes of its C source."""
    return {
        function.sym_name.data: tuple(
            text for code in foreign_code(function) if (text := _as_llvm(code, target)) is not None
        )
        for function in _functions(module)
    }


def foreign_objects(module: ModuleOp, target: CpuTargetAttr) -> dict[str, bytes]:
    """Return the object files of the C source that the functions bring and that is not linked as LLVM text, by
    source."""
    brought = (a for function in _functions(module) for a in foreign_code(function))
    features = [f.data for f in target.features]
    sources = dict.fromkeys(code.code.data for code in brought if _as_llvm(code, target) is None)
    objects = {source: compile_c(source, features, foreign_triple(target)) for source in sources}
    _check_calls(module)
    return objects


def _check_calls(module: ModuleOp) -> None:
    """Raise TW0432 for a call of a function that is in no code that could define it."""
    from llvmlite import binding

    known = addresses()
    process = ctypes.CDLL(None)  # with the C library's mathematics, which LLVM's table lacks
    sources = [a.code.data for f in _functions(module) for a in foreign_code(f) if a.language.data == "c"]
    for function in _functions(module):
        texts = [a.code.data for a in foreign_code(function) if a.language.data == "llvm"]
        for op in function.walk():
            if not isinstance(op, (CallExternOp, CallPureExternOp)):
                continue
            callee = op.callee if isinstance(op, CallExternOp) else op.symbol
            named = callee in known or any(re.search(rf"\b{re.escape(callee)}\b", text) for text in (*texts, *sources))
            if not named and binding.address_of_symbol(callee) is None and not hasattr(process, callee):
                fail(
                    MISFIT,
                    f"expected foreign function {callee!r} in the code that @{function.sym_name.data} brings or in "
                    "this process, but it is in neither",
                    op=op,
                    help="bring it with c_source or llvm_ir of the intrinsic, with import_foreign, or with the pragmas "
                    "import_c and import_llvm",
                )


def _as_llvm(code: ForeignAttr, target: CpuTargetAttr) -> str | None:
    if code.language.data == "llvm":
        return code.code.data
    return c_as_llvm(code.code.data, [f.data for f in target.features], foreign_triple(target))


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
    try:
        module.link_in(foreign)
    except RuntimeError as error:
        fail(MISFIT, f"foreign code cannot be linked: {str(error).strip()}")
    for function in module.functions:
        if function.name in defined:
            function.linkage = "internal"


def _functions(module: ModuleOp) -> Iterator[func.FuncOp]:
    return (op for op in module.ops if isinstance(op, func.FuncOp))
