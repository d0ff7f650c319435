"""block-channels stops after any number of rewrites, with a program that computes the same."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright.operators  # noqa: F401  (registers the references)
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.manager import verify_module
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run

NETWORK = """
module attributes {
  tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>
} {
func.func @main(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x2x2xf32> {
  %w = graph.constant dense<0.25> : tensor<16x16x3x3xf32>
  %c = graph.conv2d %x, %w : tensor<1x16x4x4xf32>
  %r = graph.relu %c : tensor<1x16x4x4xf32>
  %d = graph.conv2d %r, %w : tensor<1x16x2x2xf32>
  func.return %d : tensor<1x16x2x2xf32>
}
}
"""


@pytest.mark.parametrize("limit", range(4))
def test_a_limit_leaves_an_equivalent_program(limit: int) -> None:
    module = parse(context(), NETWORK, "network.mlir")
    x = np.random.default_rng(0).standard_normal((1, 16, 6, 6), np.float32)
    (expected,) = run(module, "main", x)
    before = str(module)
    with count_rewrites(limit) as counted:
        parse_pipeline("block-channels")[0].apply(context(), module)
    verify_module(module)
    assert counted.count == limit
    assert sum(op.name == "graph.blocked_conv2d" for op in module.walk()) == (limit + 1) // 2
    assert (str(module) == before) is (limit == 0)
    np.testing.assert_allclose(run(module, "main", x)[0], expected, rtol=1e-5, atol=1e-5)
