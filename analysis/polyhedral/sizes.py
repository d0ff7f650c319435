"""Sizes and indices of a function as index expressions over symbols: parameters, and the variables of its loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NoReturn

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerAttr, IntegerType, MemRefType, i64
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from ...dialects import loop
from ...dialects.index_expr import Atom, Index, Range, Symbol
from ..integer_set import System
from .model import Digits, Parameter, Refusal

_INDEX = IndexType()
_BITS = 64
"""The bits of an index."""


class RefusedError(Exception):
    """Raised for a function that has no model."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.reason)
        self.refusal = refusal


def refuse(op: Operation, reason: str) -> NoReturn:
    raise RefusedError(Refusal(reason, op))


def parameter_symbol(argument: int, dimension: int | None = None) -> Symbol:
    """Return the name of an extent of an argument, or of an argument that is an index, by their positions."""
    return Symbol(f"argument {argument}" if dimension is None else f"argument {argument} extent {dimension}")


class Sizes:
    """Index values that are affine in parameters and variables of loops.

    `fixed` gives the values of some parameters, which replace them in all expressions.
    """

    def __init__(self, function: FuncOp, fixed: Mapping[Symbol, int]) -> None:
        self.parameters: list[Parameter] = []
        self.known: dict[SSAValue, Index] = {}
        self.shapes: dict[SSAValue, tuple[Index, ...]] = {}
        self.ranges: dict[Atom, Range] = {}
        """The bounds of the digits of variables."""
        self.digits: list[Digits] = []
        self._equal: dict[Symbol, Index] = {}
        self._passed: dict[SSAValue, Index] = {}
        """Arguments that hold one size."""
        extents: list[Index] = []
        ranges: list[Index] = []
        for position, argument in enumerate(function.body.block.args):
            if isinstance(argument.type, MemRefType):
                shape = tuple(self._extent(position, d, n) for d, n in enumerate(argument.type.get_shape()))
                self.shapes[argument] = shape
                extents += [e for e in shape if not e.is_constant]
                if is_size(argument):
                    self._passed[argument] = self._parameter(position, None)
                    ranges += _range(argument.type.element_type, self._passed[argument])
            elif isinstance(argument.type, IndexType):
                self.known[argument] = self._parameter(position, None)
        equations: list[Index] = [Index.of(symbol) - value for symbol, value in fixed.items()]
        given = tuple(equations)
        for op in function.body.block.ops:
            if isinstance(op, loop.BindOp) and isinstance(op.buffer, BlockArgument):
                equations += self._bound(op)
        self._equal = solved(equations)
        self.shapes = {v: tuple(map(self._canonical, shape)) for v, shape in self.shapes.items()}
        self.known = {v: self._canonical(e) for v, e in self.known.items()}
        self._passed = {v: self._canonical(e) for v, e in self._passed.items()}
        nonnegative = dict.fromkeys((*extents, *map(self._canonical, extents), *map(self._canonical, ranges)))
        self.context = System(tuple(e for e in nonnegative if not e.is_constant or e.constant < 0), tuple(equations))
        self.given = System((*extents, *ranges), given)
        """The context without the constraints of `loop.bind`."""

    def _extent(self, argument: int, dimension: int, extent: int) -> Index:
        return self._parameter(argument, dimension) if extent == DYNAMIC_INDEX else Index.of(extent)

    def _parameter(self, argument: int, dimension: int | None) -> Index:
        symbol = parameter_symbol(argument, dimension)
        self.parameters.append(Parameter(symbol, argument, dimension))
        return Index.of(symbol)

    def _bound(self, op: loop.BindOp) -> list[Index]:
        """Return the equations of parameters that a `loop.bind` states for an argument's shape; products are left
        out."""
        found: list[Index] = []
        for have, want in zip(self.shapes[op.buffer], op.index_list("shape"), strict=True):
            stated = self.index_or_none(want)
            if stated is not None and stated != have:
                found.append(stated - have)
        return found

    def _canonical(self, e: Index) -> Index:
        return e.substitute(self._equal)

    # Values

    def index(self, e: Index, op: Operation, what: str = "an index is data") -> Index:
        """Return an expression over symbols. Refuses an expression of a value that is not affine, which `op` uses."""
        known = self._values_of(e)
        if isinstance(known, SSAValue):
            refuse(op, f"{what}: {_described(known)}")
        return self._simple(e.substitute(known))

    def index_or_none(self, e: Index) -> Index | None:
        """Return an expression over symbols, or None."""
        known = self._values_of(e)
        return None if isinstance(known, SSAValue) else self._simple(e.substitute(known))

    def _simple(self, e: Index) -> Index:
        """Return the expression without divisions that the parts of variables make needless."""
        return e.with_ranges(self.ranges) if self.ranges else e

    def split(self, variable: SSAValue, extent: int, symbols: Sequence[Symbol], parts: Sequence[int]) -> System:
        """Let a variable from 0 to an extent be a number whose digits are variables; the bounds of these.

        `parts` are the bases of the digits, the first one's extent among them.
        """
        digits = tuple(zip(symbols, strides_of(parts), strict=True))
        self.digits.append(digits)
        self.known[variable] = whole = Index.sum(digits)
        self.ranges |= {symbol: (0, n - 1) for symbol, n in zip(symbols, parts, strict=True)}
        box = System.box({s: (0, n) for s, n in zip(symbols, parts, strict=True)})
        return box if prod(parts) == extent else box.where(extent - 1 - whole)

    def _values_of(self, e: Index) -> dict[SSAValue, Index] | SSAValue:
        found: dict[SSAValue, Index] = {}
        for value in e.values():
            known = self.value(value)
            if known is None:
                return value
            found[value] = known
        return found

    def value(self, value: SSAValue) -> Index | None:
        """Return an index value over symbols; None where it is not affine."""
        if value not in self.known:
            known = self._defined(value)
            if known is None:
                return None
            self.known[value] = known
        return self.known[value]

    def _defined(self, value: SSAValue) -> Index | None:
        if isinstance(value, BlockArgument):
            return None
        if value.type not in (_INDEX, i64):
            return self._passed.get(value.owner.buffer) if isinstance(value.owner, loop.LoadOp) else None
        match value.owner:
            case arith.ConstantOp(value=IntegerAttr() as number):
                return Index.of(number.value.data)
            case loop.LoadOp() as op:
                return self._passed.get(op.buffer)
            case arith.IndexCastOp() | arith.ExtSIOp() as op:
                return self.value(op.input)
            case loop.ApplyOp() as op:
                return self.index_or_none(op.index)
            case loop.DimOp() as op:
                shape = self.shape(op.buffer)
                return None if shape is None else shape[op.dimension.value.data]
            case (
                arith.AddiOp()
                | arith.SubiOp()
                | arith.MuliOp()
                | arith.MaxSIOp()
                | arith.MinSIOp()
                | arith.FloorDivSIOp()
                | arith.CeilDivSIOp()
            ) as op:
                a, b = map(self.value, op.operands)
                return None if a is None or b is None else computed(op, a, b)
            case _:
                return None

    def shape(self, buffer: SSAValue) -> tuple[Index, ...] | None:
        """Return the extents of a buffer; None where they are not affine."""
        if buffer in self.shapes:
            return self.shapes[buffer]
        assert isinstance(buffer.type, MemRefType)
        extents = buffer.type.get_shape()
        if DYNAMIC_INDEX not in extents:
            return tuple(map(Index.of, extents))
        for stated in _statements_of_shape(buffer):
            shape = [self.index_or_none(e) for e in stated]
            if None not in shape:
                return tuple(e for e in shape if e is not None)
        return None

    def factors(self, e: Index) -> tuple[tuple[Index, bool], ...] | None:
        """Return the factors of a product of sizes, each with true if the product takes max(factor, 0) instead of the
        factor.

        None where a factor is not affine. An expression that is no product is its only factor.
        """
        value = e.single_value
        match None if value is None else value.owner:
            case arith.MuliOp() as op:
                parts = [self.factors(Index.of(operand)) for operand in op.operands]
                return None if None in parts else tuple(f for part in parts if part is not None for f in part)
            case arith.MaxSIOp() as op if self.value(op.rhs) == Index.of(0):
                known = self.value(op.lhs)
                return None if known is None else ((known, True),)
            case _:
                known = self.index_or_none(e)
                return None if known is None else ((known, False),)


