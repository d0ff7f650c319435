"""Views of one buffer: which of them stand for memory of their own."""

from __future__ import annotations

import pytest
from tilewright.analysis.access import root_buffer
from tilewright.dialects import loop
from xdsl.dialects.builtin import MemRefType, f32, i8

FLOATS = MemRefType(f32, [8])


@pytest.mark.parametrize(
    ("offsets", "apart"),
    [
        ((0, 32, 64), (True, True, True)),
        ((0, 28, 64), (False, False, True)),
        ((0, 0, 96), (False, False, True)),
        ((16,), (True,)),
    ],
)
def test_a_view_of_bytes_of_its_own_is_a_buffer(offsets: tuple[int, ...], apart: tuple[bool, ...]) -> None:
    arena = loop.AllocOp(MemRefType(i8, [128])).results[0]
    views = [loop.ViewOp(arena, offset, FLOATS) for offset in offsets]
    assert [root_buffer(view.res) is view.res for view in views] == list(apart)
    assert all(root_buffer(view.res) in (view.res, arena) for view in views)


def test_an_access_of_the_whole_buffer_touches_every_view() -> None:
    arena = loop.AllocOp(MemRefType(i8, [64])).results[0]
    view = loop.ViewOp(arena, 32, FLOATS)
    assert root_buffer(view.res) is view.res
    whole = loop.LoadOp(arena, [0])
    assert root_buffer(view.res) is arena
    whole.erase()
