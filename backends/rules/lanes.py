"""A builder of elementwise code for lowering rules, on scalars and vectors: f32 and i32; `doubles` builds f64 and
i64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    BoolAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    VectorType,
    f32,
    f64,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ...dialects.target import target_of
from ...ir import editor as edit


class Lanes:
    """Builds the operations that replace the matched one; a number stands for a constant in every lane."""

    def __init__(self, op: Operation, rewriter: PatternRewriter) -> None:
        self._rewriter = rewriter
        self._ops: list[Operation] = []
        type = op.results[0].type
        self._shape = type.get_shape() if isinstance(type, VectorType) else None
        self._constants: dict[tuple[float | int, Attribute], SSAValue] = {}
        target = target_of(op)
        self._fuses = target is not None and target.has_fma
        self.float: Float32Type | Float64Type = f32
        """The type of floats."""
        self.integer_type: IntegerType | IndexType = i32
        """The type of integers."""

    def doubles(self) -> Lanes:
        """Return the same operations, their numbers of type f64, which have precision to spare and are not fused."""
        twin = copy(self)
        twin.float, twin.integer_type, twin._fuses = f64, i64, False
        return twin

    def value(self, x: SSAValue | float) -> SSAValue:
        """Return `x` as a float."""
        return x if isinstance(x, SSAValue) else self._constant(FloatAttr(x, self.float), x)

    def integer(self, x: SSAValue | int) -> SSAValue:
        """Return `x` as an integer."""
        return x if isinstance(x, SSAValue) else self._constant(IntegerAttr(x, self.integer_type), x)

    # Floats

    def add(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.emit(arith.AddfOp(self.value(x), self.value(y)))

    def sub(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.emit(arith.SubfOp(self.value(x), self.value(y)))

    def mul(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.emit(arith.MulfOp(self.value(x), self.value(y)))

    def div(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.emit(arith.DivfOp(self.value(x), self.value(y)))

    def fma(self, x: SSAValue | float, y: SSAValue | float, z: SSAValue | float) -> SSAValue:
        """Compute x * y + z, rounded once where the target can; elsewhere a call to libm would be slow."""
        if not self._fuses:
            return self.add(self.mul(x, y), z)
        return self.emit(math.FmaOp(self.value(x), self.value(y), self.value(z)))

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """Compute the polynomial with the highest coefficient first, by Horner's rule."""
        result: SSAValue | float = coefficients[0]
        for c in coefficients[1:]:
            result = self.fma(result, x, c)
        return self.value(result)

    def absolute(self, x: SSAValue) -> SSAValue:
        return self.emit(math.AbsFOp(x))

    def with_sign(self, magnitude: SSAValue, sign: SSAValue) -> SSAValue:
        return self.emit(math.CopySignOp(magnitude, sign))

    def rounded(self, x: SSAValue) -> SSAValue:
        """Return the nearest integer, as a float."""
        return self.emit(math.RoundEvenOp(x))

    def root(self, x: SSAValue) -> SSAValue:
        return self.emit(math.SqrtOp(x))

    def to_f64(self, x: SSAValue) -> SSAValue:
        return self.wider(x, f64)

    def to_f32(self, x: SSAValue) -> SSAValue:
        return self.narrower(x, f32)

    # Bits

    def bits(self, x: SSAValue) -> SSAValue:
        """Return the integer with the same bits as a float."""
        return self.as_type(x, self.integer_type)

    def from_bits(self, x: SSAValue) -> SSAValue:
        """Return the float with the same bits as an integer."""
        return self.as_type(x, self.float)

    def as_type(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Return the value of another type with the same bits."""
        return self.emit(arith.BitcastOp(x, self.typed(element)))

    def extended(self, x: SSAValue, element: IntegerType | IndexType) -> SSAValue:
        """Return a wider integer, with zeros above."""
        return self.emit(arith.ExtUIOp(x, self.typed(element)))  # pyright: ignore[reportArgumentType]

    def truncated(self, x: SSAValue, element: IntegerType) -> SSAValue:
        """Return the low bits of an integer."""
        return self.emit(arith.TruncIOp(x, self.typed(element)))  # pyright: ignore[reportArgumentType]

    def wider(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Return the equal float of a wider type."""
        return self.emit(arith.ExtFOp(x, self.typed(element)))  # pyright: ignore[reportArgumentType]

    def narrower(self, x: SSAValue, element: Attribute) -> SSAValue:
        """Return a float rounded to a narrower type."""
        return self.emit(arith.TruncFOp(x, self.typed(element)))  # pyright: ignore[reportArgumentType]

    def to_float(self, x: SSAValue) -> SSAValue:
        return self.emit(arith.SIToFPOp(x, self.typed(f32)))  # pyright: ignore[reportArgumentType]

    def plus(self, x: SSAValue, y: SSAValue | int) -> SSAValue:
        return self.emit(arith.AddiOp(x, self.integer(y)))

    def minus(self, x: SSAValue, y: SSAValue | int) -> SSAValue:
        return self.emit(arith.SubiOp(x, self.integer(y)))

    def either(self, x: SSAValue, y: SSAValue | int) -> SSAValue:
        return self.emit(arith.OrIOp(x, self.integer(y)))

    def both(self, x: SSAValue, y: int) -> SSAValue:
        return self.emit(arith.AndIOp(x, self.integer(y)))

    def left(self, x: SSAValue, count: int) -> SSAValue:
        return self.emit(arith.ShLIOp(x, self.integer(count)))

    def right(self, x: SSAValue, count: int) -> SSAValue:
        """Shift right, with copies of the sign."""
        return self.emit(arith.ShRSIOp(x, self.integer(count)))

    def unsigned_right(self, x: SSAValue, count: int) -> SSAValue:
        """Shift right, with zeros."""
        return self.emit(arith.ShRUIOp(x, self.integer(count)))

    # Choices

    def compare(self, predicate: str, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """Emit an `arith.cmpf`: `olt` and its kin are false for NaN."""
        return self.emit(arith.CmpfOp(x, self.value(y), predicate))

    def choose(self, condition: SSAValue, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self.emit(arith.SelectOp(condition, self.value(x), self.value(y)))

    def compare_integers(self, predicate: str, x: SSAValue, y: SSAValue | int) -> SSAValue:
        """Emit an `arith.cmpi`."""
        return self.emit(arith.CmpiOp(x, self.integer(y), predicate))

    def choose_integer(self, condition: SSAValue, x: SSAValue | int, y: SSAValue | int) -> SSAValue:
        return self.emit(arith.SelectOp(condition, self.integer(x), self.integer(y)))

    def same(self, op: Operation, operands: Sequence[SSAValue], element: Attribute | None = None) -> SSAValue:
        """Emit the operation `op` on other operands; its result has elements of `element`, by default those that `op`
        has."""
        result = op.results[0].type if element is None else self.typed(element)
        made = op.create(
            operands=operands, result_types=[result], properties=op.properties.copy(), attributes=op.attributes.copy()
        )
        return self.emit(made)

    def clamp(self, x: SSAValue, low: float, high: float) -> SSAValue:
        """Return `x` within bounds; NaN stays NaN."""
        x = self.choose(self.compare("ogt", x, high), high, x)
        return self.choose(self.compare("olt", x, low), low, x)

    def replace(self, op: Operation, result: SSAValue) -> bool:
        """Replace the matched operation; True."""
        edit.rename(result, result.name_hint or op.results[0].name_hint)
        self._rewriter.replace(op, self._ops, [result])
        return True

    def _constant(self, attribute: FloatAttr | IntegerAttr | BoolAttr, number: float) -> SSAValue:
        key = (number, attribute.type)
        if key not in self._constants:
            scalar = self.emit(arith.ConstantOp(attribute))
            type = self.typed(attribute.type)
            self._constants[key] = (
                self.emit(vector.BroadcastOp(scalar, type)) if isinstance(type, VectorType) else scalar
            )
        return self._constants[key]

    def typed(self, element: Attribute) -> Attribute:
        """Return the type of values of that element type."""
        return element if self._shape is None else VectorType(element, self._shape)

    def emit(self, op: Operation) -> SSAValue:
        """Add an operation; its first result."""
        self._ops.append(op)
        return op.results[0]


def lanes_of_f32(op: Operation, rewriter: PatternRewriter) -> Lanes | None:
    """Return the builder of code that a rule for `op` writes; None where its elements are not f32."""
    type = op.results[0].type
    element = type.element_type if isinstance(type, VectorType) else type
    return Lanes(op, rewriter) if isinstance(element, Float32Type) else None


def f32_rule(function: Callable[..., SSAValue]) -> Callable[[Operation, PatternRewriter], bool]:
    """Return the lowering rule of an operation on f32: `function(lanes, *operands)` gives the value that replaces
    it."""

    def lower(op: Operation, rewriter: PatternRewriter) -> bool:
        lanes = lanes_of_f32(op, rewriter)
        return lanes is not None and lanes.replace(op, function(lanes, *op.operands))

    return lower
