"""Pairs of arguments of a function that may share memory.

Every call is inspected: two operands that are views of one buffer and are not known to be disjoint may share memory in
the callee, if the callee writes to either. Separate allocations and the arguments of an entry function are disjoint:
the runtime checks the latter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, ModuleOp
from xdsl.ir import Operation, SSAValue

from ..dialects.index_expr import Index
from ..dialects.loop import BindOp, CallExternOp, DimOp, StoreOp, ViewOp, buffer_type, byte_size
from ..dialects.loop.storage import slot_of
from ..traversal import operations


@dataclass(frozen=True)
class _Extent:
    """Bytes [start, end) of a root, in numbers and sizes; None where they are not known."""

    root: SSAValue
    start: Index
    end: Index | None
    slot: int | None = None
    """The part of an arena that they lie in, where parts are numbered."""

    def disjoint(self, other: _Extent) -> bool:
        if self.root is not other.root or (self.slot != other.slot and None not in (self.slot, other.slot)):
            return True
        return self._ends_before(other) or other._ends_before(self)

    def _ends_before(self, other: _Extent) -> bool:
        if self.end is None:
            return False
        between = other.start - self.end
        return between.constant >= 0 and all(c >= 0 and _is_size(atom) for atom, c in between.terms)


def _is_size(atom: object) -> bool:
    """Return whether a value is a size of a buffer, which is never negative."""
    return isinstance(atom, SSAValue) and isinstance(atom.owner, DimOp)


def overlapping_arguments(functions: Sequence[func.FuncOp]) -> frozenset[SSAValue]:
    """Return the arguments that may share memory with another one. `functions` has callees before their callers."""
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
            disjoint = first.disjoint(second) and not (first.root in overlapping and second.root in overlapping)
            if not disjoint and (i in written or j in written):
                found |= {callee.body.block.args[i], callee.body.block.args[j]}
    return found


def written_arguments(functions: Sequence[func.FuncOp]) -> dict[str, set[int]]:
    """Return, by the name of a function, the positions of the arguments that it writes, itself or by a call."""
    written: dict[str, set[int]] = {}
    for function in functions:
        written[function.sym_name.data] = _written_arguments(function, written)
    return written


def callees_first(module: ModuleOp) -> list[func.FuncOp]:
    """Return the functions with bodies, each after those that it calls; of functions that call one another in any
    order."""
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
    """Return the positions of the arguments that the function, or one that it calls, stores to."""
    roots = written_roots(function, written)
    return {i for i, argument in enumerate(function.body.block.args) if argument in roots}


def root_of(value: SSAValue) -> SSAValue:
    """Return the buffer that a buffer is, directly or not, a view of."""
    while isinstance(view := value.owner, ViewOp):
        value = view.buffer
    return value


def written_roots(op: Operation, written: Mapping[str, set[int]]) -> set[SSAValue]:
    """Return the buffers that operations inside `op` store to; `written` is the result of `written_arguments`."""
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
    """Return the range of bytes of a buffer in the buffer that it is, directly or indirectly, a view of."""
    start, root, slot = Index.of(0), value, None
    while isinstance(view := root.owner, ViewOp):
        start, root, slot = start + view.byte_offset, view.buffer, slot_of(view)
    size = _bytes(value)
    return _Extent(root, start, None if size is None else start + size, slot)


def _bytes(value: SSAValue) -> Index | None:
    """Return the bytes of a buffer, one size of which may be stated where it is bound; None where they are not
    known."""
    assert isinstance(value.type, MemRefType)
    shape = value.type.get_shape()
    if DYNAMIC_INDEX not in shape:
        size = byte_size(value.type)
        return None if size is None else Index.of(size)
    bound = next((use.operation for use in value.uses if isinstance(use.operation, BindOp)), None)
    piece = byte_size(buffer_type([n for n in shape if n != DYNAMIC_INDEX], value.type.element_type))
    if bound is None or piece is None or shape.count(DYNAMIC_INDEX) > 1:
        return None
    return bound.index_list("shape")[shape.index(DYNAMIC_INDEX)] * piece
