"""Halves that are only copied: they go from memory to memory as they are, and are not widened on their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from ....dialects.loop import LoadOp, StoreOp, is_of_warp
from ...written.text import Expression
from ...written.types import lanes_of
from .types import narrow_name

if TYPE_CHECKING:
    from .function import KernelWriter


def is_copied(op: LoadOp) -> bool:
    """Return whether a loaded value is a narrow float that is only stored again as the same type."""
    users = [use.operation for use in op.res.uses]
    if len(users) != 1 or narrow_name(op.res.type) is None or not isinstance(users[0], StoreOp):
        return False
    source, target = op.buffer.type, users[0].buffer.type
    return source.element_type == target.element_type and not _is_elsewhere(op, users[0])  # pyright: ignore


def _is_elsewhere(load: LoadOp, store: StoreOp) -> bool:
    """Return whether an access is to registers of a warp, whose elements have layouts of their own.

    Where the store's buffer is allocated behind the load, the writer has not seen the buffer yet: its type is asked.
    """
    return is_of_warp(load.buffer.type) or is_of_warp(store.buffer.type)


def copied_lanes(writer: KernelWriter, value: SSAValue) -> list[Expression] | None:
    """The lanes of a value that is only copied, as memory has them; None for others, and where it has a name already.

    More than one are read here, before the first is written.
    """
    if not isinstance(value.owner, LoadOp) or not is_copied(value.owner):
        return None
    pieces = writer.pieces(value)
    if pieces is None:
        return None
    width = (lanes_of(value.type) or 1) // len(pieces)
    if len(pieces) == width == 1:
        return pieces
    names = [writer.assign(piece, value.name_hint) for piece in pieces]
    if width == 1:
        return names
    return [Expression(f"{name}[{lane}]") for name in names for lane in range(width)]
