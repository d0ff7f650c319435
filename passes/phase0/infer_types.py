"""Pass `infer-types`: fills in the open sizes of result types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.utils.exceptions import VerifyException

from ...diagnostics import fail
from ...diagnostics.text import on_one_line
from ...dialects import graph
from ...dialects.graph.control_flow import collected_type
from ...ir import editor as edit
from ...traversal import operations
from ..framework.base import Level, Pass


@dataclass(frozen=True)
class InferTypesPass(Pass):
    """Recompute result types from operands, so that sizes left open become known.

    ```mlir
    %y = graph.conv2d %x, %w strides [2, 2] : tensor<?x?x?x?xf32>
    ```
    becomes, for an image of 224 × 224 and 7 × 7 weights,
    ```mlir
    %y = graph.conv2d %x, %w strides [2, 2] : tensor<1x64x109x109xf32>
    ```
    Types flow through fused groups, and from functions to their callers. Arguments keep their types: to fix the sizes
    of a model, change those. Grants: every result has the type that its op infers.
    """

    name = "infer-types"
    phase = 0
    levels = (Level.GRAPH,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        functions = {f.sym_name.data: f for f in op.ops if isinstance(f, func.FuncOp)}
        done: set[str] = set()
        for name in functions:
            _infer_function(name, functions, done)


def _infer_function(name: str, functions: dict[str, func.FuncOp], done: set[str]) -> None:
    """Infer the types of a function after those of the functions that it calls."""
    if name in done or name not in functions:
        return
    done.add(name)
    function = functions[name]
    for op in operations(function):
        if isinstance(op, func.CallOp):
            _infer_function(op.callee.string_value(), functions, done)
    if not function.body.blocks:
        return
    _infer_block(function.body.block, functions)
    last = function.body.block.last_op
    if isinstance(last, func.ReturnOp):
        edit.change(function).function_type = FunctionType.from_lists(function.body.block.arg_types, last.operand_types)


def _infer_block(block: Block, functions: dict[str, func.FuncOp]) -> None:
    for op in block.ops:
        match op:
            case graph.GraphOp():
                _set_types(op.results, _inferred(op))
            case graph.FusedOp():
                _set_types(op.body.block.args, op.operand_types)
                _infer_block(op.body.block, functions)
                _set_types(op.results, op.yielded.operand_types)
            case graph.IfOp():
                for region in op.regions:
                    _infer_block(region.block, functions)
                _set_types(op.results, _yielded(op.then_body.block))
            case graph.LoopOp():
                _infer_loop(op, functions)
            case func.CallOp() if (callee := functions.get(op.callee.string_value())) is not None:
                _set_types(op.results, callee.function_type.outputs.data)
            case _:
                pass


def _infer_loop(op: graph.LoopOp, functions: dict[str, func.FuncOp]) -> None:
    """Infer the types of a loop, which carries values of the types that it starts with."""
    parts = [graph.make_type(graph.shape_of(source)[1:], graph.element_of(source)) for source in op.sources]
    carried = [init.type for init in op.inits]
    _set_types(op.body.block.args[1:], [*carried, *parts])
    _infer_block(op.body.block, functions)
    collected = [collected_type(value.type, op.length) for value in op.collected]
    _set_types(op.results, [*carried, *collected])


def _yielded(block: Block) -> Sequence[Attribute]:
    last = block.last_op
    return last.operand_types if last is not None else ()


def _inferred(op: graph.GraphOp) -> Sequence[Attribute]:
    try:
        return op.infer_types()
    except VerifyException as error:
        fail("TW0103", f"'{op.name}' cannot have the operands that it gets: {on_one_line(error)}", op=op)


def _set_types(values: Sequence[SSAValue], types: Sequence[Attribute]) -> None:
    for value, type_ in zip(list(values), types, strict=True):
        if value.type != type_:
            edit.retype(value, type_)
