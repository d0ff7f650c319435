"""Producers whose only use is a concatenation write directly into their slices of the concatenated buffer.

A call that joins buffers (`joins`) is removed if its operands can be slices of its result from the start. The
allocation of each operand becomes a view of the result, which then lives from the first write to any of them. No other
operation may write the result, and none may write an operand after the join: from then on the operand and its slice
hold the same elements, so that both can be one buffer. For readers of an operand only the address changes.

A result may lie in a larger one in turn, so that a chain of joins ends in one buffer. Buffers that cannot lie in the
result are copied there one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue, Use
from xdsl.rewriter import InsertPoint

from ....diagnostics.remarks import remark
from ....dialects.loop import (
    GLOBAL,
    AllocOp,
    BindOp,
    CallExternOp,
    ConstantOp,
    DimOp,
    LoadOp,
    PrefetchOp,
    ViewOp,
    byte_size,
    scope_of,
)
from ....ir import editor as edit
from ....ir.rewrites import may_rewrite
from ....traversal import operations
from ...framework.instruments import statistic
from ...shared.arena_offsets import ALIGNMENT
from .buffer_copies import Copies
from .joins import Join, Part, join_of

Position = tuple[SSAValue, int]
"""A buffer that is no view, and a byte in it."""


def write_parts_in_place(ctx: Context, module: ModuleOp, before: str) -> None:
    """Let producers write the parts of joined buffers in place. `before` is the pass that calls this function."""
    functions = {op.sym_name.data: op for op in module.ops if isinstance(op, func.FuncOp) and op.body.blocks}
    joins: dict[str, Join | str | None] = {}
    copies = Copies(ctx, module, before)
    effects = _Effects(functions)
    for function in functions.values():
        calls = [op for op in function.body.block.ops if isinstance(op, func.CallOp)]
        placing: _Placing | None = None
        for call in calls:
            callee = call.callee.root_reference.data
            if callee not in functions:
                continue
            if callee not in joins:
                joins[callee] = join_of(functions[callee])
            join = joins[callee]
            if isinstance(join, str):
                remark("TW0771", f"the parts that @{callee} joins are copied: {join}", op=call)
            elif join is not None:
                placing = placing or _Placing(function, effects, copies)
                placing.write_in_place(call, join)
    _erase_unused(module, {name for name, join in joins.items() if isinstance(join, Join)})


def _erase_unused(module: ModuleOp, names: set[str]) -> None:
    """Erase those of the named private functions that nothing calls any more."""
    called = {op.callee.root_reference.data for op in operations(module) if isinstance(op, func.CallOp)}
    for op in list(module.ops):
        if isinstance(op, func.FuncOp) and op.sym_name.data in names - called and _is_private(op):
            edit.erase(op)


def _is_private(function: func.FuncOp) -> bool:
    return function.sym_visibility is not None and function.sym_visibility.data == "private"


class _Effects:
    """The uses of buffers that may write them."""

    def __init__(self, functions: dict[str, func.FuncOp]) -> None:
        self._functions = functions
        self._written: dict[str, set[int]] = {}

    def uses(self, buffer: SSAValue) -> Iterator[Use]:
        """Yield the uses of a buffer and of its views, other than to take views."""
        for use in buffer.uses:
            if isinstance(use.operation, ViewOp):
                yield from self.uses(use.operation.res)
            else:
                yield use

    def may_write(self, use: Use) -> bool:
        match op := use.operation:
            case LoadOp() | DimOp() | BindOp() | PrefetchOp():
                return False
            case CallExternOp():
                return any(access.writes for _, access in op.accesses if access.buffer is op.operands[use.index])
            case func.CallOp():
                written = self._arguments_written(op.callee.root_reference.data)
                return written is None or use.index in written
            case _:
                return True

    def _arguments_written(self, name: str) -> set[int] | None:
        """Return the arguments that a function may write; None where its body is not known."""
        if name not in self._functions:
            return None
        if name not in self._written:
            arguments = self._functions[name].body.block.args
            self._written[name] = set(range(len(arguments)))  # for calls of itself
            self._written[name] = {i for i, a in enumerate(arguments) if any(map(self.may_write, self.uses(a)))}
        return self._written[name]


@dataclass(frozen=True)
class _Piece:
    """A part of a join at one call."""

    part: Part
    source: Position | None
    """The buffer and offset of the operand; None where they are not known."""
    shift: int
    """The distance in bytes from there to the part's offset in the result."""

    @property
    def key(self) -> Position | None:
        """The buffer of the part, and the distance by which that buffer has to be moved."""
        return None if self.source is None else (self.source[0], self.shift)

    @property
    def bytes(self) -> tuple[int, int]:
        """The bytes of its buffer that the part is."""
        assert self.source is not None
        return self.source[1], self.source[1] + self.part.size


