"""import_foreign: the code of the foreign functions that a function calls."""

from __future__ import annotations

from xdsl.dialects.func import FuncOp

from ...diagnostics import fail
from ...dialects.loop import ForeignAttr, add_foreign_code
from ..refusal import BAD_ARGUMENT

FOREIGN_PRAGMAS = {"import_c": "c", "import_llvm": "llvm"}
"""Pragmas that bring foreign code, and its language."""


def import_foreign(function: FuncOp, language: str, code: str) -> None:
    """Give the function foreign code for its calls: "c" source, or the text of an "llvm" module.

    Raises TilewrightError TW0427 at the line of LLVM text that does not parse.

    before:
    ```mlir
    func.func @main(%A: memref<4xf32>, %B: memref<4xf32> {tw.output}) {
      loop.for %i = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 4) {
          %a = loop.load %A[%vi] : memref<4xf32>
          loop.store %a, %B[%vi] : memref<4xf32>
        }
      }
      func.return
    }
    ```
    after `import_foreign("c", "void copy(float *a, float *b) { *b = *a; }")`:
    ```mlir
    func.func @main(%A: memref<4xf32>, %B: memref<4xf32> {tw.output})
        attributes {tw.foreign = [#loop.foreign<"c", "void copy(float *a, float *b) { *b = *a; }">]} {
      loop.for %i = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 4) {
          %a = loop.load %A[%vi] : memref<4xf32>
          loop.store %a, %B[%vi] : memref<4xf32>
        }
      }
      func.return
    }
    ```
    """
    if language not in FOREIGN_PRAGMAS.values():
        fail(BAD_ARGUMENT, f"import_foreign: expected the language c or llvm, but got {language!r}", op=function)
    if not isinstance(code, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        fail(BAD_ARGUMENT, f"import_foreign: expected the text of the code, but got {code!r}", op=function)
    if language == "llvm":
        from ...toolchain import check_llvm

        check_llvm(code)
    add_foreign_code(function, ForeignAttr.of(language, code))
