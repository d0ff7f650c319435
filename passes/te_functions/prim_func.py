"""`te.create_prim_func`: conversion of tensors to a function that `Schedule` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.dialects.func import FuncOp

from ...dialects import context
from ...dialects.ir_module import Function, program_of
from ...ir import editor as edit
from ...te.build import note_order, to_module
from ..framework.manager import PassManager
from ..phase0.lower_te import LowerTePass

if TYPE_CHECKING:
    from ...te import Tensor, Var


def create_prim_func(args: Sequence[Tensor | Var], name: str = "main") -> Function:
    """Create the function over `args` as loops and blocks, undecorated: one nest for each compute, in order.

    The placeholders among `args` are its inputs, the other tensors its outputs, which it is called to fill. A program
    that is built of it takes them in the order of `args`.
    """
    module = to_module(args, name)
    PassManager([LowerTePass()]).run(context(), module)
    (function,) = [op for op in module.ops if isinstance(op, FuncOp)]
    note_order(function, args, args)
    edit.detach(function)
    return program_of(function)
