"""Translation of SSA values to expression trees over the variables of one statement."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING

from xdsl.dialects import arith, ub, vector
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from ...dialects import loop
from ...dialects.index_expr import LANE, Atom, FloorDiv, Index, Mod
from ...dialects.lane_constants import integer_in_lanes
from ...dialects.loop.byte_products import PLAIN
from ...dialects.upstream.undefined import SHIFTS, is_upstream
from . import expression_trees as tree
from .expression_trees import Expression
from .guard_systems import Decided, both, fails, holds
from .model import Union
from .piecewise import combined, condition_of, truth
from .sizes import refuse

if TYPE_CHECKING:
    from .builder import Builder

SIGNED_AT_LEAST = 5
"""The predicate `sge` of `arith.cmpi`."""
INDEX_BITS = 64
"""The bits that a constant of type `index` is given with."""


class Trees:
    """Expressions for one statement. The lane of a vector is an index expression, over the statement's variables."""

    def __init__(self, builder: Builder, statement: int, domain: Union) -> None:
        self._builder = builder
        self._statement = statement
        self._domain = domain
        self._known: dict[tuple[SSAValue, Index | None], Expression] = {}

    def of(self, value: SSAValue, lane: Index | None) -> Expression:
        """Return the expression of a value; of a vector that of its element in a lane."""
        key = (value, lane if isinstance(value.type, VectorType) else None)
        if key not in self._known:
            self._known[key] = self._of(*key)
        return self._known[key]

    def _of(self, value: SSAValue, lane: Index | None) -> Expression:
        builder = self._builder
        if value in builder.aliases:
            return self.of(builder.aliases[value], lane)
        if value in builder.carried:
            cell, time = builder.carried[value]
            return builder.read(self._statement, builder.owner(value), self._domain, time, cell, _lanes(lane))
        type = element_type(value.type)
        if isinstance(type, IndexType) and (index := self._index(value, lane)) is not None:
            return tree.index_value(index, type)
        if isinstance(value, BlockArgument):
            return self._argument(value)
        assert isinstance(value, OpResult)
        match value.op:
            case loop.LoadOp() as op:
                return tree.undefined(type, is_poison=True) if is_upstream(op) else self._load(op, lane)
            case ub.PoisonOp():
                return tree.undefined(type, is_poison=True)
            case op if _is_poison(op):
                return tree.undefined(type, is_poison=True)
            case arith.ConstantOp() as op:
                return tree.constant(type, self._bits(op.value, type, lane, op))
            case vector.BroadcastOp() as op if not isinstance(op.source.type, VectorType):
                return self.of(op.source, None)
            case loop.TestOp() | arith.SelectOp() if (chosen := self._choice(value, lane)) is not None:
                return chosen
            case loop.ApplyOp() as op:
                return self.computed_index(op.index if lane is None else op.index.substitute({LANE: lane}), lane)
            case op:
                return self._apply(op, value.index, type, lane)

    def nonnegative(self, e: Index, op: Operation) -> Expression:
        """Return the truth value of `e` >= 0 for an index expression of data."""
        condition = condition_of(e)
        if condition is not None:
            return self.of(condition, None)
        sizes, index = self._builder.sizes, IndexType()
        known = {v: a for v in e.values() if (a := sizes.value(v)) is not None}
        affine = Index.sum([t for t in e.terms if not isinstance(t[0], SSAValue) or t[0] in known], e.constant)
        data = [(atom, c) for atom, c in e.terms if isinstance(atom, SSAValue) and atom not in known]
        total: Expression = tree.index_value(self._builder.index_in(affine, None, op), index)
        for value, factor in data:
            term = self.of(value, None)
            if factor != 1:
                bits = factor & ((1 << INDEX_BITS) - 1)
                term = tree.apply("arith.muli", [], index, [term, tree.constant(index, bits)])
            total = tree.apply("arith.addi", [], index, [total, term])
        predicate = ("predicate", IntegerAttr(SIGNED_AT_LEAST, i64))
        return tree.apply("arith.cmpi", [predicate], i1, [total, tree.constant(index, 0)])

    def _index(self, value: SSAValue, lane: Index | None) -> Index | None:
        sizes = self._builder.sizes
        if lane is None:
            return sizes.value(value)
        op = value.owner
        if isinstance(op, loop.ApplyOp):
            return sizes.index_or_none(op.index.substitute({LANE: lane}))
        return None

    def computed_index(self, e: Index, lane: Index | None) -> Expression:
        """Return an index expression of values that are no index expressions themselves, as a sum of products."""
        affine: list[tuple[Atom, int]] = []
        terms: list[Expression] = []
        for atom, factor in e.terms:
            if self._builder.sizes.index_or_none(Index.of_atom(atom)) is not None:
                affine.append((atom, factor))
                continue
            match atom:
                case SSAValue():
                    term = self.of(atom, lane)
                case FloorDiv() | Mod():
                    divisor = tree.index_value(Index.of(atom.divisor), IndexType())
                    name = "floordiv" if isinstance(atom, FloorDiv) else "mod"
                    term = tree.apply(name, [], IndexType(), [self.computed_index(atom.numerator, lane), divisor])
                case _:
                    raise AssertionError("a symbol is an index expression")
            product = [term, tree.index_value(Index.of(factor), IndexType())]
            terms.append(term if factor == 1 else tree.apply("arith.muli", [], IndexType(), product))
        known = self._builder.sizes.index_or_none(Index.sum(affine, e.constant))
        assert known is not None
        if known != Index.of(0) or not terms:
            terms.append(tree.index_value(known, IndexType()))
        return reduce(lambda a, b: tree.apply("arith.addi", [], IndexType(), [a, b]), terms)

    def _argument(self, value: BlockArgument) -> Expression:
        if value not in self._builder.scalars:
            assert isinstance(parent := value.block.parent_op(), Operation)
            refuse(parent, "a value is passed to a region")
        cell = self._builder.scalars[value]
        return self._builder.read(self._statement, self._builder.function, self._domain, (), cell, ())

    def _load(self, op: loop.LoadOp, lane: Index | None) -> Expression:
        builder = self._builder
        time = builder.load_times[op]
        type = element_type(op.res.type)
        guard = [builder.index_in(e, lane, op) for e in op.conditions]
        inside = holds(guard)
        index = [builder.index_in(e, lane, op) for e in op.index]
        if not inside:
            assert op.otherwise is not None
            return self.of(op.otherwise, None)
        domain = both(self._domain, inside)
        cell, element = builder.buffers.locate(op.buffer, index, domain, op)
        found = builder.read(self._statement, op, domain, time, cell, element)
        outside = fails(guard)
        if op.otherwise is None or not outside:
            return found
        return tree.choice([(inside, found), (outside, self.of(op.otherwise, None))], type)

    def _choice(self, value: SSAValue, lane: Index | None) -> Expression | None:
        assert isinstance(value, OpResult)
        type = element_type(value.type)
        if isinstance(value.op, arith.SelectOp):
            condition = self._where(value.op.cond, lane)
            if condition is None:
                return None
            one, other = (self.of(v, lane) for v in (value.op.lhs, value.op.rhs))
        else:
            condition = self._where(value, lane)
            one, other = tree.constant(type, 1), tree.constant(type, 0)
        if condition is None:
            return None
        cases = [(where, e) for where, e in ((condition.holds, one), (condition.fails, other)) if where]
        return tree.choice(cases, type)

    def _where(self, value: SSAValue, lane: Index | None) -> Decided | None:
        """Return the systems in which a truth value holds and fails; None where that is data."""
        lane = lane if isinstance(value.type, VectorType) else None
        if element_type(value.type) != i1 or not isinstance(value, OpResult):
            return None
        match value.op:
            case loop.TestOp() as op:
                return Decided.of([self._builder.index_in(e, lane, op) for e in op.conditions])
            case arith.ConstantOp(value=IntegerAttr() as number):
                return Decided.of([Index.of(-1 if number.value.data == 0 else 0)])
            case (arith.AndIOp() | arith.OrIOp() | arith.XOrIOp()) as op:
                return combined(op, self._where(op.lhs, lane), self._where(op.rhs, lane))
            case vector.BroadcastOp() as op:
                return self._where(op.source, None)
            case arith.CmpiOp() if lane is None:
                return truth(value, self._builder.sizes.index_or_none)
            case _:
                return None

    def _apply(self, op: Operation, result: int, type: Attribute, lane: Index | None) -> Expression:
        if isinstance(op, loop.CombineOp):
            block = op.combiner.block
            self._builder.aliases |= dict(zip(block.args, op.operands, strict=True))
            assert block.last_op is not None
            return self.of(block.last_op.operands[result], lane)
        if not is_scalar_operation(op):
            refuse(op, f"operation {op.name} is not modelled")
        if lane is not None and any(_rank(v.type) > 1 for v in (*op.operands, *op.results)):
            refuse(op, f"operation {op.name} works on vectors of several dimensions")
        properties = [(name, value) for name, value in op.properties.items() if not _is_no_flag(value)]
        if result:
            properties.append(("result", IntegerAttr(result, IndexType())))
        operands = [self.of(v, lane) for v in op.operands]
        if isinstance(op, loop.CallIntrinOp) and op.symbol in PLAIN:
            callee = [("callee", StringAttr(PLAIN[op.symbol]))]
            return tree.apply("arith.addi", [], type, [operands[0], tree.apply(op.name, callee, type, operands[1:])])
        return tree.apply(op.name, properties, type, operands)

    def _bits(self, value: Attribute, type: Attribute, lane: Index | None, op: Operation) -> int:
        match value:
            case IntegerAttr():
                return value.value.data & ((1 << _bit_width(type)) - 1)
            case FloatAttr():
                assert isinstance(type, AnyFloat)
                return int.from_bytes(type.pack([value.value.data]), "little")
            case DenseIntOrFPElementsAttr() if value.is_splat():
                size = len(value.data.data) // max(1, _count(value))
                return int.from_bytes(value.data.data[:size], "little")
            case _:
                refuse(op, "a constant vector has different elements")


