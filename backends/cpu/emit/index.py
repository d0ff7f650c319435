"""Index expressions and guards as LLVM values.

An expression is collected into a constant and a sum of `coefficient * operand`, where variables of unrolled loops are
constants. The sum is written with the outermost operands first, so that every partial sum is hoisted out of the loops
that it does not depend on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from xdsl.ir import SSAValue

from ....dialects.index_expr import Atom, FloorDiv, Index, Mod
from .code import Code

Operand: TypeAlias = "int | str"
"""A known integer, or the name of an i64."""
Term: TypeAlias = "tuple[str, int]"
"""An operand and its coefficient."""
Condition: TypeAlias = "bool | str"
"""The value of a guard: known, or the name of an i1 (a vector of them where lanes differ)."""


class IndexWriter:
    """Writes index arithmetic into `code`. `lookup` gives the operand, or the expression, that a value stands for."""

    def __init__(
        self,
        code: Code,
        lookup: Callable[[SSAValue], Operand | Index],
        ranges: Mapping[SSAValue, tuple[int | None, int | None]],
    ) -> None:
        self.code = code
        self._lookup = lookup
        self._ranges = ranges

    def collect(self, expression: Index) -> tuple[int, list[Term]]:
        """Return the constant and the terms of an expression."""
        terms: dict[str, int] = {}
        constant = self._collect(expression, 1, terms)
        return constant, [(o, c) for o, c in terms.items() if c]

    def operand(self, expression: Index) -> Operand:
        constant, terms = self.collect(expression)
        if not terms:
            return constant
        total = self.sum(terms)
        return self.add(total, str(constant)) if constant else total

    def sum(self, terms: Sequence[Term]) -> str:
        """Return the sum of at least one term, outermost operands first."""
        total: str | None = None
        for operand, coefficient in sorted(terms, key=lambda t: self.code.depth_of(t[0])):
            term = self.multiply(operand, coefficient)
            total = term if total is None else self.add(total, term)
        assert total is not None
        return total

    def add(self, a: str, b: str) -> str:
        return self.code.pure(f"add nsw i64 {a}, {b}", (a, b))

    def multiply(self, a: str, b: int | str) -> str:
        return a if b == 1 else self.code.pure(f"mul nsw i64 {a}, {b}", (a, str(b)))

    def extreme(self, function: str, operands: Sequence[Operand]) -> Operand:
        """Return the `max` or `min` of at least one operand."""
        known = [o for o in operands if isinstance(o, int)]
        result: Operand | None = (max(known) if function == "max" else min(known)) if known else None
        for operand in operands:
            if isinstance(operand, str):
                result = operand if result is None else self._extreme(function, str(result), operand)
        assert result is not None
        return result

    def holds(self, guard: Sequence[Index]) -> Condition:
        """Return the condition that every expression of a guard without lanes is at least 0."""
        conditions: list[str] = []
        for expression in guard:
            operand = self.operand(expression)
            if isinstance(operand, str):
                conditions.append(self.code.pure(f"icmp sge i64 {operand}, 0", (operand,)))
            elif operand < 0:
                return False
        return self.conjunction(conditions, "i1")

    def conjunction(self, conditions: Sequence[str], type_: str) -> Condition:
        """Return the conjunction of conditions of the LLVM type `type_`."""
        if not conditions:
            return True
        result = conditions[0]
        for condition in conditions[1:]:
            result = self.code.pure(f"and {type_} {result}, {condition}", (result, condition))
        return result

    def _extreme(self, function: str, a: str, b: str) -> str:
        return self.code.pure(f"call i64 @llvm.s{function}.i64(i64 {a}, i64 {b})", (a, b))

    def _collect(self, expression: Index, scale: int, terms: dict[str, int]) -> int:
        constant = expression.constant * scale
        for atom, coefficient in expression.terms:
            value = self._atom(atom)
            if isinstance(value, int):
                constant += value * coefficient * scale
            elif isinstance(value, str):
                terms[value] = terms.get(value, 0) + coefficient * scale
            else:
                constant += self._collect(value, coefficient * scale, terms)
        return constant

    def _atom(self, atom: Atom) -> Operand | Index:
        if isinstance(atom, SSAValue):
            return self._lookup(atom)
        assert isinstance(atom, (FloorDiv, Mod)), "lanes are substituted before, and symbols are in no operation"
        numerator, divisor = self.operand(atom.numerator), atom.divisor
        quotient = isinstance(atom, FloorDiv)
        if isinstance(numerator, int):
            return numerator // divisor if quotient else numerator % divisor
        least, _ = atom.numerator.bounds(self._ranges)
        if least is not None and least >= 0:
            return self._pure(f"{'udiv' if quotient else 'urem'} i64 {numerator}, {divisor}", numerator)
        return self._floor(numerator, divisor, quotient)

    def _floor(self, numerator: str, divisor: int, quotient: bool) -> str:
        """Divide a number that may be negative, rounding down."""
        if divisor & (divisor - 1) == 0:
            if quotient:
                return self._pure(f"ashr i64 {numerator}, {divisor.bit_length() - 1}", numerator)
            return self._pure(f"and i64 {numerator}, {divisor - 1}", numerator)
        remainder = self._pure(f"srem i64 {numerator}, {divisor}", numerator)
        negative = self._pure(f"icmp slt i64 {remainder}, 0", remainder)
        if quotient:
            truncated = self._pure(f"sdiv i64 {numerator}, {divisor}", numerator)
            correction = self._pure(f"sext i1 {negative} to i64", negative)
            return self.add(truncated, correction)
        correction = self._pure(f"select i1 {negative}, i64 {divisor}, i64 0", negative)
        return self.add(remainder, correction)

    def _pure(self, expression: str, operand: str) -> str:
        return self.code.pure(expression, (operand,))
