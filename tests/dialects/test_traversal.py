"""The order of operations below one."""

from __future__ import annotations

from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.traversal import operations
from xdsl.ir import Operation

NESTED = """\
func.func private @f(%A: memref<4x4xf32>, %n: index) {
  loop.for %i = 0 to 4 {
    loop.if (%i < %n) {
      %a = loop.load %A[%i, 0] : memref<4x4xf32>
      loop.store %a, %A[0, %i] : memref<4x4xf32>
    } else {
      loop.for %j = 0 to 4 {
        %b = loop.load %A[%i, %j] : memref<4x4xf32>
        loop.store %b, %A[%j, %i] : memref<4x4xf32>
      }
    }
  }
  func.return
}
func.func private @g() {
  func.return
}
"""


def test_operations_come_in_the_order_of_the_text() -> None:
    module = parse(context(), NESTED, "test.mlir")
    found = operations(module)
    assert found == list(module.walk())
    assert [op.name for op in found[:5]] == ["builtin.module", "func.func", "loop.for", "loop.if", "loop.load"]


def test_blocks_of_one_region_come_in_order() -> None:
    text = """\
    func.func private @f(%c: i1) {
      cf.cond_br %c, ^one, ^two
    ^one:
      cf.br ^two
    ^two:
      func.return
    }"""
    module = parse(context(), text, "test.mlir")
    assert operations(module) == list(module.walk())


def test_an_operation_without_regions_is_alone() -> None:
    module = parse(context(), NESTED, "test.mlir")
    (load, *_) = (op for op in module.walk() if op.name == "loop.load")
    assert isinstance(load, Operation)
    assert operations(load) == [load]
