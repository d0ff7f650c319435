"""`--fast`: sums of pairs of products of bytes in 16 bits on machines without dot instructions, and a remark."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright.tools.cli import main

WIDTH = 16
CONVOLUTION = f"""
func.func @main(%x: tensor<1x{WIDTH}x8x8xui8>) -> tensor<1x{WIDTH}x8x8xui8> {{
  %s = graph.constant dense<0.5> : tensor<f32>
  %w = graph.constant dense<100> : tensor<{WIDTH}x{WIDTH}x1x1xi8>
  %0 = graph.dequantize %x, %s to f32 : tensor<1x{WIDTH}x8x8xf32>
  %1 = graph.dequantize %w, %s to f32 : tensor<{WIDTH}x{WIDTH}x1x1xf32>
  %2 = graph.conv2d %0, %1 : tensor<1x{WIDTH}x8x8xf32>
  %3 = graph.quantize %2, %s to ui8 : tensor<1x{WIDTH}x8x8xui8>
  func.return %3 : tensor<1x{WIDTH}x8x8xui8>
}}
"""
COMMAND = ["--emit", "mlir", "--target", "llvm -mcpu=x86-64-v3 -threads=1", "--remarks"]


def test_the_text_multiplies_bytes_and_a_remark_names_the_kernel(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the option bytes are widened to 16 bits, each operand by a multiplication by bytes of 1."""
    path = tmp_path / "conv.mlir"
    path.write_text(CONVOLUTION)
    shares = {}
    for options in ([], ["--fast"]):
        assert main(["compile", str(path), *COMMAND, *options]) == 0
        shown = capsys.readouterr()
        counts = [shown.out.count(f'"x86.{name}"') for name in ("pmaddubsw", "pmaddwd")]
        assert counts[1] and ("TW0794" in shown.err and "in kernel '" in shown.err) == bool(options)
        shares[bool(options)] = counts[0] / counts[1]
    assert shares == {True: 1.0, False: 2.0}