@dataclass
class _Placing:
    """The joins of one function, handled in order."""

    function: func.FuncOp
    effects: _Effects
    copies: Copies
    steps: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """The step at which each operation of the function's block runs. A copy has the step of the call that it
    replaces."""

    def __post_init__(self) -> None:
        self.steps = {op: i for i, op in enumerate(self.function.body.block.ops)}

    def write_in_place(self, call: func.CallOp, join: Join) -> None:
        """Let as many parts of one joining call as possible be written in place."""
        target = self._target(call, join)
        if isinstance(target, str):
            remark("TW0771", f"the parts that @{call.callee.string_value()} joins are copied: {target}", op=call)
            return
        pieces = [self._piece(call, part, target) for part in join.parts]
        moved: dict[Position, None] = {}
        reasons: dict[Position | None, str] = {}
        for piece in pieces:
            if piece.key not in moved and piece.key not in reasons:
                reason = self._obstacle(piece, pieces, call, {root for root, _ in moved})
                if reason is not None:
                    reasons[piece.key] = reason
                elif piece.key is not None:
                    moved[piece.key] = None
        if moved and not may_rewrite("write parts in place", call):
            return
        _remark_parts(call, pieces, reasons)
        if moved:
            for root, shift in moved:
                self._put(root, target[0], shift)
            for piece in pieces:
                if piece.key in reasons:
                    self._copy(call, piece.part, target)
            edit.erase(call)

    def _target(self, call: func.CallOp, join: Join) -> Position | str:
        """Return the buffer and offset of the result, if it can be written before the call; else the reason why not."""
        position = _position_of(call.operands[join.output])
        if position is None:
            return "it is not known where the result lies"
        root, _ = position
        if isinstance(root, BlockArgument):
            if not self._is_output(root) or any(isinstance(use.operation, BindOp) for use in self.effects.uses(root)):
                return "the result is an argument that others may see"
            if any(self._step(use.operation) < self.steps[call] for use in self.effects.uses(root)):
                return "the result is an argument that is read before"
        elif not self._is_allocated_here(root):
            return "the result is not allocated beside the call"
        if any(use.operation is not call and self.effects.may_write(use) for use in self.effects.uses(root)):
            return "the result is written elsewhere too"
        if any(source is not None and source[0] is root for source in self._sources(call, join)):
            return "a part lies in the result already"
        return position

    def _is_allocated_here(self, root: SSAValue) -> bool:
        """Return whether a buffer of fixed size is allocated in the block of the function's body."""
        op = root.owner
        is_here = isinstance(op, AllocOp) and op.parent is self.function.body.block
        return is_here and scope_of(root.type) == GLOBAL and byte_size(root.type) is not None

    def _is_output(self, argument: BlockArgument) -> bool:
        """Return whether an argument is an output of an entry, which the caller passes as no other argument."""
        attributes = self.function.arg_attrs.data if self.function.arg_attrs is not None else ()
        is_output = bool(attributes) and "tw.output" in attributes[argument.index].data
        is_dense = isinstance(argument.type, MemRefType) and byte_size(argument.type) is not None
        return is_output and is_dense and argument.owner is self.function.body.block and not _is_private(self.function)

    def _sources(self, call: func.CallOp, join: Join) -> list[Position | None]:
        return [_position_of(call.operands[part.argument]) for part in join.parts]

    def _piece(self, call: func.CallOp, part: Part, target: Position) -> _Piece:
        source = _position_of(call.operands[part.argument])
        shift = 0 if source is None else target[1] + part.offset - source[1]
        return _Piece(part, source, shift)

    def _obstacle(
        self, piece: _Piece, pieces: Sequence[_Piece], call: func.CallOp, moved: Collection[SSAValue]
    ) -> str | None:
        """Return the reason why the buffer of a part cannot become a view of the target; None where it can."""
        if piece.source is None:
            return "it is not known where it lies"
        root, _ = piece.source
        if root in moved:
            return "the result has it twice"
        size = byte_size(root.type)
        same = (p.bytes for p in pieces if p.key == piece.key)
        if size is not None and not _covers(same, size):
            return "it lies in a buffer that holds more"
        if isinstance(root, BlockArgument):
            return f"it is an argument of @{self.function.sym_name.data}"
        if isinstance(root.owner, ConstantOp):
            return "it is a constant"
        if not self._is_allocated_here(root):
            return "it is not allocated beside the call"
        if piece.shift % ALIGNMENT:
            return f"its offset in the result is no multiple of {ALIGNMENT} bytes"
        end = self.steps[call]
        if any(self.effects.may_write(use) and self._step(use.operation) > end for use in self.effects.uses(root)):
            return "it is written again after it was joined"
        return None

    def _step(self, op: Operation) -> int:
        outer = self.function.body.block.find_ancestor_op_in_block(op)
        assert outer is not None
        return self.steps[outer]

    def _put(self, root: SSAValue, target: SSAValue, offset: int) -> None:
        """Replace an allocation by a view of the target, which is allocated before it then."""
        alloc = root.owner
        assert isinstance(alloc, AllocOp)
        if isinstance(result := target.owner, AllocOp) and alloc.is_before_in_block(result):
            edit.move(result, InsertPoint.before(alloc))
        if not offset and alloc.res.type == target.type:
            edit.replace(alloc, [], [target])
            return
        view = ViewOp(target, offset, alloc.res.type, name_hint=alloc.res.name_hint)
        view.location = alloc.location
        for inner in [use.operation for use in root.uses if isinstance(use.operation, ViewOp)]:
            edit.change(inner).operands[0] = target
            inner.set_index_lists(offset=[inner.byte_offset + offset])
        edit.replace(alloc, view)

    def _copy(self, call: func.CallOp, part: Part, target: Position) -> None:
        """Copy a part before the call that joins it."""
        operand = call.operands[part.argument]
        assert isinstance(operand.type, MemRefType)
        function = self.copies.function(operand.type)
        type_ = function.body.block.args[0].type
        assert isinstance(type_, MemRefType)
        slice_ = ViewOp(target[0], target[1] + part.offset, type_, name_hint="slice")
        made: list[Operation] = [slice_]
        if operand.type != type_:
            made.append(view := ViewOp(operand, 0, type_, name_hint="part"))
            operand = view.res
        made.append(func.CallOp(function.sym_name.data, [operand, slice_.res], []))
        for op in made:
            edit.insert(op, InsertPoint.before(call), of=call)
            self.steps[op] = self.steps[call]