def computed(op: Operation, a: Index, b: Index) -> Index | None:
    """Return the index expression that an operation of arith on two is; None where it is none."""
    match op:
        case arith.AddiOp():
            return a + b
        case arith.SubiOp():
            return a - b
        case arith.MuliOp() if a.is_constant:
            return b * a.constant
        case arith.MuliOp() if b.is_constant:
            return a * b.constant
        case arith.MaxSIOp() if a.is_constant and b.is_constant:
            return Index.of(max(a.constant, b.constant))
        case arith.MinSIOp() if a.is_constant and b.is_constant:
            return Index.of(min(a.constant, b.constant))
        case arith.FloorDivSIOp() | arith.CeilDivSIOp() if b.is_constant and b.constant:
            a, n = (a, b.constant) if b.constant > 0 else (-a, -b.constant)
            return a // n if isinstance(op, arith.FloorDivSIOp) else a.ceildiv(n)
        case arith.FloorDivSIOp() | arith.CeilDivSIOp() if b.is_constant:
            return Index.of(0)  # so it is defined; of one of upstream MLIR the builder obliges the divisor
        case _:
            return None


def is_size(argument: BlockArgument) -> bool:
    """Return whether an argument is a buffer of one integer that the function only reads: a size like an extent.

    Integers are sizes where one of their loads is made an index.
    """
    type_ = argument.type
    if not isinstance(type_, MemRefType) or type_.get_shape() or not argument.uses:
        return False
    loads = [use.operation for use in argument.uses]
    if not all(isinstance(op, loop.LoadOp) for op in loads):
        return False
    if isinstance(type_.element_type, IndexType):
        return True
    is_integer = isinstance(type_.element_type, IntegerType) and 1 < type_.element_type.width.data <= _BITS
    return is_integer and any(_is_made_an_index(op.results[0]) for op in loads)


