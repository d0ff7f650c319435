"""partition-loops and what is guarded: copies of a large loop are worth a share of its work, and no less."""

from __future__ import annotations

import pytest
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from tilewright.passes.framework.registry import parse_pipeline

OPERATIONS = 120
"""In the loop: more than are copied whatever they cost."""


def loops_over_parts(guarded: int, others: int) -> int:
    """Return how often the loop over parts is cut, with so many guarded reads in a part, and so many runs of all
    else."""
    chain = "\n".join(f"%v{n + 1} = arith.addf %v{n}, %x : f32" for n in range(OPERATIONS))
    text = f"""
func.func private @main(%X: memref<1024xf32>, %Y: memref<1024xf32>) {{
  %z = arith.constant 0.0 : f32
  loop.for %part = 0 to 16 {{
    loop.for %i = 0 to {guarded} {{
      %p = loop.load %X[%part * 8 - 1] where (%part >= 1) else %z : memref<1024xf32>
      loop.store %p, %Y[%part * 8 + %i] : memref<1024xf32>
    }}
    loop.for %j = 0 to {others} {{
      %x = loop.load %X[%j] : memref<1024xf32>
      %v0 = loop.load %Y[%j] : memref<1024xf32>
      {chain}
      loop.store %v{OPERATIONS}, %Y[%j] : memref<1024xf32>
    }}
  }}
  func.return
}}
"""
    module = parse(context(), text, "parts.mlir")
    (partition,) = parse_pipeline("partition-loops")
    partition.apply(context(), module)
    function = module.body.block.first_op
    assert function is not None
    return sum(isinstance(op, loop.ForOp) for op in function.regions[0].block.ops)


@pytest.mark.parametrize(
    ("guarded", "others", "loops"),
    [(8, 8, 2), (8, 400, 1), (1, 1, 2), (1, 8, 1)],
)
def test_a_small_share_stays_guarded(guarded: int, others: int, loops: int) -> None:
    assert loops_over_parts(guarded, others) == loops
