"""set_axis_separator: the number of dimensions of memory to which a buffer is flattened."""

from __future__ import annotations

from collections.abc import Sequence

from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import BUFFERS, register_primitive
from ..refusal import UNSUITABLE

_NAME = "set_axis_separator"


@register_primitive(BUFFERS, is_query=True)
def set_axis_separator(
    sch: Engine, block: BlockRV, buffer: BufferLike, axis_separators: Sequence[int] | None = None
) -> None:
    """State that a buffer becomes flat in one dimension of memory, as every buffer does.

    Without separators nothing changes. TW0406 refuses separators: no target here addresses memory in several
    dimensions.
    """
    op = sch.block(block)
    found = sch.buffer_of(_NAME, op, buffer, "write")
    if axis_separators:
        fail(
            UNSUITABLE,
            f"{_NAME}: expected no separators for {name_of(found)} of block {op.label!r}, because no target addresses "
            f"memory in several dimensions, but got {list(axis_separators)!r}",
            op=op,
            help="leave the call out; transform_layout joins and splits dimensions",
        )
