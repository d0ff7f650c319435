"""No rule keeps an element in registers whose position is known only when the program runs; values agree with numpy."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError, te, tir
from tilewright.backends.cpu.module import llvm_text
from tilewright.diagnostics.remarks import collect_remarks
from tilewright.dialects import loop
from tilewright.dialects.target import CpuTargetAttr
from tilewright.driver import lower_module
from tilewright.schedule import Schedule, rules
from tilewright.schedule.rules.register_positions import check_registers
from tilewright.schedule.rules.transpose import plan_transposition

from .programs import parse

TARGET = CpuTargetAttr.get(["avx2", "fma"], 256, (32 << 10, 512 << 10, 8 << 20), 1)
N = 40

Read = Callable[..., te.Expr]

READS: dict[str, tuple[Callable[[te.Tensor], Read], Callable[[np.ndarray], np.ndarray], bool]] = {
    "an element": (lambda a: lambda i, j: a[j, i], lambda a: a[:N, :N].T, True),
    "neighbours": (lambda a: lambda i, j: a[j, i] + a[j + 1, i], lambda a: a[:N, :N].T + a[1 : N + 1, :N].T, True),
    "both ways": (lambda a: lambda i, j: a[j, i] + a[i, j], lambda a: a[:N, :N].T + a[:N, :N], False),
    "rows far apart": (lambda a: lambda i, j: a[j, i] + a[j + N, i], lambda a: a[:N, :N].T + a[N:, :N].T, False),
    "every other row": (lambda a: lambda i, j: a[j, i] + a[j * 2, i], lambda a: a[:N, :N].T + a[::2, :N].T, False),
    "rows from the end": (
        lambda a: lambda i, j: a[j, i] + a[N - 1 - j, i],
        lambda a: a[:N, :N].T + a[N - 1 :: -1, :N].T,
        False,
    ),
}
"""Reads of a result, numpy's equivalents, and True for those that are transposed in registers."""


@pytest.mark.parametrize("case", READS)
def test_other_reads_of_a_turned_operand(case: str) -> None:
    read, expected, _ = READS[case]
    a = te.placeholder((2 * N, N), name="A")
    c = te.compute((N, N), read(a), name="C")
    x = np.random.default_rng(0).standard_normal((2 * N, N)).astype(np.float32)
    np.testing.assert_allclose(tilewright.build([a, c], [a, c], threads=1)(x), expected(x), rtol=1e-6)


@pytest.mark.parametrize("case", READS)
def test_an_operand_is_turned_where_all_its_reads_are_near(case: str) -> None:
    read, _, turned = READS[case]
    a = te.placeholder((2 * N, N), name="A")
    function = te.create_prim_func([a, te.compute((N, N), read(a), name="C")])
    sch = tir.Schedule(tilewright.IRModule({"main": function}))
    assert (plan_transposition(sch.block(sch.get_block("C")), TARGET) is not None) == turned


COPIED = """
func.func @main(%X: memref<64xf32>, %I: memref<64xindex>, %C: memref<64xf32> {{tw.output}}) {{
  %r = loop.alloc : memref<64xf32, "register">
  loop.for %o = 0 to 16 {{
    loop.for %i = 0 to 4 kind {first} {{
      loop.block "B" (%vo = spatial(%o) in 16, %vi = spatial(%i) in 4) {{
        %x = loop.load %X[%vo * 4 + %vi] : memref<64xf32>
        loop.store %x, %r[{written}] : memref<64xf32, "register">
      }}
    }}
    loop.for %j = 0 to 4 kind {second} {{
      loop.block "C" (%wo = spatial(%o) in 16, %wi = spatial(%j) in 4) {{
        %p = loop.load %I[%wo] : memref<64xindex>
        %y = loop.load %r[{read}] : memref<64xf32, "register">
        loop.store %y, %C[%wo * 4 + %wi] : memref<64xf32>
      }}
    }}
  }}
  func.return
}}"""
POSITIONS = {
    "of the loop outside and written out": ("%vo * 4 + %vi", "%wo * 4 + %wi", "unrolled", "vectorized", True),
    "of a quotient of the loop outside": ("%vo floordiv 2 + %vi", "%wo floordiv 2 + %wi", "unrolled", "unrolled", True),
    "of a quotient of what is written out": ("%vi floordiv 2", "%wi floordiv 2", "unrolled", "unrolled", True),
    "written in a loop": ("%vo * 4 + %vi", "%wo * 4 + %wi", "serial", "unrolled", False),
    "read in a loop": ("%vo * 4 + %vi", "%wo * 4 + %wi", "unrolled", "serial", False),
    "loaded": ("%vo * 4 + %vi", "%p", "unrolled", "unrolled", False),
    "of two corners": ("%vo * 4 + %vi", "%wo + %wi", "unrolled", "unrolled", False),
    "of a quotient of both": ("(%vo + %vi) floordiv 2", "(%wo + %wi) floordiv 2", "unrolled", "unrolled", False),
}
"""The element written, the one read, the kinds of their loops, and whether code can name both."""


@pytest.mark.parametrize("case", POSITIONS)
def test_positions_are_known_exactly_where_code_can_be_written(case: str) -> None:
    written, read, first, second, known = POSITIONS[case]
    text = COPIED.format(written=written, read=read, first=first, second=second)
    module = parse(text)
    blocks = [op for op in module.walk() if isinstance(op, loop.BlockOp)]
    if known:
        check_registers(blocks)
        assert "define" in llvm_text(lower_module(module))
        return
    with pytest.raises(TilewrightError, match="^.*r lives in registers, but loop") as caught:
        check_registers(blocks)
    assert caught.value.code == "TW0406" and "unroll" in str(caught.value.help)


def test_a_rule_gives_way_that_keeps_a_gathered_operand_in_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    def into_registers(sch: Schedule, op: loop.BlockOp, target: CpuTargetAttr) -> Collection[loop.BlockOp]:
        handle = sch.get_block(op.label)
        copy = sch.cache_read(handle, 1, "register")
        sch.compute_at(copy, sch.get_loops(handle)[0])
        return {op, sch.block(copy)}

    monkeypatch.setattr(rules, "RULES", (into_registers, *rules.RULES))
    x, i = te.placeholder((N, 7), name="X"), te.placeholder((N,), "int64", name="I")
    y = te.compute((N, 7), lambda r, c: x[i[r], c], name="Y")
    values = np.random.default_rng(1).standard_normal((N, 7)).astype(np.float32)
    indices = np.random.default_rng(2).integers(0, N, N)
    with collect_remarks() as found:
        program = tilewright.build([x, i, y], [x, i, y], threads=1)
    np.testing.assert_array_equal(program(values, indices), values[indices])
    (message,) = [r.message for r in found if r.code == "TW0409"]
    assert "rule into_registers for block 'Y'" in message and "lives in registers" in message
