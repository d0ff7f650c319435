"""Identities of combiners: what a reduction may start from without changing its result."""

from __future__ import annotations

from math import inf

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType
from xdsl.ir import Attribute, Operation

_ZERO = (arith.AddfOp, arith.AddiOp, arith.OrIOp, arith.XOrIOp, arith.MaxUIOp, math.FmaOp)
_ONE = (arith.MulfOp, arith.MuliOp)
_ALL_BITS = (arith.AndIOp, arith.MinUIOp)
_LEAST = (arith.MaximumfOp, arith.MaxnumfOp, arith.MaxSIOp)
_GREATEST = (arith.MinimumfOp, arith.MinnumfOp, arith.MinSIOp)


def identity_of(combine: Operation) -> FloatAttr | IntegerAttr | None:  # pyright: ignore[reportMissingTypeArgument]
    """The value `e` with combine(e, x) = x for every x; None where the operation is not known to have one."""
    element = combine.results[0].type
    for operations, number in ((_ZERO, 0), (_ONE, 1), (_ALL_BITS, -1)):
        if isinstance(combine, operations):
            return _attribute(number, element)
    if isinstance(combine, _LEAST):
        return _attribute(_extreme(element, -1), element)
    if isinstance(combine, _GREATEST):
        return _attribute(_extreme(element, 1), element)
    return None


def _extreme(element: Attribute, sign: int) -> float | int:
    if isinstance(element, AnyFloat):
        return sign * inf
    width = 64 if isinstance(element, IndexType) else element.width.data if isinstance(element, IntegerType) else 0
    half = 1 << (width - 1) if width else 0
    return half - 1 if sign > 0 else -half


def _attribute(number: float | int, element: Attribute) -> FloatAttr | IntegerAttr | None:  # pyright: ignore[reportMissingTypeArgument]
    if isinstance(element, AnyFloat):
        return FloatAttr(float(number), element)
    if isinstance(element, (IntegerType, IndexType)):
        return IntegerAttr(int(number), element)
    return None
