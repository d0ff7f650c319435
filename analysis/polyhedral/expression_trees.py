"""Expression trees of the values that statements write: operations over reads of memory, constants and indices.

Trees are immutable, and equal ones are one object: compare them by `is`. Build them by the functions of this module,
never by the classes. Variables in index expressions and systems are those of the statement that a tree belongs to, and
parameters of its model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, cast
from weakref import WeakValueDictionary

from xdsl.dialects.arith import FastMathFlagsAttr, IntegerOverflowAttr
from xdsl.ir import Attribute

from ...dialects.index_expr import Index
from ..integer_set import System


@dataclass(frozen=True, eq=False)
class Apply:
    """A scalar operation, by name and properties; for an operation on vectors, its effect in one lane."""

    name: str
    properties: tuple[tuple[str, Attribute], ...]
    """By name, in its order."""
    type: Attribute
    operands: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Constant:
    """A number of a type, by its bits as an unsigned integer: NaNs and signed zeros are distinct."""

    type: Attribute
    bits: int


@dataclass(frozen=True, eq=False)
class ReadValue:
    """The value of a read of the model, by the number of the read."""

    read: int
    type: Attribute


@dataclass(frozen=True, eq=False)
class IndexValue:
    """The value of an index expression, as data of type `index`."""

    index: Index
    type: Attribute


@dataclass(frozen=True, eq=False)
class Choice:
    """The expression of the case that an instance is in. Cases are disjoint, and each instance is in one."""

    cases: tuple[tuple[tuple[System, ...], Expression], ...]
    """Unions of systems, each with the expression of its points."""
    type: Attribute


@dataclass(frozen=True, eq=False)
class Undefined:
    """An unspecified value: the content of memory that has not been written."""

    type: Attribute
    is_poison: bool = False
    """True where operations on it give poison too; else each may be the result for some number."""


Expression: TypeAlias = "Apply | Constant | ReadValue | IndexValue | Choice | Undefined"

E = TypeVar("E", Apply, Constant, ReadValue, IndexValue, Choice, Undefined)

_known: WeakValueDictionary[object, Expression] = WeakValueDictionary()


def apply(
    name: str, properties: Sequence[tuple[str, Attribute]], type: Attribute, operands: Sequence[Expression]
) -> Apply:
    """Return an operation on operands, with its properties in the order of their names."""
    return _interned(Apply(name, tuple(sorted(properties, key=lambda p: p[0])), type, tuple(operands)))


def constant(type: Attribute, bits: int) -> Constant:
    return _interned(Constant(type, bits))


def read_value(read: int, type: Attribute) -> ReadValue:
    return _interned(ReadValue(read, type))


def index_value(index: Index, type: Attribute) -> IndexValue:
    return _interned(IndexValue(index, type))


def choice(cases: Sequence[tuple[tuple[System, ...], Expression]], type: Attribute) -> Expression:
    """Return the cases; the expression itself where all of them choose one."""
    if all(e is cases[0][1] for _, e in cases):
        return cases[0][1]
    return _interned(Choice(tuple(cases), type))


def undefined(type: Attribute, *, is_poison: bool = False) -> Undefined:
    return _interned(Undefined(type, is_poison))


OVERFLOW = "overflowFlags"
FAST_MATH = "fastmath"


def flags_of(e: Apply) -> frozenset[str]:
    """Return the flags of an operation, such as `nsw` and `nnan`: each allows values that are poison or less exact."""
    return frozenset(
        flag.value
        for _, value in e.properties
        if isinstance(value, (IntegerOverflowAttr, FastMathFlagsAttr))
        for flag in value.data
    )


def without_flags(e: Apply) -> Apply:
    """Return the operation without its flags, which is one of those that an operation with flags may be."""
    left = [(name, value) for name, value in e.properties if name not in (OVERFLOW, FAST_MATH)]
    return e if len(left) == len(e.properties) else apply(e.name, left, e.type, e.operands)


def may_overflow(e: Apply) -> bool:
    """Return whether an operation has a flag by which its result is poison where it overflows."""
    return any(name == OVERFLOW for name, _ in e.properties)


def children(e: Expression) -> tuple[Expression, ...]:
    """Return the expressions that an expression is made of."""
    match e:
        case Apply():
            return e.operands
        case Choice():
            return tuple(case for _, case in e.cases)
        case _:
            return ()


def walk(e: Expression) -> Iterator[Expression]:
    """Yield the expressions of a tree, each object once."""
    seen: set[Expression] = set()
    pending = [e]
    while pending:
        x = pending.pop()
        if x not in seen:
            seen.add(x)
            yield x
            pending += children(x)


def _interned(e: E) -> E:
    key = (type(e), *e.__dict__.values())
    known = _known.get(key)
    if known is None:
        _known[key] = known = e
    return cast(E, known)
