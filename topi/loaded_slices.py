"""Dynamic slices: the bounds are elements of tensors, which are known only at run time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .. import te
from ..te import Tensor
from .arguments import a_list, a_tensor, integers, refuse


@dataclass(frozen=True)
class LoadedRange:
    """A Python slice of one axis in expressions of int64: start, stop and step."""

    start: te.Expr
    stop: te.Expr
    step: te.Expr

    @classmethod
    def of(cls, size: Any, begin: te.Expr | None, end: te.Expr | None, step: te.Expr | None) -> LoadedRange:
        """Return the range of a slice. Bounds count from the end where they are negative, and are cut to the axis; a
        bound that is None takes the rest of the axis."""
        extent = size.astype("int64") if isinstance(size, te.Expr) else te.const(size, "int64")
        stride = te.const(1, "int64") if step is None else step
        back = stride < 0
        least, most = te.Select(back, te.const(-1, "int64"), 0), te.Select(back, extent - 1, extent)

        def cut(bound: te.Expr) -> te.Expr:
            return te.minimum(te.maximum(te.Select(bound < 0, bound + extent, bound), least), most)

        start = te.Select(back, most, least) if begin is None else cut(begin)
        return cls(start, te.Select(back, least, most) if end is None else cut(end), stride)

    def index_of(self, number: Any) -> te.Expr:
        """Return the index of an element of the slice."""
        return self.start + number.astype("int64") * self.step

    def contains(self, index: Any) -> te.Expr:
        """Return the condition that an index of the axis is in the slice."""
        away, stride = self._away(index), self._stride
        reach = te.Select(self.step < 0, self.start - self.stop, self.stop - self.start)
        return te.all(away >= 0, away < reach, te.floormod(away, stride) == 0)

    def number(self, index: Any) -> te.Expr:
        """Return the position in the slice of an index that it contains."""
        return te.floordiv(self._away(index), self._stride)

    def _away(self, index: Any) -> te.Expr:
        at = index.astype("int64")
        return te.Select(self.step < 0, self.start - at, at - self.start)

    @property
    def _stride(self) -> te.Expr:
        return te.maximum(te.abs(self.step), 1)


def loaded_ranges(x: Tensor, begin: Any, end: Any, strides: Any) -> list[LoadedRange]:
    """Return the slice of each axis that has a bound, from vectors of known sizes or lists of numbers."""
    sides = [_elements(side) for side in (begin, end, strides)]
    count = max(map(len, sides))
    if count > x.ndim:
        refuse("TW0446", f"expected bounds for at most {x.ndim} axes, but got {count}")
    return [
        LoadedRange.of(x.shape[axis], *(side[axis] if axis < len(side) else None for side in sides))
        for axis in range(count)
    ]


def _elements(side: Any) -> Sequence[te.Expr]:
    if side is None:
        return []
    if not isinstance(side, Tensor):
        return [te.const(getattr(each, "value", each), "int64") for each in a_list(side, "bounds of a slice")]
    bounds = integers(a_tensor(side, "bounds of a slice", 1), "bounds of a slice")
    (size,) = bounds.shape
    if not isinstance(size, int):
        refuse("TW0446", f"expected a known number of bounds of a slice, but got {size}")
    return [bounds(axis).astype("int64") for axis in range(size)]


def slice_at(x: Tensor, begin: Any, end: Any, strides: Any) -> Tensor:
    """Return the slice of `x`. Its sizes along axes that have bounds are sizes of the result that the program is
    given."""
    ranges = loaded_ranges(x, begin, end, strides)
    shape = [te.var(f"dim{axis}") for axis in range(len(ranges))] + list(x.shape[len(ranges) :])

    def element(*index: Any) -> te.Expr:
        sliced = [chosen.index_of(i) for chosen, i in zip(ranges, index, strict=False)]
        return x(*sliced, *index[len(ranges) :])

    return te.compute(shape, element, name="strided_slice")


def set_slice_at(x: Tensor, values: Tensor, begin: Any, end: Any, strides: Any) -> Tensor:
    """Return `x` with its slice replaced by `values`, which have its shape."""
    ranges = loaded_ranges(x, begin, end, strides)

    def element(*index: Any) -> te.Expr:
        sliced = list(zip(ranges, index, strict=False))
        inside = te.all(*(chosen.contains(i) for chosen, i in sliced))
        at = [chosen.number(i) for chosen, i in sliced]
        return te.if_then_else(inside, values(*at, *index[len(ranges) :]), x(*index))

    return te.compute(x.shape, element, name="strided_set")
