"""Pass `fix-layouts`: states the strides of every argument of symbolic shape."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...dialects.index_expr import Index
from ...dialects.loop import BindOp, DimOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ..framework.base import Level, Pass
from ..shared.nests.symbolic_sizes import row_major_strides


@dataclass(frozen=True)
class FixLayoutsPass(Pass):
    """Bind each argument of symbolic shape to a row-major layout, where nothing binds it.

    ```mlir
    func.func @k(%A: memref<?x4xf32>) {
      …
    // becomes
    func.func @k(%A: memref<?x4xf32>) {
      %n = loop.dim %A, 0 : memref<?x4xf32>
      loop.bind %A shape [%n, 4] strides [4, 1] : memref<?x4xf32>
      …
    ```
    Sizes that are named there are used again. Allocations need none: their sizes are operands.

    Needs: loop level.
    Grants: the address of every access is a sum of products of indices and values that are defined at entry.
    """

    name = "fix-layouts"
    phase = 1
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                for argument in function.body.block.args:
                    if _is_unbound(argument) and may_rewrite("bind the layout", function, is_needed=True):
                        _bind(argument, function)


def _is_unbound(argument: BlockArgument) -> bool:
    if not isinstance(argument.type, MemRefType) or DYNAMIC_INDEX not in argument.type.get_shape():
        return False
    return not any(isinstance(use.operation, BindOp) for use in argument.uses)


def _bind(argument: BlockArgument, function: func.FuncOp) -> None:
    assert isinstance(argument.type, MemRefType)
    entry: list[Operation] = []

    def emit(op: Operation) -> SSAValue:
        op.location = function.location
        entry.append(op)
        return op.results[0]

    named = [use.operation for use in argument.uses if isinstance(use.operation, DimOp)]
    shape: list[Index] = []
    for d, extent in enumerate(argument.type.get_shape()):
        if extent == DYNAMIC_INDEX:
            known = [op for op in named if op.parent is argument.block and op.dimension.value.data == d]
            for op in known[1:]:
                edit.replace(op, [], [known[0].res])
            if known:
                edit.detach(known[0])
                entry.append(known[0])
            size = known[0].res if known else emit(DimOp(argument, d))
            shape.append(Index.of(size))
        else:
            shape.append(Index.of(extent))
    strides = row_major_strides(shape, emit)
    bind = BindOp(argument, shape, strides)
    bind.location = function.location
    edit.insert([*entry, bind], InsertPoint.at_start(argument.block))
