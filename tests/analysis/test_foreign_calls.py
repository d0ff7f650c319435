"""Boxes of foreign calls as accesses: dependences compared with enumeration, allocation, and layouts."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st
from tilewright.analysis.access import accesses_in, accesses_of, reads, writes
from tilewright.analysis.dependence import carried
from tilewright.dialects import context, loop
from tilewright.passes.framework.manager import PassManager
from tilewright.passes.framework.registry import parse_pipeline
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser


def parse(text: str) -> ModuleOp:
    module = Parser(context(), text).parse_module()
    module.verify()
    return module


def loops_in(module: ModuleOp) -> list[loop.ForOp]:
    return [op for op in module.walk() if isinstance(op, loop.ForOp)]


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, tuple[int, int, int, int], tuple[int, int, int, int]]:
    """Return the (stride, step, offset, extent) of what a call writes and of what it reads, in a nest of two loops."""

    def box() -> tuple[int, int, int, int]:
        i, j = draw(st.integers(0, 4)), draw(st.integers(0, 4))
        return i, j, draw(st.integers(0, 5)), draw(st.integers(1, 5))

    written, read = box(), box()
    (a, b, c, n), (d, e, f, m) = written, read
    text = f"""
    func.func @main(%x: memref<64xf32>) {{
      loop.for %i = 0 to 4 {{ loop.for %j = 0 to 3 {{
        loop.call_extern "f"(write %x[%i * {a} + %j * {b} + {c}] box [{n}] : memref<64xf32>,
                             read %x[%i * {d} + %j * {e} + {f}] box [{m}] : memref<64xf32>)
      }} }}
      func.return
    }}
    """
    return text, written, read


def _touched(box: tuple[int, int, int, int], i: int, j: int) -> set[int]:
    stride, step, offset, extent = box
    return set(range(i * stride + j * step + offset, i * stride + j * step + offset + extent))


@settings(max_examples=40, deadline=None)
@given(calls())
def test_carried_dependences_are_exact(drawn: tuple[str, tuple[int, int, int, int], tuple[int, int, int, int]]) -> None:
    text, written, read = drawn
    outer, inner = loops_in(parse(text))
    across = [
        (i, j, k, h)
        for i, j, k, h in product(range(4), range(3), range(4), range(3))
        if _touched(written, i, j) & (_touched(read, k, h) | _touched(written, k, h))
    ]
    for op, expected in (
        (outer, any(i != k for i, _, k, _ in across)),
        (inner, any(i == k and j != h for i, j, k, h in across)),
    ):
        conflict = carried(op)
        assert (conflict is not None) == expected
        if conflict is not None:
            assert conflict.unknown is None
            (element,) = conflict.element() or ()
            assert 0 <= element < 64


def test_modes_and_repeated_buffers() -> None:
    module = parse("""
    func.func @main(%a: memref<8x8xf32>, %b: memref<8xf32>) {
      loop.call_extern "f"(update %a[0, 0] box [2, 8] : memref<8x8xf32>, read %a[2, 0] box [2, 8] : memref<8x8xf32>,
          write %b[0] box [8] : memref<8xf32>, stride %a 0 of memref<8x8xf32> : i64)
      func.return
    }
    """)
    (function,) = module.ops
    a, b = function.body.block.args
    assert reads(function) == (a,)
    assert writes(function) == (a, b)
    found = [(access.argument, access.is_write) for access in accesses_of(a)]
    assert found == [(0, False), (0, True), (1, False)]
    assert all(access.index is not None for access in accesses_in(function))


def lowered(text: str, passes: str) -> ModuleOp:
    module = parse(text)
    PassManager(parse_pipeline(passes)).run(context(), module)
    return module


TILES = """
func.func @main(%x: memref<64x32xf32>, %y: memref<64x32xf32> {tw.output}) {
  %t = loop.alloc : memref<64x32xf32>
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 4 {
      loop.call_extern "f"(read %x[%i * 8, %j * 8] box [8, 8] : memref<64x32xf32>,
          write %t[%i * 8, %j * 8] box [8, 8] : memref<64x32xf32>, stride %t 0 of memref<64x32xf32> : i64)
      loop.for %r = 0 to 8 { loop.for %c = 0 to 8 {
        %v = loop.load %t[%i * 8 + %r, %j * 8 + %c] : memref<64x32xf32>
        loop.store %v, %y[%i * 8 + %r, %j * 8 + %c] : memref<64x32xf32>
      } }
    }
  }
  func.return
}
"""


def test_a_buffer_that_a_call_fills_is_as_large_as_its_box() -> None:
    module = lowered(TILES, "sink-allocations")
    (alloc,) = [op for op in module.walk() if isinstance(op, loop.AllocOp)]
    assert str(alloc.res.type) == "memref<8x8xf32>"
    assert alloc.parent is loops_in(module)[1].body.block
    (call,) = [op for op in module.walk() if isinstance(op, loop.CallExternOp)]
    assert "write %t[0, 0] box [8, 8] : memref<8x8xf32>" in str(call)


def test_a_box_that_an_earlier_iteration_wrote_keeps_the_buffer_outside() -> None:
    later = TILES.replace("64x32xf32>,\n          write %t[%i * 8, %j * 8]", "64x32xf32>, write %t[%i * 8, %j * 8 + 8]")
    later = later.replace("%t = loop.alloc : memref<64x32xf32>", "%t = loop.alloc : memref<64x40xf32>")
    for use in ("write %t[%i * 8, %j * 8 + 8] box [8, 8]", "stride %t 0 of", "load %t[%i * 8 + %r, %j * 8 + %c]"):
        position = later.index(use)
        later = later[:position] + later[position:].replace("memref<64x32xf32>", "memref<64x40xf32>", 1)
    module = lowered(later, "sink-allocations")
    (alloc,) = [op for op in module.walk() if isinstance(op, loop.AllocOp)]
    assert alloc.parent is loops_in(module)[0].body.block


def test_flat_buffers_keep_boxes_and_strides() -> None:
    module = lowered(TILES, "sink-allocations,fix-layouts,flatten-buffers")
    (call,) = [op for op in module.walk() if isinstance(op, loop.CallExternOp)]
    text = str(call)
    assert "[%i * 256 + %j * 8] box [8 by 32 + 8 by 1] : memref<2048xf32>" in text
    assert "write %t[0] box [8 by 8 + 8 by 1] : memref<64xf32>" in text
    assert text.endswith("index 8 : i64)")
