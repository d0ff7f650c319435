"""Random operations on scalars and on vectors, on everything that arith and math compute.

Two kinds of programs are drawn. In wild ones anything may follow anything: passes that keep every bit keep NaNs and
infinities too. Smooth ones also go through passes that round differently, so a small error has to stay small there:
what compares, rounds to whole numbers or amplifies takes only leaves, which are values that no rounding made (elements
of inputs, constants, and what is chosen among them).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from tilewright.dialects import loop
from tilewright.dialects.dtypes import is_float
from tilewright.dialects.loop.byte_products import ADDED
from tilewright.dialects.vector_arith import RemFOp
from xdsl.dialects import arith, math, vector
from xdsl.dialects.builtin import (
    BFloat16Type,
    Float16Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    VectorType,
    f32,
    f64,
    i1,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from .draw import Draw

bf16, f16 = BFloat16Type(), Float16Type()
FLOATS: tuple[Attribute, ...] = (f32, f32, f32, f32, f64, f16, bf16)
INTEGERS: tuple[Attribute, ...] = tuple(IntegerType(width) for width in (8, 16, 32, 32, 64))
UNSIGNED: tuple[Attribute, ...] = tuple(IntegerType(width, Signedness.UNSIGNED) for width in (8, 16, 32, 64))
ELEMENTS: tuple[Attribute, ...] = (*FLOATS, *FLOATS, *INTEGERS, i1)
SIZED_ELEMENTS: tuple[Attribute, ...] = (*ELEMENTS, *UNSIGNED)
index = IndexType()

INTRINSIC = "fuzz_blend"
"""An intrinsic with a reference and a rule for every target: (a + b) * 0.5."""
LIBRARY = {f32: ("fabsf", "floorf", "sqrtf"), f64: ("fabs", "floor", "sqrt")}

_FLOAT_BINARY = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.MaximumfOp, arith.MinimumfOp)
_FLOAT_WILD = (arith.DivfOp, arith.MaxnumfOp, arith.MinnumfOp, RemFOp, math.PowFOp, math.Atan2Op)
_UNARY_SMOOTH = (arith.NegfOp, math.AbsFOp, math.TanhOp, math.AtanOp, math.ErfOp)
_UNARY_WILD = (
    math.SinOp, math.CosOp, math.SqrtOp, math.ExpOp, math.Exp2Op, math.LogOp, math.Log2Op, math.Log10Op, math.Log1pOp,
    math.ExpM1Op, math.FloorOp, math.CeilOp, math.RoundOp, math.RoundEvenOp, math.TruncOp, math.RsqrtOp, math.CbrtOp,
    math.AcosOp, math.AsinOp, math.CoshOp, math.SinhOp, math.AcoshOp, math.AsinhOp, math.AtanhOp, math.TanOp,
)  # fmt: skip
_INTEGER_BINARY = (
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp,
    arith.AndIOp, arith.OrIOp, arith.XOrIOp,
)  # fmt: skip
_DIVISIONS = (
    arith.DivSIOp, arith.DivUIOp, arith.RemSIOp, arith.RemUIOp, arith.FloorDivSIOp, arith.CeilDivSIOp,
    arith.CeilDivUIOp,
)  # fmt: skip
_SHIFTS = (arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp)
_INTEGER_UNARY = (math.AbsIOp, math.CtPopOp, math.CountLeadingZerosOp, math.CountTrailingZerosOp)
_EXTENDED = (arith.AddUIExtendedOp, arith.MulSIExtendedOp, arith.MulUIExtendedOp)
_CONSTANTS = (0.0, 1.0, -1.0, 0.5, 2.0, -3.25, 0.1)
_WILD_CONSTANTS = (*_CONSTANTS, -0.0, float("inf"), float("nan"), 1e30)


def element_of(type_: Attribute) -> Attribute:
    return type_.element_type if isinstance(type_, VectorType) else type_


def lanes_of(type_: Attribute) -> int | None:
    return type_.get_shape()[0] if isinstance(type_, VectorType) else None


def spread(element: Attribute, lanes: int | None) -> Attribute:
    return element if lanes is None else VectorType(element, [lanes])


def width_of(type_: Attribute) -> int:
    element = element_of(type_)
    return element.width.data if isinstance(element, IntegerType) else 64


class Scalars:
    """Appends operations to `block` on the values that are in scope."""

    def __init__(self, draw: Draw, *, smooth: bool) -> None:
        self.draw = draw
        self.smooth = smooth
        self.block = Block()
        self.values: list[SSAValue] = []
        self.leaves: set[SSAValue] = set()
        self.calls = True
        """True if intrinsics and functions of a library may be called."""

    @contextmanager
    def inside(self, block: Block) -> Generator[None]:
        """Append to `block`; what is defined there is gone afterwards."""
        outer, count, self.block = self.block, len(self.values), block
        yield
        self.block = outer
        del self.values[count:]

    def emit(self, op: Operation, *, leaf: bool = False) -> SSAValue:
        """Append an operation; its first result."""
        self.block.add_op(op)
        for result in op.results:
            self.values.append(result)
            if leaf:
                self.leaves.add(result)
        return op.results[0]

    def derive(self, op: Operation) -> SSAValue:
        """Append an operation that rounds nothing: a leaf if its operands are."""
        return self.emit(op, leaf=all(operand in self.leaves for operand in op.operands))

    # Operands

    def operand(self, type_: Attribute, *, leaf: bool = False) -> SSAValue:
        """Return a value of that type, a leaf where it has to be; most often one that nobody has used yet."""
        known = [v for v in self.values if v.type == type_ and (not leaf or v in self.leaves)]
        unused = [v for v in known if _is_computed(v) and v.first_use is None]
        if unused and self.draw.chance(0.7):
            return self.draw.one_of(unused[-3:])
        computed = [v for v in known if _is_computed(v)]
        if computed and self.draw.chance(0.85):
            return self.draw.one_of(computed[-8:])
        if known and self.draw.chance(0.6):
            return self.draw.one_of(known[-4:])
        if (lanes := lanes_of(type_)) is not None:
            scalar = self.operand(element_of(type_), leaf=leaf)
            return self.derive(vector.BroadcastOp(scalar, VectorType(element_of(type_), [lanes])))
        return self._unsigned(type_) if type_ in UNSIGNED else self.constant(type_)

    def conclude(self, type_: Attribute) -> SSAValue:
        """Return a value of that type made of what nobody has used yet, so that little of a program is dead."""
        lanes = lanes_of(type_)
        unused = [v for v in self.values if _is_computed(v) and v.first_use is None and lanes_of(v.type) == lanes]
        parts = [part for v in unused[-3:] if (part := self._converted(v, type_)) is not None]
        if not parts:
            return self.operand(type_)
        total = parts[0]
        for part in parts[1:]:
            total = self._joined(total, part)
        return total

    def _joined(self, a: SSAValue, b: SSAValue) -> SSAValue:
        element = element_of(a.type)
        if is_float(element):
            return self.emit(self.draw.one_of((arith.AddfOp, arith.SubfOp))(a, b))
        if element in UNSIGNED or element == index:
            return a
        return self.derive(self.draw.one_of((arith.AddiOp, arith.SubiOp, arith.XOrIOp))(a, b))

    def _converted(self, value: SSAValue, type_: Attribute) -> SSAValue | None:
        """Return a value as another type; None where smooth programs must not."""
        have, want = element_of(value.type), element_of(type_)
        if have == want:
            return value
        if have in UNSIGNED or want in UNSIGNED:
            is_scalar = not isinstance(type_, VectorType)
            signless = have in INTEGERS and want in UNSIGNED and width_of(have) == width_of(want)
            return self.derive(arith.BitcastOp(value, type_)) if is_scalar and signless else None
        if is_float(have):
            return self._from_float(value, type_) if value in self.leaves or not self.smooth else None
        if have == index:
            made = self.derive(arith.IndexCastOp(value, spread(INTEGERS[2], lanes_of(type_))))
            return made if want == INTEGERS[2] else self._converted(made, type_)
        if is_float(want):
            limited = value if have == i1 else self.derive(arith.AndIOp(value, self.numbers(value.type, 31)))
            return self.emit(arith.UIToFPOp(limited, type_))
        if want == index:
            return None
        if width_of(have) > width_of(want):
            return self.derive(arith.TruncIOp(value, type_))
        return self.derive(arith.ExtUIOp(value, type_))

    def _from_float(self, value: SSAValue, type_: Attribute) -> SSAValue | None:
        have, want = element_of(value.type), element_of(type_)
        if is_float(want):
            if width_of_float(have) == width_of_float(want):
                return None
            narrows = width_of_float(have) > width_of_float(want)
            return self.emit((arith.TruncFOp if narrows else arith.ExtFOp)(value, type_))
        if want == i1:
            return self.derive(arith.CmpfOp(value, self.numbers(value.type, 0), "ogt"))
        if want == index:
            return None
        high = self.emit(arith.MinnumfOp(value, self.numbers(value.type, 100)))
        low = self.emit(arith.MaxnumfOp(high, self.numbers(value.type, -100)))
        return self.emit(arith.FPToSIOp(low, type_), leaf=self.smooth)

    def careful(self, type_: Attribute) -> SSAValue:
        """Return an operand of what amplifies errors."""
        return self.operand(type_, leaf=self.smooth)

    def constant(self, type_: Attribute, value: float | None = None) -> SSAValue:
        if is_float(type_):
            among = _CONSTANTS if self.smooth else _WILD_CONSTANTS
            number = self.draw.one_of(among) if value is None else value
            if abs(number) == 1e30 and type_ in (f16,):
                number = 4.0
            return self.emit(arith.ConstantOp(FloatAttr(number, type_)), leaf=True)
        if type_ == i1:
            bit = self.draw.between(0, 1) if value is None else int(value)
            return self.emit(arith.ConstantOp(IntegerAttr(bit, i1)), leaf=True)
        number = self.draw.one_of((0, 1, 1, 2, 3, -1, -7, 5)) if value is None else int(value)
        return self.emit(arith.ConstantOp(IntegerAttr(number, type_)), leaf=True)

    def numbers(self, type_: Attribute, value: int) -> SSAValue:
        """Return a constant, for all lanes of a vector type."""
        scalar = self.constant(element_of(type_), value)
        if isinstance(type_, VectorType):
            return self.emit(vector.BroadcastOp(scalar, type_), leaf=True)
        return scalar

    def _unsigned(self, type_: Attribute) -> SSAValue:
        return self.derive(arith.BitcastOp(self.operand(IntegerType(width_of(type_))), type_))

    # Operations

    def grow(self, count: int, lanes: Sequence[int | None] = (None,)) -> None:
        """Append about `count` operations."""
        for _ in range(count):
            self.of_type(spread(self._element(), self.draw.one_of(lanes)))

    def _element(self) -> Attribute:
        """Return an element type, most often one that is there already."""
        present = [element_of(v.type) for v in self.values[-12:]]
        usable = [t for t in present if t in ELEMENTS]
        if usable and self.draw.chance(0.85):
            return self.draw.one_of(usable)
        return self.draw.one_of(ELEMENTS)

    def of_type(self, type_: Attribute) -> SSAValue:
        """Return a value of that type that an operation computes."""
        element = element_of(type_)
        if element in UNSIGNED:
            signless = spread(IntegerType(width_of(element)), lanes_of(type_))
            if isinstance(type_, VectorType):
                return self.operand(type_)
            return self.derive(arith.BitcastOp(self.of_type(signless), type_))
        if is_float(element):
            makers = self._float_makers()
        elif element == i1:
            makers = (self._compare, self._compare, self._logic, self._narrow_to_bit)
        elif element == index:
            makers = (self._index_value,)
        else:
            makers = self._integer_makers()
        return self.draw.one_of(makers)(type_)

    def _float_makers(self) -> tuple[Callable[[Attribute], SSAValue], ...]:
        return (
            self._float_binary, self._float_binary, self._float_binary, self._float_binary, self._float_wild,
            self._float_unary, self._float_unary, self._fma, self._select, self._float_cast, self._to_float,
            self._copysign, self._call, self._bits_to_float,
        )  # fmt: skip

    def _integer_makers(self) -> tuple[Callable[[Attribute], SSAValue], ...]:
        return (
            self._integer_binary, self._integer_binary, self._integer_binary, self._division, self._shift,
            self._integer_unary, self._select, self._resize, self._to_integer, self._extended, self._from_index,
            self._power, self._byte_products,
        )  # fmt: skip

    def _float_binary(self, type_: Attribute) -> SSAValue:
        op = self.draw.one_of(_FLOAT_BINARY)
        a = self.operand(type_)
        b = self.operand(type_, leaf=self.smooth and op is arith.MulfOp)
        made = op(a, b)
        return self.derive(made) if op in (arith.MaximumfOp, arith.MinimumfOp) else self.emit(made)

    def _float_wild(self, type_: Attribute) -> SSAValue:
        op = self.draw.one_of(_FLOAT_WILD)
        if op is math.PowFOp and self.smooth:
            base = self.emit(math.AbsFOp(self.careful(type_)), leaf=True)
            return self.emit(op(base, self.numbers(type_, self.draw.between(0, 2))))
        if self.smooth and op in (arith.DivfOp, RemFOp):
            return self.emit(op(self.careful(type_), self.numbers(type_, self.draw.one_of((2, 3, -4)))))
        made = op(self.careful(type_), self.careful(type_))
        return self.derive(made) if op in (arith.MaxnumfOp, arith.MinnumfOp) else self.emit(made)

    def _float_unary(self, type_: Attribute) -> SSAValue:
        if self.draw.chance(0.5):
            op = self.draw.one_of(_UNARY_SMOOTH)
            made = op(self.operand(type_))
            return self.derive(made) if op in (arith.NegfOp, math.AbsFOp) else self.emit(made)
        return self.emit(self.draw.one_of(_UNARY_WILD)(self.careful(type_)))

    def _fma(self, type_: Attribute) -> SSAValue:
        return self.emit(math.FmaOp(self.operand(type_), self.careful(type_), self.operand(type_)))

    def _copysign(self, type_: Attribute) -> SSAValue:
        # The sign of a NaN is nobody's promise, so it is taken from a number.
        sign = self.emit(arith.SIToFPOp(self.operand(spread(INTEGERS[2], lanes_of(type_))), type_))
        return self.emit(math.CopySignOp(self.careful(type_), sign))

    def _select(self, type_: Attribute) -> SSAValue:
        condition = self.operand(spread(i1, lanes_of(type_)))
        return self.derive(arith.SelectOp(condition, self.operand(type_), self.operand(type_)))

    def _float_cast(self, type_: Attribute) -> SSAValue:
        element, lanes = element_of(type_), lanes_of(type_)
        source = self.draw.one_of([t for t in (f64, f32, f16, bf16) if t != element])
        value = self.careful(spread(source, lanes))
        wider, narrower = width_of_float(element), width_of_float(source)
        if wider == narrower:
            return self.operand(type_)
        return self.emit((arith.ExtFOp if wider > narrower else arith.TruncFOp)(value, type_))

    def _to_float(self, type_: Attribute) -> SSAValue:
        source = spread(self.draw.one_of((*INTEGERS, i1)), lanes_of(type_))
        signed = element_of(source) != i1 and self.draw.chance(0.7)
        return self.emit((arith.SIToFPOp if signed else arith.UIToFPOp)(self._small(source), type_))

    def _small(self, type_: Attribute) -> SSAValue:
        """Return an integer that a float of any width holds."""
        value = self.operand(type_)
        if element_of(type_) == i1:
            return value
        return self.derive(arith.AndIOp(value, self.numbers(type_, 31)))

    def _bits_to_float(self, type_: Attribute) -> SSAValue:
        element = element_of(type_)
        if self.smooth or isinstance(type_, VectorType):
            return self.operand(type_)
        return self.emit(arith.BitcastOp(self.operand(IntegerType(width_of_float(element))), type_))

    def _call(self, type_: Attribute) -> SSAValue:
        element = element_of(type_)
        if not self.calls:
            return self.operand(type_)
        if element in LIBRARY and self.draw.chance(0.5):
            callee = self.draw.one_of(LIBRARY[element])
            return self.emit(loop.CallPureExternOp(callee, [self.careful(type_)], type_))
        return self.emit(loop.CallIntrinOp(INTRINSIC, [self.operand(type_), self.operand(type_)], type_))

    def _integer_binary(self, type_: Attribute) -> SSAValue:
        return self.derive(self.draw.one_of(_INTEGER_BINARY)(self.operand(type_), self.operand(type_)))

    def _division(self, type_: Attribute) -> SSAValue:
        divisor = self.numbers(type_, self.draw.one_of((1, 2, 3, 7)))
        if self.draw.chance(0.5):  # odd and positive
            small = self.emit(arith.AndIOp(self.operand(type_), self.numbers(type_, 15)))
            divisor = self.emit(arith.OrIOp(small, self.numbers(type_, 1)))
        return self.derive(self.draw.one_of(_DIVISIONS)(self.operand(type_), divisor))

    def _shift(self, type_: Attribute) -> SSAValue:
        amount = self.derive(arith.AndIOp(self.operand(type_), self.numbers(type_, 7)))
        return self.derive(self.draw.one_of(_SHIFTS)(self.operand(type_), amount))

    def _integer_unary(self, type_: Attribute) -> SSAValue:
        return self.derive(self.draw.one_of(_INTEGER_UNARY)(self.operand(type_)))

    def _power(self, type_: Attribute) -> SSAValue:
        exponent = self.derive(arith.AndIOp(self.operand(type_), self.numbers(type_, 3)))
        return self.derive(math.IPowIOp(self.operand(type_), exponent))

    def _byte_products(self, type_: Attribute) -> SSAValue:
        """Return a sum of four products of bytes in words, and an accumulator in half of the draws."""
        if element_of(type_) != INTEGERS[2] or not self.calls:
            return self._integer_binary(type_)
        name = self.draw.one_of(tuple(ADDED))
        a, b = self.operand(type_), self.operand(type_)
        if name.endswith("fits"):  # two products of bytes below 64 have 16 bits
            b = self.derive(arith.AndIOp(b, self.numbers(type_, 0x3F3F3F3F)))
        if self.draw.chance(0.5):
            return self.derive(loop.CallIntrinOp(ADDED[name], [self.operand(type_), a, b], type_))
        return self.derive(loop.CallIntrinOp(name, [a, b], type_))

    def _extended(self, type_: Attribute) -> SSAValue:
        if isinstance(type_, VectorType):
            return self._integer_binary(type_)
        return self.derive(self.draw.one_of(_EXTENDED)(self.operand(type_), self.operand(type_)))

    def _resize(self, type_: Attribute) -> SSAValue:
        element, lanes = element_of(type_), lanes_of(type_)
        source = self.draw.one_of([t for t in (*INTEGERS, i1) if width_of(t) != width_of(element)])
        value = self.operand(spread(source, lanes))
        if width_of(source) > width_of(element):
            return self.derive(arith.TruncIOp(value, type_))
        return self.derive(self.draw.one_of((arith.ExtSIOp, arith.ExtUIOp))(value, type_))

    def _to_integer(self, type_: Attribute) -> SSAValue:
        """Return a float that is cut to what any integer holds; a NaN becomes a bound."""
        source = spread(self.draw.one_of((f32, f64)), lanes_of(type_))
        high = self.emit(arith.MinnumfOp(self.careful(source), self.numbers(source, 100)))
        signed = self.draw.chance(0.7)
        low = self.emit(arith.MaxnumfOp(high, self.numbers(source, -100 if signed else 0)))
        return self.emit((arith.FPToSIOp if signed else arith.FPToUIOp)(low, type_), leaf=self.smooth)

    def _from_index(self, type_: Attribute) -> SSAValue:
        return self.derive(arith.IndexCastOp(self.operand(spread(index, lanes_of(type_))), type_))

    def _index_value(self, type_: Attribute) -> SSAValue:
        if self.draw.chance(0.4):
            op = self.draw.one_of((arith.AddiOp, arith.SubiOp, arith.MaxSIOp, arith.MinSIOp))
            return self.derive(op(self.operand(type_), self.operand(type_)))
        return self.derive(arith.IndexCastOp(self._small(spread(INTEGERS[2], lanes_of(type_))), type_))

    def _compare(self, type_: Attribute) -> SSAValue:
        lanes = lanes_of(type_)
        if self.draw.chance(0.5):
            source = spread(self.draw.one_of(FLOATS), lanes)
            return self.derive(arith.CmpfOp(self.careful(source), self.careful(source), self.draw.between(0, 15)))
        source = spread(self.draw.one_of(INTEGERS), lanes)
        return self.derive(arith.CmpiOp(self.operand(source), self.operand(source), self.draw.between(0, 9)))

    def _logic(self, type_: Attribute) -> SSAValue:
        op = self.draw.one_of((arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.AddiOp))
        return self.derive(op(self.operand(type_), self.operand(type_)))

    def _narrow_to_bit(self, type_: Attribute) -> SSAValue:
        source = spread(self.draw.one_of(INTEGERS), lanes_of(type_))
        return self.derive(arith.TruncIOp(self.operand(source), type_))


def _is_computed(value: SSAValue) -> bool:
    return not isinstance(value.owner, arith.ConstantOp)


def width_of_float(type_: Attribute) -> int:
    return {f64: 64, f32: 32, f16: 16, bf16: 16}[type_]  # pyright: ignore[reportArgumentType]
