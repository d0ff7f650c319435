"""Pass `lower-graph`: operators become tensor expressions, by the `te` definition in each record.

One operator is traced at a time over placeholders for its operands, so the result is exactly the definition in the
record. Passes at te level then fuse and improve these computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from ... import te as tensors
from ...diagnostics import fail
from ...dialects import graph, te
from ...dialects.dtypes import dtype_name
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...operators import OPERATORS, get_operator
from ...te.build import build_computes
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class LowerGraphPass(Pass):
    """Replace each graph operator by the computes that its record defines.

    ```mlir
    %y = graph.relu %x : tensor<8xf32>
    ```
    becomes
    ```mlir
    %y = te.compute "relu" [%i0 to 8] -> tensor<8xf32> {
      %0 = te.read %x[%i0] : tensor<8xf32>
      %zero = arith.constant 0.0 : f32
      %1 = arith.maximumf %0, %zero : f32
      te.yield %1 : f32
    }
    ```
    Constants become `te.constant`; constants of one element become a compute, which later passes inline. Operators that
    only rename elements, such as reshape, become `te.reshape`. Needs groups to be outlined. Grants: no graph operation
    is left.
    """

    name = "lower-graph"
    phase = 0
    levels = (Level.GRAPH,)
    lowers_to = Level.TE
    reassociates = True  # a graph operator says no order of its sums, its definition does

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for member in operations(op):
            match member:
                case graph.GraphOp() if not may_rewrite("lower", member, is_needed=True):
                    pass
                case graph.ConstantOp():
                    _lower_constant(member)
                case graph.GraphOp():
                    _lower_operator(member)
                case graph.IfOp() | graph.LoopOp():
                    _lower_control(member)
                case graph.FusedOp():
                    fail("TW0501", "expected fused groups to be outlined first", op=member, help="run the pass outline")
                case _:
                    pass


def _lower_constant(op: graph.ConstantOp) -> None:
    type_ = graph.tensor_type(op.y)
    sizes = type_.get_shape()
    if _is_in_kernel(op) and all(size == 1 for size in sizes):
        number = tensors.const(op.array.reshape(-1)[0].item(), dtype_name(type_.element_type))
        _replace(op, [tensors.compute(sizes, lambda *index: number, name="constant")], {})
        return
    constant = te.ConstantOp(op.value, type_, name_hint=op.y.name_hint)
    constant.location = op.location
    edit.replace(op, constant)


def _lower_control(op: graph.IfOp | graph.LoopOp) -> None:
    """Replace a branch or a loop by the same operation of te with the same regions, in which `te.yield` ends each."""
    lowered = (te.IfOp if isinstance(op, graph.IfOp) else te.LoopOp).create(
        operands=op.operands,
        result_types=op.result_types,
        properties=op.properties,
        attributes=op.attributes,
        regions=[Region() for _ in op.regions],
    )
    lowered.location = op.location
    for region, into in zip(op.regions, lowered.regions, strict=True):
        edit.append_block(into, edit.detach_block(region.block))
        last = into.block.last_op
        assert isinstance(last, graph.YieldOp)
        ending = te.YieldOp(last.values)
        ending.location = last.location
        edit.replace(last, ending)
    for old, new in zip(op.results, lowered.results, strict=True):
        edit.rename(new, old.name_hint)
    edit.replace(op, lowered)


def _is_in_kernel(op: Operation) -> bool:
    function = op.parent_op()
    return isinstance(function, func.FuncOp) and function.sym_visibility == StringAttr("private")


def _lower_operator(op: graph.GraphOp) -> None:
    if graph.is_alias(op):
        type_ = graph.tensor_type(op.results[0])
        match op:
            case graph.PrefixOp():
                alias = te.PrefixOp(op.x, op.count, type_)
            case graph.MatchShapeOp():
                alias = te.MatchOp(op.x, type_)
            case _:
                alias = te.ReshapeOp(op.operands[0], type_)
        alias.location = op.location
        edit.rename(alias.res, op.results[0].name_hint)
        edit.replace(op, alias)
        return
    name = op.name.removeprefix("graph.")
    if name not in OPERATORS:
        fail("TW0501", f"expected an operator with a record, but got {op.name}", op=op)
    placeholders = _placeholders(op)
    results = get_operator(name).trace(op, *(placeholders[value] for value in op.operands))
    _replace(op, results, {tensor: value for value, tensor in placeholders.items()})


def _placeholders(op: graph.GraphOp) -> dict[SSAValue, tensors.Tensor]:
    """Make a placeholder for each operand; equal names of sizes are one size."""
    named: dict[str, tensors.Var] = {}
    result: dict[SSAValue, tensors.Tensor] = {}
    for index, value in enumerate(op.operands):
        sizes: list[int | tensors.Var] = []
        for axis, dim in enumerate(graph.shape_of(value)):
            name = dim if isinstance(dim, str) else f"{value.name_hint or f'x{index}'}_dim{axis}"
            sizes.append(dim if isinstance(dim, int) else named.setdefault(name, tensors.var(name)))
        dtype = dtype_name(graph.element_of(value))
        result[value] = tensors.placeholder(sizes, dtype, name=value.name_hint or f"x{index}")
    return result


def _replace(op: graph.GraphOp, results: Sequence[tensors.Tensor], inputs: dict[tensors.Tensor, SSAValue]) -> None:
    builder = Builder(InsertPoint.before(op))
    values = build_computes(results, inputs, builder, result_types=op.result_types, location=op.location)
    for old, new in zip(op.results, values, strict=True):
        edit.rename(new, old.name_hint or new.name_hint)
    edit.replace(op, (), values)
