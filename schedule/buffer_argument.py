"""Buffers as users name them: by name, as a value, or by position among the buffers that a block reads or writes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from xdsl.ir import SSAValue

from ..analysis.access import accesses_in
from ..diagnostics import fail
from ..diagnostics.locations import name_of
from ..dialects import loop
from .refusal import BAD_ARGUMENT, NOT_FOUND

Side: TypeAlias = Literal["read", "write"]
BufferLike: TypeAlias = "str | SSAValue | int | tuple[str, int] | Sequence[str | int]"
"""A name, a value, `("read", n)` or `("write", n)`, or n alone for the side that the method is about."""


def buffer_at(primitive: str, block: loop.BlockOp, position: int | Sequence[str | int], side: Side) -> SSAValue:
    """Return the buffer at a position among those that `block` reads, or writes, in order of first use.

    A buffer that a reduction updates counts as written only. Raises TilewrightError TW0403 or TW0407.
    """
    if isinstance(position, int):
        position = (side, position)
    match position:
        case ("read" | "write" as which, int(number)):
            pass
        case _:
            fail(
                BAD_ARGUMENT,
                f'{primitive}: expected a buffer of block {block.label!r} by name, as a value, or as ("read", n) or '
                f'("write", n), but got {position!r}',
                op=block,
            )
    found = _reads(block) if which == "read" else _writes(block)
    if not 0 <= number < len(found):
        names = ", ".join(name_of(b) for b in found) or "nothing"
        fail(
            NOT_FOUND,
            f"{primitive}: expected one of the {len(found)} buffers that block {block.label!r} {which}s, but got "
            f"{number}; it {which}s {names}",
            op=block,
        )
    return found[number]


def _writes(block: loop.BlockOp) -> list[SSAValue]:
    return list(dict.fromkeys(a.buffer for a in accesses_in(block) if a.is_write))


def _reads(block: loop.BlockOp) -> list[SSAValue]:
    accesses = accesses_in(block)
    initialised = {a.buffer for a in accesses if a.is_init and a.is_write}
    return list(dict.fromkeys(a.buffer for a in accesses if not a.is_write and a.buffer not in initialised))
