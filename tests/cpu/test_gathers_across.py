"""Gathers whose indices are read across the rows of the result: lanes that load from anywhere turn no register tile."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import tilewright

TEXT = """
func.func @main(%x: tensor<64x40xi32>, %t: tensor<256xui8>) -> tensor<40x64xui8> {
  %a = graph.transpose %x permutation [1, 0] : tensor<40x64xi32>
  %b = graph.gather %t, %a : tensor<40x64xui8>
  func.return %b : tensor<40x64xui8>
}
"""


def test_a_table_is_read_at_transposed_indices(tmp_path: Path) -> None:
    file = tmp_path / "gather.mlir"
    file.write_text(TEXT)
    random = np.random.default_rng(3)
    x = random.integers(0, 256, (64, 40)).astype(np.int32)
    table = random.integers(0, 256, 256).astype(np.uint8)
    np.testing.assert_array_equal(tilewright.compile(file)(x, table), table[x.T])
