"""Writing elementwise f32 code, for scalars and vectors alike; `doubles` writes its f64 parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy

from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    BoolAttr,
    Float32Type,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    ModuleOp,
    VectorType,
    f32,
    f64,
    i32,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter

from ....dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from ....ir import editor as edit


class Lanes:
    """Collects operations that replace the matched one; a number stands for a constant in every lane."""

    def __init__(self, op: Operation, rewriter: PatternRewriter) -> None:
        self._rewriter = rewriter
        self._ops: list[Operation] = []
        type = op.results[0].type
        self._shape = type.get_shape() if isinstance(type, VectorType) else None
        self._constants: dict[tuple[float | int, Attribute], SSAValue] = {}
        self._fuses = _has_fma(op)
        self._float: Float32Type | Float64Type = f32

    def doubles(self) -> Lanes:
        """The same operations, their numbers of type f64, which have precision to spare and are not fused."""
        twin = copy(self)
        twin._float, twin._fuses = f64, False
        return twin

    def value(self, x: SSAValue | float) -> SSAValue:
        """`x` as a float."""
        return x if isinstance(x, SSAValue) else self._constant(FloatAttr(x, self._float), x)

    def integer(self, x: SSAValue | int) -> SSAValue:
        """`x` as an i32 value."""
        return x if isinstance(x, SSAValue) else self._constant(IntegerAttr(x, i32), x)

    # Floats

    def add(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._emit(arith.AddfOp(self.value(x), self.value(y)))

    def sub(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._emit(arith.SubfOp(self.value(x), self.value(y)))

    def mul(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._emit(arith.MulfOp(self.value(x), self.value(y)))

    def div(self, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._emit(arith.DivfOp(self.value(x), self.value(y)))

    def fma(self, x: SSAValue | float, y: SSAValue | float, z: SSAValue | float) -> SSAValue:
        """x * y + z, rounded once where the target can; elsewhere a call to libm would be slow."""
        if not self._fuses:
            return self.add(self.mul(x, y), z)
        return self._emit(math.FmaOp(self.value(x), self.value(y), self.value(z)))

    def polynomial(self, x: SSAValue, coefficients: Sequence[float]) -> SSAValue:
        """The polynomial with the highest coefficient first, by Horner's rule."""
        result: SSAValue | float = coefficients[0]
        for c in coefficients[1:]:
            result = self.fma(result, x, c)
        return self.value(result)

    def absolute(self, x: SSAValue) -> SSAValue:
        return self._emit(math.AbsFOp(x))

    def with_sign(self, magnitude: SSAValue, sign: SSAValue) -> SSAValue:
        return self._emit(math.CopySignOp(magnitude, sign))

    def rounded(self, x: SSAValue) -> SSAValue:
        """The nearest integer, as a float."""
        return self._emit(math.RoundEvenOp(x))

    def root(self, x: SSAValue) -> SSAValue:
        return self._emit(math.SqrtOp(x))

    def to_f64(self, x: SSAValue) -> SSAValue:
        return self._emit(arith.ExtFOp(x, self._typed(f64)))  # pyright: ignore[reportArgumentType]

    def to_f32(self, x: SSAValue) -> SSAValue:
        return self._emit(arith.TruncFOp(x, self._typed(f32)))  # pyright: ignore[reportArgumentType]

    # Bits

    def bits(self, x: SSAValue) -> SSAValue:
        """The i32 with the same bits."""
        return self._emit(arith.BitcastOp(x, self._typed(i32)))

    def from_bits(self, x: SSAValue) -> SSAValue:
        """The f32 with the same bits."""
        return self._emit(arith.BitcastOp(x, self._typed(f32)))

    def to_float(self, x: SSAValue) -> SSAValue:
        return self._emit(arith.SIToFPOp(x, self._typed(f32)))  # pyright: ignore[reportArgumentType]

    def plus(self, x: SSAValue, y: SSAValue | int) -> SSAValue:
        return self._emit(arith.AddiOp(x, self.integer(y)))

    def minus(self, x: SSAValue, y: SSAValue | int) -> SSAValue:
        return self._emit(arith.SubiOp(x, self.integer(y)))

    def both(self, x: SSAValue, y: int) -> SSAValue:
        return self._emit(arith.AndIOp(x, self.integer(y)))

    def left(self, x: SSAValue, count: int) -> SSAValue:
        return self._emit(arith.ShLIOp(x, self.integer(count)))

    def right(self, x: SSAValue, count: int) -> SSAValue:
        """Shift right, with copies of the sign."""
        return self._emit(arith.ShRSIOp(x, self.integer(count)))

    # Choices

    def compare(self, predicate: str, x: SSAValue, y: SSAValue | float) -> SSAValue:
        """An `arith.cmpf`: `olt` and its kin are false for NaN."""
        return self._emit(arith.CmpfOp(x, self.value(y), predicate))

    def choose(self, condition: SSAValue, x: SSAValue | float, y: SSAValue | float) -> SSAValue:
        return self._emit(arith.SelectOp(condition, self.value(x), self.value(y)))

    def clamp(self, x: SSAValue, low: float, high: float) -> SSAValue:
        """`x` within bounds; NaN stays NaN."""
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
            scalar = self._emit(arith.ConstantOp(attribute))
            type = self._typed(attribute.type)
            self._constants[key] = (
                self._emit(vector.BroadcastOp(scalar, type)) if isinstance(type, VectorType) else scalar
            )
        return self._constants[key]

    def _typed(self, element: Attribute) -> Attribute:
        return element if self._shape is None else VectorType(element, self._shape)

    def _emit(self, op: Operation) -> SSAValue:
        self._ops.append(op)
        return op.results[0]


def lanes_of_f32(op: Operation, rewriter: PatternRewriter) -> Lanes | None:
    """What to write a rule for `op` with; None where its elements are not f32."""
    type = op.results[0].type
    element = type.element_type if isinstance(type, VectorType) else type
    return Lanes(op, rewriter) if isinstance(element, Float32Type) else None


def f32_rule(function: Callable[..., SSAValue]) -> Callable[[Operation, PatternRewriter], bool]:
    """The lowering rule of an operation on f32: `function(lanes, *operands)` gives the value that replaces it."""

    def lower(op: Operation, rewriter: PatternRewriter) -> bool:
        lanes = lanes_of_f32(op, rewriter)
        return lanes is not None and lanes.replace(op, function(lanes, *op.operands))

    return lower


def _has_fma(op: Operation) -> bool:
    module: Operation | None = op
    while module is not None and not isinstance(module, ModuleOp):
        module = module.parent_op()
    target = module.attributes.get(TARGET_ATTRIBUTE) if module is not None else None
    return isinstance(target, CpuTargetAttr) and target.has_fma
