"""The floats of 16 bits, f16 and bf16, which are computed with as f32 and rounded after each operation.

An f32 has more than twice the digits of either, so rounding its sums, products, quotients and roots once more gives
what rounding once would. Conversions are written out where the target has no instruction for them: LLVM would call a
support library, which a process need not have. bf16 is the upper half of an f32's bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.dialects.builtin import BFloat16Type, Float16Type
from xdsl.ir import Attribute

from .code import Code
from .types import element_of, splat, with_lanes

if TYPE_CHECKING:
    from .function import FunctionEmitter

_SIGN, _INFINITE, _QUIET = 0x8000, 0x7C00, 0x7E00
"""Bits of an f16; the last are those of NaN."""
_FRACTION = 13
"""How many bits of fraction an f32 has more than an f16."""
_BIAS = (127 - 15) << 23
"""What an f32's exponent has more than the equal f16's, in place."""
_LEAST_NORMAL = 2.0**-14
_LEAST_NORMAL_BITS = (127 - 14) << 23
_TOO_LARGE_BITS = (127 + 16) << 23
"""The f32 2^16: whatever is not below it is infinite as an f16, or NaN."""
_F32_INFINITE = 0x7F800000
_UNITS = 0.5
"""An f32 of this size has an f16's least unit, 2^-24, in its last bit."""
_UNITS_BITS = 126 << 23


def is_narrow(type_: Attribute) -> bool:
    """Whether floats of this type, scalars or vectors, are computed with as f32."""
    return isinstance(element_of(type_), (Float16Type, BFloat16Type))


def to_float(emitter: FunctionEmitter, value: str, type_: Attribute, lanes: int | None) -> str:
    """The f32 that is equal to a value whose elements are of the narrow `type_`."""
    code, single = emitter.code, with_lanes("float", lanes)
    if isinstance(element_of(type_), BFloat16Type):
        return _bf16_to_float(code, value, lanes)
    if emitter.module.converts_f16:
        return code.define(f"fpext {with_lanes('half', lanes)} {value} to {single}")
    return _f16_to_float(_Words(code, lanes), value)


def from_float(emitter: FunctionEmitter, value: str, type_: Attribute, lanes: int | None) -> str:
    """An f32 rounded to the nearest value of the narrow `type_`, ties to even; NaN stays NaN."""
    code, single = emitter.code, with_lanes("float", lanes)
    if isinstance(element_of(type_), BFloat16Type):
        return _bf16_from_float(_Words(code, lanes), value)
    if emitter.module.converts_f16:
        return code.define(f"fptrunc {single} {value} to {with_lanes('half', lanes)}")
    return _f16_from_float(_Words(code, lanes), value)


class _Words:
    """Writes arithmetic on i32 values, scalars or vectors, and on the f32 values of the same bits."""

    def __init__(self, code: Code, lanes: int | None) -> None:
        self._code = code
        self._lanes = lanes
        self.word, self.single = with_lanes("i32", lanes), with_lanes("float", lanes)

    def op(self, name: str, x: str, y: str | int) -> str:
        return self._code.define(f"{name} {self.word} {x}, {self._constant(y)}")

    def bits(self, x: str) -> str:
        return self._code.define(f"bitcast {self.single} {x} to {self.word}")

    def float_op(self, name: str, x: str, y: float) -> str:
        """Of the f32 with the bits `x`; the bits of the result."""
        number = self._code.define(f"bitcast {self.word} {x} to {self.single}")
        return self.bits(self._code.define(f"{name} {self.single} {number}, {splat('float', repr(y), self._lanes)}"))

    def choose(self, condition: str, x: str | int, y: str | int) -> str:
        bits = with_lanes("i1", self._lanes)
        words = f"{self.word} {self._constant(x)}, {self.word} {self._constant(y)}"
        return self._code.define(f"select {bits} {condition}, {words}")

    def is_nan(self, x: str) -> str:
        return self._code.define(f"fcmp uno {self.single} {x}, {x}")

    def widen(self, x: str, source: str) -> str:
        """The i32 of 16 bits, which are an i16 or a half."""
        short = with_lanes("i16", self._lanes)
        if source != "i16":
            x = self._code.define(f"bitcast {with_lanes(source, self._lanes)} {x} to {short}")
        return self._code.define(f"zext {short} {x} to {self.word}")

    def narrow(self, x: str, target: str) -> str:
        """The i16 or half of the lower 16 bits."""
        short = with_lanes("i16", self._lanes)
        value = self._code.define(f"trunc {self.word} {x} to {short}")
        if target == "i16":
            return value
        return self._code.define(f"bitcast {short} {value} to {with_lanes(target, self._lanes)}")

    def float(self, x: str) -> str:
        return self._code.define(f"bitcast {self.word} {x} to {self.single}")

    def _constant(self, x: str | int) -> str:
        return x if isinstance(x, str) else splat("i32", str(x), self._lanes)


def _bf16_to_float(code: Code, value: str, lanes: int | None) -> str:
    words = _Words(code, lanes)
    return words.float(words.op("shl", words.widen(value, "i16"), 16))


def _bf16_from_float(words: _Words, value: str) -> str:
    number = words.bits(value)
    odd = words.op("and", words.op("lshr", number, 16), 1)
    rounded = words.op("lshr", words.op("add", number, words.op("add", odd, 0x7FFF)), 16)
    return words.narrow(words.choose(words.is_nan(value), 0x7FC0, rounded), "i16")


def _f16_to_float(words: _Words, value: str) -> str:
    """The fraction and the exponent are shifted into place and the exponent is corrected.

    A number below the least normal one has no leading bit to correct: with the least normal number's exponent it is
    that number too large.
    """
    half = words.widen(value, "half")
    magnitude = words.op("and", half, _SIGN - 1)
    shifted = words.op("shl", magnitude, _FRACTION)
    normal = words.op("add", shifted, _BIAS)
    subnormal = words.float_op("fsub", words.op("add", shifted, _LEAST_NORMAL_BITS), _LEAST_NORMAL)
    infinite = words.op("or", shifted, _F32_INFINITE)
    result = words.choose(words.op("icmp ult", magnitude, 1 << 10), subnormal, normal)
    result = words.choose(words.op("icmp ugt", magnitude, _INFINITE - 1), infinite, result)
    sign = words.op("shl", words.op("and", half, _SIGN), 16)
    return words.float(words.op("or", result, sign))


def _f16_from_float(words: _Words, value: str) -> str:
    """Normal results round in integers, where a carry moves on into the exponent; smaller ones by adding a float in
    whose last bit they have their units."""
    number = words.bits(value)
    magnitude = words.op("and", number, 0x7FFFFFFF)
    odd = words.op("and", words.op("lshr", magnitude, _FRACTION), 1)
    half_unit = words.op("add", odd, (1 << (_FRACTION - 1)) - 1 - _BIAS)
    normal = words.op("lshr", words.op("add", magnitude, half_unit), _FRACTION)
    subnormal = words.op("sub", words.float_op("fadd", magnitude, _UNITS), _UNITS_BITS)
    result = words.choose(words.op("icmp ult", magnitude, _LEAST_NORMAL_BITS), subnormal, normal)
    result = words.choose(words.op("icmp ugt", magnitude, _TOO_LARGE_BITS - 1), _INFINITE, result)
    result = words.choose(words.op("icmp ugt", magnitude, _F32_INFINITE), _QUIET, result)
    sign = words.op("and", words.op("lshr", number, 16), _SIGN)
    return words.narrow(words.op("or", result, sign), "half")
