"""make_unsigned and widen: what they refuse, and values of the whole range through buffers of other types."""

from __future__ import annotations

import numpy as np
import pytest
import tilewright
from tilewright import TilewrightError
from tilewright.schedule import Schedule
from xdsl.dialects.builtin import UnitAttr

from .calls import call
from .programs import parse, verify

PROGRAM = """
func.func @k(%A: memref<256xi8>, %C: memref<256xi32> {tw.output}) {
  %B = loop.alloc : memref<256xi8>
  loop.for %i = 0 to 256 {
    loop.block "B" (%vi = spatial(%i) in 256) {
      %a = loop.load %A[%vi] : memref<256xi8>
      loop.store %a, %B[%vi] : memref<256xi8>
    }
  }
  loop.for %x = 0 to 256 {
    loop.block "C" (%vx = spatial(%x) in 256) {
      %b = loop.load %B[%vx] : memref<256xi8>
      %c = arith.extsi %b : i8 to i32
      loop.store %c, %C[%vx] : memref<256xi32>
    }
  }
  func.return
}
"""


READ_AS_IT_IS = PROGRAM.replace(
    "%c = arith.extsi %b : i8 to i32", "%d = arith.addi %b, %b : i8\n      %c = arith.extsi %d : i8 to i32"
)
WITHOUT_SIGN = PROGRAM.replace("extsi", "extui")
FLOATS = PROGRAM.replace("i8", "f16").replace("i32", "f32").replace("extsi", "extf")
GUARDED = PROGRAM.replace(
    "%b = loop.load %B[%vx]",
    "%z = arith.constant 0 : i8\n      %b = loop.load %B[%vx] where (%vx - 1 >= 0) else %z",
)


@pytest.mark.parametrize("transform", ['make_unsigned(B, "B")', 'widen(B, "B", "int16")'])
@pytest.mark.parametrize("target", ["llvm", "interpreter"])
def test_every_value_stays_what_it_was(transform: str, target: str) -> None:
    schedule = Schedule(parse(PROGRAM.replace("@k", "@main")))
    call(schedule, transform)
    module = schedule.func.parent_op()
    verify(module)
    schedule.func.attributes["tw.scheduled"] = UnitAttr()
    values = np.arange(-128, 128, dtype=np.int8)
    np.testing.assert_array_equal(np.asarray(tilewright.compile(module, target)(values)), values.astype(np.int32))


REFUSED = {
    "used as it is": (READ_AS_IT_IS, 'make_unsigned(B, "B")', "TW0747", "whose elements arith.addi uses as they are"),
    "extended without a sign": (WITHOUT_SIGN, 'make_unsigned(B, "B")', "TW0747", "arith.extui uses as they are"),
    "floats": (FLOATS, 'make_unsigned(B, "B")', "TW0747", "whose elements are of type f16"),
    "guarded": (GUARDED, 'make_unsigned(B, "B")', "TW0747", "which loop.load uses"),
    "unsigned already": (PROGRAM, 'make_unsigned(B, "B"); make_unsigned(B, "B")', "TW0747", "are of type ui8"),
    "not widened": (READ_AS_IT_IS, 'widen(B, "B", "int16")', "TW0745", "whose elements arith.addi uses as they are"),
    "not as wide": (PROGRAM, 'widen(B, "B", "int64")', "TW0745", "become i32, with no i64 on the way"),
}


@pytest.mark.parametrize(("program", "calls", "code", "part"), REFUSED.values(), ids=REFUSED)
def test_refused(program: str, calls: str, code: str, part: str) -> None:
    schedule = Schedule(parse(program))
    *before, last = calls.split("; ")
    for text in before:
        call(schedule, text)
    function = str(schedule.func)
    with pytest.raises(TilewrightError, match=code) as caught:
        call(schedule, last)
    assert part in caught.value.message
    assert str(schedule.func) == function
