"""rename_block: another label for a block."""

from __future__ import annotations

from ...diagnostics import fail
from ...dialects import loop
from ..engine import Engine
from ..handles import BlockRV
from ..loop_rewriting import function_of
from ..primitive_declaration import NOTES, register_primitive
from ..refusal import BAD_ARGUMENT
from ..unique_names import names_of


@register_primitive(NOTES)
def rename_block(sch: Engine, block: BlockRV, label: str) -> BlockRV:
    """Give a block another label, which no other block of the function may have. Returns the new handle.

    before:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 64) { … }
    }
    ```
    after `rename_block(B, "copy")`:
    ```mlir
    loop.for %i = 0 to 64 {
      loop.block "copy" (%vi = spatial(%i) in 64) { … }
    }
    ```
    """
    op = sch.block(block)
    _rename_block(op, label)
    sch.retire(op, "renamed")
    return sch.handle_of(op)


def _rename_block(block: loop.BlockOp, label: str) -> None:
    if not label:
        fail(BAD_ARGUMENT, "rename_block: expected a label, but got ''", op=block)
    names = names_of(function_of(block))
    if label != block.label and names.has_label(label):
        fail(BAD_ARGUMENT, f"rename_block: a block {label!r} exists already", op=block)
    names.rename_block(block, label)
