"""Sums of products of bytes in words by shifts, for any target."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...diagnostics.remarks import remark
from ...dialects.loop import CallIntrinOp
from ...dialects.loop.byte_products import signedness
from .lanes import Lanes
from .narrow_floats import element_of

_WORD, _BYTE = 32, 8


def expand_dot4(op: Operation, rewriter: PatternRewriter) -> bool:
    """Cut the bytes out of the words, multiply and add them."""
    assert isinstance(op, CallIntrinOp)
    if not has_words(op):
        return False
    *acc, a, b = op.values
    signs = signedness(op.symbol)
    remark(
        "TW0789",
        f"{op.symbol} of {op.res.type} is computed by shifts and multiplications: the target has no instruction for it",
        op=op,
    )
    lanes = Lanes(op, rewriter)
    total = acc[0] if acc else None
    for k in range(_WORD // _BYTE):
        product = lanes.emit(arith.MuliOp(_byte(lanes, a, k, signs[0]), _byte(lanes, b, k, signs[1])))
        total = product if total is None else lanes.plus(total, product)
    assert total is not None
    return lanes.replace(op, total)


def has_words(op: CallIntrinOp) -> bool:
    """Return whether all operands and the result of a call are i32, or vectors of them."""
    types = [element_of(value.type) for value in (*op.values, op.res)]
    return all(str(type_) == "i32" for type_ in types)


def _byte(lanes: Lanes, word: SSAValue, k: int, signed: bool) -> SSAValue:
    """Return byte `k` of a word, extended to 32 bits."""
    highest = _WORD - _BYTE
    if signed:
        top = word if k * _BYTE == highest else lanes.left(word, highest - k * _BYTE)
        return lanes.right(top, highest)
    if k * _BYTE == highest:
        return lanes.unsigned_right(word, highest)
    return lanes.both(lanes.unsigned_right(word, k * _BYTE) if k else word, (1 << _BYTE) - 1)
