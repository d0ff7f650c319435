"""Transposition of a matrix whose rows are vectors, by shuffles of two vectors each.

Within groups of 128 bits, which x86 shuffles in one instruction, rows are interleaved by elements, then by pairs, and
so on: log2(rows) steps. Then the groups are concatenated. The columns share these steps, because equal shuffles are
emitted once: a matrix of n by n takes n log n of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from .code import Code

GROUP_BITS = 128


def column(code: Code, rows: Sequence[str], element: str, bits: int, width: int, position: int) -> str:
    """Return the elements at `position` of `rows`, vectors of `width` elements of `bits`, as one vector.

    The numbers of rows and of elements are powers of two.
    """
    group = min(GROUP_BITS // bits, width, len(rows))
    writer = _Shuffles(code, element, width, group)
    number, within = divmod(position, group)
    quads = [writer.interleave(rows[k : k + group], within) for k in range(0, len(rows), group)]
    return writer.beside(quads, number)


class _Shuffles:
    def __init__(self, code: Code, element: str, width: int, group: int) -> None:
        self._code = code
        self._element = element
        self._width = width
        self._group = group

    def interleave(self, rows: Sequence[str], within: int) -> str:
        """Return for each group the elements of all rows in some columns, `within` among them.

        The more rows, the fewer columns: for as many rows as a group has elements it is one.
        """
        if len(rows) == 1:
            return rows[0]
        half = len(rows) // 2
        a, b = self.interleave(rows[:half], within), self.interleave(rows[half:], within)
        columns = self._group // len(rows)
        first = within // columns % 2 * columns
        picks = [
            side * self._width + start + (first + c) * half + m
            for start in range(0, self._width, self._group)
            for c in range(columns)
            for side in (0, 1)
            for m in range(half)
        ]
        return self._shuffle(a, b, self._width, picks)

    def beside(self, parts: Sequence[str], number: int) -> str:
        """Group `number` of each part, one beside the other."""
        start = number * self._group
        if len(parts) == 1:
            if self._width == self._group:
                return parts[0]
            return self._shuffle(parts[0], "poison", self._width, range(start, start + self._group))
        kept = range(start, start + self._group)
        picks = [*kept, *(self._width + k for k in kept)]
        pairs = [self._shuffle(a, b, self._width, picks) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        size = 2 * self._group
        while len(pairs) > 1:
            pairs = [self._shuffle(a, b, size, range(2 * size)) for a, b in zip(pairs[::2], pairs[1::2], strict=True)]
            size *= 2
        return pairs[0]

    def _shuffle(self, a: str, b: str, width: int, picks: Sequence[int]) -> str:
        mask = ", ".join(f"i32 {p}" for p in picks)
        vector = f"<{width} x {self._element}>"
        expression = f"shufflevector {vector} {a}, {vector} {b}, <{len(picks)} x i32> <{mask}>"
        return self._code.pure(expression, (a, b))
