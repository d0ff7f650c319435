"""Conversion of operations on tensors to operations on the buffers that hold the tensors."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import arith, bufferization, memref, tensor, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, MemRefType, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.constant_data import as_tensor_data
from ...dialects.index_expr import Index
from ...dialects.upstream.forall import ParallelInsertSliceOp
from ...dialects.upstream.packing import PackOp, UnpackOp, outer_order, tiled_dimensions
from ...dialects.upstream.structured_operation import StructuredOp
from ...dialects.upstream.tensor import GenerateOp
from ...dialects.upstream.vector import MaskOp, YieldOp
from ...ir import editor as edit
from .bufferized_values import Buffers, Element, refuse_tensor
from .control import Emit, emitter
from .extents import kept_dimensions, mixed, shape_of
from .indices import constant_of, index_of, value_of
from .refusal import refuse_form
from .vector_values import known, linear, loops_over, split


class BufferOperations:
    """Converts operations in order. New operations are inserted before the old ones, which the caller erases."""

    def __init__(self, buffers: Buffers) -> None:
        self.buffers = buffers

    def convert(self, op: Operation) -> None:
        """Convert one operation on tensors without control flow. Raises TilewrightError TW0571."""
        match op:
            case StructuredOp():
                self._structured(op)
            case tensor.EmptyOp() | bufferization.AllocTensorOp():
                self._empty(op)
            case arith.ConstantOp():
                self._constant(op)
            case tensor.DimOp():
                self._dim(op)
            case tensor.ExtractOp():
                self._extract(op)
            case tensor.CastOp():
                self._cast(op)
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
                self._reshape(op)
            case tensor.ReshapeOp():
                self._reshape_by_shape(op)
            case tensor.ExtractSliceOp():
                self._extract_slice(op)
            case tensor.InsertSliceOp():
                target = self.buffers.destination(op.dest, op)
                insert_slice(self.buffers, op, self.buffers.of[op.source], target, op)
                self.buffers.define(op.result, target, self.buffers.sizes[op.dest])
            case tensor.InsertOp():
                target = self.buffers.destination(op.dest, op)
                edit.insert(
                    loop.StoreOp(op.scalar, target, [index_of(i) for i in op.indices]), InsertPoint.before(op), of=op
                )
                self.buffers.define(op.result, target, self.buffers.sizes[op.dest])
            case tensor.PadOp():
                self._pad(op)
            case GenerateOp():
                self._generate(op)
            case PackOp() | UnpackOp():
                self._pack(op)
            case tensor.SplatOp():
                self._elements(op, lambda _, __: op.input)
            case tensor.FromElementsOp():
                self._from_elements(op)
            case tensor.ConcatOp():
                self._concatenate(op)
            case bufferization.ToTensorOp():
                self._of_buffer(op)
            case bufferization.ToBufferOp():
                edit.replace_uses(op.memref, self.buffers.of[op.tensor])
                self.buffers.free.discard(op.tensor)
            case bufferization.MaterializeInDestinationOp() if isinstance(op.dest.type, MemRefType) and not op.results:
                edit.insert(memref.CopyOp(self.buffers.of[op.source], op.dest), InsertPoint.before(op), of=op)
            case bufferization.MaterializeInDestinationOp() if op.results:
                target = self.buffers.new(op.results[0], self.buffers.sizes[op.source], op)
                edit.insert(memref.CopyOp(self.buffers.of[op.source], target), InsertPoint.before(op), of=op)
            case MaskOp():
                self._masked(op)
            case _ if op.dialect_name() in ("arith", "math") and not op.regions and len(op.results) == 1:
                self._elementwise(op)
            case _ if op.dialect_name() == "vector":
                self._vector(op)
            case _:
                refuse_tensor(op)

    def _sizes(self, op: Operation) -> list[Index]:
        """Return the extents of the result of an operation: numbers where its type states them, else those of its
        operand."""
        result, source = op.results[0], next(v for v in op.operands if v in self.buffers.of)
        have = self.buffers.sizes[source]
        return [size if n == DYNAMIC_INDEX else Index.of(n) for n, size in zip(shape_of(result), have, strict=True)]

    def _elements(self, op: Operation, element: Element, sizes: Sequence[Index] | None = None) -> None:
        """Write all elements of a new buffer for the result."""
        result = op.results[0]
        sizes = [Index.of(n) for n in shape_of(result)] if sizes is None else sizes
        self.buffers.nest(sizes, self.buffers.new(result, sizes, op), op, element)

    def _read(self, value: SSAValue, indices: Sequence[Index], emit: Emit) -> SSAValue:
        return emit(loop.LoadOp(self.buffers.of[value], indices))

    # linalg

    def _structured(self, op: StructuredOp) -> None:
        """Convert to the same operation on buffers; outputs that no other operation needs are overwritten."""
        ins = [self.buffers.of.get(value, value) for value in op.ins]
        outs = [self.buffers.destination(value, op) for value in op.outs]
        new = type(op).create(
            operands=[*ins, *outs],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[region.clone() for region in op.regions],
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        for each in [each for each in new.walk() if isinstance(each, tensor.ExtractOp)]:
            edit.replace(each, memref.LoadOp.get(self.buffers.of[each.tensor], list(each.indices)))
        for result, value, target in zip(op.res, op.outs, outs, strict=True):
            self.buffers.define(result, target, self.buffers.sizes[value])

    def _elementwise(self, op: Operation) -> None:
        result = op.results[0]

        def element(indices: Sequence[Index], emit: Emit) -> SSAValue:
            operands = [self._read(v, indices, emit) if v in self.buffers.of else v for v in op.operands]
            new = type(op).create(
                operands=operands,
                result_types=[_element(result)],
                properties=dict(op.properties),
                attributes=dict(op.attributes),
            )
            return emit(new)

        self._elements(op, element, self._sizes(op))

    # tensor

    def _empty(self, op: tensor.EmptyOp | bufferization.AllocTensorOp) -> None:
        copied = op.copy if isinstance(op, bufferization.AllocTensorOp) else None
        if copied is not None:
            buffer = self.buffers.new(op.results[0], self.buffers.sizes[copied], op)
            edit.insert(memref.CopyOp(self.buffers.of[copied], buffer), InsertPoint.before(op), of=op)
            return
        values = iter(op.dynamic_sizes)
        result = op.results[0]
        sizes = [index_of(next(values)) if n == DYNAMIC_INDEX else Index.of(n) for n in shape_of(result)]
        self.buffers.new(result, sizes, op)
        self.buffers.undefined.add(result)

    def _constant(self, op: arith.ConstantOp) -> None:
        value, type_ = op.value, op.result.type
        if not isinstance(value, DenseIntOrFPElementsAttr) or not isinstance(type_, TensorType):
            refuse_form(op, f"expected dense data, but got {value}", help="write the elements into the module")
        if value.is_splat():
            number = emitter(InsertPoint.before(op), op)(arith.ConstantOp(value.get_attrs()[0]))  # pyright: ignore
            self._elements(op, lambda _, __: number)
            return
        data = loop.ConstantOp(as_tensor_data(value), MemRefType(type_.element_type, type_.get_shape()))
        edit.insert(data, InsertPoint.before(op), of=op)
        self.buffers.define(op.result, data.res, [Index.of(n) for n in type_.get_shape()], is_free=False)

    def _dim(self, op: tensor.DimOp) -> None:
        dimension = constant_of(op.index)
        if dimension is None:
            refuse_form(op, "expected the number of a dimension", help="ask for a dimension by a constant")
        emit = emitter(InsertPoint.before(op), op)
        edit.replace_uses(op.result, value_of(self.buffers.sizes[op.source][dimension], emit))

    def _extract(self, op: tensor.ExtractOp) -> None:
        emit = emitter(InsertPoint.before(op), op)
        edit.replace_uses(op.result, self._read(op.tensor, [index_of(i) for i in op.indices], emit))

    def _reshape(self, op: tensor.CollapseShapeOp | tensor.ExpandShapeOp) -> None:
        """Copy the buffer in its other shape."""
        result, source = op.result, self.buffers.of[op.src]
        assert isinstance(result.type, TensorType)
        view_type = MemRefType(result.type.element_type, result.type.get_shape())
        if isinstance(op, tensor.ExpandShapeOp):
            view: Operation = memref.ExpandShapeOp.build(
                operands=[source, list(op.dynamic_output_shape)],
                properties={"reassociation": op.reassociation, "static_output_shape": op.static_output_shape},
                result_types=[view_type],
            )
            sizes = mixed(op.static_output_shape, op.dynamic_output_shape)
        else:
            view = memref.CollapseShapeOp.build(
                operands=[source], properties={"reassociation": op.reassociation}, result_types=[view_type]
            )
            sizes = self._collapsed_sizes(op)
        edit.insert(view, InsertPoint.before(op), of=op)
        target = self.buffers.new(result, sizes, op)
        edit.insert(memref.CopyOp(view.results[0], target), InsertPoint.before(op), of=op)

    def _collapsed_sizes(self, op: tensor.CollapseShapeOp) -> list[Index]:
        have, found = self.buffers.sizes[op.src], list[Index]()
        for group in op.reassociation:
            total = Index.of(1)
            for number in group:  # pyright: ignore[reportGeneralTypeIssues]
                size = have[number.value.data]
                if not total.is_constant and not size.is_constant:
                    refuse_form(op, "expected at most one dynamic size among those that become one")
                total = size * total.constant if total.is_constant else total * size.constant
            found.append(total)
        return found

    def _extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        kept, offsets = kept_dimensions(op), mixed(op.static_offsets, op.offsets)
        sizes, strides = mixed(op.static_sizes, op.sizes), _strides(op)

        def element(indices: Sequence[Index], emit: Emit) -> SSAValue:
            source = list(offsets)
            for d, index in zip(kept, indices, strict=True):
                source[d] = offsets[d] + index * strides[d]
            return self._read(op.source, source, emit)

        self._elements(op, element, [sizes[d] for d in kept])

    def _pad(self, op: tensor.PadOp) -> None:
        low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
        sizes = self.buffers.sizes[op.source]
        if any(width.is_constant and width.constant < 0 for width in (*low, *high)):
            refuse_form(op, "expected padding of 0 or more elements")

        def element(indices: Sequence[Index], emit: Emit) -> SSAValue:
            source = [index - width for index, width in zip(indices, low, strict=True)]
            guard = [e for index, size in zip(source, sizes, strict=True) for e in (index, size - 1 - index)]
            value = self._inlined(op, op.region.block, indices, emit)
            guard = known(guard)
            return emit(loop.LoadOp(self.buffers.of[op.source], source, guard, value if guard else None))

        self._elements(op, element, [a + n + b for a, n, b in zip(low, sizes, high, strict=True)])

    def _generate(self, op: GenerateOp) -> None:
        """Compute each element by the operations of the region."""
        dynamic = iter(op.dynamic_extents)
        sizes = [index_of(next(dynamic)) if n == DYNAMIC_INDEX else Index.of(n) for n in shape_of(op.result)]
        self._elements(op, lambda indices, emit: self._inlined(op, op.body.block, indices, emit), sizes)

    def _inlined(self, op: Operation, block: Block, indices: Sequence[Index], emit: Emit) -> SSAValue:
        """Emit the operations of a region at an index, and return the value that it yields."""
        values: dict[SSAValue, SSAValue] = {a: value_of(i, emit) for a, i in zip(block.args, indices, strict=True)}
        last = block.last_op
        assert last is not None
        for each in block.ops:
            if each is last:
                break
            if isinstance(each, tensor.ExtractOp):
                indexed = [index_of(values.get(i, i)) for i in each.indices]
                values[each.result] = self._read(each.tensor, indexed, emit)
            elif any(isinstance(value.type, TensorType) for value in (*each.operands, *each.results)) or each.regions:
                refuse_tensor(each)
            else:
                copy = each.clone(values)
                emit(copy) if copy.results else refuse_tensor(each)
                values.update(zip(each.results, copy.results, strict=True))
        return values.get(last.operands[0], last.operands[0])

    def _cast(self, op: tensor.CastOp) -> None:
        """Use the same buffer, of a type that states other sizes."""
        self.buffers.share(op.dest, op.source, self._sizes(op))
        source = self.buffers.of[op.source]
        type_ = MemRefType(_element(op.dest), shape_of(op.dest))
        if type_ != source.type:
            cast = memref.CastOp.build(operands=[source], result_types=[type_])
            self.buffers.of[op.dest] = emitter(InsertPoint.before(op), op)(cast)

    def _reshape_by_shape(self, op: tensor.ReshapeOp) -> None:
        source, result = self.buffers.of[op.source], op.result
        before, after = shape_of(source), shape_of(result)
        if DYNAMIC_INDEX in (*before, *after):
            refuse_form(op, f"expected '{op.name}' of static sizes")
        self._elements(op, lambda i, emit: emit(loop.LoadOp(source, split(before, linear(after, i)))))

    def _pack(self, op: PackOp | UnpackOp) -> None:
        """Copy each element of the tiles, from or to its element in the plain tensor."""
        target, source = self.buffers.destination(op.dest, op), self.buffers.of[op.source]
        target_sizes, source_sizes = self.buffers.sizes[op.dest], self.buffers.sizes[op.source]
        is_pack = isinstance(op, PackOp)
        tiled, plain = (target_sizes, source_sizes) if is_pack else (source_sizes, target_sizes)
        rank = len(plain)
        tiles = tiled[rank:]
        if not all(tile.is_constant for tile in tiles):
            refuse_form(op, f"expected tiles of static sizes in '{op.name}'")

        def element_of(indices: Sequence[Index]) -> list[Index]:
            found = [Index.of(0)] * rank
            for position, d in enumerate(outer_order(op, rank)):
                found[d] = indices[position]
            for position, d in enumerate(tiled_dimensions(op)):
                found[d] = found[d] * tiles[position].constant + indices[rank + position]
            return found

        def guard_of(found: Sequence[Index]) -> list[Index]:
            return known([plain[d] - 1 - found[d] for d in tiled_dimensions(op)])

        indices, point = loops_over(tiled, InsertPoint.before(op), op)
        emit, found = emitter(point, op), element_of(indices)
        guard = guard_of(found)
        if isinstance(op, PackOp):
            # Without padding all tiles are full, or the operation is undefined.
            padding = op.padding_value
            value = emit(loop.LoadOp(source, found, guard if padding is not None else [], padding if guard else None))
            edit.insert(loop.StoreOp(value, target, indices), point, of=op)
        else:
            value = emit(loop.LoadOp(source, indices))
            edit.insert(loop.StoreOp(value, target, found, guard), point, of=op)
        self.buffers.define(op.result, target, target_sizes)

    def _from_elements(self, op: tensor.FromElementsOp) -> None:
        shape = shape_of(op.result)
        target = self.buffers.new(op.result, [Index.of(n) for n in shape], op)
        for number, element in enumerate(op.elements):
            index: list[Index] = []
            for size in reversed(shape):
                index.insert(0, Index.of(number % size))
                number //= size
            edit.insert(loop.StoreOp(element, target, index), InsertPoint.before(op), of=op)

    def _concatenate(self, op: tensor.ConcatOp) -> None:
        axis = op.dim.value.data
        all_sizes = [self.buffers.sizes[value] for value in op.inputs]
        total = Index.of(0)
        for sizes in all_sizes:
            total = total + sizes[axis]
        target = self.buffers.new(op.result, [total if d == axis else n for d, n in enumerate(all_sizes[0])], op)
        start = Index.of(0)
        for value, sizes in zip(op.inputs, all_sizes, strict=True):
            self.buffers.nest(
                sizes,
                target,
                op,
                lambda indices, emit, value=value: self._read(value, indices, emit),
                lambda indices, start=start: [i + start if d == axis else i for d, i in enumerate(indices)],
            )
            start = start + sizes[axis]

    def _of_buffer(self, op: bufferization.ToTensorOp) -> None:
        """Copy the elements of a buffer at that point to a buffer for the tensor."""
        source = op.memref
        emit = emitter(InsertPoint.before(op), op)
        sizes: list[Index] = []
        for d, n in enumerate(shape_of(source)):
            if n == DYNAMIC_INDEX:
                number = value_of(Index.of(d), emit)
                sizes.append(Index.of(emit(memref.DimOp(source, number))))
            else:
                sizes.append(Index.of(n))
        target = self.buffers.new(op.results[0], sizes, op)
        edit.insert(memref.CopyOp(source, target), InsertPoint.before(op), of=op)

    # vector

    def _vector(self, op: Operation) -> None:
        """Convert a transfer of vectors to the same one on a buffer."""
        tensors = [value for value in op.operands if value in self.buffers.of]
        written = [result for result in op.results if isinstance(result.type, TensorType)]
        if len(tensors) != 1 or len(written) > 1:
            refuse_tensor(op)
        (old,) = tensors
        buffer = self.buffers.destination(old, op) if written else self.buffers.of[old]
        new = type(op).create(
            operands=[buffer if value is old else value for value in op.operands],
            result_types=[result.type for result in op.results if result not in written],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        if written:
            self.buffers.define(written[0], buffer, self.buffers.sizes[old])
        else:
            edit.replace_uses(op.results[0], new.results[0])

    def _masked(self, op: MaskOp) -> None:
        """Convert a transfer under a mask to the same one on a buffer, which gives nothing where it writes."""
        old = op.masked
        if not isinstance(old, (vector.TransferReadOp, vector.TransferWriteOp)) or old.source not in self.buffers.of:
            refuse_tensor(op)
        is_write = isinstance(old, vector.TransferWriteOp)
        buffer = self.buffers.destination(old.source, op) if is_write else self.buffers.of[old.source]
        new = type(old).create(
            operands=[buffer if value is old.source else value for value in old.operands],
            result_types=[] if is_write else [old.results[0].type],
            properties=dict(old.properties),
            attributes=dict(old.attributes),
        )
        body = Region(Block([new, YieldOp(*new.results)]))
        types = [result.type for result in new.results]
        mask = MaskOp.build(operands=[op.mask, []], result_types=[types], regions=[body], attributes=op.attributes)
        edit.insert(mask, InsertPoint.before(op), of=op)
        if is_write:
            self.buffers.define(op.results[0], buffer, self.buffers.sizes[old.source])
        else:
            edit.replace_uses(op.results[0], mask.res[0])


def insert_slice(
    buffers: Buffers,
    op: tensor.InsertSliceOp | ParallelInsertSliceOp,
    source: SSAValue,
    target: SSAValue,
    user: Operation,
) -> None:
    """Write a tensor's elements to a part of a buffer, before `user`."""
    kept, offsets, strides = kept_dimensions(op), mixed(op.static_offsets, op.offsets), _strides(op)
    sizes = mixed(op.static_sizes, op.sizes)

    def where(indices: Sequence[Index]) -> list[Index]:
        found = list(offsets)
        for d, index in zip(kept, indices, strict=True):
            found[d] = offsets[d] + index * strides[d]
        return found

    buffers.nest([sizes[d] for d in kept], target, user, lambda i, emit: emit(loop.LoadOp(source, i)), where)


def _strides(op: tensor.ExtractSliceOp | tensor.InsertSliceOp | ParallelInsertSliceOp) -> list[int]:
    strides = mixed(op.static_strides, op.strides)
    if not all(n.is_constant for n in strides):
        refuse_form(op, f"expected strides of '{op.name}' that are numbers")
    return [n.constant for n in strides]


def _element(value: SSAValue) -> Attribute:
    assert isinstance(value.type, TensorType)
    return value.type.element_type
