"""Arithmetic on sizes: Python integers where they are known, expressions of `te.var` where they are not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from .deferred import expr, te

_Monomial: TypeAlias = "frozenset[tuple[Hashable, int]]"
_Polynomial: TypeAlias = "dict[_Monomial, int]"

_ONE: _Monomial = frozenset()


def is_one(size: Any) -> bool:
    """Return whether a size is statically 1; a symbolic size is not."""
    return isinstance(size, int) and size == 1


def product(sizes: Sequence[Any]) -> Any:
    """Return the product of sizes; 1 of none."""
    return math.prod(sizes)


def ceil_div(size: Any, divisor: Any) -> Any:
    """Return the quotient rounded up."""
    if is_one(divisor):
        return size
    return -(-size // divisor) if isinstance(size, int) else (size + (divisor - 1)) // divisor


def same_size(a: Any, b: Any) -> bool:
    """Return whether two sizes are equal for all values of their variables."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return a is b or _polynomial(a) == _polynomial(b)


def number(value: Any, dtype: str) -> Any:
    """Return a size as an element of type `dtype`: a constant, or a conversion of an expression."""
    return value.astype(dtype) if isinstance(value, te.Expr) else te.const(value, dtype)


def _polynomial(size: Any) -> _Polynomial:
    """Return the normal form of a size: a coefficient for each product of factors that are no sum or product
    themselves."""
    match size:
        case int():
            return {_ONE: size} if size else {}
        case expr.Const():
            return _polynomial(int(size.value))
        case expr.Binary(op="add"):
            return _sum(_polynomial(size.lhs), _polynomial(size.rhs), 1)
        case expr.Binary(op="sub"):
            return _sum(_polynomial(size.lhs), _polynomial(size.rhs), -1)
        case expr.Binary(op="mul"):
            return _times(_polynomial(size.lhs), _polynomial(size.rhs))
        case expr.Unary(op="neg"):
            return _sum({}, _polynomial(size.operand), -1)
        case expr.Cast(dtype="int64" | "index"):
            return _polynomial(size.operand)
        case expr.Binary():
            operands = (frozenset(_polynomial(o).items()) for o in size.operands)
            return {frozenset({((size.op, *operands), 1)}): 1}
        case _:
            return {frozenset({(id(size), 1)}): 1}


def _sum(a: _Polynomial, b: _Polynomial, sign: int) -> _Polynomial:
    total = dict(a)
    for monomial, coefficient in b.items():
        total[monomial] = total.get(monomial, 0) + sign * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def _times(a: _Polynomial, b: _Polynomial) -> _Polynomial:
    result: _Polynomial = {}
    for left, x in a.items():
        for right, y in b.items():
            powers = Counter(dict(left)) + Counter(dict(right))
            result = _sum(result, {frozenset(powers.items()): x * y}, 1)
    return result
