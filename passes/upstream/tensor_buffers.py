"""Operations on tensors as operations on buffers, where te has no form for what is around them.

Each tensor gets a buffer of its own. An operation that changes a tensor, such as `tensor.insert_slice` or one of
linalg, changes its buffer where nothing reads it afterwards, and a copy elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects import arith, bufferization, memref, tensor, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseIntOrFPElementsAttr,
    IntegerAttr,
    MemRefType,
    NoneAttr,
    TensorType,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.constant_syntax import as_tensor_data
from ...dialects.index_expr import Index
from ...dialects.upstream.packing import PackOp, UnpackOp, outer_order, tiled_dimensions
from ...dialects.upstream.structured_operation import StructuredOp
from ...dialects.upstream.tensor import GenerateOp
from ...dialects.upstream.vector import MaskOp
from ...dialects.upstream.vector import YieldOp as VectorYieldOp
from ...ir import editor as edit
from .control import emitter
from .extents import groups_of, kept_dimensions, mixed, shape_of
from .indices import index_of, value_of
from .refusal import refuse_form, refuse_operation
from .region_values import RegionValues
from .vector_values import Emit, known, linear, split

Read = Callable[[Sequence[Index], Emit], SSAValue]


class TensorBuffers:
    """The tensors of one function, and the conversion of its operations in order."""

    def __init__(self) -> None:
        self.buffers: dict[SSAValue, SSAValue] = {}
        """The buffer that holds a tensor."""
        self.fixed: set[SSAValue] = set()
        """Buffers that no operation may change: arguments, constants, and those that memrefs name."""
        self.undefined: set[SSAValue] = set()
        """Tensors without contents so far."""
        self.control = _TensorControl(self)
        self.done: list[Operation] = []

    # Operations

    def block(self, block: Block) -> None:
        for op in list(block.ops):
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        if op.results and op.results[0] in self.buffers:
            return  # it stands in for a tensor that a region was passed
        if isinstance(op, StructuredOp):
            self._structured(op)
        elif isinstance(op, (tensor.PadOp, GenerateOp)):
            self._generated(op)
        elif isinstance(op, MaskOp):
            self._masked(op)
        elif op.regions:
            if self.control.passes(op):
                self.control.convert(op)
            else:
                for region in op.regions:
                    for block in region.blocks:
                        self.block(block)
        elif self._convert(op):
            self.done.append(op)

    def _convert(self, op: Operation) -> bool:
        """Convert an operation without regions; whether it is on tensors, and has to go."""
        emit = emitter(InsertPoint.before(op), op)
        match op:
            case tensor.DimOp():
                edit.replace_uses(op.result, emit(memref.DimOp(self.of(op.source), op.index)))
            case tensor.ExtractOp():
                indices = [index_of(i) for i in op.indices]
                edit.replace_uses(op.result, emit(loop.LoadOp(self.of(op.tensor), indices)))
            case bufferization.ToBufferOp():
                buffer = self.of(op.tensor)
                if buffer.type != op.memref.type:
                    refuse_form(op, f"expected a row-major buffer of the tensor's sizes, but got {op.memref.type}")
                self.fixed.add(buffer)
                edit.replace_uses(op.memref, buffer)
            case bufferization.MaterializeInDestinationOp() if isinstance(op.dest.type, MemRefType):
                emit_none(op, memref.CopyOp(self.of(op.source), op.dest))
            case vector.TransferReadOp() if isinstance(op.source.type, TensorType):
                edit.change(op).operands = [self.of(op.source), *list(op.operands)[1:]]
                return False
            case bufferization.CloneOp():
                made = self._room(op.output, op, op.input)
                emit_none(op, memref.CopyOp(op.input, made))
                edit.replace_uses(op.output, made)
            case _ if op.name == "bufferization.dealloc_tensor":
                pass
            case CallOp():
                self._call(op)
            case _ if any(isinstance(value.type, TensorType) for value in op.results):
                self._result(op)
            case _:
                return False
        return True

    def _result(self, op: Operation) -> None:
        """An operation whose result is a tensor."""
        match op:
            case tensor.EmptyOp() | bufferization.AllocTensorOp():
                self._empty(op)
            case arith.ConstantOp():
                self._constant(op)
            case tensor.CastOp():
                self._copied(op, op.source, self.of(op.source))
            case bufferization.ToTensorOp():
                self._copied(op, op.memref, op.memref)
            case bufferization.MaterializeInDestinationOp():
                self._copied(op, op.dest, self.of(op.source))
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp() | tensor.ReshapeOp():
                self._reshape(op)
            case tensor.ExtractSliceOp():
                self._extract_slice(op)
            case tensor.InsertSliceOp():
                made = self.changed(op.dest, op)
                self.insert_slice(op, op.source, made)
                self.buffers[op.result] = made
            case tensor.InsertOp():
                made = self.changed(op.dest, op)
                emit_none(op, loop.StoreOp(op.scalar, made, [index_of(i) for i in op.indices]))
                self.buffers[op.result] = made
            case tensor.SplatOp():
                self._fill(op, list(op.operands)[1:], lambda indices, emit: op.input)
            case tensor.FromElementsOp():
                made = self._made(op, [])
                for number, element in enumerate(op.elements):
                    emit_none(op, loop.StoreOp(element, made, split(shape_of(op.result), Index.of(number))))
            case tensor.ConcatOp():
                self._concatenate(op)
            case PackOp() | UnpackOp():
                self._pack(op)
            case vector.TransferWriteOp():
                made = self.changed(op.source, op)
                operands = [op.vector, made, *list(op.operands)[2:]]
                emit_none(op, vector.TransferWriteOp.create(operands=operands, properties=op.properties))
                self.buffers[op.results[0]] = made
            case _ if op.dialect_name() in ("arith", "math") and len(op.results) == 1:
                self._elementwise(op)
            case _:
                refuse_operation(op)

    # Buffers

    def of(self, value: SSAValue) -> SSAValue:
        """The buffer of a tensor. Raises TilewrightError TW0570 at the operation that makes it."""
        if value not in self.buffers:
            assert isinstance(value.owner, Operation)
            refuse_operation(value.owner)
        return self.buffers[value]

    def changed(self, value: SSAValue, op: Operation) -> SSAValue:
        """A buffer with the contents of a tensor that `op` may change."""
        buffer = self.of(value)
        if buffer not in self.fixed and _is_last_use(value, op):
            return buffer
        made = self._room(value, op, buffer)
        if value not in self.undefined:
            emit_none(op, memref.CopyOp(buffer, made))
        return made

    def _room(self, value: SSAValue, op: Operation, like: SSAValue) -> SSAValue:
        """A buffer for a tensor, of the sizes of another buffer, before `op`."""
        emit = emitter(InsertPoint.before(op), op)
        shape = shape_of(value)
        sizes = [_dim(like, d, emit) for d, size in enumerate(shape) if size == DYNAMIC_INDEX]
        return self._allocate(value, sizes, emit)

    def _allocate(self, value: SSAValue, sizes: Sequence[SSAValue], emit: Emit) -> SSAValue:
        type_ = buffer_type(value.type)
        made = emit(memref.AllocOp.get(type_.element_type, shape=type_.get_shape(), dynamic_sizes=sizes))
        edit.rename(made, value.name_hint)
        return made

    def _made(self, op: Operation, sizes: Sequence[SSAValue]) -> SSAValue:
        """A buffer for the result of `op`."""
        made = self._allocate(op.results[0], sizes, emitter(InsertPoint.before(op), op))
        self.buffers[op.results[0]] = made
        return made

    def _copied(self, op: Operation, like: SSAValue, source: SSAValue) -> None:
        """The result of `op` has the contents of a buffer."""
        made = self._room(op.results[0], op, self.buffers.get(like, like))
        emit_none(op, memref.CopyOp(source, made))
        self.buffers[op.results[0]] = made

    def _loops(self, op: Operation, shape: Sequence[Index]) -> tuple[list[Index], InsertPoint]:
        return loops_over(shape, InsertPoint.before(op), op)

    def _fill(self, op: Operation, sizes: Sequence[SSAValue], read: Read) -> None:
        """A new buffer for the result of `op`, each element computed by `read`."""
        made = self._made(op, sizes)
        dynamic = iter(sizes)
        extents = [index_of(next(dynamic)) if n == DYNAMIC_INDEX else Index.of(n) for n in shape_of(made)]
        indices, point = self._loops(op, extents)
        emit = emitter(point, op)
        edit.insert(loop.StoreOp(read(indices, emit), made, indices), point, of=op)

    # linalg

    def _structured(self, op: StructuredOp) -> None:
        if not any(isinstance(value.type, TensorType) for value in op.operands):
            return
        maps = op.maps()
        operands = [self.buffers.get(value, value) for value in op.operands]
        arguments = dict(op.body_arguments())
        for k, output in enumerate(op.outs):
            number = len(op.ins) + k
            if not isinstance(output.type, TensorType):
                continue
            argument = arguments.get(number)
            results = maps[number].results
            is_whole = len({e for e in results if isinstance(e, AffineDimExpr)}) == len(results)
            if is_whole and (argument is None or not argument.uses) and output not in self.undefined:
                operands[number] = self._room(output, op, self.of(output))
            else:
                operands[number] = self.changed(output, op)
        new = type(op).create(
            operands=operands,
            properties=op.properties,
            attributes=op.attributes,
            regions=[edit.change(op).detach_region(region) for region in list(op.regions)],
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        for result, buffer in zip(op.results, operands[len(op.ins) :], strict=False):
            self.buffers[result] = buffer
        for region in new.regions:
            for block in region.blocks:
                self.block(block)
        self.done.append(op)

    def _masked(self, op: MaskOp) -> None:
        """The operation under a mask on buffers: a transfer that writes one gives nothing."""
        masked = op.masked
        if not isinstance(masked, vector.TransferWriteOp) or not isinstance(masked.source.type, TensorType):
            self.block(op.body.block)
            return
        made = self.changed(masked.source, op)
        write = vector.TransferWriteOp.create(
            operands=[masked.vector, made, *list(masked.operands)[2:]], properties=masked.properties
        )
        body = Region(Block([write, VectorYieldOp()]))
        emit_none(op, MaskOp.create(operands=[op.mask], properties=op.properties, regions=[body]))
        self.buffers[op.results[0]] = made
        self.done.append(op)

    def _pack(self, op: PackOp | UnpackOp) -> None:
        """Each element of the packed tensor, from or to its element in the other one."""
        made = self.changed(op.dest, op)
        source = self.of(op.source)
        packed, plain = (made, source) if isinstance(op, PackOp) else (source, made)
        emit = emitter(InsertPoint.before(op), op)
        rank = len(shape_of(plain))
        indices, point = self._loops(op, _extents(packed, emit))
        indexed: list[Index] = [Index.of(0)] * rank
        for position, d in enumerate(outer_order(op, rank)):
            indexed[d] = indices[position]
        tiles = shape_of(packed)[rank:]
        if DYNAMIC_INDEX in tiles:
            refuse_form(op, f"expected tiles of static sizes in '{op.name}'")
        for position, d in enumerate(tiled_dimensions(op)):
            indexed[d] = indexed[d] * tiles[position] + indices[rank + position]
        extents = _extents(plain, emit)
        guard = known([extents[d] - 1 - indexed[d] for d in tiled_dimensions(op)])
        within = emitter(point, op)
        if isinstance(op, UnpackOp):
            value = within(loop.LoadOp(packed, indices))
            edit.insert(loop.StoreOp(value, plain, indexed, guard), point, of=op)
        else:
            padding = op.padding_value if guard else None
            if guard and padding is None:
                guard = []  # the tiles are full, or the operation is undefined
            value = within(loop.LoadOp(plain, indexed, guard, padding))
            edit.insert(loop.StoreOp(value, packed, indices), point, of=op)
        self.buffers[op.results[0]] = made

    # tensor

    def _empty(self, op: tensor.EmptyOp | bufferization.AllocTensorOp) -> None:
        if isinstance(op, bufferization.AllocTensorOp) and op.copy is not None:
            self._copied(op, op.copy, self.of(op.copy))
            return
        self._made(op, list(op.dynamic_sizes))
        self.undefined.add(op.tensor)

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            refuse_form(op, f"expected dense data, but got {value}", help="write the elements into the module")
        if value.is_splat():
            number = value.get_attrs()[0]
            self._fill(op, [], lambda indices, emit: emit(arith.ConstantOp(number)))  # pyright: ignore
            return
        made = loop.ConstantOp(as_tensor_data(value), buffer_type(op.result.type))
        self.buffers[op.result] = buffer = emitter(InsertPoint.before(op), op)(made)
        self.fixed.add(buffer)

    def _elementwise(self, op: Operation) -> None:
        buffers = [self.buffers.get(value) for value in op.operands]

        def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
            operands = [
                value if buffer is None else emit(loop.LoadOp(buffer, indices))
                for value, buffer in zip(op.operands, buffers, strict=True)
            ]
            return emit(
                type(op).create(
                    operands=operands,
                    result_types=[buffer_type(op.results[0].type).element_type],
                    properties=op.properties,
                    attributes=op.attributes,
                )
            )

        like = next(buffer for buffer in buffers if buffer is not None)
        emit = emitter(InsertPoint.before(op), op)
        sizes = [_dim(like, d, emit) for d, size in enumerate(shape_of(op.results[0])) if size == DYNAMIC_INDEX]
        self._fill(op, sizes, read)

    def _reshape(self, op: Operation) -> None:
        source, result = self.of(op.operands[0]), op.results[0]
        emit = emitter(InsertPoint.before(op), op)
        if isinstance(op, tensor.ReshapeOp):
            if any(n == DYNAMIC_INDEX for n in (*shape_of(source), *shape_of(result))):
                refuse_form(op, f"expected '{op.name}' of static sizes")
            self._fill(
                op,
                [],
                lambda indices, emit: emit(
                    loop.LoadOp(source, split(shape_of(source), linear(shape_of(result), indices)))
                ),
            )
            return
        assert isinstance(op, (tensor.CollapseShapeOp, tensor.ExpandShapeOp))
        groups = groups_of(op.reassociation)
        if isinstance(op, tensor.ExpandShapeOp):
            wide = mixed(op.static_output_shape, op.dynamic_output_shape)
            made = self._made(op, list(op.dynamic_output_shape))
        else:
            wide = _extents(source, emit)
            sizes = [
                value_of(_product(op, [wide[d] for d in group]), emit)
                for group, size in zip(groups, shape_of(result), strict=True)
                if size == DYNAMIC_INDEX
            ]
            made = self._made(op, sizes)
        indices, point = self._loops(op, wide)
        short = [_joined(op, [indices[d] for d in group], [wide[d] for d in group]) for group in groups]
        reads, writes = (short, indices) if isinstance(op, tensor.ExpandShapeOp) else (indices, short)
        value = emitter(point, op)(loop.LoadOp(source, reads))
        edit.insert(loop.StoreOp(value, made, writes), point, of=op)

    def _extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        source, kept = self.of(op.source), kept_dimensions(op)
        offsets, sizes, strides = _slice_of(op)
        emit = emitter(InsertPoint.before(op), op)
        wanted = [sizes[d] for d in kept]
        dynamic = [value_of(n, emit) for n, size in zip(wanted, shape_of(op.result), strict=True) if size < 0]

        def read(indices: Sequence[Index], emit: Emit) -> SSAValue:
            indexed = list(offsets)
            for d, index in zip(kept, indices, strict=True):
                indexed[d] = offsets[d] + _times(index, strides[d], emit)
            return emit(loop.LoadOp(source, indexed))

        self._fill(op, dynamic, read)

    def insert_slice(self, op: Operation, source: SSAValue, target: SSAValue) -> None:
        """Copy a tensor to a part of a buffer, before `op`, which states the part."""
        offsets, sizes, strides = _slice_of(op)
        kept = kept_dimensions(op)  # pyright: ignore[reportArgumentType]
        indices, point = self._loops(op, [sizes[d] for d in kept])
        emit = emitter(point, op)
        indexed = list(offsets)
        for d, index in zip(kept, indices, strict=True):
            indexed[d] = offsets[d] + _times(index, strides[d], emit)
        value = emit(loop.LoadOp(self.of(source), indices))
        edit.insert(loop.StoreOp(value, target, indexed), point, of=op)

    def _generated(self, op: tensor.PadOp | GenerateOp) -> None:
        """Each element by the operations of the region, then the source inside of the padding."""
        emit = emitter(InsertPoint.before(op), op)
        if isinstance(op, GenerateOp):
            sizes, region = list(op.dynamic_extents), op.body
            dynamic = iter(sizes)
            extents = [index_of(next(dynamic)) if n < 0 else Index.of(n) for n in shape_of(op.result)]
        else:
            region, inner = op.region, _extents(self.of(op.source), emit)
            low, high = mixed(op.static_low, op.low), mixed(op.static_high, op.high)
            if any(width.is_constant and width.constant < 0 for width in (*low, *high)):
                refuse_form(op, "expected padding of 0 or more elements")
            extents = [a + n + b for a, n, b in zip(low, inner, high, strict=True)]
            sizes = [value_of(n, emit) for n, size in zip(extents, shape_of(op.result), strict=True) if size < 0]
        made = self._made(op, sizes)
        indices, point = self._loops(op, extents)
        block, within = region.block, emitter(point, op)
        for argument, index in zip(list(block.args), indices, strict=True):
            edit.replace_uses(argument, value_of(index, within))
        last = block.last_op
        assert last is not None
        moved = [each for each in block.ops if each is not last]
        edit.move(moved, point)
        for each in moved:
            self._operation(each)
        edit.insert(loop.StoreOp(last.operands[0], made, indices), point, of=op)
        if isinstance(op, tensor.PadOp):
            indices, point = self._loops(op, inner)
            value = emitter(point, op)(loop.LoadOp(self.of(op.source), indices))
            indexed = [a + index for a, index in zip(low, indices, strict=True)]
            edit.insert(loop.StoreOp(value, made, indexed), point, of=op)
        self.done.append(op)

    def _concatenate(self, op: tensor.ConcatOp) -> None:
        axis, emit = op.dim.value.data, emitter(InsertPoint.before(op), op)
        inputs = [self.of(value) for value in op.inputs]
        extents = [_extents(buffer, emit) for buffer in inputs]
        total = extents[0][axis]
        for each in extents[1:]:
            total = total + each[axis]
        whole = [total if d == axis else e for d, e in enumerate(extents[0])]
        sizes = [value_of(n, emit) for n, size in zip(whole, shape_of(op.result), strict=True) if size < 0]
        made, start = self._made(op, sizes), Index.of(0)
        for buffer, shape in zip(inputs, extents, strict=True):
            indices, point = self._loops(op, shape)
            value = emitter(point, op)(loop.LoadOp(buffer, indices))
            indexed = [index + start if d == axis else index for d, index in enumerate(indices)]
            edit.insert(loop.StoreOp(value, made, indexed), point, of=op)
            start = start + shape[axis]

    def _call(self, op: CallOp) -> None:
        types = [buffer_type(r.type) if isinstance(r.type, TensorType) else r.type for r in op.res]
        call = CallOp(op.callee, [self.buffers.get(value, value) for value in op.arguments], types)
        edit.insert(call, InsertPoint.before(op), of=op)
        for old, new in zip(op.res, call.res, strict=True):
            if isinstance(old.type, TensorType):
                self.buffers[old] = new
            else:
                edit.replace_uses(old, new)


class _TensorControl(RegionValues[SSAValue]):
    """Takes tensors out of what loops carry and conditions give."""

    what = "tensors"

    def __init__(self, values: TensorBuffers) -> None:
        super().__init__(values.block)
        self.values = values

    def is_held(self, type: Attribute) -> bool:
        return isinstance(type, TensorType)

    def begin(self, op: Operation, position: int, init: SSAValue) -> SSAValue:
        return self.values.changed(init, op)

    def room(self, op: Operation, position: int) -> SSAValue:
        result = op.results[position]
        if DYNAMIC_INDEX in shape_of(result):
            refuse_form(op, f"expected conditions that give tensors of static sizes, but got {result.type}")
        return self.values._room(result, op, result)  # pyright: ignore[reportPrivateUsage]

    def note(self, value: SSAValue, held: SSAValue) -> None:
        self.values.buffers[value] = held

    def write(self, last: Operation, targets: Mapping[int, SSAValue]) -> None:
        sources = {k: self.values.of(last.operands[k]) for k in targets}
        for k, target in targets.items():
            if sources[k] is not target and sources[k] in targets.values():
                sources[k] = made = self.values._room(last.operands[k], last, sources[k])  # pyright: ignore[reportPrivateUsage]
                emit_none(last, memref.CopyOp(self.values.of(last.operands[k]), made))
        for k, target in targets.items():
            if sources[k] is not target:
                emit_none(last, memref.CopyOp(sources[k], target))


def emit_none(op: Operation, new: Operation) -> None:
    """Insert an operation without results before `op`."""
    edit.insert(new, InsertPoint.before(op), of=op)


def buffer_type(type: Attribute) -> MemRefType:
    """The type of a tensor's buffer, or of a buffer's copy."""
    assert isinstance(type, (TensorType, MemRefType))
    return MemRefType(type.element_type, type.get_shape(), NoneAttr())


def loops_over(shape: Sequence[Index], point: InsertPoint, of: Operation) -> tuple[list[Index], InsertPoint]:
    """Loops over a shape, at a point: the indices, and the point within."""
    indices: list[Index] = []
    for size in shape:
        if size == Index.of(1):
            indices.append(Index.of(0))
            continue
        made = loop.ForOp(0, size, name_hint="i")
        edit.insert(made, point, of=of)
        point = InsertPoint.at_end(made.body.block)
        indices.append(Index.of(made.induction_variable))
    return indices, point


def _is_last_use(value: SSAValue, op: Operation) -> bool:
    """Return if `op` uses a tensor once, in the block that has it, and nothing uses the tensor later."""
    block = op.parent
    if block is None or (value.owner if isinstance(value.owner, Block) else value.owner.parent) is not block:
        return False
    users: list[Operation] = []
    for use in value.uses:
        user: Operation | None = use.operation
        while user is not None and user.parent is not block:
            user = user.parent_op()
        if user is None:
            return False
        users.append(user)
    return users.count(op) == 1 and all(each is op or each.is_before_in_block(op) for each in users)


def _dim(buffer: SSAValue, dimension: int, emit: Emit) -> SSAValue:
    number = emit(arith.ConstantOp(IntegerAttr.from_index_int_value(dimension)))
    return emit(memref.DimOp(buffer, number))


def _extents(buffer: SSAValue, emit: Emit) -> list[Index]:
    shape = enumerate(shape_of(buffer))
    return [Index.of(_dim(buffer, d, emit)) if n == DYNAMIC_INDEX else Index.of(n) for d, n in shape]


def _slice_of(op: Operation) -> tuple[list[Index], list[Index], list[Index]]:
    """The offsets, sizes and strides of a slice."""
    return (
        mixed(op.static_offsets, op.offsets),  # pyright: ignore
        mixed(op.static_sizes, op.sizes),  # pyright: ignore
        mixed(op.static_strides, op.strides),  # pyright: ignore
    )


def _times(index: Index, factor: Index, emit: Emit) -> Index:
    """A product; a value where both factors are."""
    if factor.is_constant:
        return index * factor.constant
    if index.is_constant:
        return factor * index.constant
    return Index.of(emit(arith.MuliOp(value_of(index, emit), value_of(factor, emit))))


def _product(op: Operation, sizes: Sequence[Index]) -> Index:
    """A product of extents, of which the first alone may be dynamic."""
    return _joined(op, [sizes[0], *[Index.of(0)] * (len(sizes) - 1)], sizes)


def _joined(op: Operation, indices: Sequence[Index], sizes: Sequence[Index]) -> Index:
    """The position in a dimension that several dimensions became."""
    total = indices[0]
    for index, size in zip(indices[1:], sizes[1:], strict=True):
        if not size.is_constant:
            refuse_form(op, f"expected static sizes behind the first of those that '{op.name}' joins")
        total = total * size.constant + index
    return total
