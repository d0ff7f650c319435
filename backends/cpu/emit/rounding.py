"""Rounding floats to integers on targets without an instruction for it, where LLVM would call libm lane by lane.

A float as large as 2 to the number of its fraction's bits has its units in its last bit: adding that number to a
smaller one rounds it to the nearest integer, ties to even, and taking it away again is exact. The other directions
correct that integer by one. Larger numbers are integers already, and NaN stays as it is.
"""

from __future__ import annotations

from .code import Code
from .types import intrinsic, splat

_FRACTION = {"float": 23, "double": 52}


def write_rounding(code: Code, direction: str, type_: str, value: str) -> str:
    """`value` of the LLVM type `type_` rounded as LLVM's intrinsic llvm.`direction` does."""
    floats = _Floats(code, type_)
    magnitude = floats.call("fabs", value)
    nearest = floats.binary("fsub", floats.binary("fadd", magnitude, floats.units), floats.units)
    rounded = _corrected(floats, direction, value, magnitude, nearest)
    small = floats.compare("olt", magnitude, floats.units)
    return floats.choose(small, floats.call("copysign", rounded, value), value)


def _corrected(floats: _Floats, direction: str, value: str, magnitude: str, nearest: str) -> str:
    """The integer in that direction; its sign matters only where it has one."""
    match direction:
        case "roundeven":
            return nearest
        case "floor":
            signed = floats.call("copysign", nearest, value)
            return floats.step("fsub", signed, floats.compare("ogt", signed, value))
        case "ceil":
            signed = floats.call("copysign", nearest, value)
            return floats.step("fadd", signed, floats.compare("olt", signed, value))
        case _:
            whole = floats.step("fsub", nearest, floats.compare("ogt", nearest, magnitude))
            if direction == "trunc":
                return whole
            rest = floats.binary("fsub", magnitude, whole)
            return floats.step("fadd", whole, floats.compare("oge", rest, floats.constant(0.5)))


class _Floats:
    """Writes arithmetic on values of one type."""

    def __init__(self, code: Code, type_: str) -> None:
        self._code, self._type = code, type_
        lanes, _, element = type_.strip("<>").rpartition(" x ")
        self._element, self._lanes = element, int(lanes) if lanes else None
        self._bits = f"<{lanes} x i1>" if lanes else "i1"
        self.units = self.constant(float(1 << _FRACTION[element]))

    def constant(self, number: float) -> str:
        return splat(self._element, f"{number:.1f}", self._lanes)

    def binary(self, name: str, x: str, y: str) -> str:
        return self._code.define(f"{name} {self._type} {x}, {y}")

    def call(self, name: str, *operands: str) -> str:
        arguments = ", ".join(f"{self._type} {x}" for x in operands)
        return self._code.define(f"call {self._type} {intrinsic(f'llvm.{name}', self._type)}({arguments})")

    def compare(self, predicate: str, x: str, y: str) -> str:
        return self._code.define(f"fcmp {predicate} {self._type} {x}, {y}")

    def choose(self, condition: str, x: str, y: str) -> str:
        return self._code.define(f"select {self._bits} {condition}, {self._type} {x}, {self._type} {y}")

    def step(self, name: str, x: str, condition: str) -> str:
        """`x` plus or minus one where the condition holds."""
        return self.choose(condition, self.binary(name, x, self.constant(1.0)), x)
