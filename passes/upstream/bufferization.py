"""Conversion of functions with control flow on tensors to functions on buffers.

Each tensor gets a buffer. An operation that updates a tensor overwrites the buffer of its operand if it is the last
user of the operand; otherwise it writes to a copy. So every tensor keeps its elements until its last use. Loops carry
tensors in place: each iteration overwrites the carried buffer at its end.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import affine, memref, scf, tensor, ub
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType, TensorType, VectorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.rewriter import InsertPoint

from ...dialects.index_expr import Index
from ...dialects.upstream import affine as upstream_affine
from ...dialects.upstream.forall import ForallOp, InParallelOp, ParallelInsertSliceOp
from ...dialects.upstream.packing import PackOp, UnpackOp
from ...dialects.upstream.structured_operation import StructuredOp
from ...dialects.upstream.tensor import GenerateOp
from ...dialects.upstream.vector import MaskOp
from ...ir import editor as edit
from ...traversal import operations
from .buffer_operations import BufferOperations, insert_slice
from .bufferized_values import Buffers, refuse_sizes, refuse_tensor
from .extents import numbers_of, shape_of
from .functions import return_of
from .refusal import refuse_while
from .tensor_reductions import update_of

_LOOPS = (scf.ForOp, affine.ForOp)
_CONDITIONS = (scf.IfOp, upstream_affine.IfOp)
_REGIONS = (scf.ParallelOp, scf.ExecuteRegionOp, scf.IndexSwitchOp, upstream_affine.ParallelOp)
_ENDS = (scf.YieldOp, affine.YieldOp, scf.ReduceOp, scf.ConditionOp, InParallelOp, ReturnOp)


def wants_buffers(function: FuncOp) -> bool:
    """Return whether a function has something around its tensors, or beside them, that tensor expressions cannot
    say."""
    values = [value for op in operations(function) for value in (*op.operands, *op.results)]
    values += function.body.blocks[0].args
    if not any(isinstance(value.type, TensorType) for value in values):
        return False
    if any(isinstance(value.type, (MemRefType, VectorType)) for value in values):
        return True
    return any(_is_beyond_te(op) for op in operations(function))


def _is_beyond_te(op: Operation) -> bool:
    """Return if no `te.compute` has a form for an operation of a function on tensors."""
    match op:
        case StructuredOp():
            return not _is_compute(op)
        case tensor.PadOp():
            yielded = op.region.block.last_op
            value = yielded.operands[0] if yielded is not None else None
            inside = value is None or op.region.block in (value.owner, getattr(value.owner, "parent", None))
            return inside or any(n < 0 for n in (*numbers_of(op.static_low), *numbers_of(op.static_high)))
        case tensor.InsertSliceOp():
            return bool(op.sizes) or bool(op.strides)
        case tensor.ExtractSliceOp():
            return bool(op.strides)
        case tensor.CollapseShapeOp() | tensor.ExpandShapeOp():
            return any(n == DYNAMIC_INDEX for value in (op.src, op.result) for n in shape_of(value))
        case tensor.ConcatOp():
            return any(shape_of(value)[op.dim.value.data] == DYNAMIC_INDEX for value in op.inputs)
        case tensor.FromElementsOp():
            return len(op.elements) > 64
        case PackOp() | UnpackOp() | GenerateOp() | ForallOp() | ub.PoisonOp():
            return True
        case _:
            return op.dialect_name() == "bufferization" or isinstance(op, (*_LOOPS, *_CONDITIONS, *_REGIONS))


def _is_compute(op: StructuredOp) -> bool:
    """Return if each result of a structured operation is one `te.compute`."""
    if any(each.regions for each in op.body.block.ops):
        return False
    parallel = [d for d, kind in enumerate(op.kinds()) if kind == "parallel"]
    for number in range(len(op.res)):
        results = op.maps()[len(op.ins) + number].results
        spatial = [e.position for e in results if isinstance(e, AffineDimExpr)]
        if sorted(spatial) != parallel or len(results) != len(spatial):
            return False
        if len(parallel) == len(op.kinds()):
            continue
        used = {argument for argument in op.body.block.args[len(op.ins) :] if argument.uses}
        if update_of(op, number) is None or used != {op.body.block.args[len(op.ins) + number]}:
            return False
    return True


def bufferize(function: FuncOp) -> None:
    """Replace the tensors of a function's arguments, results and operations by buffers.

    Raises TilewrightError: TW0571 for operations on tensors that have no form on buffers here, TW0575 for tensors whose
    size control flow may change.
    """
    _Bufferization(function).run()


class _Bufferization:
    """Bufferizes one function. Operations on tensors stay until all are converted, because their uses determine
    copies."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.buffers = Buffers(function)
        self.operations = BufferOperations(self.buffers)
        self._done: list[Operation] = []

    def run(self) -> None:
        block, last = self.function.body.block, return_of(self.function)
        everything = list(block.ops)
        for argument in list(block.args):
            if isinstance(argument.type, TensorType):
                self.buffers.take_argument(argument)
        for op in everything:
            self._convert(op)
        edit.change(last).operands = [self.buffers.of.get(value, value) for value in last.operands]
        for op in reversed(self._done):
            edit.erase(op, safe_erase=False)
        types = [[a.type for a in block.args], [value.type for value in last.operands]]
        edit.change(self.function).function_type = FunctionType.from_lists(*types)

    def _block(self, block: Block) -> None:
        for op in list(block.ops):
            self._convert(op)

    def _convert(self, op: Operation) -> None:
        match op:
            case _ if isinstance(op, _ENDS):
                pass
            case scf.ForOp() | affine.ForOp():
                self._loop(op)
            case scf.IfOp() | upstream_affine.IfOp():
                self._condition(op)
            case ForallOp():
                self._forall(op)
            case scf.WhileOp():
                refuse_while(op)
            case StructuredOp() | ub.PoisonOp():
                self._plain(op)
            case _ if op.regions and isinstance(op, _REGIONS):
                if any(isinstance(value.type, TensorType) for value in (*op.operands, *op.results)):
                    refuse_tensor(op)
                for region in op.regions:
                    for block in region.blocks:
                        self._block(block)
            case _:
                self._plain(op)

    def _plain(self, op: Operation) -> None:
        values = [*op.operands, *op.results]
        if isinstance(op, MaskOp):
            values += [value for each in op.body.block.ops for value in each.operands]
        if any(isinstance(value.type, TensorType) or value in self.buffers.of for value in values):
            self.operations.convert(op)
            self._done.append(op)

    # Loops

    def _loop(self, op: scf.ForOp | affine.ForOp) -> None:
        """Replace a loop by a copy that carries no tensors: these are in buffers that its iterations overwrite."""
        inits = list(op.iter_args if isinstance(op, scf.ForOp) else op.inits)
        carried = {k: self.buffers.destination(v, op) for k, v in enumerate(inits) if v in self.buffers.of
                   and isinstance(v.type, (TensorType, MemRefType)) and _is_tensor(op.res[k])}  # fmt: skip
        if not carried:
            self._block(op.body.block)
            return
        kept = [k for k in range(len(inits)) if k not in carried]
        new = _loop_like(op, [inits[k] for k in kept])
        edit.insert(new, InsertPoint.before(op), of=op)
        block, old = new.body.block, op.body.block
        edit.rename(block.args[0], old.args[0].name_hint)
        edit.replace_uses(old.args[0], block.args[0])
        for argument, k in zip(block.args[1:], kept, strict=True):
            edit.replace_uses(old.args[1 + k], argument)
        for k, buffer in carried.items():
            self.buffers.define(old.args[1 + k], buffer, self.buffers.sizes[inits[k]])
        self.buffers.homes[old] = block
        edit.move(list(old.ops), InsertPoint.at_end(block))
        self._block(block)
        last = block.last_op
        assert last is not None
        self._yield(op, last, carried)
        edit.change(last).operands = [last.operands[k] for k in kept]
        for k, buffer in carried.items():
            self.buffers.define(op.res[k], buffer, self.buffers.sizes[inits[k]])
        for result, k in zip(new.res, kept, strict=True):
            edit.replace_uses(op.res[k], result)
        self._done.append(op)

    def _yield(self, op: Operation, last: Operation, carried: dict[int, SSAValue]) -> None:
        """Copy the tensors that an iteration yields to the buffers that are carried, all of them at once."""
        sources: dict[int, SSAValue] = {}
        for k, target in carried.items():
            value = last.operands[k]
            self.buffers.same_sizes(value, self.buffers.sizes[op.operands[len(op.operands) - len(op.results) + k]], op)
            source = self.buffers.of[value]
            if source is target or value in self.buffers.undefined:
                continue
            if source in carried.values():
                copy = self.buffers.allocate(_element(source), self.buffers.sizes[value], last, source.type)
                edit.insert(memref.CopyOp(source, copy), InsertPoint.before(last), of=last)
                source = copy
            sources[k] = source
        for k, source in sources.items():
            edit.insert(memref.CopyOp(source, carried[k]), InsertPoint.before(last), of=last)

    # Conditions

    def _condition(self, op: scf.IfOp | upstream_affine.IfOp) -> None:
        """Replace a condition by one whose branches copy the tensors that they give to buffers that are made before
        it."""
        regions = [region for region in op.regions if region.blocks]
        results = [k for k, result in enumerate(op.results) if _is_tensor(result)]
        for region in regions:
            self._block(region.block)
        if not results:
            return
        ends = [region.block.last_op for region in regions]
        targets: dict[int, SSAValue] = {}
        for k in results:
            sizes = [self.buffers.sizes[end.operands[k]] for end in ends if end is not None]
            if any(size != sizes[0] for size in sizes) or not _are_outside(op, sizes[0]):
                refuse_sizes(op)
            targets[k] = self.buffers.new(op.results[k], sizes[0], op)
        kept = [k for k in range(len(op.results)) if k not in results]
        for end in ends:
            assert end is not None
            for k in results:
                if end.operands[k] not in self.buffers.undefined:
                    copy = memref.CopyOp(self.buffers.of[end.operands[k]], targets[k])
                    edit.insert(copy, InsertPoint.before(end), of=end)
            edit.change(end).operands = [end.operands[k] for k in kept]
        new = type(op).create(
            operands=list(op.operands),
            result_types=[op.results[k].type for k in kept],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
            regions=[_moved(region) for region in op.regions],
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        for old, region in zip(op.regions, new.regions, strict=True):
            if region.blocks:
                self.buffers.homes[old.block] = region.block
        for result, k in zip(new.results, kept, strict=True):
            edit.replace_uses(op.results[k], result)
        self._done.append(op)

    def _forall(self, op: ForallOp) -> None:
        """Replace a loop by one over buffers. Its iterations read the shared tensors as they were before it, and write
        copies."""
        rank = len(op.staticLowerBound)
        if not op.outputs:
            self._block(op.body.block)
            return
        outputs = list(op.outputs)
        for result, value in zip(op.res, outputs, strict=True):
            target = self.buffers.new(result, self.buffers.sizes[value], op)
            if value not in self.buffers.undefined:
                edit.insert(memref.CopyOp(self.buffers.of[value], target), InsertPoint.before(op), of=op)
        bounds = list(op.operands[: len(op.operands) - len(outputs)])
        counts = (len(op.dynamicLowerBound), len(op.dynamicUpperBound))
        body = Region(Block(arg_types=[a.type for a in op.body.block.args[:rank]]))
        parts = [bounds[: counts[0]], bounds[counts[0] : sum(counts)], bounds[sum(counts) :]]
        names = ("staticLowerBound", "staticUpperBound", "staticStep")
        new = ForallOp.build(
            operands=[*parts, []],
            properties={name: op.properties[name] for name in names},
            result_types=[[]],
            regions=[body],
        )
        edit.insert(new, InsertPoint.before(op), of=op)
        old, block = op.body.block, body.block
        for argument, number in zip(block.args, old.args[:rank], strict=True):
            edit.rename(argument, number.name_hint)
            edit.replace_uses(number, argument)
        for argument, value in zip(old.args[rank:], outputs, strict=True):
            self.buffers.share(argument, value)
        self.buffers.homes[old] = block
        edit.move(list(old.ops), InsertPoint.at_end(block))
        self._block(block)
        last = block.last_op
        assert isinstance(last, InParallelOp)
        targets: dict[SSAValue, SSAValue] = {
            a: self.buffers.of[r] for a, r in zip(old.args[rank:], op.res, strict=True)
        }
        for each in list(last.region.block.ops):
            if not isinstance(each, ParallelInsertSliceOp):
                refuse_tensor(each)
            insert_slice(self.buffers, each, self.buffers.of[each.source], targets[each.dest], last)
            self._done.append(each)
        self._done.append(op)


def _is_tensor(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType)


def _element(buffer: SSAValue) -> Attribute:
    assert isinstance(buffer.type, MemRefType)
    return buffer.type.element_type


def _moved(region: Region) -> Region:
    """Move the operations of a region to a new region."""
    if not region.blocks:
        return Region()
    new = Region(Block())
    edit.move(list(region.block.ops), InsertPoint.at_end(new.block))
    return new


def _are_outside(op: Operation, sizes: Sequence[Index]) -> bool:
    """Return whether extents are over values from outside of the regions of `op`."""
    return not any(
        op.is_ancestor(value.owner if isinstance(value.owner, Operation) else value.owner)  # pyright: ignore
        for size in sizes
        for value in size.values()
    )


def _loop_like(op: scf.ForOp | affine.ForOp, inits: Sequence[SSAValue]) -> scf.ForOp | affine.ForOp:
    """Return a loop with the bounds of another one that carries other values, with an empty body."""
    types = [value.type for value in inits]
    body = Region(Block(arg_types=[op.body.block.args[0].type, *types]))
    if isinstance(op, scf.ForOp):
        new = scf.ForOp(op.lb, op.ub, op.step, inits, body)
        edit.change(new).attributes |= op.attributes
        return new
    return affine.ForOp.build(
        operands=[list(op.lowerBoundOperands), list(op.upperBoundOperands), list(inits)],
        result_types=[types],
        properties={name: op.properties[name] for name in ("lowerBoundMap", "upperBoundMap", "step")},
        attributes=dict(op.attributes),
        regions=[body],
    )
