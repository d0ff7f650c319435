"""Pass `convert-linalg`: conversion of structured operations on memrefs to loop nests around blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import is_side_effect_free

from ...dialects import loop
from ...dialects.index_expr import Index
from ...dialects.upstream.structured_operation import StructuredOp
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...te.scalar_operations import appender
from ...traversal import operations
from ..framework.base import Level, Pass
from ..upstream.extents import extent_of, root_of
from ..upstream.functions import Labels
from ..upstream.indices import evaluate
from ..upstream.refusal import refuse_operation
from ..upstream.structured import BodyClone, loop_extents


@dataclass(frozen=True)
class ConvertLinalgPass(Pass):
    """Lower structured operations on memrefs to loop nests around blocks.

    ```mlir
    linalg.matvec ins(%A, %x : memref<4x8xf32>, memref<8xf32>) outs(%y : memref<4xf32>)
    ```
    becomes
    ```mlir
    loop.for %i0 = 0 to 4 {
      loop.for %i1 = 0 to 8 {
        loop.block "matvec" (%v0 = spatial(%i0) in 4, %v1 = reduce(%i1) in 8) {
          %a = loop.load %A[%v0, %v1] : memref<4x8xf32>
          %b = loop.load %x[%v1] : memref<8xf32>
          %c = loop.load %y[%v0] : memref<4xf32>
          %p = arith.mulf %a, %b : f32
          %s = arith.addf %c, %p : f32
          loop.store %s, %y[%v0] : memref<4xf32>
        }
      }
    }
    ```
    A reduction starts from the present elements of its outputs. A `linalg.fill` of the output directly before a
    reduction becomes the block's `loop.init`, so that schedules see one statement. Needs `convert-func`. Grants no
    linalg operation on memrefs; extents that operands share are one value.

    `linalg.generic` and the named operations are lowered alike.
    """

    name = "convert-linalg"
    phase = 0
    levels = (Level.UPSTREAM,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [f for f in op.ops if isinstance(f, FuncOp) and f.body.blocks]:
            conversion = _Conversion(Labels(function))
            for each in [each for each in operations(function) if each.dialect_name() == "linalg"]:
                if each.parent is not None and not _is_within(each):
                    conversion.convert(each)


def _is_within(op: Operation) -> bool:
    """Return whether an operation is inside the body of a structured one, which is converted as a whole."""
    parent = op.parent_op()
    return isinstance(parent, StructuredOp) or (parent is not None and _is_within(parent))


@dataclass
class _Conversion:
    """Converts the operations of one function, in order."""

    labels: Labels
    fills: dict[SSAValue, tuple[Operation, SSAValue]] = field(default_factory=dict)
    """Buffers that the nests right before the next operation fill, each with one value."""
    last: Operation | None = None
    """The nest that was made last."""

    def convert(self, op: Operation) -> None:
        if not isinstance(op, StructuredOp):
            refuse_operation(op)
        if any(isinstance(v.type, TensorType) for v in op.operands):
            return
        if not may_rewrite("convert", op, is_needed=True):
            return
        if not self._follows(op):
            self.fills.clear()
        nest = self._nest(op)
        edit.replace(op, nest, [])
        filled = _filled_with(op)
        if filled is not None:
            self.fills[op.outs[0]] = (nest, filled)
        else:
            self.fills.clear()
        self.last = nest

    def _follows(self, op: Operation) -> bool:
        """Return whether scalar arithmetic alone stands between the last nest and `op`."""
        before = op.prev_op
        while before is not None and before is not self.last:
            if not isinstance(before, arith.ConstantOp) and not is_side_effect_free(before):
                return False
            before = before.prev_op
        return before is not None

    def _nest(self, op: StructuredOp) -> Operation:
        extents = loop_extents(op, lambda value, d: extent_of(value, d, op))
        loops = [loop.ForOp(0, extent, name_hint=f"i{n}") for n, extent in enumerate(extents)]
        kinds = ["spatial" if kind == "parallel" else "reduce" for kind in op.kinds()]
        variables = [each.induction_variable for each in loops]
        hints = [f"v{n}" for n in range(len(loops))]
        block = loop.BlockOp(self.labels.fresh(op.short_name), kinds, variables, extents, name_hints=hints)
        self._add_init(op, block, kinds)
        _fill_block(op, block)
        nest: Operation = block
        for each in reversed(loops):
            edit.append(each.body.block, nest)
            nest = each
        return nest

    def _add_init(self, op: StructuredOp, block: loop.BlockOp, kinds: Sequence[str]) -> None:
        """Take over the fills of the outputs of a reduction."""
        if "reduce" not in kinds:
            return
        init = loop.InitOp()
        for number, output in enumerate(op.outs, start=len(op.ins)):
            known = self.fills.get(output)
            roots = [root_of(value) for value in op.operands]
            if known is None or roots.count(root_of(output)) > 1:
                continue
            fill, value = known
            edit.append(init.body.block, loop.StoreOp(value, output, _indices(op, number, block)))
            edit.erase(fill)
        if init.body.block.ops:
            edit.append(block.body.block, init)


def _filled_with(op: StructuredOp) -> SSAValue | None:
    """Return the value that `linalg.fill` writes, where it needs no conversion."""
    if op.short_name != "fill" or getattr(op.outs[0].type, "element_type", None) != op.ins[0].type:
        return None
    return op.ins[0]


def _indices(op: StructuredOp, operand: int, block: loop.BlockOp) -> list[Index]:
    map_ = op.maps()[operand]
    dims = [Index.of(variable) for variable in block.variables]
    return [evaluate(op, result, dims) for result in map_.results]


def _fill_block(op: StructuredOp, block: loop.BlockOp) -> None:
    emit = appender(block.body.block)

    def element(number: int) -> SSAValue:
        operand = op.operands[number]
        if not isinstance(operand.type, MemRefType):
            return operand
        return emit(loop.LoadOp(operand, _indices(op, number, block)))

    clone = BodyClone(element, lambda number: block.variables[number], lambda each: _append(block, each))
    values = clone.yielded(op)
    for number, (value, output) in enumerate(zip(values, op.outs, strict=True), start=len(op.ins)):
        edit.append(block.body.block, loop.StoreOp(value, output, _indices(op, number, block)))


def _append(block: loop.BlockOp, op: Operation) -> SSAValue:
    edit.append(block.body.block, op)
    return op.results[0] if op.results else block.variables[0]
