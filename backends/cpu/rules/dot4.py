"""Lowering of dot products of four bytes to instructions of x86-64 and AArch64, by the signedness of the operands.

    u8 . s8    vpdpbusd, usdot; pmaddubsw and pmaddwd where sums of pairs are asserted to fit, or where the
               setting `fast` lets other sums saturate
    s8 . s8    vpdpbssd, sdot; vpdpbusd(acc, a + 128, b) - vpdpbusd(0, 128, b)
    u8 . u8    vpdpbuud, udot; vpdpbusd(acc, a, b - 128) - vpdpbusd(0, a, -128)
    u8 . s8    sdot(acc, a - 128, b) - sdot(0, -128, b)
    any        pmaddwd of the even bytes as halves of words, and of the odd ones

Adding or subtracting 128 flips the highest bit of each byte. `pmaddubsw` by bytes of 1 and 0 extends every other byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from xdsl.dialects import arith
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....diagnostics.remarks import remark
from ....dialects.loop import CallIntrinOp
from ....dialects.loop.byte_products import PLAIN, signedness
from ....dialects.loop.control import enclosing
from ....dialects.target import CpuTargetAttr, target_of
from ....passes.framework.context import PassContext
from ...rules.dot4 import has_words
from ...rules.lanes import Lanes
from ..emit.types import lanes_of
from ..instructions import INSTRUCTIONS

_HIGH_BITS = -0x7F7F7F80
"""Bytes of 128, or of -128."""
_EVEN, _ODD = 0x00010001, 0x01000100
"""Bytes of 1 and 0."""
_ONES = 0x00010001
"""Halves of 1."""
_UNSIGNED_SIGNED, _SIGNED, _UNSIGNED = (False, True), (True, True), (False, False)

Signs = tuple[bool, bool]


class _Sum:
    """The call that is lowered: its operands, and a builder of code on their words."""

    def __init__(self, op: CallIntrinOp, rewriter: PatternRewriter) -> None:
        self.type = op.res.type
        self.lanes = Lanes(op, rewriter)
        *acc, self.a, self.b = op.values
        self.acc = acc[0] if acc else None

    def call(self, name: str, *words: SSAValue | int) -> SSAValue:
        values = [self.lanes.integer(word) for word in words]
        return self.lanes.emit(CallIntrinOp(name, values, self.type))

    def start(self) -> SSAValue | int:
        """Return the accumulator, or 0."""
        return 0 if self.acc is None else self.acc

    def flipped(self, word: SSAValue) -> SSAValue:
        """Return a word with the highest bit of each byte flipped."""
        return self.lanes.emit(arith.XOrIOp(word, self.lanes.integer(_HIGH_BITS)))

    def added(self, value: SSAValue) -> SSAValue:
        """Return the accumulator plus a value."""
        return value if self.acc is None else self.lanes.plus(self.acc, value)


def _directly(name: str) -> Callable[[_Sum, Signs], SSAValue]:
    return lambda sum_, signs: sum_.call(name, sum_.start(), sum_.a, sum_.b)


def _left_offset(name: str) -> Callable[[_Sum, Signs], SSAValue]:
    """Return the writer of (a ± 128) . b ∓ 128 . b: the left operand's bytes with the other sign."""

    def write(sum_: _Sum, signs: Signs) -> SSAValue:
        offset = sum_.call(name, 0, _HIGH_BITS, sum_.b)
        return sum_.lanes.minus(sum_.call(name, sum_.start(), sum_.flipped(sum_.a), sum_.b), offset)

    return write


def _right_offset(sum_: _Sum, signs: Signs) -> SSAValue:
    """Compute a . (b - 128) - a . -128."""
    name = "x86.vpdpbusd"
    offset = sum_.call(name, 0, sum_.a, _HIGH_BITS)
    return sum_.lanes.minus(sum_.call(name, sum_.start(), sum_.a, sum_.flipped(sum_.b)), offset)


def _by_pairs(sum_: _Sum, signs: Signs) -> SSAValue:
    """Compute the sum from sums of two products that fit in 16 bits."""
    return sum_.added(sum_.call("x86.pmaddwd", sum_.call("x86.pmaddubsw", sum_.a, sum_.b), _ONES))


