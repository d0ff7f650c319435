"""rename_block: what a block is called."""

from __future__ import annotations

from ...diagnostics import fail
from ...dialects import loop
from ..names import names_of
from ..refusal import BAD_ARGUMENT
from ..rewriting import function_of


def rename_block(block: loop.BlockOp, label: str) -> None:
    """Give a block another label, which no other block of the function has.

    before:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.block "B" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    after `rename_block(B, "copy")`:
    ```mlir
    func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
      loop.for %i = 0 to 64 {
        loop.block "copy" (%vi = spatial(%i) in 64) {
          %a = loop.load %A[%vi] : memref<64xf32>
          loop.store %a, %B[%vi] : memref<64xf32>
        }
      }
      func.return
    }
    ```
    """
    if not label:
        fail(BAD_ARGUMENT, "rename_block: expected a label, but got ''", op=block)
    names = names_of(function_of(block))
    if label != block.label and names.has_label(label):
        fail(BAD_ARGUMENT, f"rename_block: a block {label!r} exists already", op=block)
    names.rename_block(block, label)
