"""Symbolic sizes that are dimensions of outputs only: `te.compute((n,), lambda i: i)` over any n.

The lowering of tensor expressions reads each size off an input. A size that is a dimension of no input gets a
placeholder input. When arguments have become buffers, the size is read off the output and the placeholder is removed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, FunctionType
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument
from xdsl.rewriter import InsertPoint

from ..dialects.loop import BindOp, DimOp
from ..ir import editor as edit
from ..te import Placeholder, Tensor, Var, placeholder
from ..te.build import argument_names
from .functions import arguments_by_name


@dataclass(frozen=True)
class StandIn:
    """A placeholder input for a size that is a dimension of an output only."""

    tensor: Tensor
    output: str
    dimension: int


def stand_ins(args: Sequence[Tensor | Var]) -> list[StandIn]:
    """Return a stand-in for each size that is a dimension of an output and of no input."""
    tensors = [a for a in args if isinstance(a, Tensor)]
    inputs = [t for t in tensors if isinstance(t.op, Placeholder)]
    names = argument_names([*inputs, *(t for t in tensors if t not in inputs)])
    known = {size for t in inputs for size in t.shape if isinstance(size, Var)}
    found: list[StandIn] = []
    for tensor in tensors:
        for dimension, size in enumerate(tensor.shape):
            if isinstance(size, Var) and size not in known:
                known.add(size)
                name = f"size.{len(found)}"
                found.append(StandIn(placeholder((size,), "int8", name), names[tensor], dimension))
    return found


def remove_stand_ins(function: FuncOp, given: Sequence[StandIn]) -> None:
    """Read the sizes of a function of buffers off its outputs instead."""
    for stand_in in given:
        arguments = arguments_by_name(function)
        argument, output = arguments[stand_in.tensor.name], arguments[stand_in.output]
        for op in [use.operation for use in argument.uses]:
            if isinstance(op, BindOp):
                edit.erase(op)
        for op in [use.operation for use in argument.uses]:
            assert isinstance(op, DimOp)
            dim = DimOp(output, stand_in.dimension, name_hint=op.res.name_hint)
            edit.change(dim).attributes |= op.attributes
            edit.insert(dim, InsertPoint.at_start(function.body.block))
            edit.replace_uses(op.res, dim.res)
            edit.erase(op)
        _remove_argument(function, argument)


def _remove_argument(function: FuncOp, argument: BlockArgument) -> None:
    block = function.body.block
    if function.arg_attrs is not None:
        edit.change(function).arg_attrs = ArrayAttr(a for k, a in enumerate(function.arg_attrs) if k != argument.index)
    edit.erase_argument(argument)
    outputs = list(function.function_type.outputs)
    edit.change(function).function_type = FunctionType.from_lists([a.type for a in block.args], outputs)
