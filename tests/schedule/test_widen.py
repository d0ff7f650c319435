"""widen: buffers of wider elements keep what their readers see; readers that need the narrow ones are refused."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.dialects import loop
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import ModuleOp

from .programs import parse


def program(narrow: str, result: str, use: str, *, more: str = "", guard: str = "") -> str:
    """Return a program in which B is a copy of A; what is read of it as %b becomes %c in C."""
    return f"""
func.func @k(%A: memref<8x{narrow}>, %C: memref<8x{result}> {{tw.output}}) {{
  %B = loop.alloc : memref<8x{narrow}>
  loop.for %i = 0 to 8 {{
    loop.block "B" (%vi = spatial(%i) in 8) {{
      %a = loop.load %A[%vi] : memref<8x{narrow}>
      loop.store %a, %B[%vi] : memref<8x{narrow}>
    }}
  }}
  loop.for %x = 0 to 8 {{
    loop.block "C" (%vx = spatial(%x) in 8) {{
      {more}
      %b = loop.load %B[%vx]{guard} : memref<8x{narrow}>
      {use}
      loop.store %c, %C[%vx] : memref<8x{result}>
    }}
  }}
  func.return
}}"""


SIGNED = program("i8", "i32", "%c = arith.extsi %b : i8 to i32")
UNSIGNED = program("ui8", "i32", "%u = arith.bitcast %b : ui8 to i8 %c = arith.extui %u : i8 to i32")
FLOATS = program("f16", "f64", "%c = arith.extf %b : f16 to f64")


@pytest.mark.parametrize(
    ("text", "dtype", "wide"),
    [(SIGNED, "int16", "i16"), (SIGNED, "int32", "i32"), (UNSIGNED, "int16", "i16"), (FLOATS, "float32", "f32")],
)
def test_readers_see_the_same_numbers(text: str, dtype: str, wide: str) -> None:
    schedule = Schedule(parse(text))
    schedule.widen(schedule.get_block("B"), "B", dtype)
    (alloc,) = (op for op in schedule.func.walk() if isinstance(op, loop.AllocOp))
    assert str(alloc.res.type) == f"memref<8x{wide}>"
    x = np.array([-128, -127, -1, 0, 1, 2, 126, 127])
    x = x.astype(np.uint8) if text is UNSIGNED else x.astype(np.float16 if text is FLOATS else np.int8)
    got = np.asarray(tilewright.compile(ModuleOp([schedule.func.clone()]))(x))
    np.testing.assert_array_equal(got, x.astype(got.dtype))


REFUSED = {
    "used as they are": (program("i8", "i8", "%c = arith.addi %b, %b : i8"), "int16", "whose elements arith.addi uses"),
    "with and without sign": (
        program("i8", "i32", "%s = arith.extsi %b : i8 to i32 %u = arith.extui %b : i8 to i32 "
                "%c = arith.addi %s, %u : i32"),
        "int16",
        "or converted in different ways",
    ),
    "under a guard": (
        program("i8", "i32", "%c = arith.extsi %b : i8 to i32", more="%z = arith.constant 0 : i8",
                guard=" where (%vx < 4) else %z"),
        "int16",
        "not single loads without a guard",
    ),
    "narrower than asked for": (SIGNED, "int64", "become i32, with no i64 on the way"),
    "no wider": (SIGNED, "int8", "with no i8 on the way"),
    "of another kind": (SIGNED, "float32", "with no f32 on the way"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "dtype", "part"), REFUSED.values(), ids=REFUSED)
def test_refused(text: str, dtype: str, part: str) -> None:
    schedule = Schedule(parse(text))
    before = str(schedule.func)
    with pytest.raises(TilewrightError) as caught:
        schedule.widen(schedule.get_block("B"), "B", dtype)
    assert caught.value.code == "TW0745"
    assert part in caught.value.message
    assert str(schedule.func) == before
