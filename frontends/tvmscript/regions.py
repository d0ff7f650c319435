"""Checks of the declared regions of blocks (`T.reads`, `T.writes`) against the accesses of the blocks.

The regions of a block follow from its accesses, so the declarations add nothing to a program. They are checked: an
access of an undeclared buffer, or of an element that is proved to be outside the declared region of its buffer, is an
error (TW0315). Reads of buffers that the block writes, as in reductions, need no declaration, nor do buffers that the
block allocates. An access that is not proved to be outside is accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from typing import Any

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, StringAttr
from xdsl.ir import Operation, SSAValue

from ...diagnostics import fail
from ...dialects import loop
from ...dialects.index_expr import Index, Range
from .script_values import Region
from .state import UNDECLARED

READS, WRITES = "reads", "writes"


def check(block: loop.BlockOp, declared: Mapping[str, Sequence[Region]]) -> None:
    """Raise TW0315 for an access that T.reads or T.writes of the block leaves out."""
    if not declared:
        return
    written = {b for _, b, _, is_write in _accesses(block) if is_write}
    for op, buffer, index, is_write in _accesses(block):
        regions = declared.get(WRITES if is_write else READS)
        if regions is None or (not is_write and buffer in written):
            continue
        known = [r for r in regions if _same(r, buffer)]
        if not known:
            _fail(op, buffer, is_write, "names other buffers only")
        if index is not None and len(known) == 1 and _is_outside(block, op, known[0], index):
            _fail(op, buffer, is_write, "covers other elements only")


def narrow(
    block: loop.BlockOp, declared: Mapping[str, Sequence[Region]], calls: MutableMapping[loop.CallExternOp, list[int]]
) -> None:
    """Let calls that say of a buffer no more than its name read it alone, where the block declares no write of it."""
    if WRITES not in declared:
        return
    for call in [call for call in calls if block.is_ancestor(call)]:
        entries = list(call.passed)
        for position in calls.pop(call):
            buffer = dict(call.accesses)[position].buffer
            if not any(_same(region, buffer) for region in declared[WRITES]):
                entries[position] = DictionaryAttr({**entries[position].data, "kind": StringAttr("read")})
        call.passed = ArrayAttr(entries)


def _fail(op: Operation, buffer: SSAValue, is_write: bool, what: str) -> None:
    verb, name = ("writes", "T.writes") if is_write else ("reads", "T.reads")
    fail(
        UNDECLARED,
        f"the block {verb} '{buffer.name_hint or 'a buffer'}' here, but its {name} {what}",
        op=op,
        help=f"add the region to {name}, or leave {name} out: regions are found from the accesses",
    )


def _same(region: Region, buffer: SSAValue) -> bool:
    return _root(region.buffer.value) is _root(buffer)


def _root(buffer: SSAValue) -> SSAValue:
    while isinstance(view := buffer.owner, loop.ViewOp):
        buffer = view.buffer
    return buffer


def _accesses(block: loop.BlockOp) -> Iterator[tuple[Operation, SSAValue, tuple[Index, ...] | None, bool]]:
    """Yield each access: operation, buffer, element where it is known exactly, and whether it is written."""
    for op in block.walk():
        match op:
            case loop.LoadOp() | loop.StoreOp():
                is_exact = op.lanes is None and not op.conditions and not _is_guarded(op, block)
                accesses: list[Any] = [(op.buffer, op.index if is_exact else None, isinstance(op, loop.StoreOp))]
            case loop.CallExternOp():
                accesses = [(a.buffer, None, is_write) for _, a in op.accesses for is_write in (False, True)
                            if (a.writes if is_write else a.reads)]  # fmt: skip
            case _:
                continue
        for buffer, index, is_write in accesses:
            owner = buffer.owner
            if not (isinstance(owner, Operation) and block.is_ancestor(owner)):
                yield op, buffer, index, is_write


def _is_guarded(op: Operation, block: loop.BlockOp) -> bool:
    """Return whether a condition between the block and the operation decides whether the operation runs."""
    around = op.parent_op()
    while around is not None and around is not block:
        if isinstance(around, (loop.IfOp, loop.InitOp)) or (isinstance(around, loop.BlockOp) and around.conditions):
            return True
        around = around.parent_op()
    return bool(block.conditions)


def _is_outside(block: loop.BlockOp, op: Operation, region: Region, index: tuple[Index, ...]) -> bool:
    """Return whether some instance accesses an element outside of the region."""
    if region.buffer.extra or len(region.box) != len(index) or _root(region.buffer.value) is not region.buffer.value:
        return False
    ranges = _ranges(block, op)
    index = tuple(_bound(block, op, e) for e in index)
    base = region.buffer.at([low for low, _ in region.box])
    for e, low, (_, extent) in zip(index, base, region.box, strict=True):
        below, above = e - low, e - low - extent
        for difference, is_bad in ((below, lambda lo, hi: lo < 0), (above, lambda lo, hi: hi >= 0)):
            lo, hi = difference.bounds(ranges)
            exact = difference.is_linear and lo is not None and hi is not None
            if exact and is_bad(lo, hi):
                return True
    return False


def _bound(block: loop.BlockOp, op: Operation, index: Index) -> Index:
    """Return an index with the variables of the blocks between replaced by their bindings."""
    around = op.parent_op()
    while around is not None and around is not block:
        if isinstance(around, loop.BlockOp):
            index = index.substitute({variable: binding for variable, _, binding, _ in around.iteration()})
        around = around.parent_op()
    return index


def _ranges(block: loop.BlockOp, op: Operation) -> dict[SSAValue, Range]:
    """Return the ranges of variables between the block and an operation, where they are constant."""
    ranges: dict[SSAValue, Range] = {}
    around: Operation | None = op
    while around is not None:
        if isinstance(around, loop.ForOp) and (bounds := around.constant_bounds) and bounds[0] < bounds[1]:
            ranges[around.induction_variable] = (bounds[0], bounds[1] - 1)
        if isinstance(around, loop.BlockOp):
            for variable, _, _, extent in around.iteration():
                if extent.is_constant and extent.constant > 0:
                    ranges[variable] = (0, extent.constant - 1)
        around = None if around is block else around.parent_op()
    return ranges
