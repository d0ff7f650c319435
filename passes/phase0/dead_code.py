"""Pass `dead-code`: removes unused operations and functions."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation
from xdsl.transforms.dead_code_elimination import dce

from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Pass


@dataclass(frozen=True)
class DeadCodePass(Pass):
    """Remove operations without effects whose results are unused, and private functions that nothing refers to.

    ```mlir
    %y = graph.relu %x : tensor<8xf32>
    %unused = graph.exp %x : tensor<8xf32>
    func.return %y : tensor<8xf32>
    ```
    becomes
    ```mlir
    %y = graph.relu %x : tensor<8xf32>
    func.return %y : tensor<8xf32>
    ```
    """

    name = "dead-code"
    phase = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if may_rewrite("remove what is unused in", op):
            dce(op)
        while _remove_unused_functions(op):
            pass


def _remove_unused_functions(module: ModuleOp) -> bool:
    """Erase private functions without users; return whether there were any, as that may leave others unused."""
    used = {name for op in operations(module) for name in _symbols(op)}
    unused = [
        op
        for op in module.ops
        if isinstance(op, func.FuncOp) and op.sym_visibility == StringAttr("private") and op.sym_name.data not in used
        if may_rewrite("remove", op)
    ]
    for function in unused:
        edit.erase(function)
    return bool(unused)


def _symbols(op: Operation) -> list[str]:
    values: list[Attribute] = [*op.properties.values(), *op.attributes.values()]
    return [value.root_reference.data for value in values if isinstance(value, SymbolRefAttr)]
