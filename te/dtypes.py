"""Element types of tensor expressions, and the one rule by which they combine.

A type is a string with numpy's spelling ("float32"); the IR's short spelling ("f32") is accepted
everywhere. "index" is the type of axes and sizes.

The promotion rule: a Python number takes the type of the other operand, except that a fractional one
with an integer gives float32 and an integer one with a bool gives int32. Of two typed operands the higher
kind wins, bool before integers before floats; within one kind the wider wins. A signed integer with an
unsigned one that is not narrower gives the next wider signed integer, and int64 where there is none;
float16 with bfloat16 gives float32, and an index counts as int64. Storage types (floats of 8 and 4 bits, integers of 4
and 2) combine with nothing: their elements are read, chosen, cast and stored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import frexp, inf, isfinite, ldexp
from typing import Any

from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, Signedness
from xdsl.ir import Attribute

from ..dialects.dtypes import STORAGE_TYPES, element_type, numpy_dtype
from .te_errors import te_error

_BOOL, _INTEGER, _FLOAT = 0, 1, 2


@dataclass(frozen=True)
class DType:
    """The properties of an element type that the rules need; `ir` is the type of a tensor's elements."""

    name: str
    short: str
    kind: int
    bits: int
    ir: Attribute
    signed: bool = True

    @property
    def is_float(self) -> bool:
        return self.kind == _FLOAT

    @property
    def is_integer(self) -> bool:
        """Integers and index, not bool."""
        return self.kind == _INTEGER

    @property
    def is_bool(self) -> bool:
        return self.kind == _BOOL

    @property
    def is_storage(self) -> bool:
        """True if elements can only be moved and converted."""
        return self.name in STORAGE_TYPES

    @property
    def least(self) -> float:
        """The least finite number of a floating-point type."""
        return 2.0**-127 if self.name == "float8_e8m0fnu" else -self.largest

    @property
    def largest(self) -> float:
        """The largest finite number of a floating-point type."""
        return _FLOAT_MAX[self.name]

    def holds(self, number: float) -> bool:
        """Return whether an infinity or NaN is a number of the type."""
        if not self.is_float or self.name == "float4_e2m1fn":
            return False
        return number != number or not self.is_storage or self.name == "float8_e5m2"

    def held(self, number: float) -> bool | int | float | None:
        """Return the constant of this type that a number becomes, None where there is none.

        A float beyond the largest one becomes that where it rounds to it (to nearest, halves to even).
        """
        if isinstance(number, float) and not isfinite(number):
            return number if self.holds(number) else None
        if not self.is_float:
            low, high = self.integer_range
            is_held = number == int(number) and low <= number <= high
            return (bool(number) if self.is_bool else int(number)) if is_held else None
        if self.least <= number <= self.largest:
            return float(number)
        limit = self.largest if number > self.largest else self.least
        return limit if _to_digits(number, self.digits) == limit else None

    @property
    def digits(self) -> int:
        """The binary digits of a number of a floating-point type, the leading one included."""
        import ml_dtypes

        return ml_dtypes.finfo(numpy_dtype(self.name)).nmant + 1

    @property
    def integer_type(self) -> IntegerType:
        assert isinstance(self.ir, IntegerType)
        return self.ir

    @property
    def float_type(self) -> AnyFloat:
        assert isinstance(self.ir, AnyFloat)
        return self.ir

    @property
    def integer_range(self) -> tuple[int, int]:
        if self.is_bool:
            return 0, 1
        return (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1) if self.signed else (0, (1 << self.bits) - 1)


def _to_digits(number: float, digits: int) -> float:
    """Return a finite number rounded to so many binary digits, exponents without limits."""
    try:
        mantissa, exponent = frexp(number)
        return ldexp(round(ldexp(mantissa, digits)), exponent - digits)
    except OverflowError:
        return inf if number > 0 else -inf


_FLOAT_MAX = {
    "float4_e2m1fn": 6.0,
    "float8_e4m3fn": 448.0,
    "float8_e4m3fnuz": 240.0,
    "float8_e5m2": 57344.0,
    "float8_e5m2fnuz": 57344.0,
    "float8_e8m0fnu": 2.0**127,
    "float16": 65504.0,
    "bfloat16": float.fromhex("0x1.fep127"),
    "float32": float.fromhex("0x1.fffffep127"),
    "float64": float.fromhex("0x1.fffffffffffffp1023"),
}