def _by_halves(sum_: _Sum, signs: Signs) -> SSAValue:
    """Compute the sum from the bytes at even and at odd positions as numbers of 16 bits."""

    def extended(word: SSAValue, which: int, signed: bool) -> SSAValue:
        return sum_.call("x86.pmaddubsw", which, word) if signed else sum_.call("x86.pmaddubsw", word, which)

    even, odd = (
        sum_.call("x86.pmaddwd", extended(sum_.a, which, signs[0]), extended(sum_.b, which, signs[1]))
        for which in (_EVEN, _ODD)
    )
    return sum_.lanes.plus(sum_.added(even), odd)


_Way = tuple[tuple[str, ...], Callable[[_Sum, Signs], SSAValue]]
_WAYS: dict[Signs, Sequence[_Way]] = {
    _UNSIGNED_SIGNED: (
        (("x86.vpdpbusd",), _directly("x86.vpdpbusd")),
        (("aarch64.usdot",), _directly("aarch64.usdot")),
        (("aarch64.sdot",), _left_offset("aarch64.sdot")),
    ),
    _SIGNED: (
        (("x86.vpdpbssd",), _directly("x86.vpdpbssd")),
        (("aarch64.sdot",), _directly("aarch64.sdot")),
        (("x86.vpdpbusd",), _left_offset("x86.vpdpbusd")),
    ),
    _UNSIGNED: (
        (("x86.vpdpbuud",), _directly("x86.vpdpbuud")),
        (("aarch64.udot",), _directly("aarch64.udot")),
        (("x86.vpdpbusd",), _right_offset),
    ),
}
"""Ways to compute a sum, by the signs of the bytes, the fastest first: the instructions and the code of each."""
_HALVES: _Way = (("x86.pmaddubsw", "x86.pmaddwd"), _by_halves)
_PAIRS: _Way = (("x86.pmaddubsw", "x86.pmaddwd"), _by_pairs)


def lower_dot4(op: Operation, rewriter: PatternRewriter) -> bool:
    """Lower a sum of products of bytes by the first way whose instructions the target has for so many words."""
    assert isinstance(op, CallIntrinOp)
    target, lanes, signs = target_of(op), lanes_of(op.res.type), signedness(op.symbol)
    if target is None or target.core is None or not has_words(op):
        return False
    may_saturate = PassContext.current().value("fast", bool)
    way = _first(_ways(op.symbol, signs, may_saturate), target.core, lanes)
    if way is None:
        return False
    names, write = way
    if way is _PAIRS and not _is_asserted(op.symbol):
        remark(
            "TW0794",
            lambda: f"sums of pairs of products may saturate at 16 bits in {_kernel_of(op)}",
            op=op,
            kind="analysis",
        )
    used = " and ".join(name.partition(".")[2] for name in names)
    remark("TW0788", f"{op.symbol} of {op.res.type} is computed by {used}", op=op, kind="passed")
    sum_ = _Sum(op, rewriter)
    return sum_.lanes.replace(op, write(sum_, signs))


def _is_asserted(symbol: str) -> bool:
    """Tell if the caller asserts that sums of two products fit in 16 bits."""
    return PLAIN.get(symbol, symbol) == "dot4_u8s8_fits"


def _kernel_of(op: Operation) -> str:
    """Return the function around an operation, as messages name it."""
    kernel = next(enclosing(op, FuncOp), None)
    return f"kernel '{kernel.sym_name.data}'" if isinstance(kernel, FuncOp) else "a kernel"


def _ways(symbol: str, signs: Signs, may_saturate: bool) -> Iterable[_Way]:
    yield from _WAYS[signs]
    if _is_asserted(symbol) or (may_saturate and signs == _UNSIGNED_SIGNED):
        yield _PAIRS
    yield _HALVES


def _first(ways: Iterable[_Way], target: CpuTargetAttr, lanes: int | None) -> _Way | None:
    return next((way for way in ways if all(INSTRUCTIONS[name].runs_on(target, lanes) for name in way[0])), None)
