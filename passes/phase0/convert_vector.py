"""Pass `convert-vector`: conversion of vectors of any shape to buffers and loops over their elements."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import affine, arith, memref, scf, vector
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FunctionType,
    MemRefType,
    ModuleOp,
    VectorType,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects import loop
from ...dialects.upstream import vector as more
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..upstream.refusal import refuse_form
from ..upstream.vector_accesses import VectorAccesses
from ..upstream.vector_control import VectorControl
from ..upstream.vector_operations import VectorOperations
from ..upstream.vector_values import Elements, VectorValues


@dataclass(frozen=True)
class ConvertVectorPass(Pass):
    """Lower vectors of any shape to buffers, and operations on them to loops over their elements.

    ```mlir
    %a = vector.transfer_read %A[%i, %j], %zero : memref<30x30xf32>, vector<4x8xf32>
    %t = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    vector.transfer_write %t, %B[%j, %i] {in_bounds = [true, true]} : vector<8x4xf32>, memref<30x30xf32>
    ```
    becomes
    ```mlir
    %a = loop.alloc : memref<4x8xf32>
    loop.for %l0 = 0 to 4 {
      loop.for %l1 = 0 to 8 {
        %0 = loop.load %A[%i + %l0, %j + %l1] where (%i + %l0 < 30, %j + %l1 < 30) else %zero : memref<30x30xf32>
        loop.store %0, %a[%l0, %l1] : memref<4x8xf32>
      }
    }
    loop.for %l0 = 0 to 8 {
      loop.for %l1 = 0 to 4 {
        %1 = loop.load %a[%l1, %l0] : memref<4x8xf32>
        loop.store %1, %B[%j + %l0, %i + %l1] : memref<30x30xf32>
      }
    }
    ```
    Operations that only rearrange elements need no buffer: their users read the operand at other indices. Loops carry
    vectors in buffers. Functions whose vectors have one dimension and are only loaded, computed and stored keep them,
    because the loop dialect has such vectors. Needs functions on memrefs. Grants no vectors but those of the loop
    dialect.
    """

    name = "convert-vector"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks]:
            if not _keeps_vectors(function) and may_rewrite("convert the vectors of", function, is_needed=True):
                _Conversion(function).run()


class _Conversion:
    """Converts one function. New operations are inserted before the operations that they replace, which are erased at
    the end."""

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self.values = VectorValues()
        self.operations = VectorOperations(self.values)
        self.accesses = VectorAccesses(self.values)
        self.control = VectorControl(self.values, self._block)
        self.done: list[Operation] = []

    def run(self) -> None:
        block = self.function.body.block
        for argument in list(block.args):
            if isinstance(argument.type, VectorType):
                self._argument(argument)
            elif (flat := _flat(argument.type)) is not argument.type:
                edit.retype(argument, flat)
        self._block(block)
        self._results(block)
        for op in reversed(self.done):
            edit.erase(op)
        for op in self.control.made:
            edit.erase(op)
        outputs = block.last_op.operands if block.last_op is not None else ()
        types = [[a.type for a in block.args], [value.type for value in outputs]]
        edit.change(self.function).function_type = FunctionType.from_lists(*types)

    def _argument(self, argument: SSAValue) -> None:
        """Pass a vector in a buffer of its shape."""
        type_ = argument.type
        assert isinstance(type_, VectorType)
        block = self.function.body.block
        uses = list(argument.uses)
        buffer = edit.retype(argument, MemRefType(type_.element_type, type_.get_shape()))
        elements = Elements(type_, lambda indices, emit: emit(loop.LoadOp(buffer, indices)))
        value = self.control.stand_in(elements, InsertPoint.at_start(block), self.function)
        for use in uses:
            edit.change(use.operation).operands[use.index] = value

    def _results(self, block: Block) -> None:
        last = block.last_op
        if not isinstance(last, ReturnOp):
            return
        results = list(last.operands)
        for k, value in enumerate(results):
            if isinstance(value.type, VectorType):
                buffer = self.values.changed(value, last).buffer
                assert buffer is not None
                results[k] = buffer
        edit.change(last).operands = results

    def _block(self, block: Block) -> None:
        for op in list(block.ops):
            self._operation(op)

    def _operation(self, op: Operation) -> None:
        if op.results and op.results[0] in self.values.elements:
            return  # it stands in for a vector that a region was passed
        if isinstance(op, more.MaskOp):
            self._masked(op)
        elif op.regions:
            if self.control.passes(op):
                self.control.convert(op)
            else:
                for region in op.regions:
                    for block in region.blocks:
                        self._block(block)
        elif isinstance(op, more.TypeCastOp):
            self._cast(op)
        elif op.results and (flat := _flat(op.results[0].type)) is not op.results[0].type:
            self._flatten(op, flat)
        elif _is_on_vectors(op) and not isinstance(op, (ReturnOp, scf.YieldOp, affine.YieldOp, more.YieldOp)):
            if not self.accesses.convert(op):
                self.operations.convert(op)
            self.done.append(op)

    def _masked(self, op: more.MaskOp) -> None:
        masked, mask = op.masked, self.values.of(op.mask, op)
        if op.passthru is not None:
            refuse_form(op, "expected a mask without values for what it hides")
        if masked is not None and not self.accesses.convert(masked, mask):
            self.operations.convert(masked, mask)
        last = op.body.block.last_op
        assert last is not None
        for result, value in zip(op.results, last.operands, strict=True):
            if value in self.values.elements:
                self.values.elements[result] = self.values.elements[value]
            else:
                edit.replace_uses(result, value)
        # Other operations of the region move before the operation under the mask.
        edit.move([each for each in op.body.block.ops if each not in (masked, last)], InsertPoint.before(op))
        self.done.append(op)

    def _cast(self, op: more.TypeCastOp) -> None:
        """Replace a view by its buffer: both were buffers of vectors, and both are buffers of scalars after the
        conversion."""
        if _flat(op.result.type) != op.memref.type:
            refuse_form(op, f"expected a view of the whole buffer, but got {op.memref.type} as {op.result.type}")
        edit.replace_uses(op.result, op.memref)
        self.done.append(op)

    def _flatten(self, op: Operation, type: Attribute) -> None:
        if not isinstance(op, (memref.AllocOp, memref.AllocaOp)):
            refuse_form(op, f"expected buffers of vectors to be allocated or passed whole, but got '{op.name}'")
        edit.retype(op.results[0], type)


def _flat(type: Attribute) -> Attribute:
    """Return the type of a buffer of numbers that replaces one of vectors; other types stay."""
    if not isinstance(type, MemRefType) or not isinstance(type.element_type, VectorType):
        return type
    inner = type.element_type
    return MemRefType(inner.element_type, [*type.get_shape(), *inner.get_shape()], memory_space=type.memory_space)


def _is_on_vectors(op: Operation) -> bool:
    return any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results))


def _keeps_vectors(function: FuncOp) -> bool:
    """Return if all vectors of a function are such that the loop dialect has."""
    return not any(_is_beyond(op) for op in operations(function))


def _is_beyond(op: Operation) -> bool:
    """Return if an operation has vectors that the loop dialect lacks, or passes them on."""
    arguments = [argument for region in op.regions for block in region.blocks for argument in block.args]
    types = [value.type for value in (*op.operands, *op.results, *arguments)]
    if any(_flat(type_) is not type_ for type_ in types):
        return True
    vectors = [type_ for type_ in types if isinstance(type_, VectorType)]
    if not vectors and not isinstance(op, more.MaskOp):
        return False
    if any(_is_long(type_) for type_ in vectors) or op.regions or isinstance(op, ReturnOp):
        return True
    return not _is_kept(op)


def _is_long(type: VectorType) -> bool:
    return type.get_num_dims() != 1 or any(each.value.data for each in type.scalable_dims)


def _is_kept(op: Operation) -> bool:
    match op:
        case vector.MaskedLoadOp():
            return _is_of_first(op.mask) and _is_spread(op.pass_thru)
        case vector.MaskedStoreOp():
            return _is_of_first(op.mask)
        case vector.LoadOp() | vector.StoreOp() | affine.VectorLoadOp() | affine.VectorStoreOp():
            return True
        case vector.CreateMaskOp():
            masked = (vector.MaskedLoadOp, vector.MaskedStoreOp)
            return all(isinstance(use.operation, masked) for use in op.mask_vector.uses)
        case vector.BroadcastOp():
            return not isinstance(op.source.type, VectorType)
        case arith.ConstantOp():
            return isinstance(op.value, DenseIntOrFPElementsAttr) and op.value.is_splat()
        case _:
            return op.dialect_name() in ("arith", "math", "loop")


def _is_of_first(mask: SSAValue) -> bool:
    """Return if a mask is of the first lanes."""
    return isinstance(mask.owner, vector.CreateMaskOp)


def _is_spread(value: SSAValue) -> bool:
    return isinstance(value.owner, vector.BroadcastOp) and _is_kept(value.owner)
