"""Numbering of the groups of equal elements of a vector whose sorted order is known, as loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.ir import SSAValue

from ...dialects.index_expr import Index
from ...te.dtypes import dtype_info
from .nest_builder import NestBuilder, Scalar


def number_kinds(
    builder: Any,
    by_appearance: bool,
    x: SSAValue,
    order: SSAValue,
    values: SSAValue,
    firsts: SSAValue,
    inverse: SSAValue,
    counts: SSAValue,
    total: SSAValue,
    renumbered: SSAValue,
    sizes: SSAValue,
) -> None:
    """Write the results of `graph.unique` for `x`. `order` are its positions in ascending order, equal ones in that of
    the vector. The last two buffers, int64 of as many elements, hold intermediate results."""
    program = NestBuilder(builder)
    size = program.size(x, 0)
    kinds = _Kinds(program, x, values, firsts, inverse, counts, renumbered, sizes)
    program.store(program.constant(0, "int64"), total, 0)
    with program.when(program.number(size, "int64") > 0):
        count = kinds.in_order(order, size)
        if by_appearance:
            kinds.renumber(size)
        program.store(count, total, 0)
        nothing = program.constant(0, "int64")
        with program.loop(count, size) as rest:
            program.store(program.load(x, 0), values, rest)
            program.store(nothing, firsts, rest)
            program.store(nothing, counts, rest)


@dataclass(frozen=True)
class _Kinds:
    program: NestBuilder
    x: SSAValue
    values: SSAValue
    firsts: SSAValue
    inverse: SSAValue
    counts: SSAValue
    renumbered: SSAValue
    sizes: SSAValue

    def in_order(self, order: SSAValue, size: Index) -> Scalar:
        """Assign numbers to the kinds in ascending order; return how many there are."""
        program = self.program
        zero, one = (program.constant(k, "int64") for k in (0, 1))
        last = program.number(size - 1, "int64")

        def step(i: Index, carried: list[Scalar]) -> list[Scalar]:
            found, before = carried
            position = program.load(order, i).max(0).min(last)
            value = program.load(self.x, position)
            is_new = found.equals(0) | self.differ(value, before)
            count = is_new.choose(found + one, found)
            kind = (count - one).max(0).min(last)
            with program.when(is_new):
                program.store(value, self.values, kind)
                program.store(position, self.firsts, kind)
                program.store(zero, self.counts, kind)
            program.store(kind, self.inverse, position)
            program.store(program.load(self.counts, kind) + one, self.counts, kind)
            return [count, value]

        return program.fold(0, size, [zero, program.load(self.x, 0)], step)[0]

    def differ(self, a: Scalar, b: Scalar) -> Scalar:
        if not dtype_info(a.dtype).is_float:
            return a.differs(b)
        return a.differs(b) & (a.equals(a) | b.equals(b))

    def renumber(self, size: Index) -> None:
        """Assign numbers to the kinds in the order of their first elements, which stand before all others."""
        program = self.program
        zero, one = (program.constant(k, "int64") for k in (0, 1))
        last = program.number(size - 1, "int64")
        with program.loop(0, size) as i:
            kind = program.load(self.inverse, i).max(0).min(last)
            program.store(program.load(self.counts, kind), self.sizes, i)
            program.store(program.constant(-1, "int64"), self.renumbered, i)

        def step(i: Index, carried: list[Scalar]) -> list[Scalar]:
            (found,) = carried
            position = program.number(i, "int64")
            kind = program.load(self.inverse, i).max(0).min(last)
            is_first, number = program.load(self.renumbered, kind) < 0, found.max(0).min(last)
            with program.when(is_first):
                program.store(number, self.renumbered, kind)
                program.store(position, self.firsts, number)
                program.store(program.load(self.x, i), self.values, number)
                program.store(program.load(self.sizes, i), self.counts, number)
            program.store(program.load(self.renumbered, kind), self.inverse, i)
            return [is_first.choose(found + one, found)]

        program.fold(0, size, [zero], step)
