"""A stable radix sort along an axis, as loops: the positions of elements in order.

Elements become unsigned integers of the same order, which are distributed by one digit of eight bits after the other,
the least one first (Knuth, The Art of Computer Programming 3, 5.2.5).
"""

from __future__ import annotations

from typing import Any

from xdsl.ir import SSAValue

from ...te.dtypes import dtype_info
from .nest_builder import NestBuilder, Scalar

DIGIT = 8
VALUES = 1 << DIGIT
"""The number of values of a digit."""


def key_type(dtype: str) -> str:
    """Return the type of the integers that elements of a type become."""
    return f"uint{max(2 * DIGIT, dtype_info(dtype).bits)}"


def counts_of(dtype: str) -> int:
    """Return the number of counters that a row of elements takes."""
    return VALUES * (dtype_info(key_type(dtype)).bits // DIGIT)


def radix_sort(
    builder: Any,
    axis: int,
    descending: bool,
    x: SSAValue,
    order: SSAValue,
    other: SSAValue,
    keys: SSAValue,
    other_keys: SSAValue,
    counts: SSAValue,
) -> None:
    """Write the positions of the elements of `x` in order along `axis` into `order`. A NaN is the greatest; of equal
    elements the first one comes first. The other buffers hold intermediate results: their last axis has the
    elements of a row, or its counters, those before it are the other axes of `x`."""
    program = NestBuilder(builder)
    sizes = [program.size(x, d) for d in range(len(x.type.get_shape()))]  # pyright: ignore[reportAttributeAccessIssue]
    size = sizes.pop(axis)
    with program.over(*sizes, parallel=program.worth_threads(x)) as others:
        row = _Row(program, axis, others, descending, (x, order, other, keys, other_keys, counts))
        with program.when(program.number(size, "int64") > 0):
            row.sort(size)


def ordered_key(x: Scalar) -> Scalar:
    """Return an unsigned integer of an element, less than that of another element where the element is less; of equal
    elements the same."""
    info = dtype_info(x.dtype)
    if info.is_storage:
        return ordered_key(x.astype("float32" if info.is_float else "int32")).astype(key_type(x.dtype))
    bits = x.bits()
    width = info.bits
    sign, ones = 1 << (width - 1), (1 << width) - 1
    program = x.program
    if info.is_float:
        zero, last = program.constant(0, bits.dtype), program.constant(ones, bits.dtype)
        bits = bits.equals(sign).choose(zero, bits)  # -0 is equal to 0
        mask = (bits >> (width - 1)).equals(1).choose(last, program.constant(sign, bits.dtype))
        bits = x.equals(x).choose(bits ^ mask, last)
    elif info.signed:
        bits = bits ^ sign
    return bits.astype(key_type(x.dtype))


class _Row:
    """One row of elements."""

    def __init__(
        self, program: NestBuilder, axis: int, others: list[Any], descending: bool, buffers: tuple[SSAValue, ...]
    ) -> None:
        self.program, self.others, self.descending = program, tuple(others), descending
        self.before, self.after = self.others[:axis], self.others[axis:]
        self.x, self.order, self.other, self.keys, self.other_keys, self.counts = buffers

    def sort(self, size: Any) -> None:
        program = self.program
        n = program.number(size, "int64")
        bits = dtype_info(program.load(self.keys, *self.others, 0).dtype).bits
        passes = range(bits // DIGIT)
        with program.loop(0, VALUES * len(passes)) as i:
            program.store(program.constant(0, "int64"), self.counts, *self.others, i)
        with program.loop(0, size) as i:
            key = ordered_key(program.load(self.x, *self.before, i, *self.after))
            if self.descending:
                key = key ^ ((1 << bits) - 1)
            program.store(key, self.keys, *self.others, i)
            program.store(program.number(i, "int64"), self.order, *self.before, i, *self.after)
            for p in passes:
                position = self.counter(p, key)
                count = program.load(self.counts, *self.others, position)
                program.store(count + 1, self.counts, *self.others, position)
        first = program.load(self.keys, *self.others, 0)
        differs = [program.load(self.counts, *self.others, self.counter(p, first)) < n for p in passes]
        for p in passes:
            self.sum_up(p)
        for p in passes[::2]:
            with program.when(differs[p] | differs[p + 1]):  # two distributions end where they began
                self.distribute(p, size, forth=True)
                self.distribute(p + 1, size, forth=False)

    def counter(self, number: int, key: Scalar) -> Scalar:
        """Return the position of the counter of a key's digit."""
        digit = (key >> (DIGIT * number)) if number else key
        return (digit & (VALUES - 1)).astype("int64") + VALUES * number

    def sum_up(self, number: int) -> None:
        """Make of the counts of a digit's values the positions where elements with them begin."""
        program = self.program

        def step(i: Any, carried: list[Scalar]) -> list[Scalar]:
            position = i + VALUES * number
            count = program.load(self.counts, *self.others, position)
            program.store(carried[0], self.counts, *self.others, position)
            return [carried[0] + count]

        program.fold(0, VALUES, [program.constant(0, "int64")], step)

    def distribute(self, number: int, size: Any, *, forth: bool) -> None:
        """Move the keys and positions of a row to the other buffers, or back, by one digit."""
        program = self.program
        keys, other_keys = (self.keys, self.other_keys) if forth else (self.other_keys, self.keys)
        last = program.number(size - 1, "int64")
        with program.loop(0, size) as i:
            key = program.load(keys, *self.others, i)
            counter = self.counter(number, key)
            found = program.load(self.counts, *self.others, counter)
            program.store(found + 1, self.counts, *self.others, counter)
            target = found.max(0).min(last)
            program.store(key, other_keys, *self.others, target)
            source = (self.order, (*self.before, i, *self.after)) if forth else (self.other, (*self.others, i))
            into = (self.other, (*self.others, target)) if forth else (self.order, (*self.before, target, *self.after))
            program.store(program.load(source[0], *source[1]), into[0], *into[1])
