"""Integer arithmetic of `arith` and `math`: signless, wrapping around at the width of the type.

Results are defined where hardware would trap: a quotient or remainder by zero is 0, and the least number divided by -1
is itself. A shift by the width or more gives 0, or copies of the sign bit for `shrsi`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .values import Function, name_of

NARROW_BITS = {"int4": 4, "uint4": 4, "int2": 2, "uint2": 2}
"""The integers of fewer than 8 bits. An array has a byte for each, whose upper bits are zero."""


def as_unsigned(value: Any) -> Any:
    """Return the same bits as an unsigned integer; `i1` is 0 or 1."""
    if value.dtype.kind == "b":
        return value.astype(np.uint8)
    if bits := NARROW_BITS.get(name_of(value.dtype)):
        return value.view(np.uint8) & np.uint8((1 << bits) - 1)
    return value.view(f"u{value.dtype.itemsize}")


def as_signed(value: Any) -> Any:
    """Return the same bits as a signed integer; a set `i1` is -1."""
    if bits := NARROW_BITS.get(name_of(value.dtype)):
        return np.right_shift(np.left_shift(value.view(np.int8), np.int8(8 - bits)), np.int8(8 - bits))
    return -value.astype(np.int8) if value.dtype.kind == "b" else value.view(f"i{value.dtype.itemsize}")


def from_bits(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return an integer of the width of `dtype`, or wider for `i1`, as that type; only the low bit counts for `i1`.

    Of a byte, the lowest bits count for integers of fewer.
    """
    if bits := NARROW_BITS.get(name_of(dtype)):
        return (value.view(np.uint8) & np.uint8((1 << bits) - 1)).view(dtype)
    return (value & value.dtype.type(1)).astype(np.bool_) if dtype.kind == "b" else value.view(dtype)


def signed(function: Function) -> Function:
    """Return a function of signed integers as one of signless ones."""
    return lambda *operands: from_bits(function(*map(as_signed, operands)), operands[0].dtype)


def unsigned(function: Function) -> Function:
    """Return a function of unsigned integers as one of signless ones."""
    return lambda *operands: from_bits(function(*map(as_unsigned, operands)), operands[0].dtype)


def _divide(a: Any, b: Any) -> Any:
    return np.floor_divide(a - np.fmod(a, b), b)


def _divide_up(a: Any, b: Any) -> Any:
    exact = np.remainder(a, b) == 0
    return np.floor_divide(a, b) + (~exact).astype(a.dtype)


def _shift_right(a: Any, b: Any) -> Any:
    # A negative amount is a large one.
    return np.right_shift(a, np.where(b < 0, b.dtype.type(8 * a.dtype.itemsize), b)[()])


def _multiply_high(a: Any, b: Any, is_signed: bool) -> Any:
    """Return the upper half of the product: exact in Python's integers, since no dtype holds that of two 64-bit
    numbers."""
    view = as_signed if is_signed else as_unsigned
    bits = 1 if a.dtype.kind == "b" else 8 * a.dtype.itemsize
    high = (np.asarray(view(a)).astype(object) * np.asarray(view(b)).astype(object)) >> bits
    return _from_python_integers(high, a.dtype, bits)


def _power(a: Any, b: Any) -> Any:
    """Return a to the integer power b, modulo 2^width; a negative power is 0, 1 or -1 as the rounded quotient is."""
    bits = 8 * a.dtype.itemsize

    def one(x: int, y: int) -> int:
        if y >= 0:
            return pow(int(x), int(y), 1 << bits)
        return (1 if x == 1 or y % 2 == 0 else -1) if abs(x) == 1 else 0

    return _from_python_integers(np.frompyfunc(one, 2, 1)(a, b), a.dtype, bits)


def _from_python_integers(values: Any, dtype: np.dtype[Any], bits: int) -> Any:
    mask = (1 << bits) - 1
    wide = np.asarray(values & mask, dtype=np.uint64)
    return from_bits(wide.astype(f"u{dtype.itemsize}"), dtype)[()]


def _count_bits(function: Any) -> Function:
    """Return a function that counts on the binary digits of each number."""

    def count(value: Any) -> Any:
        width = 1 if value.dtype.kind == "b" else 8 * value.dtype.itemsize
        counts = np.frompyfunc(lambda x: function(f"{int(x):0{width}b}"), 1, 1)(as_unsigned(value))
        return from_bits(np.asarray(counts, dtype=f"u{value.dtype.itemsize}"), value.dtype)[()]

    return count


INTEGER: dict[str, Function] = {
    "arith.addi": unsigned(np.add),
    "arith.subi": unsigned(np.subtract),
    "arith.muli": unsigned(np.multiply),
    "arith.divsi": signed(_divide),
    "arith.divui": unsigned(np.floor_divide),
    "arith.floordivsi": signed(np.floor_divide),
    "arith.ceildivsi": signed(_divide_up),
    "arith.ceildivui": unsigned(_divide_up),
    "arith.remsi": signed(np.fmod),
    "arith.remui": unsigned(np.fmod),
    "arith.minsi": signed(np.minimum),
    "arith.maxsi": signed(np.maximum),
    "arith.minui": unsigned(np.minimum),
    "arith.maxui": unsigned(np.maximum),
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.shli": unsigned(np.left_shift),
    "arith.shrui": unsigned(np.right_shift),
    "arith.shrsi": signed(_shift_right),
    "math.absi": signed(np.abs),
    "math.ipowi": _power,
    "math.ctpop": _count_bits(lambda digits: digits.count("1")),
    "math.ctlz": _count_bits(lambda digits: len(digits) - len(digits.lstrip("0"))),
    "math.cttz": _count_bits(lambda digits: len(digits) - len(digits.rstrip("0"))),
}
"""Functions of integers of one type, with one result of that type."""

EXTENDED: dict[str, Function] = {
    "arith.addui_extended": lambda a, b: ((s := INTEGER["arith.addi"](a, b)), as_unsigned(s) < as_unsigned(a)),
    "arith.mulsi_extended": lambda a, b: (INTEGER["arith.muli"](a, b), _multiply_high(a, b, True)),
    "arith.mului_extended": lambda a, b: (INTEGER["arith.muli"](a, b), _multiply_high(a, b, False)),
}
"""Functions of integers with two results: the low part, and the carry or the high part."""

_ORDERS: tuple[Function, ...] = (np.less, np.less_equal, np.greater, np.greater_equal)


def _compare(order: Function, view: Function) -> Function:
    return lambda a, b: order(view(a), view(b))


PREDICATES: tuple[Function, ...] = (
    np.equal,
    np.not_equal,
    *(_compare(order, as_signed) for order in _ORDERS),
    *(_compare(order, as_unsigned) for order in _ORDERS),
)
"""Comparisons by the number of the `arith.cmpi` predicate: eq ne, slt sle sgt sge, ult ule ugt uge."""
