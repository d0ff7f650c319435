"""Pass `eliminate-common-subexpressions`: equal operators are computed once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block

from ...diagnostics.locations import fused_location
from ...dialects import graph
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class EliminateCommonSubexpressionsPass(Pass):
    """Replace an operator by an earlier one of the same block with equal operands and properties.

    ```mlir
    %a = graph.exp %x : tensor<8xf32>
    %b = graph.exp %x : tensor<8xf32>
    %y = graph.add %a, %b : tensor<8xf32>
    ```
    becomes
    ```mlir
    %a = graph.exp %x : tensor<8xf32>
    %y = graph.add %a, %a : tensor<8xf32>
    ```
    Constants are equal when their elements are written in the text and the same, or when they name the same data.
    """

    name = "eliminate-common-subexpressions"
    phase = 0
    levels = (Level.GRAPH,)
    opt_level = 1

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for block in [block for member in operations(op) for region in member.regions for block in region.blocks]:
            _eliminate(block)


def _eliminate(block: Block) -> None:
    """Replace each operator by an equal one earlier in the block: every graph operator is pure."""
    known: dict[Hashable, graph.GraphOp] = {}
    for op in block.ops:
        if isinstance(op, graph.GraphOp):
            first = known.setdefault(_key(op), op)
            if first is not op and may_rewrite("use an equal value", op):
                first.location = fused_location(first.location, op.location)
                edit.replace(op, (), first.results)


def _key(op: graph.GraphOp) -> Hashable:
    properties = tuple(sorted(op.properties.items(), key=lambda item: item[0]))
    attributes = tuple(sorted(op.attributes.items(), key=lambda item: item[0]))
    return (op.name, tuple(op.operands), properties, attributes, tuple(op.result_types))
