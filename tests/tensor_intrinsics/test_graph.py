"""Products of matrices in graphs: of bytes, summed up in integers, and of narrow floats."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.diagnostics.parsing import parse
from tilewright.diagnostics.verification import verify
from tilewright.dialects import context
from tilewright.passes import collect_remarks

from .programs import drawn, expected

BYTES = """
func.func @main(%a: tensor<96x128xui8>, %b: tensor<80x128xi8>) -> tensor<96x80xi32> {
  %y = graph.matmul %a, %b transpose_b out_dtype i32 : tensor<96x80xi32>
  func.return %y : tensor<96x80xi32>
}
"""
NARROW = """
func.func @main(%a: tensor<96x128xbf16>, %b: tensor<128x80xbf16>) -> tensor<96x80xbf16> {
  %y = graph.matmul %a, %b : tensor<96x80xbf16>
  func.return %y : tensor<96x80xbf16>
}
"""


@pytest.mark.parametrize("target", ["cpu", "interpreter"])
def test_bytes(target: str) -> None:
    rng = np.random.default_rng(0)
    a, b = drawn(rng, "uint8", (96, 128)), drawn(rng, "int8", (80, 128))
    with collect_remarks() as remarks:
        got = tilewright.compile(parse(context(), BYTES, "bytes.mlir"), target)(a, b)
    np.testing.assert_array_equal(np.asarray(got), expected(a, b.T))
    assert any(r.code == "TW0746" for r in remarks) == (target == "cpu")


@pytest.mark.parametrize("target", ["cpu", "interpreter"])
def test_narrow_floats_are_rounded_once(target: str) -> None:
    rng = np.random.default_rng(0)
    a, b = drawn(rng, "bfloat16", (96, 128)), drawn(rng, "bfloat16", (128, 80))
    got = np.asarray(tilewright.compile(parse(context(), NARROW, "narrow.mlir"), target)(a, b)).astype(np.float64)
    want = expected(a, b)
    assert (np.abs(got - want) <= np.abs(want) / 256 + 1e-4).all()


def test_operands_of_different_types_need_a_type_of_results() -> None:
    with pytest.raises(TilewrightError, match="operands of one element type"):
        verify(parse(context(), BYTES.replace(" out_dtype i32", ""), "bytes.mlir"))
