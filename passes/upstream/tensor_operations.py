"""Conversion of each operation on tensors to a compute or another operation of te."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects import arith, tensor
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, TensorType
from xdsl.dialects.func import CallOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from ...dialects import te
from ...dialects.constant_data import constant_array, constant_attr
from ...dialects.dtypes import has_dtype
from ...dialects.index_expr import Index
from ...dialects.upstream.structured_operation import StructuredOp, rank_of
from ...ir import editor as edit
from .extents import kept_dimensions, numbers_of, shape_of
from .indices import constant_of, evaluate, index_of, value_of
from .refusal import refuse_form, refuse_operation
from .structured import BodyClone, loop_extents
from .tensor_reductions import update_of
from .tensor_values import BUFFERIZE, Body, TensorValues, result_type, zero_of

Fill = Callable[[Body, Sequence[Index]], SSAValue]
"""Makes the element at an index, in a body."""


class TensorOperations:
    """Converts operations in order. New operations are inserted before the old ones."""

    def __init__(self, values: TensorValues) -> None:
        self.values = values
        self._labels: set[str] = set()

    def convert(self, op: Operation) -> None:
        """Convert one operation. Raises TilewrightError TW0570 and TW0571."""
        match op:
            case StructuredOp():
                self._structured(op)
            case arith.ConstantOp() if isinstance(op.result.type, TensorType):
                self._constant(op)
            case tensor.EmptyOp():
                self.values.undefined.add(op.tensor)
                self.values.tensors[op.tensor] = op.tensor
            case tensor.DimOp():
                self._dim(op)
            case tensor.ExtractOp():
                pass
            case tensor.CastOp():
                self._same(op.results[0], op.source)
            case tensor.CollapseShapeOp() | tensor.ExpandShapeOp() | tensor.ReshapeOp():
                self._reshape(op)
            case tensor.ExtractSliceOp():
                self._extract_slice(op)
            case tensor.InsertSliceOp():
                self._insert_slice(op)
            case tensor.PadOp():
                self._pad(op)
            case tensor.SplatOp():
                self.values.fills[op.result] = op.input
                self.values.undefined.add(op.result)
                self.values.tensors[op.result] = op.result
            case tensor.FromElementsOp():
                self._from_elements(op)
            case tensor.InsertOp():
                self._insert(op)
            case tensor.ConcatOp():
                self._concatenate(op)
            case CallOp():
                self._call(op)
            case _ if op.dialect_name() in ("arith", "math") and not op.regions:
                if isinstance(op.results[0].type, TensorType):
                    self._elementwise(op)
            case _ if op.dialect_name() in ("te",):
                pass
            case _ if op.regions:
                refuse_form(op, f"expected tensors without control flow around them, but got '{op.name}'", BUFFERIZE)
            case _:
                refuse_operation(op)

    def returned(self, value: SSAValue, last: Operation) -> SSAValue:
        """Return a result of the function in te."""
        if not isinstance(value.type, TensorType) or value not in self.values.tensors:
            if not has_dtype(value.type):
                refuse_form(last, f"expected tensors and numbers as results, but got {value.type}")
            return self._compute("result", [], value.type, last, lambda body, _: body.scalar(value))
        return self._defined(value, last)

    def _defined(self, value: SSAValue, user: Operation) -> SSAValue:
        """Return a tensor in te, computed where it is a fill or undefined so far."""
        if value in self.values.undefined or (value in self.values.fills and value not in self.values.tensors):
            extents = self.values.extents(value, user)
            new = self._compute("fill", extents, _element(value), user, lambda body, i: body.read(value, i))
            self.values.undefined.discard(value)
            self.values.tensors[value] = new
        return self.values.tensors[value]

    def _same(self, result: SSAValue, source: SSAValue) -> None:
        """Let a result be the tensor that another one is."""
        self.values.tensors[result] = self.values.tensors[source]
        if source in self.values.undefined:
            self.values.undefined.add(result)
        if source in self.values.fills:
            self.values.fills[result] = self.values.fills[source]

    # Computes

    def _label(self, name: str) -> str:
        label, count = name, 0
        while label in self._labels:
            count += 1
            label = f"{name}_{count}"
        self._labels.add(label)
        return label

    def _compute(
        self, name: str, extents: Sequence[Index], element: Attribute, user: Operation, fill: Fill
    ) -> SSAValue:
        """Insert a compute without reduction before `user`."""
        hints = [f"i{n}" for n in range(len(extents))]
        compute = te.ComputeOp(self._label(name), extents, [], [result_type(extents, element)], None, hints)
        edit.insert(compute, InsertPoint.before(user), of=user)
        body = Body(self.values, compute.body.block, user)
        value = fill(body, [Index.of(axis) for axis in compute.spatial_axes])
        body.finish(te.YieldOp([value]))
        return compute.res[0]

    def _define(self, result: SSAValue, name: str, op: Operation, fill: Fill) -> None:
        extents = self.values.extents(result, op)
        new = self._compute(name, extents, _element(result), op, fill)
        edit.rename(new, result.name_hint)
        self.values.tensors[result] = new

    # linalg

    def _structured(self, op: StructuredOp) -> None:
        if op.short_name == "fill" and _element(op.outs[0]) == op.ins[0].type:
            result = op.res[0]
            self._same(result, op.outs[0])
            self.values.fills[result] = op.ins[0]
            self.values.undefined.add(result)
            return
        extents = loop_extents(op, lambda value, d: self.values.extent(value, d, op))
        for number, result in enumerate(op.res):
            self.values.tensors[result] = self._structured_result(op, number, extents)
            edit.rename(self.values.tensors[result], result.name_hint)

    def _structured_result(self, op: StructuredOp, number: int, extents: Sequence[Index]) -> SSAValue:
        output = op.outs[number]
        results = op.maps()[len(op.ins) + number].results
        spatial = [e.position for e in results if isinstance(e, AffineDimExpr)]
        parallel = [d for d, kind in enumerate(op.kinds()) if kind == "parallel"]
        if sorted(spatial) != parallel or len(results) != len(spatial):
            refuse_form(
                op, "expected outputs that are indexed by each parallel loop once, and by nothing else", BUFFERIZE
            )
        reduce = [d for d in range(len(extents)) if d not in spatial]
        hints = [f"i{d}" for d in (*spatial, *reduce)]
        type_ = result_type([extents[d] for d in spatial], _element(output))
        compute = te.ComputeOp(
            self._label(op.short_name),
            [extents[d] for d in spatial],
            [extents[d] for d in reduce],
            [type_],
            None,
            hints,
        )
        edit.insert(compute, InsertPoint.before(op), of=op)
        body = Body(self.values, compute.body.block, op)
        axes: dict[int, SSAValue] = dict(zip((*spatial, *reduce), compute.body.block.args, strict=True))
        if reduce:
            self._reduction(op, number, body, axes)
        else:
            body.finish(te.YieldOp([_clone(op, body, axes).yielded(op)[number]]))
        return compute.res[0]

    def _reduction(self, op: StructuredOp, number: int, body: Body, axes: dict[int, SSAValue]) -> None:
        update = update_of(op, number)
        if update is None:
            refuse_form(
                op, "expected a reduction that combines its output with one term, by an operation of arith", BUFFERIZE
            )
        output = op.outs[number]
        position = len(op.ins) + number
        used = {argument for argument in op.body.block.args[len(op.ins) :] if argument.uses}
        if used != {op.body.block.args[position]}:
            refuse_form(op, "expected a reduction whose terms use no output", BUFFERIZE)
        starts: list[SSAValue] = []
        fill = self.values.fills.get(output)
        if _number(fill) != update.identity():
            indices = [axes[e.position] for e in op.maps()[position].results if isinstance(e, AffineDimExpr)]
            starts.append(body.read(output, [Index.of(axis) for axis in indices]))
        values = _clone(op, body, axes).run(op, skip=update.combine)
        term = values[update.term] if update.term in values else _term(op, update.term, body, axes)
        body.finish(te.ReduceOp(update.combiner(), [term], starts))

    # arith and tensor

    def _constant(self, op: arith.ConstantOp) -> None:
        value = op.value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            refuse_form(op, f"expected dense data, but got {value}", help="write the elements into the module")
        if value.is_splat():
            number = value.get_attrs()[0]
            self.values.fills[op.result] = number
            self.values.undefined.add(op.result)
            self.values.tensors[op.result] = op.result
            return
        data = constant_attr(constant_array(value), op.result.name_hint or "constant")
        assert isinstance(op.result.type, TensorType)
        constant = te.ConstantOp(data, op.result.type, name_hint=op.result.name_hint)
        edit.insert(constant, InsertPoint.before(op), of=op)
        self.values.tensors[op.result] = constant.res

    def _elementwise(self, op: Operation) -> None:
        result = op.results[0]

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            operands = [
                body.read(v, indices) if isinstance(v.type, TensorType) else body.scalar(v) for v in op.operands
            ]
            return body.emit(
                type(op).create(
                    operands=operands,
                    result_types=[_element(result)],
                    properties=op.properties,
                    attributes=op.attributes,
                )
            )

        if len(op.results) != 1:
            refuse_operation(op)
        self._define(result, op.name.partition(".")[2], op, fill)

    def _dim(self, op: tensor.DimOp) -> None:
        dimension = constant_of(op.index)
        if dimension is None:
            refuse_form(op, "expected the number of a dimension", help="ask for a dimension by a constant")
        point = InsertPoint.before(op)

        def emit(new: Operation) -> SSAValue:
            edit.insert(new, point, of=op)
            return new.results[0]

        edit.replace_uses(op.result, value_of(self.values.extent(op.source, dimension, op), emit, te.ApplyOp))

    def _reshape(self, op: Operation) -> None:
        source, result = op.operands[0], op.results[0]
        if -1 in (*shape_of(source), *shape_of(result)) or any(n < 0 for n in (*shape_of(source), *shape_of(result))):
            refuse_form(op, f"expected '{op.name}' of static sizes", BUFFERIZE)
        assert isinstance(result.type, TensorType)
        reshape = te.ReshapeOp(self._defined(source, op), TensorType(_element(result), result.type.get_shape()))
        edit.insert(reshape, InsertPoint.before(op), of=op)
        self.values.tensors[result] = reshape.res

    def _offsets(self, op: tensor.ExtractSliceOp | tensor.InsertSliceOp, body: Body) -> list[Index]:
        dynamic = iter(op.offsets)
        numbers = numbers_of(op.static_offsets)
        return [body.index(next(dynamic)) if n == -(2**63) else Index.of(n) for n in numbers]

    def _strides(self, op: tensor.ExtractSliceOp | tensor.InsertSliceOp) -> list[int]:
        strides = numbers_of(op.static_strides)
        if any(n <= 0 for n in strides):
            refuse_form(op, f"expected strides of '{op.name}' that are numbers above 0", BUFFERIZE)
        return strides

    def _extract_slice(self, op: tensor.ExtractSliceOp) -> None:
        kept, strides = kept_dimensions(op), self._strides(op)

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            source = self._offsets(op, body)
            for d, index in zip(kept, indices, strict=True):
                source[d] = source[d] + index * strides[d]
            return body.read(op.source, source)

        self._define(op.result, "extract_slice", op, fill)

    def _insert_slice(self, op: tensor.InsertSliceOp) -> None:
        kept, strides = kept_dimensions(op), self._strides(op)
        self._known_slice(op)
        sizes = numbers_of(op.static_sizes)

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            offsets = self._offsets(op, body)
            guard: list[Index] = []
            within: list[Index] = []
            for d, index in enumerate(indices):
                distance = index - offsets[d]
                guard += [distance, sizes[d] * strides[d] - 1 - distance]
                guard += [-(distance % strides[d])] if strides[d] > 1 else []
                within.append(distance // strides[d])
            old = body.read(op.dest, indices)
            return body.read(op.source, [within[d] for d in kept], guard, old)

        self._define(op.result, "insert_slice", op, fill)

    def _known_slice(self, op: tensor.InsertSliceOp) -> None:
        if any(n < 0 for n in numbers_of(op.static_sizes)):
            refuse_form(op, f"expected static sizes of '{op.name}'", BUFFERIZE)

    def _pad(self, op: tensor.PadOp) -> None:
        low = numbers_of(op.static_low)
        if any(n < 0 for n in (*low, *numbers_of(op.static_high))):
            refuse_form(op, "expected padding of static widths, 0 or more", BUFFERIZE)
        sizes = self.values.extents(op.source, op)
        yielded = op.region.block.last_op
        assert yielded is not None
        value = yielded.operands[0]
        if op.region.block in (value.owner, getattr(value.owner, "parent", None)):
            refuse_form(op, "expected a padding value from outside of the region", BUFFERIZE)

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            source = [index - width for index, width in zip(indices, low, strict=True)]
            guard = [e for index, size in zip(source, sizes, strict=True) for e in (index, size - 1 - index)]
            return body.read(op.source, source, guard, body.scalar(value))

        self._define(op.result, "pad", op, fill)

    def _from_elements(self, op: tensor.FromElementsOp) -> None:
        shape = shape_of(op.result)
        if len(op.elements) > 64:
            refuse_form(op, f"expected at most 64 elements, but got {len(op.elements)}", BUFFERIZE)

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            position = Index.of(0)
            for index, size in zip(indices, shape, strict=True):
                position = position * size + index
            elements = [body.scalar(element) for element in op.elements]
            result = elements[-1]
            for number in reversed(range(len(elements) - 1)):
                test = body.emit(te.TestOp([number - position]))
                result = body.emit(arith.SelectOp(test, elements[number], result))
            return result

        self._define(op.result, "from_elements", op, fill)

    def _insert(self, op: tensor.InsertOp) -> None:
        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            wanted = [body.index(i) for i in op.indices]
            guard = [e for i, w in zip(indices, wanted, strict=True) for e in (i - w, w - i)]
            old = body.read(op.dest, indices)
            if not guard:
                return body.scalar(op.scalar)
            return body.emit(arith.SelectOp(body.emit(te.TestOp(guard)), body.scalar(op.scalar), old))

        self._define(op.result, "insert", op, fill)

    def _concatenate(self, op: tensor.ConcatOp) -> None:
        axis = op.dim.value.data
        sizes = [shape_of(v)[axis] for v in op.inputs]
        if any(size < 0 for size in sizes):
            refuse_form(op, "expected static sizes along the axis of 'tensor.concat'", BUFFERIZE)

        def fill(body: Body, indices: Sequence[Index]) -> SSAValue:
            result: SSAValue | None = None
            start = sum(sizes)
            for value, size in reversed(list(zip(op.inputs, sizes, strict=True))):
                start -= size
                index = [i - start if d == axis else i for d, i in enumerate(indices)]
                guard = [indices[axis] - start, start + size - 1 - indices[axis]]
                zero = result if result is not None else body.emit(arith.ConstantOp(zero_of(op.result)))  # pyright: ignore
                result = body.read(value, index, guard, zero)
            assert result is not None
            return result

        self._define(op.result, "concat", op, fill)

    def _call(self, op: CallOp) -> None:
        arguments: list[SSAValue] = []
        for value in op.arguments:
            if isinstance(value.type, TensorType) and value in self.values.tensors:
                arguments.append(self._defined(value, op))
            else:
                arguments.append(self._compute("argument", [], value.type, op, lambda body, _, v=value: body.scalar(v)))
        types = [r.type if isinstance(r.type, TensorType) else TensorType(r.type, []) for r in op.res]
        call = CallOp(op.callee, arguments, types)
        edit.insert(call, InsertPoint.before(op), of=op)
        self.values.tensors.update(zip(op.res, call.res, strict=True))


def _element(value: SSAValue) -> Attribute:
    assert isinstance(value.type, TensorType)
    return value.type.element_type


def _number(fill: SSAValue | Attribute | None) -> Attribute | None:
    """Return the number that a fill is, where it is one."""
    if isinstance(fill, SSAValue):
        return fill.owner.value if isinstance(fill.owner, arith.ConstantOp) else None
    return fill


def _term(op: StructuredOp, term: SSAValue, body: Body, axes: dict[int, SSAValue]) -> SSAValue:
    """Return the term of a reduction that is an element itself, or comes from outside of the operation."""
    if isinstance(term.owner, Block) and term.owner is op.body.block:
        return _clone(op, body, axes).element(list(op.body.block.args).index(term))  # pyright: ignore
    return body.scalar(term)


def _clone(op: StructuredOp, body: Body, axes: dict[int, SSAValue]) -> BodyClone:
    """Return the copier of an operation's scalar body in a compute with these axes."""
    maps = op.maps()
    dims = [Index.of(axes[d]) for d in range(len(axes))]

    def element(number: int) -> SSAValue:
        operand = op.operands[number]
        if not isinstance(operand.type, TensorType) or rank_of(operand) != len(maps[number].results):
            return body.scalar(operand)
        return body.read(operand, [evaluate(op, result, dims) for result in maps[number].results])

    def special(each: Operation, values: dict[SSAValue, SSAValue]) -> SSAValue | None:
        if isinstance(each, tensor.ExtractOp):
            return body.read(each.tensor, [index_of(values[i]) for i in each.indices])
        return None

    return BodyClone(element, lambda d: axes[d], body.append, body.scalar, special)