def _remark_parts(call: func.CallOp, pieces: Sequence[_Piece], reasons: Mapping[Position | None, str]) -> None:
    callee = call.callee.string_value()
    moved = [piece for piece in pieces if piece.key not in reasons]
    if moved:
        size = sum(piece.part.size for piece in moved)
        parts = f"{len(moved)} of {len(pieces)} parts that @{callee} joins, {size} bytes, are"
        remark("TW0770", f"{parts} written in place", op=call, kind="passed")
        statistic("parts written in place", len(moved))
        statistic("bytes not copied", size)
    for number, piece in enumerate(pieces, 1):
        if piece.key in reasons:
            remark("TW0771", f"part {number} of what @{callee} joins is copied: {reasons[piece.key]}", op=call)


def _position_of(buffer: SSAValue) -> Position | None:
    """Return the buffer that a chain of views is taken of, and the byte at which; None where that is not known."""
    start = 0
    while isinstance(view := buffer.owner, ViewOp):
        if not view.byte_offset.is_constant:
            return None
        start += view.byte_offset.constant
        buffer = view.buffer
    return buffer, start


def _covers(ranges: Iterable[tuple[int, int]], size: int) -> bool:
    """Return whether ranges of bytes cover 0 to `size` without a gap."""
    end = 0
    for first, last in sorted(ranges):
        if first > end:
            return False
        end = max(end, last)
    return end >= size
