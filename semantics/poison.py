"""Poison of upstream MLIR in the interpreter: detected at run time, and optionally replaced by another number.

The interpreter defines a number where upstream's operations give poison: for an addition with `nsw` that overflows, a
shift by the width of its type, a NaN under `nnan`. Poison may be any number, so a run in which each poison value is
replaced by another number is also a run that the program allows. Where upstream has undefined behaviour, such as a
division by 0, a run is no evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Operation

from ..dialects.upstream.undefined import DIVISIONS, SHIFTS, SIGNED, TO_INTEGERS, is_upstream
from .integers import as_signed, as_unsigned
from .values import Array, element_of

_EXACT: dict[str, Callable[[Any, Any], Any]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.shli": lambda a, b: a << b,
}
"""Results beyond any width, of Python's integers."""


class Poison:
    """The poison of the runs of one program. `replaces`: a value that is poison becomes another number."""

    def __init__(self, *, replaces: bool) -> None:
        self.replaces = replaces
        self.first: Operation | None = None
        """The first operation whose result was poison, or that was undefined, since the last `forget`."""
        self.undefined: Operation | None = None
        """The first one of these that was undefined as a whole."""

    def forget(self) -> None:
        self.first = self.undefined = None

    def watch(self, op: Operation) -> Callable[..., Any]:
        """Return a function of an operation's result and operands that gives the result to go on with."""
        return partial(self._look, op, _finder(op))

    def _look(self, op: Operation, find: Callable[..., Any], result: Any, *operands: Any) -> Any:
        where = np.asarray(find(*(np.asarray(v) for v in (result, *operands))))
        if not where.any():
            return result
        self.first = self.first or op
        if op.name in DIVISIONS:
            self.undefined = self.undefined or op
        if not self.replaces:
            return result
        other = np.where(where, _other(np.asarray(result)), result)
        return int(other) if isinstance(result, int) else other[()].astype(np.asarray(result).dtype)


def may_be_poison(op: Operation) -> bool:
    """Return whether an operation of upstream MLIR may be undefined, or its result is used and may be poison."""
    if not op.results[:1] or (op.name not in DIVISIONS and not op.results[0].uses):
        return False
    return is_upstream(op) or any(
        isinstance(value, (IntegerOverflowAttr, FastMathFlagsAttr)) and bool(value.data)
        for value in op.properties.values()
    )


def _finder(op: Operation) -> Callable[..., Any]:
    """Return a function of the result and the operands that gives the lanes in which the result is poison."""
    flags = {flag.value for v in op.properties.values() for flag in _flags(v)}
    width = _width(op)
    found: list[Callable[..., Any]] = []
    if op.name in _EXACT and flags & {"nsw", "nuw"}:
        found.append(partial(_overflows, op.name, frozenset(flags), width))
    if is_upstream(op) and op.name in SHIFTS:
        found.append(lambda _, a, amount: as_integers(amount, is_signed=False) >= width)
    if is_upstream(op) and op.name in DIVISIONS:
        found.append(partial(_traps, op.name in SIGNED, width))
    if is_upstream(op) and op.name in TO_INTEGERS:
        found.append(partial(_leaves, op.name == "arith.fptosi", width))
    if flags & {"nnan", "fast"}:
        found.append(lambda *values: _any([np.isnan(v) for v in values if _is_float(v)]))
    if flags & {"ninf", "fast"}:
        found.append(lambda *values: _any([np.isinf(v) for v in values if _is_float(v)]))
    return lambda *values: _any([find(*values) for find in found])


def _flags(value: Any) -> Any:
    return value.data if isinstance(value, (IntegerOverflowAttr, FastMathFlagsAttr)) else ()


def _any(parts: list[Any]) -> Any:
    found: Any = np.False_
    for part in parts:
        found = np.logical_or(found, np.asarray(part, dtype=bool))
    return found


def _overflows(name: str, flags: frozenset[str], width: int, _: Array, a: Array, b: Array) -> Any:
    found: list[Any] = []
    for flag, is_signed in (("nsw", True), ("nuw", False)):
        if flag in flags:
            low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
            second = as_integers(b, is_signed=is_signed and name != "arith.shli")
            second = np.minimum(second, width) if name == "arith.shli" else second
            exact = _EXACT[name](as_integers(a, is_signed=is_signed), second)
            found.append(np.logical_or(exact < low, exact >= high))
    return _any(found)


def _leaves(is_signed: bool, width: int, _: Array, a: Array) -> Any:
    low, high = (-(1 << (width - 1)), 1 << (width - 1)) if is_signed else (0, 1 << width)
    whole = np.trunc(np.asarray(a).astype(np.float64))
    return ~np.logical_and(whole >= low, whole < high)


def _traps(is_signed: bool, width: int, _: Array, a: Array, b: Array) -> Any:
    divisor = as_integers(b, is_signed=is_signed)
    zero = divisor == 0
    if not is_signed:
        return zero
    return _any([zero, np.logical_and(as_integers(a, is_signed=True) == -(1 << (width - 1)), divisor == -1)])


def as_integers(values: Array, *, is_signed: bool) -> Any:
    """Return integers of a type as Python's integers."""
    if values.dtype == object:
        return values
    return np.asarray((as_signed if is_signed else as_unsigned)(values)).astype(object)


def _other(values: Array) -> Any:
    """Return another number for each value."""
    if values.dtype == np.bool_:
        return ~values
    if _is_float(values):
        return np.where(np.isfinite(values), values + values.dtype.type(1) * 3, values.dtype.type(7))
    return values ^ values.dtype.type(0x55)


def _is_float(values: Any) -> bool:
    return np.asarray(values).dtype.kind not in "iubO"


def _width(op: Operation) -> int:
    type = element_of(op.results[0].type)
    return 64 if isinstance(type, IndexType) else type.width.data if isinstance(type, IntegerType) else 0
