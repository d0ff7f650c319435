"""Conversion of each operation on vectors to other indices into its operands, or to a loop nest that fills a buffer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects import arith, math, ub, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    TensorType,
    VectorType,
)
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.constant_data import as_tensor_data
from ...dialects.index_expr import Index
from ...dialects.upstream import vector as more
from ...dialects.upstream.undefined import DIVISIONS
from ...ir import editor as edit
from .control import emitter
from .indices import index_of, value_of
from .refusal import refuse_form, refuse_operation
from .vector_values import (
    Elements,
    Emit,
    VectorValues,
    element_of,
    linear,
    loops_over,
    mask_of,
    split,
    vector_type,
)


class VectorOperations:
    """Converts operations on vectors. New operations are inserted before the old ones."""

    def __init__(self, values: VectorValues) -> None:
        self.values = values

    def convert(self, op: Operation, mask: Elements | None = None) -> None:
        """Convert one operation that makes or takes vectors, under a mask where one is around it.

        Raises TilewrightError TW0570 and TW0571.
        """
        made = self._made(op, mask)
        if made is None:
            refuse_operation(op)
        if isinstance(made, Elements):
            self.values.elements[op.results[0]] = made
        elif made:
            for result, value in zip(op.results, made, strict=True):
                edit.replace_uses(result, value)

    def _made(self, op: Operation, mask: Elements | None) -> Elements | Sequence[SSAValue] | None:
        """Return the vector that an operation makes, or its results where they are numbers; None for unknown
        operations."""
        match op:
            case vector.ReductionOp():
                return [self._reduction(op, mask)]
            case more.MultiReductionOp():
                return self._multi_reduction(op, mask)
            case more.ContractOp():
                return self._contract(op, mask)
            case more.OuterProductOp():
                return self._outer_product(op, mask)
            case _ if mask is not None:
                refuse_form(op, f"expected an operation that a mask can guard, but got '{op.name}'")
            case arith.ConstantOp():
                return self._constant(op)
            case ub.PoisonOp():
                return self._poison(op)
            case vector.BroadcastOp() | more.SplatOp():
                return self._broadcast(op)
            case vector.CreateMaskOp():
                sizes = [index_of(size) for size in op.mask_dim_sizes]
                return self._mask(op, sizes)
            case more.ConstantMaskOp():
                return self._mask(op, [Index.of(n) for n in _numbers(op.mask_dim_sizes)])
            case more.StepOp():
                return Elements(vector_type(op.result, op), lambda indices, emit: value_of(indices[0], emit))
            case vector.FMAOp():
                return self._lanes(op, lambda operands: math.FmaOp(operands[0], operands[1], operands[2]))
            case vector.BitcastOp():
                return self._bitcast(op)
            case _ if op.dialect_name() in ("arith", "math") and len(op.results) == 1 and not op.regions:
                return self._lanes(op, lambda operands: _on_elements(op, operands))
            case _:
                return self._rearranged(op)

    def _rearranged(self, op: Operation) -> Elements | Sequence[SSAValue] | None:
        match op:
            case more.ShapeCastOp():
                source, type_ = self.values.of(op.source, op), vector_type(op.result, op)
                if prod(source.shape) != prod(type_.get_shape()):
                    refuse_form(op, f"expected {source.type} and {type_} to have as many elements")
                return source.at(type_, lambda i: split(source.shape, linear(type_.get_shape(), i)))
            case more.TransposeOp():
                order = _numbers(op.permutation)
                source = self.values.of(op.vector, op)
                return source.at(vector_type(op.result, op), lambda i: [i[order.index(d)] for d in range(len(order))])
            case vector.ExtractOp():
                return self._extract(op)
            case vector.InsertOp():
                return self._insert(op)
            case more.ExtractStridedSliceOp():
                return self._extract_slice(op)
            case more.InsertStridedSliceOp():
                return self._insert_slice(op)
            case vector.ShuffleOp():
                return self._shuffle(op)
            case more.FromElementsOp():
                return self._from_elements(op)
            case more.ToElementsOp():
                source = self.values.of(op.source, op)
                emit = emitter(InsertPoint.before(op), op)
                numbers = range(prod(source.shape))
                return [source.read(split(source.shape, Index.of(n)), emit) for n in numbers]
            case more.InterleaveOp():
                return self._interleave(op)
            case more.DeinterleaveOp():
                source = self.values.of(op.source, op)
                for number, result in enumerate(op.results):
                    self.values.elements[result] = source.at(
                        vector_type(result, op), lambda i, n=number: [*i[:-1], i[-1] * 2 + n]
                    )
                return ()
            case _:
                return None

    # Elements one by one

    def _lanes(self, op: Operation, make: Callable[[Sequence[SSAValue]], Operation]) -> Elements:
        """Return the elements of an operation on the elements of its operands at the same index, made where its only
        user reads it."""
        result = op.results[0]

        def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
            return emit(make([self.values.element(v, indices, emit, op) for v in op.operands]))

        lazy = Elements(vector_type(result, op), read, self._both(op))
        uses = list(result.uses)
        is_read_once = len(uses) == 1 and uses[0].operation.parent is op.parent
        # A division is undefined in each lane whose divisor is 0, also in one that nothing reads.
        if lazy.conditions is not None or (is_read_once and op.name not in DIVISIONS):
            return lazy
        return self.values.fill(lazy.type, op, read, result.name_hint)

    def _both(self, op: Operation) -> Callable[[Sequence[Index]], list[Index]] | None:
        """Return the conditions of the conjunction of two masks."""
        if not isinstance(op, arith.AndIOp):
            return None
        lhs, rhs = (self.values.of(v, op).conditions for v in (op.lhs, op.rhs))
        if lhs is None or rhs is None:
            return None
        return lambda indices: [*lhs(indices), *rhs(indices)]

    def _bitcast(self, op: vector.BitcastOp) -> Elements:
        source, type_ = self.values.of(op.source, op), vector_type(op.result, op)
        if source.shape != tuple(type_.get_shape()):
            refuse_form(op, f"expected elements of one width, but got {source.type} and {type_}")
        return self._lanes(op, lambda operands: arith.BitcastOp(operands[0], type_.element_type))

    def _constant(self, op: arith.ConstantOp) -> Elements:
        type_, value = vector_type(op.result, op), op.value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            refuse_form(op, f"expected dense data, but got {value}")
        if value.is_splat():
            number = value.get_attrs()[0]
            return Elements(type_, lambda indices, emit: emit(arith.ConstantOp(number)))  # pyright: ignore
        whole = DenseIntOrFPElementsAttr(TensorType(type_.element_type, type_.get_shape()), value.data)  # pyright: ignore
        constant = loop.ConstantOp(as_tensor_data(whole), MemRefType(type_.element_type, type_.get_shape()))
        buffer = emitter(InsertPoint.before(op), op)(constant)
        return Elements(type_, lambda indices, emit: emit(loop.LoadOp(buffer, indices)))

    def _poison(self, op: ub.PoisonOp) -> Elements:
        type_ = vector_type(op.result, op)
        value = emitter(InsertPoint.before(op), op)(ub.PoisonOp(type_.element_type))
        return Elements(type_, lambda indices, emit: value)

    def _broadcast(self, op: Operation) -> Elements:
        source, type_ = op.operands[0], vector_type(op.results[0], op)
        if not isinstance(source.type, VectorType):
            return Elements(type_, lambda indices, emit: source)
        elements = self.values.of(source, op)
        shape = elements.shape
        first = type_.get_num_dims() - len(shape)

        def indexed(indices: Sequence[Index]) -> list[Index]:
            return [Index.of(0) if n == 1 else i for n, i in zip(shape, indices[first:], strict=True)]

        return elements.at(type_, indexed)

    def _mask(self, op: Operation, sizes: Sequence[Index]) -> Elements:
        return mask_of(
            vector_type(op.results[0], op),
            lambda indices: [size - 1 - index for size, index in zip(sizes, indices, strict=True)],
        )

    # Slices

    def _positions(self, op: vector.ExtractOp | vector.InsertOp) -> list[Index]:
        dynamic = iter(op.dynamic_position)
        numbers = _numbers(op.static_position)
        return [index_of(next(dynamic)) if n == DYNAMIC_INDEX else Index.of(n) for n in numbers]

    def _extract(self, op: vector.ExtractOp) -> Elements | Sequence[SSAValue]:
        source, first = self.values.of(op.vector, op), self._positions(op)
        if isinstance(op.result.type, VectorType):
            return source.at(vector_type(op.result, op), lambda i: [*first, *i])
        return [source.read(first, emitter(InsertPoint.before(op), op))]

    def _insert(self, op: vector.InsertOp) -> Elements:
        first = self._positions(op)
        shape = self.values.of(op.dest, op).shape[len(first) :]
        return self._with(op, op.dest, shape, op.source, lambda i: [*first, *i])

    def _with(
        self,
        op: Operation,
        dest: SSAValue,
        shape: Sequence[int],
        source: SSAValue,
        indexed: Callable[[Sequence[Index]], Sequence[Index]],
    ) -> Elements:
        """Return a vector `dest` in which the elements at `indexed(i)` are those of `source` at `i`."""
        if source is dest:
            return self.values.of(dest, op)
        made = self.values.changed(dest, op)
        assert made.buffer is not None
        indices, point = loops_over(shape, InsertPoint.before(op), op)
        element = self.values.element(source, indices, emitter(point, op), op)
        edit.insert(loop.StoreOp(element, made.buffer, indexed(indices)), point, of=op)
        return made

    def _extract_slice(self, op: more.ExtractStridedSliceOp) -> Elements:
        offsets, strides = _listed(op.offsets), _listed(op.strides)

        def indexed(indices: Sequence[Index]) -> list[Index]:
            first = [o + i * s for o, i, s in zip(offsets, indices, strides, strict=False)]
            return [*first, *indices[len(first) :]]

        return self.values.of(op.source, op).at(vector_type(op.result, op), indexed)

    def _insert_slice(self, op: more.InsertStridedSliceOp) -> Elements:
        offsets, strides = _listed(op.offsets), _listed(op.strides)
        shape = self.values.of(op.source, op).shape
        skipped = len(offsets) - len(strides)

        def indexed(indices: Sequence[Index]) -> list[Index]:
            strided = zip(offsets[skipped:], indices, strides, strict=True)
            return [*map(Index.of, offsets[:skipped]), *(o + i * s for o, i, s in strided)]

        return self._with(op, op.dest, shape, op.source, indexed)

    def _shuffle(self, op: vector.ShuffleOp) -> Elements:
        type_ = vector_type(op.result, op)
        one, other = self.values.of(op.v1, op), self.values.of(op.v2, op)
        length = one.shape[0] if one.shape else 1
        emit = emitter(InsertPoint.before(op), op)
        made = self.values.allocate(type_, emit, op.result.name_hint)
        assert made.buffer is not None
        for number, chosen in enumerate(_numbers(op.mask)):
            if chosen < 0:
                continue  # poison: the buffer's element stays undefined
            source = one if chosen < length else other
            indices, point = loops_over(type_.get_shape()[1:], InsertPoint.before(op), op)
            first = [Index.of(chosen if chosen < length else chosen - length)] if source.shape else []
            element = source.read([*first, *indices], emitter(point, op))
            edit.insert(loop.StoreOp(element, made.buffer, [Index.of(number), *indices]), point, of=op)
        return made

    def _from_elements(self, op: more.FromElementsOp) -> Elements:
        type_ = vector_type(op.dest, op)
        if len(op.elements) == 1:
            return Elements(type_, lambda indices, emit: op.elements[0])
        emit = emitter(InsertPoint.before(op), op)
        made = self.values.allocate(type_, emit, op.dest.name_hint)
        assert made.buffer is not None
        for number, element in enumerate(op.elements):
            indexed = split(made.shape, Index.of(number))
            edit.insert(loop.StoreOp(element, made.buffer, indexed), InsertPoint.before(op), of=op)
        return made

    def _interleave(self, op: more.InterleaveOp) -> Elements:
        emit = emitter(InsertPoint.before(op), op)
        made = self.values.allocate(vector_type(op.result, op), emit, op.result.name_hint)
        assert made.buffer is not None
        for number, source in enumerate(op.operands):
            elements = self.values.of(source, op)
            indices, point = loops_over(elements.shape, InsertPoint.before(op), op)
            element = elements.read(indices, emitter(point, op))
            indexed = [*indices[:-1], indices[-1] * 2 + number]
            edit.insert(loop.StoreOp(element, made.buffer, indexed), point, of=op)
        return made

    # Reductions

    def _reduction(self, op: vector.ReductionOp, mask: Elements | None) -> SSAValue:
        source = self.values.of(op.vector, op)
        combine = _combiner(op, op.kind, op.dest.type, op.fastmath)
        emit = emitter(InsertPoint.before(op), op)
        if op.acc is None and (mask is not None or source.shape[0] == 0):
            refuse_form(op, "expected a value to begin with, where no element need be combined")
        begin = 1 if op.acc is None else 0
        start = op.acc if op.acc is not None else source.read([Index.of(0)], emit)
        if source.shape[0] - begin < 1:
            return start
        made = loop.ForOp(begin, source.shape[0], None, loop.SERIAL, [start], name_hint="l")
        edit.insert(made, InsertPoint.before(op), of=op)
        point = InsertPoint.at_end(made.body.block)
        inner = emitter(point, op)
        indices = [Index.of(made.induction_variable)]
        total = made.body.block.args[1]
        new = inner(combine(total, source.read(indices, inner)))
        edit.insert(loop.YieldOp(_where(mask, indices, new, total, inner)), point, of=op)
        return made.res[0]

    def _multi_reduction(self, op: more.MultiReductionOp, mask: Elements | None) -> Elements | Sequence[SSAValue]:
        source, reduced = self.values.of(op.source, op), _numbers(op.reduction_dims)
        kept = [d for d in range(len(source.shape)) if d not in reduced]
        combine = _combiner(op, op.kind, element_of(op.dest.type), None)

        def term(outer: Sequence[Index], inner: Sequence[Index], emit: Emit) -> tuple[list[Index], SSAValue]:
            by_dimension = dict(zip((*kept, *reduced), (*outer, *inner), strict=True))
            indices = [by_dimension[d] for d in range(len(source.shape))]
            return indices, source.read(indices, emit)

        inner = [source.shape[d] for d in reduced]
        return self._summed(op, op.acc, inner, combine, term, mask)

    def _summed(
        self,
        op: Operation,
        acc: SSAValue,
        inner: Sequence[int],
        combine: Combine,
        term: Callable[[Sequence[Index], Sequence[Index], Emit], tuple[list[Index], SSAValue]],
        mask: Elements | None,
    ) -> Elements | Sequence[SSAValue]:
        """Return, for each element of `acc`, the terms of an inner shape combined with it in row-major order."""
        type_ = acc.type if isinstance(acc.type, VectorType) else VectorType(acc.type, [])
        emit = emitter(InsertPoint.before(op), op)
        made = self.values.allocate(type_, emit, op.results[0].name_hint)
        assert made.buffer is not None
        outer, point = loops_over(made.shape, InsertPoint.before(op), op)
        start = self.values.element(acc, outer, emitter(point, op), op)
        edit.insert(loop.StoreOp(start, made.buffer, outer), point, of=op)
        within, point = loops_over(inner, point, op)
        emit_term = emitter(point, op)
        indices, value = term(outer, within, emit_term)
        old = emit_term(loop.LoadOp(made.buffer, outer))
        new = _where(mask, indices, emit_term(combine(old, value)), old, emit_term)
        edit.insert(loop.StoreOp(new, made.buffer, outer), point, of=op)
        return made if isinstance(acc.type, VectorType) else [emit(loop.LoadOp(made.buffer, []))]

    def _contract(self, op: more.ContractOp, mask: Elements | None) -> Elements | Sequence[SSAValue]:
        lhs, rhs = self.values.of(op.lhs, op), self.values.of(op.rhs, op)
        element = element_of(op.acc.type)
        if {lhs.type.element_type, rhs.type.element_type} != {element}:
            refuse_form(op, f"expected one element type of products and sums, but got {lhs.type} and {op.acc.type}")
        maps = [each.data for each in op.indexing_maps]
        indexings = [_dimensions(op, map) for map in maps]
        extents: dict[int, int] = {}
        for indexed, elements in zip(indexings, (lhs, rhs), strict=False):
            extents |= dict(zip(indexed, elements.shape, strict=True))
        free = indexings[2]
        reduced = [d for d in range(maps[0].num_dims) if d not in free]
        combine = _combiner(op, op.kind, element, op.fastmath)
        multiply = _combiner(op, _MULTIPLY, element, op.fastmath)

        def term(outer: Sequence[Index], inner: Sequence[Index], emit: Emit) -> tuple[list[Index], SSAValue]:
            at = dict(zip((*free, *reduced), (*outer, *inner), strict=True))
            factors = [
                e.read([at[d] for d in indexed], emit) for e, indexed in zip((lhs, rhs), indexings, strict=False)
            ]
            return [at[d] for d in sorted(at)], emit(multiply(*factors))

        return self._summed(op, op.acc, [extents[d] for d in reduced], combine, term, mask)

    def _outer_product(self, op: more.OuterProductOp, mask: Elements | None) -> Elements:
        lhs, type_ = self.values.of(op.lhs, op), vector_type(op.result, op)
        multiply = _combiner(op, _MULTIPLY, type_.element_type, None)
        combine = _combiner(op, op.kind, type_.element_type, None)

        def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
            factors = [lhs.read(indices[:1], emit), self.values.element(op.rhs, indices[1:], emit, op)]
            product = emit(multiply(*factors))
            if op.acc is None:
                return product
            old = self.values.element(op.acc, indices, emit, op)
            return _where(mask, indices, emit(combine(old, product)), old, emit)

        if mask is not None and op.acc is None:
            refuse_form(op, "expected a value to combine with under a mask")
        return self.values.fill(type_, op, read, op.result.name_hint)


Combine = Callable[[SSAValue, SSAValue], Operation]
"""Makes the operation that combines two numbers."""

_FLOATS: dict[str, type[Operation]] = {
    "add": arith.AddfOp,
    "mul": arith.MulfOp,
    "minnumf": arith.MinnumfOp,
    "maxnumf": arith.MaxnumfOp,
    "minimumf": arith.MinimumfOp,
    "maximumf": arith.MaximumfOp,
}
_INTEGERS: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "mul": arith.MuliOp,
    "minui": arith.MinUIOp,
    "minsi": arith.MinSIOp,
    "maxui": arith.MaxUIOp,
    "maxsi": arith.MaxSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
}
_MULTIPLY = CombiningKindAttr(vector.CombiningKindFlag.MUL)


def _combiner(
    op: Operation, kind: CombiningKindAttr, type: Attribute, flags: arith.FastMathFlagsAttr | None
) -> Combine:
    """Return the operation of a kind on numbers of a type. Raises TilewrightError TW0571 where there is none."""
    from xdsl.dialects.builtin import AnyFloat, IntegerType

    table = _FLOATS if isinstance(type, AnyFloat) else _INTEGERS if isinstance(type, (IntegerType, IndexType)) else {}
    made = table.get(kind.data.value)
    if made is None:
        refuse_form(op, f"expected numbers that '{kind.data.value}' combines, but got {type}")
    if flags is not None and flags.data and made in _FLOATS.values():
        return lambda lhs, rhs: made(lhs, rhs, flags)  # pyright: ignore[reportCallIssue]
    return lambda lhs, rhs: made(lhs, rhs)  # pyright: ignore[reportCallIssue]


def _where(mask: Elements | None, indices: Sequence[Index], new: SSAValue, old: SSAValue, emit: Emit) -> SSAValue:
    """Return `new` where a mask holds, else `old`."""
    return new if mask is None else emit(arith.SelectOp(mask.read(indices, emit), new, old))


def _on_elements(op: Operation, operands: Sequence[SSAValue]) -> Operation:
    """Build an operation of arith or math, on an element of each operand."""
    return type(op).create(
        operands=operands,
        result_types=[element_of(op.results[0].type)],
        properties=op.properties,
        attributes=op.attributes,
    )


def _dimensions(op: Operation, map: AffineMap) -> list[int]:
    """Return the loops that index the dimensions of an operand."""
    found = [e.position for e in map.results if isinstance(e, AffineDimExpr)]
    if len(found) != len(map.results) or len(set(found)) != len(found):
        refuse_form(op, f"expected operands that are indexed by loops, but got {map}")
    return found


def _numbers(attribute: DenseArrayBase) -> list[int]:
    return [int(n) for n in attribute.get_values()]  # pyright: ignore[reportAttributeAccessIssue] (of integers)


def _listed(attribute: ArrayAttr[IntegerAttr]) -> list[int]:
    return [each.value.data for each in attribute]
