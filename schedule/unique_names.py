"""An index of the labels of blocks and the names of buffers in a function.

A schedule of n stages creates n blocks and buffers with unique names. A search through the function for each name takes
time quadratic in n; an index that is updated with the function takes linear time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import contextmanager
from functools import cached_property
from itertools import chain, count
from weakref import WeakValueDictionary

from xdsl.dialects.builtin import MemRefType, ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from ..dialects import loop
from ..ir import editor as edit
from ..traversal import operations


class NameIndex:
    """An index of one function.

    The index contains every name of the function, and possibly names that were removed: a primitive that creates a name
    enters it, but a primitive that removes a block or a buffer need not update the index. A name that is not in the
    index is free. If the holder of a name is unknown or was removed, the function is searched for the name.
    """

    def __init__(self, function: FuncOp) -> None:
        self.function = function
        self._claimed: set[str] = set()
        """Labels of the index for blocks that are about to be made."""

    @cached_property
    def _blocks(self) -> dict[str, loop.BlockOp | None]:
        """None: several blocks, or one that is not known."""
        return self._look_for_blocks()

    @cached_property
    def _buffers(self) -> dict[str, SSAValue]:
        return self._look_for_buffers()

    def has_label(self, label: str) -> bool:
        """Return whether a block has this label."""
        if label not in self._blocks:
            return False
        holder = self._blocks[label]
        if holder is not None and holder.label == label and self.function.is_ancestor(holder):
            return True
        del self._blocks[label]
        self._claimed.discard(label)
        self._blocks.update(self._look_for_blocks())
        return label in self._blocks

    def claim_label(self, label: str) -> None:
        """Let a block that is about to be made have this label."""
        self._blocks[label] = None
        self._claimed.add(label)

    def enter(self, block: loop.BlockOp) -> None:
        """Enter the block that was made for a claimed label."""
        if block.label in self._claimed:
            self._claimed.remove(block.label)
            self._blocks[block.label] = block

    def rename_block(self, block: loop.BlockOp, label: str) -> None:
        """Let a block of the function have another label, which is free."""
        if self._blocks.get(block.label) is block:
            del self._blocks[block.label]
        edit.change(block).sym = StringAttr(label)
        self._blocks[label] = block

    def buffer(self, name: str) -> SSAValue | None:
        """Return the first buffer of this name."""
        if name not in self._buffers:
            return None
        holder = self._buffers[name]
        if holder.name_hint == name and self.function.is_ancestor(holder.owner):
            return holder
        del self._buffers[name]
        self._buffers.update(self._look_for_buffers())
        return self._buffers.get(name)

    def claim_buffer(self, buffer: SSAValue) -> None:
        """Enter a buffer that is new in the function."""
        if buffer.name_hint is not None:
            self._buffers[buffer.name_hint] = buffer

    def _look_for_blocks(self) -> dict[str, loop.BlockOp | None]:
        found: dict[str, loop.BlockOp | None] = {}
        for op in operations(self.function):
            if isinstance(op, loop.BlockOp):
                found[op.label] = None if op.label in found else op
        return found

    def _look_for_buffers(self) -> dict[str, SSAValue]:
        return {value.name_hint: value for value in reversed(buffers_of(self.function)) if value.name_hint}


_kept: WeakValueDictionary[int, NameIndex] = WeakValueDictionary()
"""By the identity of the function, which the index keeps alive."""


def keep_names(function: FuncOp) -> NameIndex:
    """Return an index that primitives use, and keep in step, for as long as the caller holds it.

    Code that renames or adds blocks or buffers of the function in other ways makes the index untrue.
    """
    _kept[id(function)] = names = NameIndex(function)
    return names


@contextmanager
def names_kept(module: ModuleOp) -> Generator[None, None, None]:
    """Keep indices of all functions of a module for the time of the `with`."""
    kept = [keep_names(op) for op in module.ops if isinstance(op, FuncOp)]
    yield
    del kept


def names_of(function: FuncOp) -> NameIndex:
    """Return the index that is kept of the function; where none is, one that is made for this question."""
    return _kept.get(id(function)) or NameIndex(function)


def numbered(wanted: str) -> Iterable[str]:
    """Return `wanted`, and `wanted` with 2, 3, … behind it."""
    return chain((wanted,), (f"{wanted}{k}" for k in count(2)))


def buffers_of(function: FuncOp) -> list[SSAValue]:
    """Return the arguments and results of operations that are buffers, in the order of the program."""
    found: list[SSAValue] = list(function.body.block.args)
    found += [result for op in operations(function) for result in op.results]
    return [value for value in found if isinstance(value.type, MemRefType)]