def _is_made_an_index(value: SSAValue) -> bool:
    """Return whether integers that are computed of a value become an index."""
    users = [use.operation for use in value.uses]
    return any(
        isinstance(op, arith.IndexCastOp) or (isinstance(op, _OF_SIZES) and _is_made_an_index(op.results[0]))
        for op in users
    )


_OF_SIZES = (
    *(arith.ExtSIOp, arith.ExtUIOp, arith.AddiOp, arith.SubiOp, arith.MuliOp),
    *(arith.FloorDivSIOp, arith.CeilDivSIOp, arith.MinSIOp, arith.MaxSIOp),
)


def _range(type: Attribute, size: Index) -> list[Index]:
    """Return the conditions that a size is a number of its type."""
    if not isinstance(type, IntegerType) or type.width.data >= _BITS:
        return []
    limit = 1 << (type.width.data - 1)
    return [size + limit, limit - 1 - size]


def _statements_of_shape(buffer: SSAValue) -> Iterator[Sequence[Index]]:
    if isinstance(buffer.owner, loop.AllocOp):
        yield buffer.owner.shape
    for use in buffer.uses:
        if isinstance(use.operation, loop.BindOp):
            yield use.operation.index_list("shape")


def solved(equations: Sequence[Index]) -> dict[Symbol, Index]:
    """Return the values of the parameters that equations say are a number or another parameter."""
    found: dict[Symbol, Index] = {}
    for e in equations:
        left = e.substitute(found)
        symbol = next((v for v in reversed(left.variables) if isinstance(v, Symbol)), None)
        if symbol is None or not left.is_linear or len(left.terms) > 2:
            continue
        c = left.coefficient(symbol)
        value = left.without(symbol) * -c
        if abs(c) != 1 or (value.terms and (value.constant or value.terms[0][1] != 1)):
            continue
        found = {v: known.substitute({symbol: value}) for v, known in found.items()} | {symbol: value}
    return found


def _described(value: SSAValue) -> str:
    name = f"%{value.name_hint}" if value.name_hint else "a value"
    return f"{name} of {value.owner.name}" if isinstance(value.owner, Operation) else f"{name}, an argument"


def strides_of(extents: Sequence[int]) -> list[int]:
    """Return the iterations of the innermost loop that one iteration of each of the loops skips."""
    strides = [1]
    for extent in reversed(extents[1:]):
        strides.insert(0, strides[0] * extent)
    return strides
