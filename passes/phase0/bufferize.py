"""Functions on tensors as functions on buffers, where te cannot say them."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import bufferization, tensor
from xdsl.dialects.builtin import DYNAMIC_INDEX, FunctionType, MemRefType, ModuleOp, TensorType, VectorType
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation
from xdsl.ir.affine import AffineDimExpr

from ...dialects.upstream.packing import PackOp, UnpackOp
from ...dialects.upstream.structured_operation import StructuredOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..base import Level, Pass
from ..upstream.extents import numbers_of, shape_of
from ..upstream.functions import on_tensors
from ..upstream.tensor_buffers import TensorBuffers, buffer_type
from ..upstream.tensor_reductions import update_of


@dataclass(frozen=True)
class BufferizePass(Pass):
    """Give tensors buffers, in functions that te cannot say.

    ```mlir
    func.func @f(%A: tensor<8x4xf32>, %x: f32) -> tensor<8x4xf32> {
      %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %A) -> (tensor<8x4xf32>) {
        %n = tensor.insert %x into %t[%i, %c0] : tensor<8x4xf32>
        scf.yield %n : tensor<8x4xf32>
      }
      return %r : tensor<8x4xf32>
    }
    ```
    becomes
    ```mlir
    func.func @f(%A: memref<8x4xf32>, %x: f32) -> memref<8x4xf32> {
      %r = memref.alloc() : memref<8x4xf32>
      memref.copy %A, %r : memref<8x4xf32> to memref<8x4xf32>
      scf.for %i = %c0 to %c8 step %c2 {
        loop.store %x, %r[%i, 0] : memref<8x4xf32>
      }
      return %r : memref<8x4xf32>
    }
    ```
    Buffers of arguments are only read. Such are functions with control flow around tensors, with vectors or memrefs
    beside them, with operations of `bufferization`, and with operations that a `te.compute` has no form for; the other
    functions on tensors are left to `convert-tensor`, unless one of the module has to be bufferized. Grants functions
    either on tensors or on memrefs.
    """

    name = "bufferize"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = [f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks]
        wanted = [f for f in functions if on_tensors(f) or _names_buffers(f)]
        if not any(_is_beyond_te(each) for f in wanted for each in operations(f)) and not any(map(_mixes, wanted)):
            return
        for function in wanted:
            if may_rewrite("bufferize", function, is_needed=True):
                _bufferize(function)


def _bufferize(function: FuncOp) -> None:
    values = TensorBuffers()
    block = function.body.block
    for argument in list(block.args):
        if isinstance(argument.type, TensorType):
            _take_buffer(values, block, argument.index, function)
    values.block(block)
    last = block.last_op
    if isinstance(last, ReturnOp):
        edit.change(last).operands = [
            values.of(value) if isinstance(value.type, TensorType) else value for value in last.operands
        ]
    for op in reversed(values.done):
        edit.erase(op)
    for op in values.control.made:
        edit.erase(op)
    types = [[a.type for a in block.args], [value.type for value in last.operands] if last is not None else []]
    edit.change(function).function_type = FunctionType.from_lists(*types)


def _take_buffer(values: TensorBuffers, block: Block, position: int, function: FuncOp) -> None:
    """A tensor is passed in a buffer, which is only read."""
    from xdsl.rewriter import InsertPoint

    argument = block.args[position]
    tensor_type, uses = argument.type, list(argument.uses)
    buffer = edit.retype(argument, buffer_type(tensor_type))
    values.fixed.add(buffer)
    value = values.control.stand_in(tensor_type, buffer, InsertPoint.at_start(block), function)
    for use in uses:
        edit.change(use.operation).operands[use.index] = value


def _names_buffers(function: FuncOp) -> bool:
    return any(isinstance(op, bufferization.CloneOp) for op in operations(function))


def _mixes(function: FuncOp) -> bool:
    """Return if a function has vectors or memrefs beside tensors."""
    types = [v.type for op in operations(function) for v in (*op.operands, *op.results)]
    types += function.function_type.inputs
    return any(isinstance(type_, (MemRefType, VectorType)) for type_ in types)


def _is_beyond_te(op: Operation) -> bool:
    """Return if an operation of a function on tensors is one that `convert-tensor` refuses."""
    match op:
        case FuncOp():
            return False
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
            return any(n == DYNAMIC_INDEX for v in (op.src, op.result) for n in shape_of(v))
        case tensor.ConcatOp():
            return any(shape_of(v)[op.dim.value.data] == DYNAMIC_INDEX for v in op.inputs)
        case tensor.FromElementsOp():
            return len(op.elements) > 64
        case PackOp() | UnpackOp():
            return True
        case _:
            inside = isinstance(op.parent_op(), (StructuredOp, tensor.PadOp))
            return op.dialect_name() == "bufferization" or (bool(op.regions) and not inside)


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
