"""Views of one buffer: which of them stand for memory of their own."""

from __future__ import annotations

import pytest
from tilewright.analysis.access import root_buffer
from tilewright.analysis.dependence import carried
from tilewright.diagnostics.parsing import parse
from tilewright.dialects import context, loop
from xdsl.dialects.builtin import MemRefType, f32, i8

FLOATS = MemRefType(f32, [8])


@pytest.mark.parametrize(
    ("offsets", "disjoint"),
    [
        ((0, 32, 64), (True, True, True)),
        ((0, 28, 64), (False, False, True)),
        ((0, 0, 96), (False, False, True)),
        ((16,), (True,)),
    ],
)
def test_a_view_of_fresh_bytes_is_a_buffer(offsets: tuple[int, ...], disjoint: tuple[bool, ...]) -> None:
    arena = loop.AllocOp(MemRefType(i8, [128])).results[0]
    views = [loop.ViewOp(arena, offset, FLOATS) for offset in offsets]
    assert [root_buffer(view.res) is view.res for view in views] == list(disjoint)
    assert all(root_buffer(view.res) in (view.res, arena) for view in views)


def test_an_access_of_the_whole_buffer_touches_every_view() -> None:
    arena = loop.AllocOp(MemRefType(i8, [64])).results[0]
    view = loop.ViewOp(arena, 32, FLOATS)
    assert root_buffer(view.res) is view.res
    whole = loop.LoadOp(arena, [0])
    assert root_buffer(view.res) is arena
    whole.erase()


def carries(read: str, written: str, *, moved: int = 0) -> bool:
    """Return whether a loop that accesses these views carries a dependence; `other` overlaps all of them."""
    text = f"""
func.func @main(%arena: memref<128xi8>) {{
  %low = loop.view %arena[0] : memref<128xi8> to memref<8xf32>
  %high = loop.view %arena[64] : memref<128xi8> to memref<8xf32>
  %between = loop.view %arena[32] : memref<128xi8> to memref<16xf32>
  %other = loop.view %arena[0] : memref<128xi8> to memref<32xf32>
  loop.for %i = 0 to 4 {{
    %x = loop.load %{read}[%i + {moved}] : memref<{16 if read == "between" else 8}xf32>
    loop.store %x, %{written}[%i] : memref<8xf32>
  }}
  %y = loop.load %other[0] : memref<32xf32>
  loop.store %y, %other[1] : memref<32xf32>
  func.return
}}
"""
    (op,) = [op for op in parse(context(), text, "views.mlir").walk() if isinstance(op, loop.ForOp)]
    return carried(op) is not None


def test_accesses_through_one_view_are_compared_by_its_elements() -> None:
    assert not carries("low", "low")
    assert carries("low", "low", moved=1)


def test_accesses_through_views_without_a_byte_in_common_never_meet() -> None:
    assert not carries("low", "high", moved=1)


def test_accesses_through_views_that_overlap_may_meet() -> None:
    assert carries("between", "high")
