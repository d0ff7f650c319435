"""Expansion of integer divisions to Python's divisions, which round down, by divisors that are neither 0 nor -1.

Python code in kernels divides 64-bit integers, signed ones rounding down. Where the divisor is 0, or the least number
is divided by -1, the division has the divisor 1, and a select gives the result that `semantics.integers` defines.
"""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, i8
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.lane_constants import integer_in_lanes
from ....dialects.loop.divisors import SAFE_DIVISOR, state_safe_divisor
from ...rules.lanes import Lanes
from ...rules.narrow_floats import element_of

_PLAIN = ("arith.divui", "arith.floordivsi", "arith.remui")
"""The divisions that Python has."""


def expand_division(op: Operation, rewriter: PatternRewriter) -> bool:
    """Express a quotient or remainder by `floordivsi`, `divui` and `remui` of divisors that are neither 0 nor -1."""
    element = element_of(op.results[0].type)
    assert isinstance(element, (IntegerType, IndexType))
    a, b = op.operands
    divisor = integer_in_lanes(b)
    is_plain = divisor is not None and divisor > 0 and element != IntegerType(1)
    if SAFE_DIVISOR in op.attributes or (is_plain and op.name in _PLAIN):
        return False
    lanes = Lanes(op, rewriter)
    if element == IntegerType(1):
        return lanes.replace(op, _of_bits(lanes, op))
    lanes.integer_type = element
    kind = op.name.removeprefix("arith.")
    expand = _unsigned if kind.endswith("ui") else _signed
    return lanes.replace(op, expand(lanes, kind, a, b, is_plain))


def _unsigned(lanes: Lanes, kind: str, a: SSAValue, b: SSAValue, is_plain: bool) -> SSAValue:
    is_zero = lanes.compare_integers("eq", b, 0) if not is_plain else None
    safe = b if is_zero is None else lanes.choose_integer(is_zero, 1, b)
    if kind == "remui":
        return _defined(lanes, arith.RemUIOp(a, safe))
    quotient = _defined(lanes, arith.DivUIOp(a, safe))
    if kind == "ceildivui":
        rest = _rest(lanes, a, quotient, safe)
        quotient = lanes.choose_integer(lanes.compare_integers("ne", rest, 0), lanes.plus(quotient, 1), quotient)
    return quotient if is_zero is None else lanes.choose_integer(is_zero, 0, quotient)


def _signed(lanes: Lanes, kind: str, a: SSAValue, b: SSAValue, is_plain: bool) -> SSAValue:
    if is_plain:
        return _rounded(lanes, kind, a, b)
    is_zero, is_minus = (lanes.compare_integers("eq", b, n) for n in (0, -1))
    safe = lanes.choose_integer(is_zero, 1, lanes.choose_integer(is_minus, 1, b))
    result = _rounded(lanes, kind, a, safe)
    if kind == "remsi":
        return result
    opposite = lanes.minus(lanes.integer(0), a)
    return lanes.choose_integer(is_zero, 0, lanes.choose_integer(is_minus, opposite, result))


def _rounded(lanes: Lanes, kind: str, a: SSAValue, b: SSAValue) -> SSAValue:
    """Return the quotient or the remainder of `kind`, corrected from the floor division and its remainder."""
    quotient = _defined(lanes, arith.FloorDivSIOp(a, b))
    if kind == "floordivsi":
        return quotient
    rest = _rest(lanes, a, quotient, b)
    corrects = lanes.compare_integers("ne", rest, 0)
    if kind == "ceildivsi":
        return lanes.choose_integer(corrects, lanes.plus(quotient, 1), quotient)
    signs = lanes.compare_integers("slt", lanes.emit(arith.XOrIOp(a, b)), 0)
    corrects = lanes.emit(arith.AndIOp(corrects, signs))
    if kind == "remsi":
        return lanes.choose_integer(corrects, lanes.minus(rest, b), rest)
    return lanes.choose_integer(corrects, lanes.plus(quotient, 1), quotient)


def _rest(lanes: Lanes, a: SSAValue, quotient: SSAValue, b: SSAValue) -> SSAValue:
    return lanes.minus(a, lanes.emit(arith.MuliOp(quotient, b)))


def _defined(lanes: Lanes, op: Operation) -> SSAValue:
    state_safe_divisor(op)
    return lanes.emit(op)


def _of_bits(lanes: Lanes, op: Operation) -> SSAValue:
    """Compute a quotient or remainder of i1, which is 0 and -1, or 0 and 1, as one of i8."""
    extend = arith.ExtUIOp if op.name.endswith("ui") else arith.ExtSIOp
    a, b = (lanes.emit(extend(v, lanes.typed(i8))) for v in op.operands)  # pyright: ignore[reportArgumentType]
    return lanes.truncated(lanes.same(op, [a, b], i8), IntegerType(1))
