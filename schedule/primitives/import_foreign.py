"""import_foreign: the code of the foreign functions that a function calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from xdsl.dialects.func import FuncOp

from ...diagnostics import fail
from ...dialects.loop import ForeignAttr, add_foreign_code
from ..engine import Engine
from ..primitive_declaration import TENSORS, register_primitive
from ..refusal import BAD_ARGUMENT

FOREIGN_PRAGMAS = {"import_c": "c", "import_llvm": "llvm"}
"""Pragmas that bring foreign code, and its language."""


_SUFFIXES = {"import_c": (".c",), "import_llvm": (".ll",)}


def foreign_text(pragma: str, value: Any) -> Any:
    """Return the text of foreign code that a pragma brings: the content of the file where the value is a path."""
    is_path = isinstance(value, str) and "\n" not in value and value.endswith(_SUFFIXES[pragma])
    if not is_path:
        return value
    try:
        return Path(value).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        fail(BAD_ARGUMENT, f"{pragma}: expected the text of a file, but {value!r} cannot be read: {error}")


@register_primitive(TENSORS, brings_foreign_code=lambda arguments: True)
def import_foreign(sch: Engine, language: str, code: str) -> None:
    """Attach foreign code to the function for its calls: "c" source, or the text of an "llvm" module.

    Raises TilewrightError TW0427 at the line of LLVM text that cannot be parsed.

    before:
    ```mlir
    func.func @f(%B: memref<4xf32> {tw.output}) { … }
    ```
    after `import_foreign("c", "void f(void) {}")`:
    ```mlir
    func.func @f(%B: memref<4xf32> {tw.output}) attributes {tw.foreign = [#loop.foreign<"c", "void f(void) {}">]} { … }
    ```
    """
    add_foreign(sch.func, language, code)


def add_foreign(function: FuncOp, language: str, code: str) -> None:
    """Apply the primitive `import_foreign` to a function."""
    if language not in FOREIGN_PRAGMAS.values():
        fail(BAD_ARGUMENT, f"import_foreign: expected the language c or llvm, but got {language!r}", op=function)
    if not isinstance(code, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        fail(BAD_ARGUMENT, f"import_foreign: expected the text of the code, but got {code!r}", op=function)
    if language == "llvm":
        from ...toolchain import check_llvm

        check_llvm(code)
    add_foreign_code(function, ForeignAttr.of(language, code))
