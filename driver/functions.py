"""Functions of a module: arguments by name, callees, extraction of one function, dispatch to one of two clones."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Region
from xdsl.rewriter import InsertPoint

from ..dialects.index_expr import Index
from ..dialects.loop import BindOp, DimOp, IfOp
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


def leave_sizes(function: FuncOp) -> None:
    """Erase all operations except the sizes of the arguments and the operations that these sizes depend on."""
    for op in reversed(list(function.body.block.ops)):
        states_sizes = isinstance(op, DimOp) or (isinstance(op, BindOp) and isinstance(op.buffer, BlockArgument))
        if not (states_sizes or isinstance(op, ReturnOp) or any(result.uses for result in op.results)):
            edit.erase(op)


def call_one(
    function: FuncOp, first: FuncOp, second: FuncOp, suffixes: tuple[str, str], conditions: Sequence[Index]
) -> None:
    """Let a function of sizes call `first` where all conditions are >= 0, else `second`, which become private."""
    bodies: list[Region] = []
    for version, suffix in zip((first, second), suffixes, strict=True):
        edit.change(version).sym_name = StringAttr(f"{function.sym_name.data}_{suffix}")
        edit.change(version).sym_visibility = StringAttr("private")
        edit.insert(version, InsertPoint.after(function))
        bodies.append(Region(Block([CallOp(version.sym_name.data, function.body.block.args, [])])))
    last = function.body.block.last_op
    assert last is not None
    edit.insert(IfOp(conditions, *bodies), InsertPoint.before(last))
