"""Dialects of users: examples/user_dialect, installed by pip, and registrations in this process."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tilewright
import tilewright.operators  # references of graph operators
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, graph
from tilewright.driver import lower
from tilewright.passes import Level, PassManager, level_of, parse_pipeline, pattern_pass
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.manager import verify_module
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import f32
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.traits import Pure

from .installed import EXAMPLES, Site

EXAMPLE = EXAMPLES / "user_dialect"
PROGRAM = """\
func.func @kernel(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = poly.eval %a [0.0, 3.0, 0.5] : f32
    loop.store %b, %y[%i] : memref<8xf32>
  }
  func.return
}
"""
FROM_PYTHON = """\
import sys
import numpy as np
import tilewright
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context

x = np.linspace(-2, 2, 8, dtype=np.float32)
for target in ("interpreter", "llvm", "c"):
    module = parse(context(), sys.stdin.read() if target == "interpreter" else text, "poly.mlir")
    text = str(module)
    y = tilewright.build(module, target=target)(x)
    np.testing.assert_allclose(y, np.float32(3) * x + np.float32(0.5), rtol=1e-6)
print("poly everywhere")
"""
WRONG = """\
import tilewright
from tilewright_poly.dialect import EvalOp
from xdsl.pattern_rewriter import RewritePattern, op_type_rewrite_pattern

@tilewright.register_pass(phase=0)
class DropConstant(RewritePattern):
    \"\"\"Forget the constant of a polynomial, which is wrong.\"\"\"
    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: EvalOp, rewriter):
        if op.values[-1] != 0:
            rewriter.replace(op, EvalOp(op.x, (*op.values[:-1], 0.0)))
"""


@pytest.fixture
def site(examples_site: Site) -> Site:
    return examples_site


def opt_tool(site: Site, *args: str) -> subprocess.CompletedProcess[str]:
    return site.run("-m", "tilewright.tools.opt", *args, stdin=PROGRAM)


def test_its_lit_tests_pass(site: Site, tmp_path: Path) -> None:
    tests = shutil.copytree(EXAMPLE / "tests", tmp_path / "tests")
    done = site.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests), cwd=tmp_path)
    assert "4 passed" in done.stdout, done.stdout


def test_its_operation_runs_everywhere(site: Site) -> None:
    done = site.run("-c", FROM_PYTHON, stdin=PROGRAM)
    assert done.stdout == "poly everywhere\n", done.stderr


def test_its_lowering_runs_by_itself_and_its_pass_by_name(site: Site) -> None:
    done = opt_tool(site, "--phase", "0", "--print-pipeline")
    assert done.stderr.splitlines()[-1].startswith("lower-poly"), done.stderr
    assert "poly.eval" not in done.stdout and "arith.mulf" in done.stdout
    assert "poly.eval %a [3.000000e+00 : f64, 5.000000e-01 : f64]" in opt_tool(site, "--pass", "trim-poly").stdout


def test_a_wrong_pass_on_it_is_found_and_its_input_reduced(site: Site, tmp_path: Path) -> None:
    load = tmp_path / "wrong.py"
    load.write_text(WRONG)
    found = opt_tool(site, "--load", str(load), "--validate", "--pass", "trim-poly,drop-constant")
    assert found.returncode == 1 and "pass 'drop-constant'" in found.stderr, found.stderr
    bisected = opt_tool(site, "--load", str(load), "--bisect", "--pass", "trim-poly,drop-constant")
    assert bisected.returncode == 0 and "the first bad pass is number 2, 'drop-constant'\n" in bisected.stdout
    assert "the first bad rewrite is number 1 of 1 in this pass: DropConstant on poly.eval" in bisected.stdout
    program = tmp_path / "program.mlir"
    program.write_text(PROGRAM)
    test = tmp_path / "test.sh"
    command = f"{sys.executable} -m tilewright.tools.opt --load {load} --validate --pass drop-constant"
    test.write_text(f'{command} "$1" 2>&1 | grep -q TW0550\n')
    reduced = site.run("-m", "tilewright.tools.cli", "reduce", str(program), "--test", f"sh {test}")
    assert reduced.returncode == 0 and "poly.eval" in reduced.stdout, reduced.stderr
    assert len(reduced.stdout) <= len(PROGRAM) + 40


def test_xdsl_opt_knows_it(site: Site) -> None:
    text = "func.func private @f(%x: f32) -> f32 {\n  %y = poly.eval %x [1.0, 2.0] : f32\n  func.return %y : f32\n}\n"
    done = site.run("-c", "from xdsl.tools.xdsl_opt import main; main()", "-p", "lower-poly", stdin=text)
    assert "arith.addf" in done.stdout and "poly" not in done.stdout, done.stderr


def test_a_universe_alone_brings_dialects_and_passes(site: Site, tmp_path: Path) -> None:
    shutil.copytree(site.path, tmp_path, dirs_exist_ok=True)
    (points,) = tmp_path.glob("tilewright_poly*.dist-info/entry_points.txt")
    points.write_text("[xdsl.universe]\npoly = tilewright_poly.universe:UNIVERSE\n")
    done = opt_tool(Site(tmp_path), "--pass", "lower-poly")
    assert "arith.addf" in done.stdout and "poly" not in done.stdout, done.stderr
    points.write_text("[xdsl.universe]\npoly = tilewright_poly.dialect:POLY\n")
    done = opt_tool(Site(tmp_path))
    assert "cannot be loaded: TypeError: expected a Universe, but got Dialect" in done.stderr
    assert "error[TW0101]: unknown dialect 'poly'" in done.stderr


@irdl_op_definition
class TwiceOp(IRDLOperation):
    """Twice a tensor, or a float."""

    name = "own.twice"
    x = operand_def()
    y = result_def()
    traits = traits_def(Pure())
    assembly_format = "$x attr-dict `:` type($x) `->` type($y)"


class LowerTwice(RewritePattern):
    """Twice x is x + x."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TwiceOp, rewriter: PatternRewriter) -> None:
        rewriter.replace(op, graph.OPERATIONS["add"](operands=[op.x, op.x], result_types=[op.y.type]))


