"""Pass `bufferize`: conversion of functions on tensors that te cannot express to functions on buffers."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..upstream.bufferization import bufferize, wants_buffers
from ..upstream.calls import inline_calls
from ..upstream.counting_loops import for_instead_of_while
from ..upstream.layouts import forget_layouts


@dataclass(frozen=True)
class BufferizePass(Pass):
    """Inline calls, and replace tensors by buffers in functions that te cannot express.

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
    Buffers of arguments are only read. Functions that te cannot express have control flow around tensors, vectors or
    memrefs beside tensors, operations of `bufferization`, or operations without a form in a `te.compute`. The other
    functions on tensors are left to `convert-tensor`. Memory spaces and layouts of allocations are dropped, and an
    `scf.while` that counts becomes an `scf.for`. Grants functions either on tensors or on memrefs, and no calls of
    functions of the module.
    """

    name = "bufferize"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        forget_memory_spaces(op)
        inline_calls(op)
        forget_layouts(op)
        for_instead_of_while(op)
        for function in [f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks]:
            if wants_buffers(function) and may_rewrite("bufferize", function, is_needed=True):
                bufferize(function)


def forget_memory_spaces(module: ModuleOp) -> None:
    """Let all memrefs of a module be in one memory space; casts between spaces are their operands then."""
    for op in operations(module):
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args)):
            _forget(value)
        match op:
            case FuncOp():
                types = op.function_type
                new = FunctionType.from_lists([*map(_plain, types.inputs)], [*map(_plain, types.outputs)])
                if new != types:
                    edit.change(op).function_type = new
            case memref.GlobalOp() if _plain(op.type) != op.type:
                edit.change(op).properties["type"] = _plain(op.type)
            case _:
                pass
    for op in [op for op in operations(module) if isinstance(op, memref.MemorySpaceCastOp)]:
        edit.replace(op, [], [op.source])


def _forget(value: SSAValue) -> None:
    plain = _plain(value.type)
    if plain != value.type:
        edit.retype(value, plain)


def _plain(type: Attribute) -> Attribute:
    """Return a memref type without its memory space; any other type as it is."""
    if not isinstance(type, MemRefType) or isinstance(type.memory_space, NoneAttr):
        return type
    return MemRefType(type.element_type, type.get_shape(), type.layout)
