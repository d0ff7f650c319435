"""Faults to find, and programs to find them in."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

CONVOLUTION = """\
func.func @main(%x: tensor<1x64x14x14xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x14x14xf32> {
  %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x64x14x14xf32>
  %r = graph.relu %c : tensor<1x64x14x14xf32>
  %d = graph.conv2d %r, %w padding [1, 1, 1, 1] : tensor<1x64x14x14xf32>
  %s = graph.add %d, %x : tensor<1x64x14x14xf32>
  %t = graph.relu %s : tensor<1x64x14x14xf32>
  func.return %t : tensor<1x64x14x14xf32>
}
"""
SUM = """\
func.func @sum(%a: tensor<?xf32, #graph.dims<n>>, %b: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %s = graph.add %a, %b : tensor<?xf32, #graph.dims<n>>
  %t = graph.add %s, %b : tensor<?xf32, #graph.dims<n>>
  func.return %t : tensor<?xf32, #graph.dims<n>>
}
"""


def module_of(text: str) -> ModuleOp:
    """Return the module that a text is."""
    return parse(context(), text, "test.mlir")


@dataclass(frozen=True)
class Subtracts(ModulePass):
    """Turn the last float addition into a subtraction."""

    name = "subtracts"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        found = [n for n in op.walk() if isinstance(n, arith.AddfOp)]
        if found:
            last = found[-1]
            made = arith.SubfOp(last.lhs, last.rhs)
            assert last.parent is not None
            last.parent.insert_op_before(made, last)
            last.result.replace_all_uses_with(made.result)
            last.detach()
            last.erase()


@dataclass(frozen=True)
class Crashes(ModulePass):
    """Fail like a program, not like a compiler."""

    name = "crashes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        raise ZeroDivisionError("planted")


@dataclass(frozen=True)
class SkipsRelu(ModulePass):
    """Drop a relu after an addition."""

    name = "skips-relu"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for member in list(op.walk()):
            if member.name == "graph.relu" and getattr(member.operands[0].owner, "name", "") == "graph.add":
                member.results[0].replace_all_uses_with(member.operands[0])
