"""Captured values: the values defined outside a loop that its body uses."""

from __future__ import annotations

from xdsl.ir import SSAValue

from ..dialects.loop import ForOp
from ..traversal import operations


def captured_values(op: ForOp) -> tuple[SSAValue, ...]:
    """Return the values that operations in the body of `op` use and that are defined outside of it, by their first
    use."""
    inside: set[SSAValue] = set(op.body.block.args)
    found: dict[SSAValue, None] = {}
    for nested in operations(op)[1:]:
        for operand in nested.operands:
            if operand not in inside:
                found[operand] = None
        inside.update(nested.results)
        for region in nested.regions:
            for block in region.blocks:
                inside.update(block.args)
    return tuple(found)
