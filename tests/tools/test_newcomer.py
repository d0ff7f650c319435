"""First steps in an empty folder, with only the wheel: a dialect, a pass, a wrong pass, an intrinsic with its
rule, an operator, and lit tests whose CHECK lines are written by a command; the wrong pass is found."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .test_packaging import environment as environment
from .test_packaging import wheel as wheel

PROJECT = '''\
from typing import ClassVar

import numpy as np
import tilewright
from tilewright import te
from tilewright.dialects import graph
from tilewright.dialects.graph.properties import float_prop
from xdsl.dialects import arith
from xdsl.dialects.builtin import f32
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern
from xdsl.traits import Pure


@irdl_op_definition
class TwiceOp(IRDLOperation):
    """Twice a number."""

    name = "mine.twice"
    x = operand_def(f32)
    y = result_def(f32)
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x)"


class LowerTwice(RewritePattern):
    """Write mine.twice as a sum."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TwiceOp, rewriter):
        rewriter.replace(op, arith.AddfOp(op.x, op.x))


tilewright.register_pass(phase=0, name="lower-mine")(LowerTwice)
tilewright.register_dialect(
    Dialect("mine", [TwiceOp]), references={TwiceOp: lambda op, x: x + x}, lowering="lower-mine"
)


@tilewright.register_pass(phase=0, name="double-negation")
class DoubleNegation(RewritePattern):
    """Replace -(-x) by x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.NegOp, rewriter):
        inner = op.operands[0].owner
        if isinstance(inner, graph.NegOp):
            rewriter.replace(op, [], [inner.operands[0]])


@tilewright.register_pass(phase=0, name="turn-difference")
class TurnDifference(RewritePattern):
    """Wrong: b - a is not a - b."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: graph.SubOp, rewriter):
        if "turned" not in op.attributes:
            new = graph.SubOp.of(op.operands[1], op.operands[0])
            new.attributes["turned"] = f32
            rewriter.replace(op, new)


tilewright.register_intrinsic("softsign", dtypes=["float32"], arity=1, reference=lambda x: x / (1 + np.abs(x)))


@tilewright.register_lowering("softsign")
def softsign(call):
    (x,) = call.args
    return x / (1 + te.abs(x))


@tilewright.register_operator(
    kind="elementwise",
    reference=lambda x, cap: (cap * np.tanh(x / cap)).astype(x.dtype),
    te=lambda x, cap: te.compute(x.shape, lambda *i: cap * te.tanh(x(*i) / cap), name="soft_cap"),
)
class SoftCapOp(graph.UnaryOp):
    """cap * tanh(x / cap).

    ```mlir
    %y = graph.soft_cap %x cap 5.0 : tensor<4xf32>
    ```
    """

    name = "graph.soft_cap"
    ELEMENTS: ClassVar[graph.Elements] = graph.Elements.FLOAT

    cap = float_prop(30.0)
'''
LIT = """\
// RUN: opt-tool --load %S/../../project.py --pass double-negation,dead-code --target none %s | filecheck %s

func.func @pair(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.neg %x : tensor<4xf32>
  %b = graph.neg %a : tensor<4xf32>
  func.return %b : tensor<4xf32>
}

func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = graph.neg %x : tensor<4xf32>
  func.return %a : tensor<4xf32>
}
"""
LOOPS = """\
func.func @main(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = mine.twice %a : f32
    loop.store %b, %y[%i] : memref<8xf32>
  }
  func.return
}
"""
MODEL = """\
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %a = graph.neg %x : tensor<8xf32>
  %b = graph.neg %a : tensor<8xf32>
  %c = graph.sub %b, %y : tensor<8xf32>
  %d = graph.soft_cap %c cap 2.0 : tensor<8xf32>
  func.return %d : tensor<8xf32>
}
"""
PROGRAM = """\
import numpy as np
import project
import tilewright
from tilewright import te, tir, topi

x, y = np.linspace(-3, 3, 8, dtype=np.float32), np.ones(8, np.float32)
np.testing.assert_array_equal(tilewright.compile("loops.mlir")(x), 2 * x)
np.testing.assert_allclose(tilewright.compile("model.mlir")(x, y), 2 * np.tanh((x - 1) / 2), rtol=1e-5)
A = te.placeholder((8,), name="A")
B = te.compute((8,), lambda i: tir.call_intrin("float32", "softsign", A[i]), name="B")
np.testing.assert_allclose(tilewright.build([A, B])(x), x / (1 + np.abs(x)), rtol=1e-6)
np.testing.assert_allclose(tilewright.build([A, topi.soft_cap(A, cap=2.0)])(x), 2 * np.tanh(x / 2), rtol=1e-5)
print("all right")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with what the newcomer wrote."""
    for name, text in (("project.py", PROJECT), ("loops.mlir", LOOPS), ("model.mlir", MODEL), ("program.py", PROGRAM)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_newcomers_project(environment: dict[str, str], folder: Path) -> None:
    path = os.path.dirname(sys.executable) + os.pathsep + environment["PATH"]

    def run(command: str, status: int = 0) -> str:
        done = subprocess.run(
            command, shell=True, cwd=folder, env={**environment, "PATH": path}, capture_output=True, text=True
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    run("tilewright init-lit tests/lit")
    case = folder / "tests" / "lit" / "double-negation.mlir"
    case.write_text(LIT)
    run("tilewright update-checks tests/lit/double-negation.mlir")
    written = case.read_text()
    assert "// CHECK-LABEL: func.func @pair(" in written and written.count("graph.neg") == LIT.count("graph.neg") + 1
    assert "2 passed" in run("python -m pytest -q -p no:cacheprovider tests/lit")
    assert run("python program.py").endswith("all right\n")
    shown = run("opt-tool --load project.py --validate --pass lower-mine loops.mlir")
    assert "arith.addf" in shown and "mine.twice" not in shown
    command = "opt-tool --load project.py {} --pass double-negation,turn-difference model.mlir"
    assert "'turn-difference'" in run(command.format("--validate"), status=1)
    found = run(command.format("--bisect"))
    assert "the first bad pass is number 2, 'turn-difference'" in found
    assert "the first bad rewrite is number 1 of 1" in found
