"""The rewriting of a loop body by `vectorize`, which makes the iterations of the loop the lanes of vectors.

Uniform operations are copied. Varying operations become operations on vectors, and their uniform operands are
broadcast. A condition on the lane becomes a guard of the accesses under the condition. Inactive lanes compute values
that are not used; their integer divisors are replaced by 1.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, TypeVar

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ....analysis.divergence import DIVISIONS, Divergence, is_nonzero_constant, leading_end
from ....analysis.domain import loop_ranges, loops_around
from ....analysis.ranges import facts_at
from ....dialects import loop
from ....dialects.dtypes import vector_type
from ....dialects.index_expr import LANE, Index
from ....ir import editor as edit
from ...shared.loops import needs_value

OpT = TypeVar("OpT", bound=Operation)


class Lanes(NamedTuple):
    """A loop's iterations as lanes: its variable is `start + lane`, lane < width.

    A lane is active if every `tail`, an expression of the lane, is >= 0. If any lane is active, the first lane is.
    """

    start: Index
    width: int
    tail: tuple[Index, ...]


def vectorize_loop(source: loop.ForOp, lanes: Lanes, divergence: Divergence) -> None:
    """Replace `source` by one iteration on vectors. `divergence` is that of `source` from `lanes.start`."""
    _LaneRewriter(source, lanes, divergence).run()


class _LaneRewriter:
    def __init__(self, source: loop.ForOp, lanes: Lanes, divergence: Divergence) -> None:
        self.source = source
        self.width = lanes.width
        self.tail = lanes.tail
        self.divergence = divergence
        self.masks: tuple[Index, ...] = ()
        """Conditions on the lane of the `loop.if`s around the current operation."""
        self.expressions: dict[SSAValue, Index] = {source.induction_variable: lanes.start + LANE}
        self.values: dict[SSAValue, SSAValue] = {}
        self.broadcasts: dict[tuple[Block, SSAValue], SSAValue] = {}
        self.target = Block()

    def run(self) -> None:
        variable = self.source.induction_variable
        if needs_value(variable):
            self._apply(self.expressions[variable], variable, self.source)
        self._rewrite_block(self.source.body.block)
        edit.insert(self._guarded_by_first_lane(), InsertPoint.before(self.source))
        edit.erase(self.source)

    def _guarded_by_first_lane(self) -> list[Operation]:
        ops = edit.detach_all(self.target)
        if not self.tail:
            return ops
        facts = facts_at(self.source)
        unproved = [e for e in (e.substitute({LANE: 0}) for e in self.tail) if not facts.proves(e)]
        if not unproved:
            return ops
        return [_located(loop.IfOp(unproved, Region(_block_of(ops))), self.source)]

    # Values

    def _emit(self, op: OpT, like: Operation) -> OpT:
        edit.append(self.target, _located(op, like))
        for old, result in zip(like.results, op.results, strict=False):
            edit.rename(result, old.name_hint)
        return op

    def _emit_helper(self, op: OpT, like: Operation) -> OpT:
        """Emit an operation whose result is not the value that `like` computes."""
        edit.append(self.target, _located(op, like))
        return op

    def _varies(self, value: SSAValue) -> bool:
        return value in self.divergence.varying

    def _uniform(self, value: SSAValue) -> SSAValue:
        return self.values.get(value, value)

    def _vector(self, value: SSAValue, like: Operation) -> SSAValue:
        """Return `value` for all lanes."""
        if self._varies(value):
            return self.values[value]
        source = self._uniform(value)
        key = (self.target, source)
        if key not in self.broadcasts:
            op = self._emit_helper(vector.BroadcastOp(source, vector_type(source.type, self.width)), like)
            edit.rename(op.vector, source.name_hint)
            self.broadcasts[key] = op.vector
        return self.broadcasts[key]

    def _value(self, value: SSAValue, like: Operation, *, varies: bool) -> SSAValue:
        return self._vector(value, like) if varies else self._uniform(value)

    def _indices(self, expressions: Sequence[Index]) -> tuple[Index, ...]:
        return tuple(e.substitute(self.expressions) for e in expressions)

    def _apply(self, e: Index, value: SSAValue, like: Operation) -> None:
        """Compute the index expression `e` for the users of `value` that are no index expressions."""
        op = self._emit(loop.ApplyOp(e, self.width if e.uses_lane else None), like)
        edit.rename(op.res, value.name_hint)
        self.values[value] = op.res

    # Operations

    def _rewrite_block(self, block: Block) -> None:
        for op in block.ops:
            self._rewrite(op)

    def _rewrite(self, op: Operation) -> None:
        match op:
            case loop.LoadOp():
                self._rewrite_load(op)
            case loop.StoreOp():
                self._rewrite_store(op)
            case loop.ApplyOp():
                (self.expressions[op.res],) = self._indices([op.index])
                if needs_value(op.res):
                    self._apply(self.expressions[op.res], op.res, op)
            case loop.TestOp():
                lanes = self.width if self._varies(op.res) else None
                self.values[op.res] = self._emit(loop.TestOp(self._indices(op.conditions), lanes), op).res
            case loop.AssertOp():
                reported = [e.substitute({LANE: 0}) for e in self._indices(op.message_values)]
                self._emit(loop.AssertOp(self._indices(op.conditions), op.message.data, reported), op)
            case loop.ForOp():
                self._rewrite_loop(op)
            case loop.IfOp():
                self._rewrite_if(op)
            case loop.AllocOp():
                self._rewrite_alloc(op)
            case _ if any(self._varies(r) for r in op.results):
                self._rewrite_elementwise(op)
            case _:
                self._copy(op)

    def _copy(self, op: Operation) -> None:
        copied = self._emit(op.clone_without_regions(dict(self.values)), op)
        if isinstance(copied, loop.IndexedOp):
            copied.substitute_indices(self.expressions)
        self._define(op, copied)

    def _define(self, old: Operation, new: Operation) -> None:
        for before, after in zip(old.results, new.results, strict=True):
            self.values[before] = after
            if not self._varies(before):
                self.expressions[before] = Index.of(after)

    def _rewrite_elementwise(self, op: Operation) -> None:
        operands = [self._vector(v, op) for v in op.operands]
        if isinstance(op, DIVISIONS) and not is_nonzero_constant(op.operands[1]):
            operands[1] = self._one_where_masked(operands[1], op)
        types = [vector_type(r.type, self.width) for r in op.results]
        made = type(op).create(operands=operands, result_types=types, properties=op.properties)
        edit.change(made).attributes = dict(op.attributes)
        self._define(op, self._emit(made, op))

    def _one_where_masked(self, divisor: SSAValue, op: Operation) -> SSAValue:
        if not (conditions := (*self.tail, *self.masks)):
            return divisor
        one = self._constant(1, op.results[0].type, op)
        ones = self._emit_helper(vector.BroadcastOp(one, vector_type(one.type, self.width)), op)
        runs = self._emit_helper(loop.TestOp(conditions, self.width), op)
        return self._emit_helper(arith.SelectOp(runs.res, divisor, ones.vector), op).result

    def _constant(self, value: int, type: Attribute, like: Operation) -> SSAValue:
        """Return a number of an element type. Constants are signless, elements of unsigned buffers are not."""
        signless = IntegerType(type.width.data) if isinstance(type, IntegerType) else type
        number = self._emit_helper(_constant(value, signless), like).result
        return number if signless == type else self._emit_helper(arith.BitcastOp(number, type), like).result

    # Memory

    def _access(self, op: loop.LoadOp | loop.StoreOp) -> tuple[SSAValue, tuple[Index, ...], tuple[Index, ...]]:
        """Return the buffer, the index, and the guard of the access."""
        index = self._indices(op.index)
        if op.buffer in self.divergence.private:
            index = (*index, Index.of(LANE))
        return self._uniform(op.buffer), index, self._indices(op.conditions)

    def _rewrite_load(self, op: loop.LoadOp) -> None:
        buffer, index, stated = self._access(op)
        otherwise = op.otherwise
        if not self._varies(op.res):
            guard = _unique((*stated, *self._some_lane_runs()))
            scalar = None if otherwise is None else self._uniform(otherwise)
            if guard and scalar is None:
                scalar = self._constant(0, op.res.type, op)
            self._define(op, self._emit(loop.LoadOp(buffer, index, guard, scalar), op))
            return
        guard = _unique((*stated, *self._masks_of_load(op)))
        substitute = otherwise is not None and self._varies(otherwise)
        if guard and (otherwise is None or substitute):
            scalar = self._constant(0, op.res.type, op)
        else:
            scalar = None if otherwise is None else self._uniform(otherwise)
        result = self._emit(loop.LoadOp(buffer, index, guard, scalar, self.width), op).res
        if otherwise is not None and substitute:
            lanes = self.width if any(e.uses_lane for e in stated) else None
            holds = self._emit_helper(loop.TestOp(stated, lanes), op).res
            result = self._emit(arith.SelectOp(holds, result, self._vector(otherwise, op)), op).result
        self.values[op.res] = result

    def _some_lane_runs(self) -> tuple[Index, ...]:
        """Return the masks, stated of the lane that runs if any does."""
        lane = 0 if leading_end(self.masks) == "first" else self.width - 1
        return tuple(e.substitute({LANE: lane}) for e in self.masks)

    def _masks_of_load(self, op: loop.LoadOp) -> tuple[Index, ...]:
        """Return the conditions under which a lane may touch memory; none where every lane stays within the buffer."""
        masks = (*self.tail, *self.masks)
        if not masks or (not op.conditions and self._stays_inside(op)):
            return ()
        return masks

    def _stays_inside(self, op: loop.LoadOp) -> bool:
        assert isinstance(op.buffer.type, MemRefType)
        ranges = {**loop_ranges(loops_around(op)), LANE: (0, self.width - 1)}
        for e, extent in zip(op.index, op.buffer.type.get_shape(), strict=True):
            lo, hi = self.divergence.resolve(e, op).bounds(ranges)
            if extent == DYNAMIC_INDEX or lo is None or hi is None or lo < 0 or hi >= extent:
                return False
        return True

    def _rewrite_store(self, op: loop.StoreOp) -> None:
        buffer, index, stated = self._access(op)
        # The elements that an inactive lane writes to its private buffer are never read.
        tail = () if op.buffer in self.divergence.private else self.tail
        uses_lane = any(e.uses_lane for e in (*index, *stated, *self.masks))
        varies = uses_lane or self._varies(op.value)
        guard = _unique((*stated, *self.masks, *tail)) if varies else stated
        made = self._emit(loop.StoreOp(self._value(op.value, op, varies=varies), buffer, index, guard), op)
        if loop.ASYNC in op.attributes:
            edit.change(made).attributes[loop.ASYNC] = op.attributes[loop.ASYNC]

    def _rewrite_alloc(self, op: loop.AllocOp) -> None:
        type = op.res.type
        expanded = MemRefType(type.element_type, [*type.get_shape(), self.width], type.layout, type.memory_space)
        made = self._emit(loop.AllocOp(expanded, self._indices(op.dynamic_sizes)), op)
        self.values[op.res] = made.res

    # Control

    def _rewrite_loop(self, op: loop.ForOp) -> None:
        arguments = op.body.block.args
        carried = [self._value(v, op, varies=self._varies(a)) for a, v in zip(arguments[1:], op.iter_args, strict=True)]
        made = loop.ForOp(self._indices(op.lowers), self._indices(op.uppers), None, op.kind, carried)
        edit.change(made).attributes = dict(op.attributes)
        for old, new in zip(arguments, made.body.block.args, strict=True):
            edit.rename(new, old.name_hint)
            self.values[old] = new
        self.expressions[op.induction_variable] = Index.of(made.induction_variable)
        with self._inside(made.body.block):
            last = op.body.block.last_op
            for inner in op.body.block.ops:
                if not isinstance(inner, loop.YieldOp):
                    self._rewrite(inner)
            if isinstance(last, loop.YieldOp):
                pairs = zip(arguments[1:], last.operands, strict=True)
                self._emit(loop.YieldOp(*(self._value(v, last, varies=self._varies(a)) for a, v in pairs)), last)
        self._define(op, self._emit(made, op))

    def _rewrite_if(self, op: loop.IfOp) -> None:
        conditions = self._indices(op.conditions)
        uniform = [e for e in conditions if not e.uses_lane]
        masks = [e for e in conditions if e.uses_lane]
        otherwise = op.else_body.block if op.else_body.blocks else None
        if not uniform:
            self._rewrite_masked(op, masks, otherwise)
            return
        made = loop.IfOp(uniform)
        edit.change(made).attributes = dict(op.attributes)
        with self._inside(made.then_body.block):
            self._rewrite_masked(op, masks, otherwise)
        if otherwise is not None:
            edit.append_block(made.else_body, Block())
            with self._inside(made.else_body.block):
                self._rewrite_block(otherwise)
        self._emit(made, op)

    def _rewrite_masked(self, op: loop.IfOp, masks: Sequence[Index], otherwise: Block | None) -> None:
        """Write the two branches one after the other, each for its lanes."""
        with self._masked(masks):
            self._rewrite_block(op.then_body.block)
        if otherwise is None:
            return
        # not (a and b) == not a, or a and not b: the parts have no lane in common.
        for k, e in enumerate(masks):
            with self._masked([*masks[:k], -e - 1]):
                self._rewrite_block(otherwise)

    @contextmanager
    def _inside(self, block: Block) -> Generator[None, None, None]:
        outer, self.target = self.target, block
        yield
        self.target = outer

    @contextmanager
    def _masked(self, conditions: Sequence[Index]) -> Generator[None, None, None]:
        outer = self.masks
        self.masks = _unique((*outer, *conditions))
        yield
        self.masks = outer


def _constant(value: int, type: Attribute) -> arith.ConstantOp:
    if isinstance(type, AnyFloat):
        return arith.ConstantOp(FloatAttr(float(value), type))
    assert isinstance(type, (IntegerType, IndexType))
    return arith.ConstantOp(IntegerAttr(value, type))


def _located(op: OpT, like: Operation) -> OpT:
    op.location = like.location
    return op


def _unique(conditions: Sequence[Index]) -> tuple[Index, ...]:
    return tuple(dict.fromkeys(conditions))


def _block_of(ops: Sequence[Operation]) -> Block:
    block = Block()
    edit.append(block, *ops)
    return block
