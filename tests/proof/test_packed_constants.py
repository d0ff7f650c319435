"""Passes that write constants in another order: the numbers are compared through the index maps of both programs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from tilewright.diagnostics import TilewrightError
from tilewright.dialects import context, graph
from tilewright.dialects.constant_data import constant_array, dense_attr
from tilewright.dialects.target import TARGET_ATTRIBUTE, CpuTargetAttr
from tilewright.ir import editor as edit
from tilewright.passes.framework.base import algebra_of
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.passes.framework.validation import Validation
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .planted import module_of

MATMUL = """\
func.func @main(%x: tensor<4x64xf32>) -> tensor<4x48xf32> {
  %w = graph.constant dense<0.0> : tensor<64x48xf32>
  %c = graph.matmul %x, %w : tensor<4x48xf32>
  func.return %c : tensor<4x48xf32>
}
"""
CONVOLUTION = """\
func.func @main(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32> {
  %w = graph.constant dense<0.0> : tensor<16x16x3x3xf32>
  %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x16x6x6xf32>
  %r = graph.relu %c : tensor<1x16x6x6xf32>
  func.return %r : tensor<1x16x6x6xf32>
}
"""
TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, [32 << 10, 512 << 10, 8 << 20], 1)
PACKED = {"pack-weights": MATMUL, "block-channels": CONVOLUTION}


def module(text: str) -> ModuleOp:
    """Return the module with drawn weights, for a described machine."""
    found = module_of(text)
    found.attributes[TARGET_ATTRIBUTE] = TARGET
    for op in found.walk():
        if isinstance(op, graph.ConstantOp):
            drawn = np.random.default_rng(0).standard_normal(op.array.shape).astype(np.float32)
            edit.change(op).properties["value"] = dense_attr(drawn)
    return found


@dataclass(frozen=True)
class Swaps(ModulePass):
    """Another pass, after which two numbers of the last constant have changed places."""

    name = "swaps"
    inner: str = ""
    reassociates = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PassManager(parse_pipeline(self.inner)).run(ctx, op)
        *_, last = (each for each in op.walk() if isinstance(each, graph.ConstantOp))
        data = constant_array(last.value).copy()
        flat = data.reshape(-1)
        flat[[3, 19]] = flat[[19, 3]]
        edit.change(last).properties["value"] = dense_attr(data)


@pytest.mark.parametrize("name", PACKED)
def test_packed_constants_are_proved_by_value(name: str) -> None:
    validation = Validation(mode="symbolic", saves=False)
    PassManager(parse_pipeline(f"infer-types,{name},fold-constant,share-weights"), [validation]).run(
        context(), module(PACKED[name])
    )
    assert validation.proofs is not None and validation.proofs.is_complete
    (step,) = [step for step in validation.proofs.steps if step.pass_.startswith(name)]
    assert step.word == "proved" and "mean what defines them in te" in step.judgement.verdict.assumptions[-1]


@pytest.mark.parametrize("name", PACKED)
def test_a_wrong_permutation_of_a_constant_is_refuted(name: str) -> None:
    validation = Validation(mode="symbolic", saves=False)
    wrong = [*parse_pipeline("infer-types"), Swaps(name)]
    assert algebra_of(wrong[-1]).reassociates
    with pytest.raises(TilewrightError, match="TW0241.*'swaps.*' changed what @main computes"):
        PassManager(wrong, [validation]).run(context(), module(PACKED[name]))
