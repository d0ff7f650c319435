"""Each call of a schedule in a file is a rewrite, so that bisection finds the one that goes wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from tilewright import dialects
from tilewright.diagnostics.parsing import parse
from tilewright.ir.rewrites import count_rewrites
from tilewright.passes.framework.manager import verify_module
from tilewright.passes.framework.registry import parse_pipeline

MODULE = """
func.func @k(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %B[%vi] : memref<64xf32>
    }
  }
  func.return
}
"""
SEQUENCE = """
schedule.sequence @k {
  %i = schedule.get_loop "i"
  %io, %ii = schedule.split %i factor 16
  schedule.parallel %io
  schedule.vectorize %ii
}
"""


@pytest.mark.parametrize(
    ("limit", "kinds"), [(0, (False, False)), (1, (False, False)), (2, (True, False)), (3, (True, True))]
)
def test_calls_are_counted_and_limited(limit: int, kinds: tuple[bool, bool], tmp_path: Path) -> None:
    (tmp_path / "k.mlir").write_text(SEQUENCE)
    (pass_,) = parse_pipeline(f'apply-schedule{{file="{tmp_path}/k.mlir"}}')
    module = parse(dialects.context(), MODULE, "m.mlir")
    with count_rewrites(limit) as counter:
        pass_.apply(dialects.context(), module)
    verify_module(module)
    text = str(module)
    assert counter.count == limit and ("0 to 4" in text) == (limit > 0)
    assert ("kind parallel" in text, "kind vectorized" in text) == kinds
    assert counter.last.startswith(("", "split", "parallel", "vectorize")[limit])
