"""Axes whose values select the computation, such as the position of an element in a small transform.

A block with tests on such an axis computes every case and selects one. After unrolling, each instance has a constant
case, and common subexpressions of the cases are computed once.
"""

from __future__ import annotations

from xdsl.ir import BlockArgument

from ...dialects import loop
from ...dialects.index_expr import Mod
from ..handles import LoopRV
from ..schedule import Schedule
from .block_structure import Axis, Shape

MOST_CASES = 8
"""The most cases of one axis; more code is not worth it."""


def cases_of(shape: Shape) -> dict[Axis, int]:
    """Return the axes in the tests of a block, and the number of values after which the cases repeat."""
    axes = {axis.variable: axis for axis in (*shape.spatial, *shape.reduce)}
    found: dict[Axis, int] = {}
    for op in shape.block.body.block.ops:
        if isinstance(op, loop.TestOp):
            for atom in [atom for condition in op.conditions for atom, _ in condition.terms]:
                axis, period = _case(atom, axes)
                if axis is not None and period <= MOST_CASES and axis.extent >= period:
                    found[axis] = min(period, found.get(axis, period))
    return found


def _case(atom: object, axes: dict[BlockArgument, Axis]) -> tuple[Axis | None, int]:
    if isinstance(atom, Mod):
        variable = atom.numerator.single_value
        return (axes.get(variable), atom.divisor) if isinstance(variable, BlockArgument) else (None, 0)
    axis = axes.get(atom) if isinstance(atom, BlockArgument) else None
    return axis, axis.extent if axis is not None else 0


def split_cases(sch: Schedule, loops: dict[Axis, LoopRV], cases: dict[Axis, int]) -> list[LoopRV]:
    """The loops over cases, split off `loops` where these repeat them; loops that hold nothing else leave `loops`."""
    inner: list[LoopRV] = []
    for axis, period in cases.items():
        if axis.extent == period:
            inner.append(loops.pop(axis))
        else:
            loops[axis], within = sch.split(loops[axis], [None, period])
            inner.append(within)
    return inner
