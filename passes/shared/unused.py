"""Erasure of operations without observable effects."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...analysis.effects import is_unused
from ...ir import editor as edit


def erase_unused(module: ModuleOp) -> bool:
    """Erase operations without observable effects, users before their operands. Returns whether there were any."""
    changed = False
    for region in module.regions:
        for block in region.blocks:
            changed |= _erase_unused(block)
    return changed


def _erase_unused(block: Block) -> bool:
    changed = False
    op = block.last_op
    while op is not None:
        before = op.prev_op
        if is_unused(op):
            edit.erase(op)
            changed = True
        else:
            for region in op.regions:
                for inner in region.blocks:
                    changed |= _erase_unused(inner)
        op = before
    return changed
