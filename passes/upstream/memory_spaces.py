"""Memory spaces of upstream MLIR, which say where a buffer lies and nothing about what it holds."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import FunctionType, MemRefType, ModuleOp, NoneAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, SSAValue

from ...ir import editor as edit
from ...traversal import operations


def forget_memory_spaces(module: ModuleOp) -> None:
    """Let all memrefs of a module be in one memory space; casts between spaces are their operands then."""
    for op in operations(module):
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.args)):
            _forget(value)
        match op:
            case FuncOp():
                types = op.function_type
                new = FunctionType.from_lists([*map(_plain, types.inputs)], [*map(_plain, types.outputs)])
                if new != types:
                    edit.change(op).function_type = new
            case memref.GlobalOp() if _plain(op.type) != op.type:
                edit.change(op).properties["type"] = _plain(op.type)
            case _:
                pass
    for op in [op for op in operations(module) if isinstance(op, memref.MemorySpaceCastOp)]:
        edit.replace(op, [], [op.source])


def _forget(value: SSAValue) -> None:
    plain = _plain(value.type)
    if plain != value.type:
        edit.retype(value, plain)


def _plain(type: Attribute) -> Attribute:
    """A memref type without its memory space; any other type as it is."""
    if not isinstance(type, MemRefType) or isinstance(type.memory_space, NoneAttr):
        return type
    return MemRefType(type.element_type, type.get_shape(), type.layout)
