"""Blocks over tiles, tensor intrinsics in place of them, and the foreign code that these call."""

from __future__ import annotations

from ...diagnostics import fail
from ...dialects.loop import ForeignAttr, add_foreign_code
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitives.blockize import blockize
from ..primitives.tensorize import tensorize
from ..recording import recorded
from ..refusal import BAD_ARGUMENT
from ..tensor_intrinsics import TensorIntrin, known_name


class TensorMethods(Engine):
    """blockize and tensorize."""

    @recorded
    def blockize(self, loop: LoopRV) -> BlockRV:
        """Make one block over tiles of the nest under a loop; returns it."""
        return self._handle(blockize(self.loop(loop)))

    @recorded
    def tensorize(self, loop: LoopRV, tensor_intrin: str | TensorIntrin) -> BlockRV:
        """Replace the nest under a loop by a tensor intrinsic; returns the block over its tiles.

        The intrinsic is given by its name (`TensorIntrin.register`) or as `te.decl_tensor_intrin` returned it; the
        trace has its name.
        """
        op = self.loop(loop)
        if isinstance(tensor_intrin, TensorIntrin):
            tensor_intrin = known_name(tensor_intrin)
        outer = tensorize(op, TensorIntrin.get(tensor_intrin))
        self._retire(op, "tensorized")
        self.reassociates |= "reduce" in outer.kinds or "reduce" in TensorIntrin.get(tensor_intrin).block.kinds
        return self._handle(outer)

    @recorded
    def import_foreign(self, language: str, code: str) -> None:
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
        if language not in ("c", "llvm"):
            fail(BAD_ARGUMENT, f"import_foreign: expected the language c or llvm, but got {language!r}", op=self.func)
        if language == "llvm":
            from ...toolchain import check_llvm

            check_llvm(code)
        add_foreign_code(self.func, ForeignAttr.of(language, code))
