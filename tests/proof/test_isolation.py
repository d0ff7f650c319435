"""Operations as programs of their own."""

from __future__ import annotations

import numpy as np
import tilewright.operators  # noqa: F401  (registers the references)
from tilewright.passes.framework.isolation import isolable, isolated
from tilewright.passes.framework.manager import verify_module
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp

from .planted import module_of

CALLS = """\
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %s = graph.add %a, %b : tensor<4xf32>
  %t = func.call @outer(%s, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %t : tensor<4xf32>
}
func.func private @outer(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %s = func.call @inner(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %t = graph.sub %a, %s : tensor<4xf32>
  func.return %t : tensor<4xf32>
}
func.func private @inner(%a: tensor<4xf32>) -> tensor<4xf32> {
  %s = graph.mul %a, %a : tensor<4xf32>
  func.return %s : tensor<4xf32>
}
"""


def functions(module: ModuleOp) -> list[str]:
    return [op.sym_name.data for op in module.ops if isinstance(op, FuncOp)]


def test_operations_are_computed_out_of_arguments() -> None:
    module = module_of(CALLS)
    a, b = np.arange(4, dtype=np.float32), np.full(4, 3, np.float32)
    expected = {"graph.add": a + b, "graph.sub": a - b, "graph.mul": a * a}
    tried = []
    for op in isolable(module):
        if op.name in expected:
            alone = isolated(module, op)
            verify_module(alone)
            given = [a, b][: len(set(op.operands))]
            np.testing.assert_array_equal(run(alone, functions(alone)[0], *given)[0], expected[op.name])
            assert len(functions(alone)) == 1
            tried.append(op.name)
    assert sorted(tried) == sorted(expected)


def test_what_is_called_comes_along() -> None:
    module = module_of(CALLS)
    a, b = np.arange(4, dtype=np.float32), np.full(4, 3, np.float32)
    call = next(op for op in isolable(module) if isinstance(op, CallOp))
    alone = isolated(module, call)
    verify_module(alone)
    assert functions(alone) == ["main_0", "outer", "inner"]
    np.testing.assert_array_equal(run(alone, "main_0", a, b)[0], a - b * b)


def test_a_return_alone_returns_its_arguments() -> None:
    module = module_of(CALLS)
    alone = isolated(module, next(op for op in isolable(module) if isinstance(op, ReturnOp)))
    verify_module(alone)
    assert [op.name for op in alone.walk()] == ["builtin.module", "func.func", "func.return"]
