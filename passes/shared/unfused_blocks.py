"""The blocks of operators that passes of graph rewrite: fused groups are left as they are."""

from __future__ import annotations

from xdsl.ir import Block, Operation

from ...dialects import graph
from ...traversal import operations


def unfused_blocks(module: Operation) -> list[Block]:
    """The blocks inside an operation that are not those of a fused group, outer ones before those inside them."""
    regions = [region for op in operations(module) if not isinstance(op, graph.FusedOp) for region in op.regions]
    return [block for region in regions for block in region.blocks]
