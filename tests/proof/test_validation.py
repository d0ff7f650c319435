"""Validation names the first pass that changes a value, at every level and for functions too large to be run."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import tilewright
from tilewright.diagnostics import TilewrightError
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.driver.lowering import lower_module
from tilewright.driver.oracle import compare_with_plain
from tilewright.passes.framework.base import Level
from tilewright.passes.framework.context import as_pass
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation import Validation
from tilewright.passes.pipeline import conversion
from xdsl.dialects.builtin import MemRefType, ModuleOp, f32
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from .planted import CONVOLUTION, SUM, SkipsRelu, Subtracts, module_of


def test_right_passes_stay_silent() -> None:
    with tilewright.PassContext(validate=True) as context_:
        lower_module(module_of(SUM))
    (validation,) = context_.instruments
    assert isinstance(validation, Validation)
    assert validation.checked_passes > 20
    assert "not validated: 0" in validation.summary()


@pytest.mark.parametrize("phase", [1, 2, 3])
def test_wrong_pass_is_named(phase: int, tmp_path: Path) -> None:
    validation = Validation(2, tmp_path)
    context_ = tilewright.PassContext(add_lower_pass=[(phase, Subtracts())], instruments=[validation])
    with context_, pytest.raises(TilewrightError, match=r"'subtracts' changed what @\w+ computes: output 0") as raised:
        lower_module(module_of(SUM))
    assert raised.value.code == "TW0550"


def test_inputs_are_saved_and_show_the_difference(tmp_path: Path) -> None:
    module = module_of(SUM)
    passes = [*conversion(Level.GRAPH, Level.LOOP), Subtracts()]
    with pytest.raises(TilewrightError) as raised:
        PassManager(passes, [Validation(1, tmp_path)]).run(context(), module)
    (path,) = tmp_path.glob("*.npz")
    assert str(path) in raised.value.notes[1]
    a, b = (np.load(path)[name] for name in ("input0", "input1"))
    found = re.search(r"expected (\S+), but got (\S+?);", raised.value.message)
    assert found is not None
    right, wrong = ((a + b) + b)[0], ((a + b) - b)[0]
    assert np.allclose([float(found[1]), float(found[2])], [right, wrong]) or np.isclose(float(found[1]), (a + b)[0])


def test_reassociation_has_to_be_declared() -> None:
    text = """\
    func.func @f(%a: memref<8xf32>, %b: memref<1xf32> {tw.output}) {
      %i = arith.constant 0 : index
      %0 = loop.load %a[0] : memref<8xf32>
      %1 = loop.load %a[1] : memref<8xf32>
      %2 = loop.load %a[2] : memref<8xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      loop.store %4, %b[0] : memref<1xf32>
      func.return
    }"""

    def reorder(ctx: object, module: object) -> None:
        first, second = (op for op in module.walk() if op.name == "arith.addf")  # pyright: ignore
        a, b, c = first.lhs, first.rhs, second.rhs
        first.operands, second.operands = [b, c], [first.results[0], a]

    from tilewright.passes.framework.context import as_pass

    pass_ = as_pass(reorder)
    with pytest.raises(TilewrightError, match="TW0550"):
        PassManager([pass_], [Validation(8)]).run(context(), module_of(text))
    object.__setattr__(pass_, "reassociates", True)
    PassManager([pass_], [Validation(8)]).run(context(), module_of(text))


def test_large_functions_are_tried_small() -> None:
    text = """\
    func.func @main(%x: tensor<1x64x14x14xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x64x14x14xf32> {
      %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x64x14x14xf32>
      func.return %c : tensor<1x64x14x14xf32>
    }"""
    validation = Validation(1)
    passes = [*conversion(Level.GRAPH, Level.LOOP), Subtracts()]
    with pytest.raises(TilewrightError, match="'subtracts' changed what @conv2d"):
        PassManager(passes, [validation]).run(context(), module_of(text))
    assert validation.failed_small is not None


def test_what_cannot_be_run_is_counted() -> None:
    text = """\
    func.func @main(%a: memref<9000000xf32>) {
      loop.for %i = 0 to 9000000 {
        %0 = loop.load %a[%i] : memref<9000000xf32>
        loop.store %0, %a[%i] : memref<9000000xf32>
      }
      func.return
    }"""
    validation = Validation(1)
    with collect_remarks() as remarks:
        PassManager(parse_pipeline("simplify"), [validation]).run(context(), module_of(text))
        assert "not validated: 1\n  @main: too large" in validation.summary()
    assert [remark.code for remark in remarks] == ["TW0551"]


def test_small_programs_agree_with_plain_code() -> None:
    assert str(compare_with_plain(module_of(CONVOLUTION))).startswith("2 kernels and 1 whole functions agree")


def test_compiled_kernels_are_compared() -> None:
    context_ = tilewright.PassContext(add_lower_pass=[(3, Subtracts())])
    with context_, pytest.raises(TilewrightError, match="TW0552.*compiled @"):
        compare_with_plain(module_of(CONVOLUTION))


def test_graph_passes_are_validated() -> None:
    with pytest.raises(TilewrightError, match="'skips-relu' changed what @main computes"):
        PassManager([SkipsRelu()], [Validation(1)]).run(context(), module_of(CONVOLUTION))


def test_number_of_trials_is_checked() -> None:
    with pytest.raises(TilewrightError, match="TW0208"):
        tilewright.PassContext(validate=-1)


IN_OUT = """\
func.func @f(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    %a = loop.load %y[%i] : memref<4xf32>
    %b = loop.load %x[%i] : memref<4xf32>
    %c = arith.addf %a, %b : f32
    loop.store %c, %y[%i] : memref<4xf32>
  }
  func.return
}"""


def drops_stores(module: ModuleOp) -> None:
    """Leave the last output as the caller gave it."""
    for store in [op for op in module.walk() if isinstance(op, loop.StoreOp)][-1:]:
        Rewriter.erase_op(store)


@pytest.mark.parametrize("pass_", [Subtracts(), as_pass(drops_stores)], ids=lambda pass_: pass_.name)
def test_an_output_that_is_read_first_holds_the_same_numbers_before_and_after(pass_: ModulePass) -> None:
    with pytest.raises(TilewrightError, match=r"changed what @f computes: output 0 at \[0\]: expected -?\d") as raised:
        PassManager([pass_], [Validation(2)]).run(context(), module_of(IN_OUT))
    assert raised.value.code == "TW0550"


def test_elements_that_nobody_writes_stay_as_the_caller_gave_them() -> None:
    """A loop that ends too early leaves elements, and one that ends too late writes over some."""

    def shortens(module: ModuleOp) -> None:
        (nest,) = (op for op in module.walk() if isinstance(op, loop.ForOp))
        nest.set_index_lists(upper=[nest.uppers[0] - 1])

    text = IN_OUT.replace("%a = loop.load %y[%i]", "%a = loop.load %x[%i]").replace("0 to 4", "0 to 3")
    PassManager(parse_pipeline("simplify,cse"), [Validation(1)]).run(context(), module_of(text))
    with pytest.raises(TilewrightError, match=r"output 0 at \[2\]"):
        PassManager([as_pass(shortens)], [Validation(1)]).run(context(), module_of(text))


UNSEEN = {
    "nothing is written": (
        """func.func @f(%x: memref<4xf32>) {
          %0 = loop.load %x[0] : memref<4xf32>
          func.return
        }""",
        "@f: its caller sees nothing of it: no result, no output, no buffer that it writes",
    ),
    "all is NaN": (
        """func.func @f(%y: memref<4xf32> {tw.output}) {
          %n = arith.constant 0x7FC00000 : f32
          loop.for %i = 0 to 4 { loop.store %n, %y[%i] : memref<4xf32> }
          func.return
        }""",
        "@f: all that it computes is NaN",
    ),
}


@pytest.mark.parametrize("case", UNSEEN)
def test_what_its_caller_does_not_see_is_not_validated(case: str) -> None:
    text, reason = UNSEEN[case]
    validation = Validation(2)
    PassManager(parse_pipeline("cse"), [validation]).run(context(), module_of(text))
    assert validation.is_empty
    assert f"not validated: 1\n  {reason}" in validation.summary()


def test_an_output_that_is_nan_everywhere_is_named() -> None:
    text = (
        UNSEEN["all is NaN"][0]
        .replace("(%y", "(%x: memref<4xf32> {tw.output}, %y")
        .replace("loop.store", "loop.store %one, %x[%i] : memref<4xf32> loop.store")
    )
    text = text.replace("%n =", "%one = arith.constant 1.0 : f32 %n =")
    validation = Validation(2)
    PassManager(parse_pipeline("cse"), [validation]).run(context(), module_of(text))
    assert not validation.is_empty
    assert "validated in part: 1\n  @f: output 1 is NaN everywhere" in validation.summary()


def test_a_function_that_takes_other_inputs_is_named_with_the_pass() -> None:
    """Results of a private function cannot be compared if a pass changes its arguments."""

    def widens(module: ModuleOp) -> None:
        (function,) = (op for op in module.walk() if isinstance(op, FuncOp))
        value = function.body.block.args[0]
        Rewriter.replace_value_with_new_type(value, MemRefType(f32, [8]))
        function.update_function_type()

    text = (
        IN_OUT.replace("@f", "private @f")
        .replace("%x: memref<4xf32>", "%x: memref<?xf32>")
        .replace("%b = loop.load %x[%i] : memref<4xf32>", "%b = loop.load %x[%i] : memref<?xf32>")
    )
    validation = Validation(1)
    PassManager([as_pass(widens)], [validation]).run(context(), module_of(text))
    assert "validated in part: 1\n  @f: not compared after 'widens', which gave it other inputs" in validation.summary()


def test_validation_of_nothing_is_empty() -> None:
    validation = Validation(1)
    PassManager([], [validation]).run(context(), module_of(IN_OUT))
    assert validation.is_empty
    assert validation.summary() == "validated 0 functions: no pass ran"


def test_functions_that_are_not_validated_are_reported_when_the_context_ends() -> None:
    with collect_remarks() as remarks, tilewright.PassContext(validate=1):
        PassManager(parse_pipeline("cse")).run(context(), module_of(UNSEEN["nothing is written"][0]))
    assert [(remark.code, "sees nothing" in str(remark)) for remark in remarks] == [("TW0551", True)]
