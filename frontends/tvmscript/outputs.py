"""The default attributes of a function's arguments, which a script need not state.

An argument that is written before it is read is an output (`tw.output`), which callers may leave out, if only outputs
follow it. Any other written argument is written in the array that callers pass. The arguments of public functions have
their names in the script (`tw.name`). Parser and printer agree on these defaults, so that `T.tw.arg_attrs` is printed
only where a function differs from them.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, MemRefType, StringAttr, UnitAttr
from xdsl.dialects.func import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from ...dialects import loop
from ...dialects.names import NAME_ATTRIBUTE

OUTPUT = "tw.output"


def default_attributes(function: FuncOp, names: list[str]) -> list[dict[str, Attribute]]:
    """Return the attributes of each argument of a function whose script says nothing of them."""
    is_private = function.sym_visibility == StringAttr("private")
    first = _first_accesses(function)
    result: list[dict[str, Attribute]] = [{} if is_private else {NAME_ATTRIBUTE: StringAttr(name)} for name in names]
    for argument, attributes in zip(reversed(function.body.block.args), reversed(result), strict=True):
        if first.get(argument) != "write":
            break
        attributes[OUTPUT] = UnitAttr()
    return result


def set_attributes(function: FuncOp, attributes: list[dict[str, Attribute]]) -> None:
    """Give arguments their attributes."""
    if any(attributes):
        function.arg_attrs = ArrayAttr([DictionaryAttr(a) for a in attributes])


def _first_accesses(function: FuncOp) -> dict[SSAValue, str]:
    """Map each buffer that is accessed to "read" or "write", its first access."""
    first: dict[SSAValue, str] = {}
    for buffer, is_write in _accesses(function):
        first.setdefault(buffer, "write" if is_write else "read")
    return first


def _accesses(function: FuncOp) -> Iterator[tuple[SSAValue, bool]]:
    for op in function.walk():
        match op:
            case loop.LoadOp():
                yield _root(op.buffer), False
            case loop.StoreOp():
                yield _root(op.buffer), True
            case loop.CallExternOp():
                for _, access in op.accesses:
                    yield _root(access.buffer), not access.reads
            case CallOp():
                yield from ((_root(v), False) for v in op.operands if isinstance(v.type, MemRefType))
            case _:
                pass


def _root(buffer: SSAValue) -> SSAValue:
    while isinstance(buffer.owner, Operation) and isinstance(view := buffer.owner, loop.ViewOp):
        buffer = view.buffer
    return buffer