def _row(name: str, short: str, kind: int, bits: int) -> DType:
    return DType(name, short, kind, bits, element_type(name), signed=not name.startswith("u"))


_TABLE = (
    _row("bool", "i1", _BOOL, 1),
    _row("int8", "i8", _INTEGER, 8),
    _row("int16", "i16", _INTEGER, 16),
    _row("int32", "i32", _INTEGER, 32),
    _row("int64", "i64", _INTEGER, 64),
    _row("uint8", "u8", _INTEGER, 8),
    _row("uint16", "u16", _INTEGER, 16),
    _row("uint32", "u32", _INTEGER, 32),
    _row("uint64", "u64", _INTEGER, 64),
    DType("index", "index", _INTEGER, 64, IndexType()),
    _row("float16", "f16", _FLOAT, 16),
    _row("bfloat16", "bf16", _FLOAT, 16),
    _row("float32", "f32", _FLOAT, 32),
    _row("float64", "f64", _FLOAT, 64),
    _row("float8_e4m3fn", "f8E4M3FN", _FLOAT, 8),
    _row("float8_e4m3fnuz", "f8E4M3FNUZ", _FLOAT, 8),
    _row("float8_e5m2", "f8E5M2", _FLOAT, 8),
    _row("float8_e5m2fnuz", "f8E5M2FNUZ", _FLOAT, 8),
    _row("float8_e8m0fnu", "f8E8M0FNU", _FLOAT, 8),
    _row("float4_e2m1fn", "f4E2M1FN", _FLOAT, 4),
    _row("int4", "i4", _INTEGER, 4),
    _row("int2", "i2", _INTEGER, 2),
    _row("uint4", "u4", _INTEGER, 4),
    _row("uint2", "u2", _INTEGER, 2),
)
_BY_NAME = {spelling: d for d in _TABLE for spelling in (d.name, d.short)}
_CLASSIC = {"float": "float32", "int": "int32", "uint": "uint32"}
"""Spellings without a width, as text alone: Python's types of these names are wider."""
_BY_IR = {d.ir: d for d in _TABLE} | {IntegerType(8, Signedness.SIGNED): _BY_NAME["int8"]}


def dtype_info(dtype: Any) -> DType:
    """Return the table's row for a spelling, a numpy dtype or a Python type."""
    name = getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype
    found = _BY_NAME.get(_CLASSIC.get(dtype, dtype) if isinstance(dtype, str) else str(name))
    if found is None:
        names = ", ".join(d.name for d in _TABLE)
        te_error("TW0450", f"expected an element type, but got {dtype!r}", help=f"the element types are {names}")
    return found


def dtype_of_ir(element: Attribute) -> str:
    """Return the type name of a tensor's element type in the IR."""
    found = _BY_IR.get(element)
    if found is None:
        te_error("TW0450", f"expected the element type of a tensor, but got {element}")
    return found.name


def promote(a: str, b: str) -> str:
    """Return the common type of two typed operands, by the rule above."""
    if a == b:
        return a
    first, second = (_BY_NAME["int64" if t == "index" else t] for t in (a, b))
    if first.kind != second.kind:
        return max(first, second, key=lambda d: d.kind).name
    if first.is_integer and first.signed != second.signed:
        signed, unsigned = (first, second) if first.signed else (second, first)
        return signed.name if signed.bits > unsigned.bits else f"int{min(2 * unsigned.bits, 64)}"
    if first.bits == second.bits:
        return first.name if first.name == second.name else "float32"
    return max(first, second, key=lambda d: d.bits).name


_VECTOR = re.compile(r"([a-z]\w*?[0-9a-z])x([1-9][0-9]{0,3})")


def vector_of(dtype: Any) -> tuple[str, int] | None:
    """Return the element type and the lanes that a vector's type names, as "float32x4" does; None for any other
    type."""
    match = _VECTOR.fullmatch(dtype) if isinstance(dtype, str) else None
    return None if match is None else (dtype_info(match[1]).name, int(match[2]))
