"""The types of kernel source and the result types of operators, by numba's rules.

Integer arithmetic is done in 64 bits, unsigned where both operands are: `uint32(3) - uint32(5)` is `2**64 - 2` until a
cast cuts it to 32 bits, and adding a literal, which is an int64, gives an int64. A float32 meets an integer of 32 bits
or more, or a literal such as `1.0`, in float64. tests/cuda_backend/simulator/test_types.py compares these tables with
numba's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np


@dataclass(frozen=True)
class Scalar:
    """A number."""

    kind: Literal["b", "i", "u", "f"]
    bits: int

    @property
    def name(self) -> str:
        return {"b": "bool", "i": "int", "u": "uint", "f": "float"}[self.kind] + (
            "" if self.kind == "b" else f"{self.bits}"
        )

    @property
    def is_integer(self) -> bool:
        """True if values are Python integers: integers and booleans."""
        return self.kind != "f"

    @property
    def low(self) -> int:
        """The least value of an integer type."""
        return -(1 << (self.bits - 1)) if self.kind == "i" else 0

    @property
    def high(self) -> int:
        """The greatest value of an integer type."""
        return (1 << (self.bits - (self.kind == "i"))) - 1 if self.kind != "b" else 1

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return max(self.bits // 8, 1)

    @property
    def dtype(self) -> np.dtype:
        return np.dtype("bool" if self.kind == "b" else self.name)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class TupleType:
    """A tuple of values, such as the result of a vector load."""

    items: tuple[Type, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class ArrayType:
    """A flat array; `name` is the variable that holds it, `size` the number of elements where it is known."""

    space: Literal["global", "shared", "local"]
    element: Scalar
    name: str
    size: int | None = None

    def __str__(self) -> str:
        return f"{self.space} array of {self.element}"


@dataclass(frozen=True)
class Nothing:
    """The type of a call without a result."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class Unknown:
    """The type of a variable before its first assignment has been seen."""

    def __str__(self) -> str:
        return "unknown"


Type = Scalar | TupleType | ArrayType | Nothing | Unknown

BOOL = Scalar("b", 1)
INT8, INT16, INT32, INT64 = (Scalar("i", bits) for bits in (8, 16, 32, 64))
UINT8, UINT16, UINT32, UINT64 = (Scalar("u", bits) for bits in (8, 16, 32, 64))
FLOAT16, FLOAT32, FLOAT64 = (Scalar("f", bits) for bits in (16, 32, 64))
NOTHING = Nothing()
UNKNOWN = Unknown()

SCALARS: dict[str, Scalar] = {
    t.name: t for t in (INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, FLOAT16, FLOAT32, FLOAT64)
} | {"boolean": BOOL, "bool_": BOOL}
"""numba's names of types; a call of such a name is a cast."""

BITWISE = {"&", "|", "^"}
SHIFTS = {"<<", ">>"}


def scalar_of(dtype: np.dtype) -> Scalar | None:
    """Return the type of an array's elements; elements of ml_dtypes are unsigned integers of their bits. None where
    numba has no such type."""
    if dtype.isbuiltin == 2:
        return Scalar("u", 8 * dtype.itemsize)
    return BOOL if dtype.kind == "b" else SCALARS.get(dtype.name)


def binary_type(operator: str, left: Scalar, right: Scalar) -> Scalar | None:
    """Return the type of `left operator right`; None where numba has no such operator."""
    if operator in BITWISE and left == right == BOOL:
        return BOOL
    if operator in BITWISE or operator in SHIFTS:
        if "f" in (left.kind, right.kind):
            return None
        unsigned = left.kind == "u" and (operator in SHIFTS or right.kind == "u")
        return UINT64 if unsigned else INT64
    if left.is_integer and right.is_integer:
        if operator == "/":
            return FLOAT64
        return UINT64 if left.kind == right.kind == "u" else INT64
    if operator == "**" and left.kind == "f" and right.is_integer:
        return left if left != FLOAT16 else FLOAT32
    return _with_float(left, right)


def _with_float(left: Scalar, right: Scalar) -> Scalar | None:
    if FLOAT16 in (left, right) and (left == right or left.is_integer or right.is_integer):
        return None  # devices have separate instructions for halves; kernels compute in float32 instead
    widest = max((t for t in (left, right) if t.kind == "f"), key=lambda t: t.bits)
    integer = next((t for t in (left, right) if t.is_integer), None)
    return FLOAT64 if integer is not None and (integer.bits >= 32 or integer == UINT16) else widest


def unified(left: Type, right: Type) -> Type | None:
    """Return the type of a variable that takes values of both types; None where there is none."""
    if isinstance(left, Unknown) or left == right:
        return right
    if isinstance(right, Unknown):
        return left
    if isinstance(left, TupleType) and isinstance(right, TupleType) and len(left.items) == len(right.items):
        items = tuple(unified(a, b) for a, b in zip(left.items, right.items, strict=True))
        return None if None in items else TupleType(items)  # pyright: ignore[reportArgumentType]
    if not isinstance(left, Scalar) or not isinstance(right, Scalar):
        return None
    return _unified_scalars(left, right)


def _unified_scalars(left: Scalar, right: Scalar) -> Scalar:
    for one, other in ((left, right), (right, left)):
        if one == BOOL:
            return other
        if one.kind == "f" and other.kind != "f":
            return FLOAT64 if other.bits >= 32 else one
    if left.kind == right.kind:
        return left if left.bits >= right.bits else right
    signed, unsigned = (left, right) if left.kind == "i" else (right, left)
    if unsigned.bits == 64:
        return FLOAT64
    if signed.bits > unsigned.bits:
        return signed
    return SCALARS[f"int{2 * unsigned.bits}"]


def range_type(arguments: list[Scalar]) -> Scalar:
    """Return the type of a loop's variable: the one of numba's three range types with the fewest unsafe conversions of
    the arguments, then the fewest safe ones."""

    def cost(type: Scalar) -> tuple[int, int, int]:
        kinds = [_conversion(argument, type) for argument in arguments]
        return kinds.count(3), kinds.count(2), kinds.count(1)

    return min((INT32, INT64, UINT64), key=cost)


def _conversion(source: Scalar, target: Scalar) -> int:
    """Return the kind of a conversion: 0 for none, 1 for a promotion, 2 for a safe conversion, 3 for an unsafe one."""
    if source == target:
        return 0
    if source.kind == target.kind:
        return 1 if source.bits < target.bits else 3
    return 2 if source.low >= target.low and source.high <= target.high else 3


def promoted_to_float(scalar: Scalar) -> Scalar:
    """Return the type in which functions of `math` compute: float64 for every integer."""
    return FLOAT64 if scalar.is_integer else scalar
