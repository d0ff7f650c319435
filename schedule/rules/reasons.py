"""Reasons why the default schedules vectorise no loop of a block: the conditions of the rules, in words."""

from __future__ import annotations

from ...analysis.block_reductions import reduction_of
from ...analysis.domain import loops_around
from ...dialects import loop
from ...dialects.target import CpuTargetAttr
from .block_structure import Shape, element_bits, is_plain, shape_of
from .tiles import NARROWEST


def why_no_vector(block: loop.BlockOp, target: CpuTargetAttr) -> str:
    """Return the reason why no rule vectorises a loop around `block`, which is still as before the rules."""
    shape = shape_of(block)
    if shape is None:
        return "it is over tiles, or calls foreign code"
    if not is_plain(block):
        return "its loops are arranged already"
    vector = shape.row_axis()
    if vector is None:
        return "its results do not lie side by side along one of its axes"
    lanes = target.lanes(element_bits(block))
    if min(lanes, vector.extent) < NARROWEST:
        return f"fewer than {NARROWEST} of its results lie side by side, or fit a vector"
    if shape.reduce:
        return _why_no_reduction(block, shape)
    if vector.position != len(loops_around(block)) - 1:
        return "its results do not lie side by side along its innermost loop"
    return "it shares loops with other blocks"


def _why_no_reduction(block: loop.BlockOp, shape: Shape) -> str:
    reduction = reduction_of(block)
    if reduction is None:
        return "its reduction is of no form that the rules know"
    vector = shape.row_axis()
    assert vector is not None
    if not any(vector.variable in operand.variables for operand in shape.operands):
        return "it reads nothing along the axis of its results"
    return "its operands are not contiguous along the axis of its results"