def truth_or_index(e: Index) -> object:
    """Return the truth value that decides whether an expression is >= 0, or the expression itself."""
    truth = condition_of(e)
    return e if truth is None else truth


def _is_poison(op: Operation) -> bool:
    """Return whether an operation is a shift of upstream MLIR by a constant that is the width of its type or more."""
    if op.name not in SHIFTS or not is_upstream(op):
        return False
    amount, width = integer_in_lanes(op.operands[1]), _bit_width(element_type(op.results[0].type))
    return amount is not None and amount % (1 << width) >= width


def is_scalar_operation(op: Operation) -> bool:
    """Return whether an operation computes scalars from scalars, lane by lane on vectors; divisions by zero
    included."""
    return op.name.partition(".")[0] in ("arith", "math") or isinstance(op, (loop.ScalarCallOp, ub.PoisonOp))


def element_type(type: Attribute) -> Attribute:
    """Return the type of a value, or of a vector's elements."""
    return type.element_type if isinstance(type, VectorType) else type


def _is_no_flag(value: Attribute) -> bool:
    """Return whether a flag of fast math or of overflow is empty, so that it permits nothing."""
    return isinstance(value, (arith.FastMathFlagsAttr, arith.IntegerOverflowAttr)) and not value.data


def _rank(type: Attribute) -> int:
    return type.get_num_dims() if isinstance(type, VectorType) else 0


def _lanes(lane: Index | None) -> Sequence[Index]:
    return () if lane is None else (lane,)


def _bit_width(type: Attribute) -> int:
    return type.width.data if isinstance(type, IntegerType) else INDEX_BITS


def _count(value: DenseIntOrFPElementsAttr) -> int:
    count = 1
    for n in value.get_shape():
        count *= n
    return count
