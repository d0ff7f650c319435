"""Attributes of a buffer's storage.

Schedules state these on `loop.alloc`, and passes of phase 1 implement them:

- `tw.storage_align = [array<i64: axis, factor, offset>, …]`: the stride of the axis, in elements, is `offset` modulo
  `factor` (`align-storage`);
- `tw.double_buffer`: two copies of the buffer take turns: one is filled for the next iteration of the loop around it
  while the other is read (`double-buffer`).

Schedules state this attribute for backends, which may ignore it, because it changes only the positions of elements:

- `tw.storage_swizzle`: in each line of 128 bytes the pieces of 16 bytes are permuted, `piece xor line mod 8`, so that a
  column of pieces is in different banks of a GPU's shared memory. `swizzle-addresses` does this for CUDA, see
  `swizzles.py`.

Passes state these for backends:

- `tw.words_at_once = n`: the buffer is to become registers, and a thread has n words of 4 bytes of such buffers at a
  time (`privatize-shared-memory`);
- `tw.owner = "thread"` or `"block"`: one thread or block of a launch accesses each element, and writes it before
  it reads it (`privatize-global-memory`). The view of an arena that such a buffer becomes has the attribute too;
- `tw.slot = n`: the view of an arena is the n-th of its parts, which are consecutive (`plan-arena`).
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, StringAttr, i64
from xdsl.ir import Attribute, Operation

from .buffers import AllocOp

ALIGNMENT = "tw.storage_align"
DOUBLE_BUFFER = "tw.double_buffer"
SWIZZLE = "tw.storage_swizzle"
WORDS_AT_ONCE = "tw.words_at_once"
OWNER = "tw.owner"
SLOT = "tw.slot"
THREAD_OWNER, BLOCK_OWNER = "thread", "block"


DIM_ALIGN = "buffer_dim_align"
"""The annotation of a block that asks for alignments in scripts; readers make alignments of allocations of it."""


class Alignment(NamedTuple):
    """The stride of `axis` is `offset` modulo `factor`."""

    axis: int
    factor: int
    offset: int

    @classmethod
    def modulo(cls, axis: int, factor: int, offset: int) -> Alignment:
        """Return the alignment with an offset below its factor, for any offset: `39, 40` asks for the
        strides of `39, 1`."""
        return cls(axis, factor, offset % factor)


def alignments_of(alloc: AllocOp) -> tuple[Alignment, ...]:
    """Return the alignments that an allocation is annotated with, at most one an axis."""
    attribute = alloc.attributes.get(ALIGNMENT)
    if not isinstance(attribute, ArrayAttr):
        return ()
    rows = [entry.get_values() for entry in attribute if isinstance(entry, DenseArrayBase)]
    return tuple(Alignment(*map(int, row)) for row in rows if len(row) == 3)


def set_alignments(alloc: AllocOp, alignments: tuple[Alignment, ...]) -> None:
    rows: list[Attribute] = [DenseArrayBase.from_list(i64, list(row)) for row in alignments]
    alloc.attributes[ALIGNMENT] = ArrayAttr(rows)


def is_swizzled(alloc: AllocOp) -> bool:
    """Return whether an allocation asks for permuted pieces."""
    return SWIZZLE in alloc.attributes


def words_at_once(alloc: AllocOp) -> int:
    """Return the number of words that a thread has at a time in buffers to become registers; 0 for another buffer."""
    attribute = alloc.attributes.get(WORDS_AT_ONCE)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else 0


def set_words_at_once(alloc: AllocOp, words: int) -> None:
    alloc.attributes[WORDS_AT_ONCE] = IntegerAttr(words, i64)


def owner_of(op: Operation) -> str:
    """Return the owner of each element of the buffer that an allocation or a view makes: "thread", "block", or "" for
    all."""
    attribute = op.attributes.get(OWNER)
    return attribute.data if isinstance(attribute, StringAttr) else ""


def set_owner(op: Operation, owner: str) -> None:
    op.attributes[OWNER] = StringAttr(owner)


def slot_of(op: Operation) -> int | None:
    """Return the number of the part of an arena that a view is; None where that is not stated."""
    attribute = op.attributes.get(SLOT)
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def set_slot(op: Operation, slot: int) -> None:
    op.attributes[SLOT] = IntegerAttr(slot, i64)
