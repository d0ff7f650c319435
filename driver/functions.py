"""Queries about functions and modules of functions."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import BlockArgument

from ..dialects.names import NAME_ATTRIBUTE
from ..ir import editor as edit
from ..traversal import operations


def arguments_by_name(function: FuncOp) -> dict[str | None, BlockArgument]:
    """Return the arguments by the names that users give them."""
    return {name_of(function, argument): argument for argument in function.body.block.args}


def is_private(function: FuncOp) -> bool:
    """Return whether only functions of its module call it."""
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


def name_of(function: FuncOp, argument: BlockArgument) -> str | None:
    """Return the name of an argument that users know."""
    attributes = function.arg_attrs.data[argument.index].data if function.arg_attrs else {}
    name = attributes.get(NAME_ATTRIBUTE)
    return name.data if isinstance(name, StringAttr) else argument.name_hint


def callees_of(functions: dict[str, FuncOp], name: str) -> dict[str, FuncOp]:
    """Return the function of that name and all that it calls, by name."""
    found: dict[str, FuncOp] = {}
    waiting = [name]
    while waiting:
        at = waiting.pop()
        if at in found or at not in functions:
            continue
        found[at] = functions[at]
        waiting += [op.callee.string_value() for op in operations(functions[at]) if isinstance(op, CallOp)]
    return found


def alone(module: ModuleOp, name: str) -> ModuleOp:
    """Return a module that is entered by this function only."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
    clones = {callee: function.clone() for callee, function in callees_of(functions, name).items()}
    for callee, clone in clones.items():
        edit.change(clone).sym_visibility = None if callee == name else StringAttr("private")
    return ModuleOp(list(clones.values()), dict(module.attributes))
