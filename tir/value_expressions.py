"""Values of the IR as expressions of te, which are created at the access of a field: `store.value`, `loop.extent`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NoReturn

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    VectorType,
    i1,
)
from xdsl.ir import Attribute, Operation, SSAValue

from ..analysis.bounds import extents_of
from ..diagnostics import fail
from ..diagnostics.locations import written_name
from ..dialects import loop
from ..dialects.dtypes import dtype_name
from ..dialects.index_expr import LANE, FloorDiv, Index, Mod
from ..lazy import missing_field
from ..te.calls import Call, Callee
from ..te.expr import (
    Binary,
    Cast,
    Choice,
    Compare,
    Expr,
    FunctionName,
    Read,
    Unary,
    Var,
    compare,
    const,
)
from ..te.ranges import Range
from ..te.scalar_operations import comparison_of, operator_names

BAD_VALUE = "TW0255"


@dataclass(frozen=True, eq=False, repr=False)
class LoopVar(Var):
    """The variable of a loop or a block in the IR, or a size."""

    value: SSAValue = field(kw_only=True)

    def same_as(self, other: object) -> bool:
        return isinstance(other, LoopVar) and other.value is self.value

    def __hash__(self) -> int:
        return hash(self.value)


class BufferOf:
    """A buffer of the IR by its classic fields: `name`, `dtype`, `shape`, `scope()`. `value` is the value itself.

    Two objects of one value are equal. They also have the other attributes of the value, such as its `type`.
    """

    def __init__(self, value: SSAValue) -> None:
        self.value = value

    @property
    def name(self) -> str:
        """The name that the text of the program uses."""
        return self.value.name_hint or "buffer"

    @property
    def is_in_memory(self) -> bool:
        """True for a buffer, False for a tensor."""
        return isinstance(self.value.type, MemRefType)

    @property
    def dtype(self) -> str:
        """The type of the elements."""
        return dtype_of(_memref(self.value).element_type)

    @property
    def shape(self) -> list[Expr]:
        """The extents. Raises TW0255 where no operation of the program determines one of them."""
        extents = [extent for extent in extents_of(self.value) if extent is not None]
        if len(extents) < len(_memref(self.value).get_shape()):
            fail(BAD_VALUE, f"expected a buffer of known extents, but no size names those of {self.name}")
        return [expression_of(extent) for extent in extents]

    def scope(self) -> str:
        """Return the memory space: "global", "shared", "local", ..."""
        return loop.scope_of(self.value.type)

    @property
    def data(self) -> BufferOf:
        """The memory, which is the buffer itself."""
        return self

    def same_as(self, other: object) -> bool:
        """Return whether it is the same buffer."""
        return self == other

    def __eq__(self, other: object) -> bool:
        return other is self.value or (isinstance(other, BufferOf) and other.value is self.value)

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"buffer({self.name}, {self.dtype})"

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__") and name != "value" and hasattr(self.value, name):
            return getattr(self.value, name)
        refuse_field(self, "a buffer", name)


def refuse_field(node: object, what: str, name: str) -> NoReturn:
    """Refuse a field that a node does not have."""
    raise missing_field(node, what, name)


def _memref(value: SSAValue) -> MemRefType:
    assert isinstance(value.type, MemRefType)
    return value.type


def dtype_of(type: Attribute) -> str:
    """Return the classic name of a type: "float32x4" of a vector."""
    if isinstance(type, VectorType):
        return "x".join([dtype_of(type.element_type), *(str(n) for n in type.get_shape())])
    return "index" if isinstance(type, IndexType) else dtype_name(type)


@dataclass(frozen=True, eq=False, repr=False)
class Ramp(Expr):
    """Consecutive numbers, one for each element of a vector: `base`, `stride`, `lanes`."""

    base: Expr
    stride: Expr
    lanes: int
    dtype: str = "index"

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.base, self.stride)


@dataclass(frozen=True, eq=False, repr=False)
class Broadcast(Expr):
    """One value in each element of a vector: `value`, `lanes`."""

    value: Expr
    lanes: int
    dtype: str

    @property
    def operands(self) -> tuple[Expr, ...]:
        return (self.value,)


@dataclass(frozen=True)
class BlockVar:
    """An axis of a block: `var`, `dom`, and its kind as `iter_type`."""

    var: LoopVar
    dom: Range
    kind: str

    @property
    def iter_type(self) -> int:
        """The number that the original gives to the kind of the axis."""
        return {"spatial": 0, "reduce": 2}[self.kind]


@dataclass(frozen=True)
class ExternCall:
    """A call of a foreign function as a statement: `op.name` is "tir.call_extern", and `args` begin with the name."""

    dtype: str
    symbol: str
    operands: tuple[object, ...]

    @property
    def op(self) -> Callee:
        """The callee."""
        return Callee("tir.call_extern")

    @property
    def args(self) -> tuple[object, ...]:
        """The name of the function, and its arguments."""
        return (self.symbol, *self.operands)


def argument_of(argument: loop.Argument) -> object:
    """Return an argument of a foreign function: a buffer, or a number."""
    match argument:
        case loop.AccessArgument() | loop.StrideArgument():
            return BufferOf(argument.buffer)
        case loop.IndexArgument():
            return expression_of(argument.value)
        case loop.ValueArgument():
            return value_of(argument.value)


def variable_of(value: SSAValue) -> LoopVar:
    """Return the variable that an index of the IR is."""
    return LoopVar(written_name(value) or "i", value=value)


def expression_of(index: Index, lanes: int = 1) -> Expr:
    """Return an index of the IR as an expression over variables of loops; over the lanes of a vector it is a ramp."""
    if index.uses_lane:
        base, after = index.substitute({LANE: Index.of(0)}), index.substitute({LANE: Index.of(1)})
        return Ramp(expression_of(base), expression_of(after - base), lanes)
    total: Expr | None = const(index.constant, "index") if index.constant or not index.terms else None
    for atom, factor in index.terms:
        match atom:
            case FloorDiv():
                term = expression_of(atom.numerator) // atom.divisor
            case Mod():
                term = expression_of(atom.numerator) % atom.divisor
            case SSAValue():
                term = variable_of(atom)
            case _:
                fail(BAD_VALUE, f"expected an index over variables, but got one over {atom}")
        scaled = term if factor == 1 else term * factor
        total = scaled if total is None else total + scaled
    assert total is not None
    return total


def condition_of(guard: Sequence[Index]) -> Expr:
    """Return conditions, each of which is an index that is >= 0, as one expression."""
    return reduce(lambda a, b: a & b, map(_condition, guard)) if guard else const(True)


def _condition(index: Index) -> Expr:
    """Return `index >= 0` as a comparison of the terms that are subtracted with the others, as most conditions are
    written."""
    if (truth := _truth_of(index)) is not None:
        return value_of(truth)
    below = Index(tuple((a, -c) for a, c in index.terms if c < 0), 0)
    above = Index(tuple((a, c) for a, c in index.terms if c > 0), 0)
    if not below.terms:
        return compare(">=", expression_of(above), const(-index.constant, "index"))
    return compare("<", expression_of(below), expression_of(above + (index.constant + 1)))


def _truth_of(index: Index) -> SSAValue | None:
    """Return the condition that an index is 1 more than, where a guard asks for a computed condition."""
    atom = index.terms[0][0] if len(index.terms) == 1 and index.terms[0][1] == 1 and index.constant == -1 else None
    as_index = atom.owner if isinstance(atom, SSAValue) else None
    wide = as_index.input.owner if isinstance(as_index, arith.IndexCastOp) else None
    return wide.input if isinstance(wide, arith.ExtUIOp) and wide.input.type == i1 else None


def value_of(value: SSAValue) -> Expr:
    """Return a value as an expression over loads and variables. Raises TW0255 for one that no expression says."""
    op = value.owner
    if not isinstance(op, Operation):
        return variable_of(value)
    for kinds, make in _MAKERS:
        if isinstance(op, kinds):
            return make(op)
    names = operator_names(type(op))
    operands = [value_of(each) for each in op.operands]
    if names and len(operands) == 2:
        return Binary(names[0], operands[0], operands[1], dtype_of(value.type))
    if names and len(operands) == 1:
        return Unary(FunctionName(names[0]), operands[0], dtype_of(value.type))
    fail(BAD_VALUE, f"expected a value that an expression says, but got that of '{op.name}'", op=op)


def loaded(op: loop.LoadOp) -> Expr:
    """Return the element that a load reads, or a choice of it where the load has conditions."""
    read: Any = BufferOf(op.buffer)
    index = tuple(expression_of(e, op.lanes or 1) for e in op.index)
    element = _Element(read, index, dtype_of(op.res.type))
    if op.otherwise is None:
        return element
    return Choice(condition_of(op.conditions), element, value_of(op.otherwise), True, element.dtype)


@dataclass(frozen=True, eq=False, repr=False)
class _Element(Read):
    """An element of a buffer, or a vector of elements."""

    dtype: str = ""  # pyright: ignore[reportIncompatibleMethodOverride]


def _constant(op: arith.ConstantOp) -> Expr:
    given, dtype = op.value, dtype_of(op.result.type)
    match given:
        case IntegerAttr() | FloatAttr():
            return const(given.value.data, dtype)
        case DenseIntOrFPElementsAttr() if given.is_splat():
            lanes = given.type.get_shape()[0]
            return Broadcast(const(given.get_values()[0], dtype.rpartition("x")[0]), lanes, dtype)
        case _:
            fail(BAD_VALUE, f"expected a number or a vector of one number, but got {given}", op=op)


def _converted(op: Operation) -> Expr:
    if isinstance(op, arith.IndexCastOp):
        return value_of(op.input)
    return Cast(value_of(op.operands[0]), dtype_of(op.results[0].type))


def _compared(op: arith.CmpiOp | arith.CmpfOp) -> Expr:
    return Compare(comparison_of(op), value_of(op.lhs), value_of(op.rhs))


_CASTS = (
    arith.ExtFOp, arith.TruncFOp, arith.SIToFPOp, arith.UIToFPOp, arith.FPToSIOp, arith.FPToUIOp, arith.ExtSIOp,
    arith.ExtUIOp, arith.TruncIOp, arith.IndexCastOp,
)  # fmt: skip
_MAKERS: tuple[tuple[Any, Callable[[Any], Expr]], ...] = (
    (loop.LoadOp, loaded),
    (arith.ConstantOp, _constant),
    (loop.ApplyOp, lambda op: expression_of(op.index, _lanes(op.res.type))),
    (loop.TestOp, lambda op: condition_of(op.conditions)),
    (loop.DimOp, lambda op: variable_of(op.res)),
    (_CASTS, _converted),
    ((arith.CmpiOp, arith.CmpfOp), _compared),
    (
        arith.SelectOp,
        lambda op: Choice(value_of(op.cond), value_of(op.lhs), value_of(op.rhs), False, dtype_of(op.result.type)),
    ),
    (vector.BroadcastOp, lambda op: Broadcast(value_of(op.source), _lanes(op.vector.type), dtype_of(op.vector.type))),
    (
        (loop.CallIntrinOp, loop.CallPureExternOp),
        lambda op: Call(
            op.symbol,
            tuple(map(value_of, op.values)),
            dtype_of(op.res.type),
            is_extern=isinstance(op, loop.CallPureExternOp),
        ),
    ),
)


def _lanes(type: Attribute) -> int:
    return type.get_shape()[0] if isinstance(type, VectorType) else 1


def vscale() -> Call:
    """Return the factor of vectors whose length only the machine knows, which no target here computes."""
    return Call("vscale", (), "int32")
