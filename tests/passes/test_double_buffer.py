"""Double buffers: the first filling peeled off, each iteration filling for the next; all trip counts, all bounds."""

from __future__ import annotations

import numpy as np
import pytest
from tilewright import driver
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import context, loop
from tilewright.dialects.index_expr import Index
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from tilewright.semantics import run
from xdsl.dialects.builtin import ModuleOp

from .test_phase1 import ops, parse


def copies(lower: str, upper: str, columns: int) -> str:
    """Return rows of A, turned around, by way of a buffer of one row."""
    matrix, row = f"memref<?x{columns}xf32>", f"memref<{columns}xf32>"
    return f"""
func.func @main(%A: {matrix} {{tw.name = "A"}}, %C: {matrix} {{tw.name = "C", tw.output}}) {{
  %n = loop.dim %A, 0 : {matrix}
  loop.for %i = {lower} to {upper} {{
    %b = loop.alloc attributes {{tw.double_buffer}} : {row}
    loop.for %j = 0 to {columns} {{
      %x = loop.load %A[%i, %j] : {matrix}
      loop.store %x, %b[%j] : {row}
    }}
    loop.for %j = 0 to {columns} {{
      %y = loop.load %b[{columns - 1} - %j] : {row}
      loop.store %y, %C[%i, %j] : {matrix}
    }}
  }}
  func.return
}}"""


def doubled(text: str) -> ModuleOp:
    module = parse(text)
    PassManager(parse_pipeline("double-buffer")).run(context(), module)
    return module


@pytest.mark.parametrize(
    ("lower", "upper", "last"),
    [
        ("0", "%n", 9),
        ("2", "%n", 9),
        ("1", "min(%n, 4)", 4),
        ("0", "1", 1),
        ("2", "2", 2),
        ("0", "min(%n - 1, %n)", -1),
    ],
)
def test_every_row_arrives(lower: str, upper: str, last: int) -> None:
    text = copies(lower, upper, 5)
    module, program = doubled(text), driver.compile(parse(text), threads=1)
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type.get_shape() == (2, 5)
    for n in (2, 3, 4, 7):
        a = np.arange(n * 5, dtype=np.float32).reshape(n, 5)
        expected = np.zeros_like(a)
        done = slice(int(lower), min(n, last) if last >= 0 else n + last)
        expected[done] = a[done, ::-1]
        for execute in (lambda *arrays: run(module, "main", *arrays), program):
            c = np.zeros_like(a)
            execute(a, c)
            np.testing.assert_array_equal(c, expected)


def test_the_next_filling_comes_first() -> None:
    module = doubled(copies("0", "9", 3))
    outermost = [op for op in ops(module, loop.ForOp) if not isinstance(op.parent_op(), (loop.ForOp, loop.IfOp))]
    first, around = (op for op in outermost if isinstance(op, loop.ForOp))
    assert any(isinstance(op, loop.StoreOp) for op in first.body.block.ops)
    ahead, use = around.body.block.ops
    assert isinstance(ahead, loop.IfOp)
    assert isinstance(use, loop.ForOp)
    assert ahead.conditions == (7 - Index.of(around.induction_variable),)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("memref<3xf32>", 'memref<3xf32, "register">'), "is in registers"),
        (("loop.load %A[%i, %j]", "loop.load %C[%i, %j]"), "is filled from %C, which the loop writes"),
        (("to 9 {", "to 9 kind parallel {"), "is allocated in a loop that is not serial"),
    ],
)
def test_what_stays_single_says_why(change: tuple[str, str], reason: str) -> None:
    with collect_remarks() as remarks:
        module = doubled(copies("0", "9", 3).replace(*change))
    (rows,) = ops(module, loop.AllocOp)
    assert rows.res.type.get_shape() == (3,)
    assert [(r.code, r.message) for r in remarks] == [("TW0423", f"a buffer is not doubled: it {reason}")]