USER_DIALECT = Dialect("own", [TwiceOp])
TENSORS = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = own.twice %x : tensor<4xf32> -> tensor<4xf32>
  %z = graph.relu %y : tensor<4xf32>
  func.return %z : tensor<4xf32>
}
"""


@pytest.fixture
def registered() -> Iterator[None]:
    yield
    tilewright.unregister_dialect("own")


def twice(op: TwiceOp, x: Any) -> Any:
    return x * x.dtype.type(2)


def read(text: str) -> Any:
    return parse(context(), text, "own.mlir")


@pytest.mark.usefixtures("registered")
def test_operations_on_tensors() -> None:
    lowering = pattern_pass("lower-twice", [LowerTwice], phase=0)
    tilewright.register_dialect(USER_DIALECT, level=Level.GRAPH, references={TwiceOp: twice}, lowering=lowering)
    module = read(TENSORS)
    assert level_of(module) is Level.GRAPH and level_of(read(TENSORS.replace("graph.relu", "own.twice").replace(
        "%y : tensor<4xf32>\n", "%y : tensor<4xf32> -> tensor<4xf32>\n"))) is Level.GRAPH  # fmt: skip
    x = np.array([-1, 0.5, 2, -3], np.float32)
    np.testing.assert_array_equal(evaluate(module, x)[0], np.maximum(2 * x, 0))
    for target in ("interpreter", "llvm"):
        np.testing.assert_array_equal(tilewright.build(read(TENSORS), target=target)(x), np.maximum(2 * x, 0))
    assert "own.twice" not in str(lower(read(TENSORS)))


@pytest.mark.usefixtures("registered")
def test_operations_on_scalars_in_te() -> None:
    tilewright.register_dialect(USER_DIALECT, references={TwiceOp: twice})
    text = """\
