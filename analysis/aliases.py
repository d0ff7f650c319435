"""Which arguments of a function may share memory with another one.

Every call is looked at: two operands that are views of one buffer and are not known to be disjoint may share memory in
the callee, if that writes to either. Buffers that are allocated apart, and the arguments of an entry, are apart: the
runtime sees to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ..dialects.loop import CallExternOp, StoreOp, ViewOp, byte_size
from ..dialects.loop.storage import slot_of
from ..traversal import operations


@dataclass(frozen=True)
class _Extent:
    """Bytes [start, end) of a root; None where they are not known."""

    root: SSAValue
    start: int | None
    end: int | None
    slot: int | None
    """The part of an arena that they lie in."""

    def disjoint(self, other: _Extent) -> bool:
        if self.root is not other.root or (self.slot != other.slot and None not in (self.slot, other.slot)):
            return True
        if None in (self.start, self.end, other.start, other.end):
            return False
        assert self.start is not None and self.end is not None and other.start is not None and other.end is not None
        return self.end <= other.start or other.end <= self.start


def overlapping_arguments(functions: Sequence[func.FuncOp]) -> frozenset[SSAValue]:
    """The arguments that may share memory with another one. `functions` has callees before their callers."""
    by_name = {f.sym_name.data: f for f in functions}
    written = written_arguments(functions)
    overlapping: set[SSAValue] = set()
    for function in reversed(functions):
        for call in operations(function):
            if isinstance(call, func.CallOp) and (callee := call.callee.root_reference.data) in by_name:
                overlapping |= _at_call(call, by_name[callee], written[callee], overlapping)
    return frozenset(overlapping)


def _at_call(call: func.CallOp, callee: func.FuncOp, written: set[int], overlapping: set[SSAValue]) -> set[SSAValue]:
    operands = [(i, _extent(v)) for i, v in enumerate(call.operands) if isinstance(v.type, MemRefType)]
    found: set[SSAValue] = set()
    for position, (i, first) in enumerate(operands):
        for j, second in operands[position + 1 :]:
            apart = first.disjoint(second) and not (first.root in overlapping and second.root in overlapping)
            if not apart and (i in written or j in written):
                found |= {callee.body.block.args[i], callee.body.block.args[j]}
    return found


def written_arguments(functions: Sequence[func.FuncOp]) -> dict[str, set[int]]:
    """By the name of a function, the positions of the arguments that it writes, itself or by a call."""
    written: dict[str, set[int]] = {}
    for function in functions:
        written[function.sym_name.data] = _written_arguments(function, written)
    return written


def callees_first(module: ModuleOp) -> list[func.FuncOp]:
    """The functions with bodies, each after those that it calls; of functions that call one another in any order."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks}
    done: dict[str, func.FuncOp] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        for op in operations(functions[name]):
            callee = op.callee.root_reference.data if isinstance(op, func.CallOp) else None
            if callee in functions and callee not in done and callee not in path:
                visit(callee, (*path, callee))
        done.setdefault(name, functions[name])

    for name in functions:
        if name not in done:
            visit(name, (name,))
    return list(done.values())


def _written_arguments(function: func.FuncOp, written: Mapping[str, set[int]]) -> set[int]:
    """The positions of the arguments that the function, or one that it calls, stores to."""
    roots = written_roots(function, written)
    return {i for i, argument in enumerate(function.body.block.args) if argument in roots}


def root_of(value: SSAValue) -> SSAValue:
    """The buffer that a buffer is, directly or not, a view of."""
    while isinstance(view := value.owner, ViewOp):
        value = view.buffer
    return value


def written_roots(op: Operation, written: Mapping[str, set[int]]) -> set[SSAValue]:
    """The buffers that operations inside `op` store to; `written` is what `written_arguments` gives."""
    roots: set[SSAValue] = set()
    for nested in operations(op):
        if isinstance(nested, StoreOp):
            roots.add(root_of(nested.buffer))
        elif isinstance(nested, CallExternOp):
            roots.update(root_of(access.buffer) for _, access in nested.accesses if access.writes)
        elif isinstance(nested, func.CallOp):
            roots |= {root_of(nested.operands[i]) for i in written.get(nested.callee.root_reference.data, ())}
    return roots


def _extent(value: SSAValue) -> _Extent:
    """What a buffer covers of the buffer that it is, directly or not, a view of."""
    start: int | None = 0
    root, slot = value, None
    while isinstance(view := root.owner, ViewOp):
        slot = slot_of(view)
        offset = view.byte_offset
        start = start + offset.constant if start is not None and offset.is_constant else None
        root = view.buffer
    assert isinstance(value.type, MemRefType)
    size = byte_size(value.type)
    return _Extent(root, start, None if start is None or size is None else start + size, slot)
