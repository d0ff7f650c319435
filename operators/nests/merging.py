"""A stable merge sort along an axis, as loops without branches: what is merged next is kept in a buffer of heads."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from xdsl.ir import SSAValue

from ...te.dtypes import dtype_info
from .program import Program, Scalar

_LEVELS = 40
"""Runs double at each level: 2^40 elements are more than a memory holds."""


class _Head(IntEnum):
    """What is known while two runs are merged: the next element of each, where both end, and how long runs are."""

    LEFT = 0
    RIGHT = 1
    MIDDLE = 2
    END = 3
    WIDTH = 4


def merge_sort(
    builder: Any, axis: int, descending: bool, x: SSAValue, order: SSAValue, other: SSAValue, heads: SSAValue
) -> None:
    """Write the places of the elements of `x` in order along `axis` into `order`, int64 as `other`, of the same shape;
    `heads` has five int64 along the axis. A NaN is the greatest."""
    program = Program(builder)
    sizes = [program.size(x, d) for d in range(len(x.type.get_shape()))]  # pyright: ignore[reportAttributeAccessIssue]
    size = sizes.pop(axis)
    with program.over(*sizes, parallel=True) as others:
        row = _Row(program, others[:axis], others[axis:], descending, (x, order, other, heads))
        row.sort(size)


class _Row:
    """One row of elements."""

    def __init__(
        self, program: Program, before: list[Any], after: list[Any], descending: bool, buffers: tuple[SSAValue, ...]
    ) -> None:
        self.program, self.before, self.after = program, before, after
        self.descending = descending
        self.x, self.order, self.other, self.heads = buffers

    def sort(self, size: Any) -> None:
        program = self.program
        n = program.number(size, "int64")
        zero, one = (program.constant(k, "int64") for k in (0, 1))
        with program.loop(0, size) as i:
            self.store(program.number(i, "int64"), self.order, i)
        self.store(one, self.heads, _Head.WIDTH)
        with program.loop(0, _LEVELS):
            for head in (_Head.LEFT, _Head.RIGHT, _Head.MIDDLE, _Head.END):
                self.store(zero, self.heads, head)
            width = self.load(self.heads, _Head.WIDTH)
            steps = (width < n).choose(n, zero)
            with program.loop(0, steps) as o:
                self.merge(o, n)
            with program.loop(0, steps) as o:
                self.store(self.load(self.other, o), self.order, o)
            self.store(width + width, self.heads, _Head.WIDTH)

    def merge(self, o: Any, n: Scalar) -> None:
        """Write the next element of two runs, or the first one of the next two."""
        out, width = self.program.number(o, "int64"), self.load(self.heads, _Head.WIDTH)
        is_new = out >= self.load(self.heads, _Head.END)
        middle = is_new.choose((out + width).min(n), self.load(self.heads, _Head.MIDDLE))
        end = is_new.choose((out + width + width).min(n), self.load(self.heads, _Head.END))
        left = is_new.choose(out, self.load(self.heads, _Head.LEFT))
        right = is_new.choose(middle, self.load(self.heads, _Head.RIGHT))
        first, second = (self.load(self.order, head.min(n - 1)) for head in (left, right))
        takes_right = (left >= middle) | ((right < end) & self.goes_before(second, first))
        self.store(takes_right.choose(second, first), self.other, o)
        zero, one = (self.program.constant(k, "int64") for k in (0, 1))
        step = takes_right.choose(one, zero)
        heads = {_Head.LEFT: left + one - step, _Head.RIGHT: right + step, _Head.MIDDLE: middle, _Head.END: end}
        for head, value in heads.items():
            self.store(value, self.heads, head)

    def goes_before(self, a: Scalar, b: Scalar) -> Scalar:
        """Whether the element at place a comes before that at b and is not equal to it."""
        low, high = (self.load(self.x, place) for place in ((b, a) if self.descending else (a, b)))
        if not dtype_info(low.dtype).is_float:
            return low < high
        no, yes = (self.program.constant(k, "bool") for k in (0, 1))
        is_number, is_nan = low.equals(low), high.equals(high).choose(no, yes)
        return (low < high) | (is_nan & is_number)

    def load(self, buffer: SSAValue, place: Any) -> Scalar:
        return self.program.load(buffer, *self.at(place))

    def store(self, value: Scalar, buffer: SSAValue, place: Any) -> None:
        self.program.store(value, buffer, *self.at(place))

    def at(self, place: Any) -> tuple[Any, ...]:
        return (*self.before, place, *self.after)
