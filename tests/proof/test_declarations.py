"""A pass that declares what it does to arithmetic needs the declaration, and passes validation with it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import tilewright.backends  # noqa: F401  # pyright: ignore[reportUnusedImport]  (their lowering rules)
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context
from tilewright.driver.oracle import lower_plainly
from tilewright.passes.framework.base import Pass, is_exact
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import BUILTIN, get_pass, parse_pipeline
from tilewright.passes.framework.validation import Validation
from tilewright.semantics import evaluate
from xdsl.dialects.builtin import ModuleOp

from .planted import module_of


@dataclass(frozen=True)
class Case:
    """A pass, and a function of which it changes the bits of the results."""

    spec: str
    function: str

    def __str__(self) -> str:
        return self.spec

    @property
    def pass_(self) -> Pass:
        (pass_,) = parse_pipeline(self.spec)
        assert isinstance(pass_, Pass)
        return pass_

    def module(self) -> ModuleOp:
        """Return the function for a CPU with vectors of eight float32."""
        target = '<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>'
        return module_of(f"module attributes {{tw.target = #target.cpu{target}}} {{\n{self.function}}}")

    def run(self, pass_: Pass, validation: Validation) -> None:
        """Run `pass_`, which has to change something."""
        module = self.module()
        before = str(module)
        PassManager([pass_], [validation]).run(context(), module)
        assert str(module) != before


SUMS = """\
func.func @sums(%A: memref<4x64xf32>, %B: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 {
    loop.for %k = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 64) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<4x64xf32>
        %b = loop.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  func.return
}
"""
SUMS_OF_THREADS = SUMS.replace("0 to 4 {", '0 to 4 kind thread<"blockIdx.x"> {').replace(
    "0 to 64 {", '0 to 64 kind thread<"threadIdx.x"> {'
)
SUMS_OF_TWO = """\
func.func @sums(%A: memref<4x8x8xf32>, %B: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 { loop.for %k = 0 to 8 { loop.for %l = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 8, %vl = reduce(%l) in 8) {
      loop.init { loop.store %zero, %B[%vi] : memref<4xf32> }
      %a = loop.load %A[%vi, %vk, %vl] : memref<4x8x8xf32>
      %b = loop.load %B[%vi] : memref<4xf32>
      %s = arith.addf %b, %a : f32
      loop.store %s, %B[%vi] : memref<4xf32>
    }
  } } }
  func.return
}
"""
PRODUCT = """\
func.func @product(%A: memref<3x5xf32>, %B: memref<5x2xf32>, %C: memref<3x2xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 3 { loop.for %j = 0 to 2 { loop.for %k = 0 to 5 {
    loop.block "C" (%vi = spatial(%i) in 3, %vj = spatial(%j) in 2, %vk = reduce(%k) in 5) {
      loop.init { loop.store %zero, %C[%vi, %vj] : memref<3x2xf32> }
      %a = loop.load %A[%vi, %vk] : memref<3x5xf32>
      %b = loop.load %B[%vk, %vj] : memref<5x2xf32>
      %c = loop.load %C[%vi, %vj] : memref<3x2xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      loop.store %s, %C[%vi, %vj] : memref<3x2xf32>
    }
  } } }
  func.return
}
"""
ELEMENTS = """\
func.func @elements(%x: memref<256xf32>, %y: memref<256xf32> {tw.output}) {
  loop.for %i = 0 to 256 {
    %a = loop.load %x[%i] : memref<256xf32>
    %e = math.exp %a : f32
    %p = arith.mulf %e, %a : f32
    %s = arith.addf %p, %a : f32
    loop.store %s, %y[%i] : memref<256xf32>
  }
  func.return
}
"""
CONVOLUTIONS = """\
func.func @convolution(%x: tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32> {
  %w = graph.constant dense<0.3> : tensor<8x8x3x3xf32>
  %h = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x8x6x6xf32>
  %y = graph.conv2d %h, %w padding [1, 1, 1, 1] : tensor<1x8x6x6xf32>
  func.return %y : tensor<1x8x6x6xf32>
}
"""
BLOCKED_CONVOLUTION = """\
func.func @convolution(%x: tensor<1x4x13x13x8xf32>) -> tensor<1x4x13x13x8xf32> {
  %w = graph.constant dense<0.3> : tensor<4x4x3x3x8x8xf32>
  %y = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x13x13x8xf32>
  func.return %y : tensor<1x4x13x13x8xf32>
}
"""
DENSE = """\
func.func @dense(%x: tensor<16x64xf32>, %w: tensor<16x64xf32>) -> tensor<16x16xf32> {
  %y = graph.dense %x, %w : tensor<16x16xf32>
  func.return %y : tensor<16x16xf32>
}
"""
QUANTISED = """
func.func @quantised(%x: tensor<4x64xi8>) -> tensor<4x8xf32> {
  %s = graph.constant dense<0.1> : tensor<f32>
  %w = graph.constant dense<3> : tensor<8x64xi8>
  %a = graph.dequantize %x, %s to f32 : tensor<4x64xf32>
  %b = graph.dequantize %w, %s to f32 : tensor<8x64xf32>
  %y = graph.dense %a, %b : tensor<4x8xf32>
  func.return %y : tensor<4x8xf32>
}
"""

CONSTANTS = f"""
func.func @constants() -> tensor<8x8xf32> {{
  %a = graph.constant dense<{np.sin(np.arange(512.0)).reshape(8, 64).tolist()}> : tensor<8x64xf32>
  %y = graph.matmul %a, %a transpose_b : tensor<8x8xf32>
  func.return %y : tensor<8x8xf32>
}}
"""

NORMALISATION = """\
func.func @norm(%x: tensor<1x2x4x4xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %y = graph.batch_norm %x, %p, %q, %q, %p : tensor<1x2x4x4xf32>
  func.return %y : tensor<1x2x4x4xf32>
}
"""
NARROW = """\
func.func @narrow(%x: tensor<1x4x6x6xf16>) -> tensor<1x4x6x6xf16> {
  %w = graph.constant dense<0.3> : tensor<4x4x1x1xf16>
  %p = graph.constant dense<0.7> : tensor<4xf16>
  %c = graph.conv2d %x, %w : tensor<1x4x6x6xf16>
  %y = graph.batch_norm %c, %p, %p, %p, %p : tensor<1x4x6x6xf16>
  func.return %y : tensor<1x4x6x6xf16>
}
"""

SCHEDULES = {
    "other_order.mlir": """\
schedule.sequence @sums {
  %k = schedule.get_loop "k"
  %ko, %ki = schedule.split %k factor 8
  schedule.reorder %ki, %ko
}
""",
    "padded.mlir": """\
schedule.sequence @product {
  %c = schedule.get_block "C"
  schedule.pad_einsum %c padding [1, 1, 4]
}
""",
}

OTHER_ORDER = Case('apply-schedule{file="other_order.mlir"}', SUMS)
PADDED = Case('apply-schedule{file="padded.mlir"}', PRODUCT)
AUTOMATIC = Case("auto-schedule", SUMS.replace("64", "256"))
CONTRACTED = Case("contract-fma", ELEMENTS)
ACROSS_THREADS = Case("lower-cross-thread-reduction", SUMS_OF_THREADS)
EXPANDED = Case("lower-intrinsics", ELEMENTS)
REORDERED = Case("reorder{order=i,l,k}", SUMS_OF_TWO)

ROUNDED = (
    OTHER_ORDER,
    AUTOMATIC,
    CONTRACTED,
    ACROSS_THREADS,
    Case("lower-graph", DENSE),
    EXPANDED,
    REORDERED,
    Case("fold-constant", CONSTANTS),
    Case("simplify-inference", NORMALISATION),
    Case("integer-products", QUANTISED),
    Case("widen-narrow-floats", NARROW),
    Case("winograd", BLOCKED_CONVOLUTION),
)
"""One for each pass that declares something, but for BLOCKED."""

BLOCKED = Case("block-channels", CONVOLUTIONS)
"""The reference of convolutions multiplies matrices by numpy, whose order of terms depends on the machine and not on
the layout: the other order shows in the loops that the operators become."""

PROVED = (
    (OTHER_ORDER, "reassociates"),
    (PADDED, "multiply-zero"),
    (AUTOMATIC, "reassociates"),
    (CONTRACTED, "contracts"),
    (ACROSS_THREADS, "reassociates"),
    (REORDERED, "reassociates"),
)
"""Passes over loops and blocks, each with the declaration that its proof needs."""


@pytest.fixture(autouse=True)
def schedule_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in SCHEDULES.items():
        Path(name).write_text(text)


def without(pass_: Pass, *declared: str) -> Pass:
    """Return the pass, as if it had not declared these."""
    other = copy(pass_)
    for name in ("reassociates", "contracts"):
        object.__setattr__(other, name, getattr(pass_, name) and name not in declared)
    object.__setattr__(other, "axioms", tuple(axiom for axiom in pass_.axioms if axiom not in declared))
    return other


def test_each_declaring_pass_is_tried() -> None:
    assert sorted(case.pass_.name for case in (*ROUNDED, BLOCKED)) == sorted(
        n for n in BUILTIN if not is_exact(get_pass(n))
    )


@pytest.mark.parametrize("case", ROUNDED, ids=str)
def test_a_pass_that_rounds_differently_has_to_declare_it(case: Case, tmp_path: Path) -> None:
    declaring = case.pass_
    case.run(declaring, Validation(2, tmp_path))
    silent = without(declaring, "reassociates", "contracts", *declaring.axioms)
    with pytest.raises(TilewrightError, match=f"'{declaring.name}.*' changed what @.* computes: output 0 at") as raised:
        case.run(silent, Validation(2, tmp_path))
    assert raised.value.code == "TW0550"


def test_blocks_of_channels_are_added_in_another_order() -> None:
    plain, blocked = BLOCKED.module(), BLOCKED.module()
    PassManager([BLOCKED.pass_]).run(context(), blocked)
    x = np.random.default_rng(0).standard_normal((1, 8, 6, 6), np.float32)
    loops = (lower_plainly(module) for module in (plain, blocked))
    (expected,), (actual,) = (evaluate(module, x, name="convolution") for module in loops)
    assert not np.array_equal(expected, actual)
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("case", "declared"), PROVED, ids=str)
def test_a_proof_needs_what_the_pass_declares(case: Case, declared: str, tmp_path: Path) -> None:
    assert _verdict(case, case.pass_, tmp_path) == "proved"
    assert _verdict(case, without(case.pass_, declared), tmp_path) != "proved"


def _verdict(case: Case, pass_: Pass, directory: Path) -> str:
    validation = Validation(2, directory, "symbolic")
    try:
        case.run(pass_, validation)
    except TilewrightError as error:
        assert error.code == "TW0241", error
    assert validation.proofs is not None
    (step,) = validation.proofs.steps
    return step.judgement.word
