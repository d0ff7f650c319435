"""What the driver asks of functions."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import BlockArgument

from ..dialects.names import NAME_ATTRIBUTE


def arguments_by_name(function: FuncOp) -> dict[str | None, BlockArgument]:
    """The arguments by what users call them."""
    return {name_of(function, argument): argument for argument in function.body.block.args}


def is_private(function: FuncOp) -> bool:
    """Whether only functions of its module call it."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def name_of(function: FuncOp, argument: BlockArgument) -> str | None:
    """What users call an argument."""
    attributes = function.arg_attrs.data[argument.index].data if function.arg_attrs else {}
    name = attributes.get(NAME_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else argument.name_hint