func.func @main(%A: tensor<4xf32>) -> tensor<4xf32> {
  %B = te.compute "B" [%i to 4] -> tensor<4xf32> {
    %a = te.read %A[%i] : tensor<4xf32>
    %b = own.twice %a : f32 -> f32
    te.yield %b : f32
  }
  func.return %B : tensor<4xf32>
}
"""
    x = np.arange(4, dtype=np.float32)
    np.testing.assert_array_equal(evaluate(read(text), x)[0], 2 * x)
    with pytest.raises(TilewrightError, match=r"own\.twice"):  # nothing lowers it
        tilewright.build(read(text), target="llvm")


@pytest.mark.usefixtures("registered")
@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (lambda op, x: x.astype(np.float64), r"expected the reference of own\.twice to give f32, but got float64\[\]"),
        (lambda op, x: (x, x), r"expected the reference of own\.twice to give 1 values, but got 2"),
        (lambda op, x: np.stack([x, x]), r"expected the reference of own\.twice to give f32, but got float32\[2\]"),
    ],
)
def test_a_reference_that_gives_something_else(reference: Any, message: str) -> None:
    tilewright.register_dialect(USER_DIALECT, references={TwiceOp: reference})
    text = "func.func @main(%x: f32) -> f32 {\n  %y = own.twice %x : f32 -> f32\n  func.return %y : f32\n}\n"
    with pytest.raises(TilewrightError, match=rf"TW0720\]: {message}"):
        evaluate(read(text), np.float32(1))


@pytest.mark.usefixtures("registered")
def test_operations_on_buffers_are_refused() -> None:
    tilewright.register_dialect(USER_DIALECT)
    text = "func.func @f(%x: memref<4xf32>) {\n  %y = own.twice %x : memref<4xf32> -> f32\n  func.return\n}\n"
    with pytest.raises(
        TilewrightError,
        match=r"own.mlir:2:8: error\[TW0235\]: expected own.twice to declare that it reads or writes %x",
    ):
        verify_module(read(text))


@pytest.mark.usefixtures("registered")
def test_a_pass_that_leaves_an_operation_on_a_buffer() -> None:
    tilewright.register_dialect(USER_DIALECT)
    module = read("func.func private @f(%x: memref<4xf32>) {\n  func.return\n}\n")

    def spoil(module: Any) -> None:
        function = module.body.block.first_op
        block = function.body.block
        block.insert_op_before(TwiceOp(operands=[block.args[0]], result_types=[f32]), block.first_op)

    with pytest.raises(TilewrightError, match=r"TW0107.*pass 'spoil' left invalid IR: expected own.twice to declare"):
        PassManager([as_pass(spoil)]).run(context(), module)
    with pytest.raises(TilewrightError, match=r"TW0235.*expected own.twice to declare"):
        PassManager(parse_pipeline("cse")).run(context(), module)


def test_names_and_levels_of_dialects() -> None:
    cases = [
        (lambda: tilewright.register_dialect(Dialect("loop", [])), "the compiler has a dialect named 'loop'"),
        (lambda: tilewright.register_dialect(Dialect("arith", [])), "the compiler has a dialect named 'arith'"),
        (lambda: tilewright.register_dialect(USER_DIALECT, level=3), "expected a level of tilewright.passes.Level"),  # pyright: ignore[reportArgumentType]
        (
            lambda: tilewright.register_dialect(Dialect("own", []), references={TwiceOp: twice}),
            "expected references of operations of dialect 'own', but got one of own.twice",
        ),
        (lambda: tilewright.unregister_dialect("own"), "expected the name of a registered dialect, but 'own' is not"),
        (lambda: tilewright.unregister_dialect("te"), "but 'te' is one of the compiler's"),
    ]
    for attempt, message in cases:
        with pytest.raises(TilewrightError, match="TW0234") as error:
            attempt()
        assert message in str(error.value)


@pytest.mark.usefixtures("registered")
def test_a_dialect_may_be_registered_again_from_where_it_stands() -> None:
    tilewright.register_dialect(USER_DIALECT)
    tilewright.register_dialect(Dialect("own", [TwiceOp]))
    with pytest.raises(
        TilewrightError, match=r"TW0234.*a dialect named 'own' is registered already, by .*test_user_dia"
    ):
        tilewright.register_dialect(Dialect("own", [graph.ConstantOp]))


def test_what_is_forgotten_is_unknown() -> None:
    tilewright.register_dialect(USER_DIALECT)
    tilewright.unregister_dialect("own")
    with pytest.raises(TilewrightError, match="unknown dialect 'own'"):
        read(TENSORS)
