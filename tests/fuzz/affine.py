"""Random index expressions, and the guards that keep them inside of a shape."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.dialects.index_expr import LANE, Index, Lane, Range
from xdsl.ir import SSAValue

from .draw import Draw

Shape = tuple[Index, ...]


class Affine:
    """Index expressions over the variables that are in scope."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.variables: list[SSAValue] = []
        self.ranges: dict[SSAValue | Lane, Range] = {}
        """Inclusive bounds of what is known to be bounded."""
        self.limits: dict[SSAValue, Index] = {}
        """Sizes that variables from 0 on stay below."""

    def enter(self, variable: SSAValue, range_: Range, limit: Index | None = None) -> None:
        self.variables.append(variable)
        self.ranges[variable] = range_
        if limit is not None:
            self.limits[variable] = limit

    def leave(self, count: int) -> None:
        """Forget the variables that came after the first `count`."""
        del self.variables[count:]

    def size(self, value: SSAValue) -> None:
        """Enter a size: at least 1, and no variable of a loop."""
        self.ranges[value] = (1, None)

    def expression(self, *, lane: int | None = None, sizes: Sequence[Index] = ()) -> Index:
        draw = self.draw
        result = Index.of(draw.one_of((0, 0, 0, 0, 1, 2, -1, 3)))
        for variable in self.variables:
            if draw.chance(0.6):
                result = result + Index.of(variable) * draw.one_of((1, 1, 1, 1, 2, 3, -1, 8))
        if sizes and draw.chance(0.15):
            result = result + draw.one_of(sizes) * draw.one_of((1, -1))
        if lane is not None and draw.chance(0.8):
            result = result + Index.of(LANE) * draw.one_of((1, 1, 1, 2, -1))
        if draw.chance(0.12):
            result = result // draw.one_of((2, 3, 4, 8)) + draw.one_of((0, 0, 1))
        elif draw.chance(0.1):
            result = result % draw.one_of((2, 3, 4, 8))
        return result

    def condition(self, *, lane: int | None = None, sizes: Sequence[Index] = ()) -> Index:
        """Return an expression that is >= 0 in some places and not in others."""
        bound = self.draw.one_of([Index.of(n) for n in (1, 2, 3, 5, 9)] + list(sizes))
        e = self.expression(lane=lane)
        return bound - 1 - e if self.draw.chance(0.7) else e - self.draw.one_of((0, 1, 2))

    def conditions(self, *, lane: int | None = None, sizes: Sequence[Index] = ()) -> list[Index]:
        return [self.condition(lane=lane, sizes=sizes) for _ in range(self.draw.one_of((1, 1, 2)))]

    def inside(
        self, shape: Shape, *, lane: int | None = None, fixed: dict[int, Index] | None = None
    ) -> tuple[list[Index], list[Index]]:
        """Return indices into a shape, and the conditions under which they lie inside; `fixed` are indices by
        dimension."""
        ranges = dict(self.ranges)
        if lane is not None:
            ranges[LANE] = (0, lane - 1)
        indices: list[Index] = []
        guard: list[Index] = []
        for dimension, extent in enumerate(shape):
            given = fixed.get(dimension) if fixed is not None else None
            index = self._index(extent, lane) if given is None else given
            indices.append(index)
            guard += self._guard(index, extent, ranges)
        return indices, guard

    def _index(self, extent: Index, lane: int | None) -> Index:
        """Return an index that is likely to lie inside."""
        draw = self.draw
        fitting = [v for v in self.variables if self._fits(v, extent)]
        if fitting and draw.chance(0.6):
            return Index.of(draw.one_of(fitting))
        e = self.expression(lane=lane)
        if extent.is_constant and draw.chance(0.15):
            return e % extent.constant
        if extent.is_constant and draw.chance(0.15):
            return Index.of(draw.between(0, extent.constant - 1))
        return e

    def _fits(self, variable: SSAValue, extent: Index) -> bool:
        if self.limits.get(variable) == extent:
            return True
        high = self.ranges.get(variable, (None, None))[1]
        return extent.is_constant and high is not None and high < extent.constant

    def _guard(self, index: Index, extent: Index, ranges: dict[SSAValue | Lane, Range]) -> list[Index]:
        low, _ = index.bounds(ranges)
        guard = [] if low is not None and low >= 0 else [index]
        room = extent - 1 - index
        single = index.single_value
        if single is not None and self.limits.get(single) == extent:
            return guard
        low, _ = room.bounds(ranges)
        return guard if low is not None and low >= 0 else [*guard, room]
