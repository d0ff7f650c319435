"""Comparison of two functions that call kernels: by the names of the callees and the arguments that are passed.

A call or an operator is an uninterpreted function: calls of one name with equal operands have equal results. So a
network is compared kernel by kernel: this module compares the callers, and each kernel is compared with the kernel of
the same name. The content of memory is a sequence of pieces, each a range of bytes of a value. A function without
arithmetic, such as a concatenation, is the sequence of pieces that it copies, so that buffers which are slices of
others are compared too.

Assumed: kernels of one name compute the same, and their results do not depend on the contents of an output before the
call. Both are shown where each kernel is proved equivalent to its tensor expressions.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeAlias

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Pure

from ...dialects import graph, loop, te
from ...dialects.constant_data import constant_array, has_data
from ...dialects.te.compute import EFFECTS
from ...traversal import operations
from ..polyhedral.buffer_cells import is_output, is_workspace
from .copies import Copied, copied_by
from .question import Budget
from .verdict import Proved, Unknown, Verdict

KERNELS = "kernels of one name compute the same"
"""The assumption of a comparison of callers."""

IDENTITY = "graph.identity"
"""The operator whose result is its operand."""

UNDEFINED = 0
"""The number of the value that memory has which nobody has written."""


@dataclass(frozen=True)
class Piece:
    """A range of bytes of a value; all bytes of a value of symbolic size."""

    value: int
    start: int
    end: int | None


Pieces: TypeAlias = tuple[Piece, ...]
Key: TypeAlias = tuple[Any, ...]


class _Refused(Exception):
    """Raised for a function that this comparison does not support."""

    def __init__(self, reason: str, op: Operation) -> None:
        super().__init__(reason)
        self.reason = reason
        self.op = op


def _refuse(reason: str, op: Operation) -> NoReturn:
    raise _Refused(reason, op)


class CallerValues:
    """The values of both functions by number; equal ones have one number."""

    def __init__(self) -> None:
        self.keys: list[Key] = [("undefined",)]
        self._numbers: dict[Key, int] = {}
        self._constants: dict[Attribute, int] = {}
        self._arrays: dict[Key, list[tuple[Any, int]]] = {}
        """Known data by dtype and size, with its number."""

    def number(self, *key: Any) -> int:
        """Return the number of a value: of an argument, of a constant, or of an operation by its name and operands."""
        if key not in self._numbers:
            self._numbers[key] = len(self.keys)
            self.keys.append(key)
        return self._numbers[key]

    def constant(self, data: Attribute) -> int:
        """Return the number of constant data; equal bytes have the same number."""
        if data not in self._constants:
            self._constants[data] = self._number_of(data)
        return self._constants[data]

    def _number_of(self, data: Attribute) -> int:
        if not has_data(data):
            return self.number("constant", data)
        array = constant_array(data)
        known = self._arrays.setdefault((array.dtype, array.size), [])
        bits = array.reshape(-1).view(f"u{array.dtype.itemsize}")
        for other, number in known:
            if (other == bits).all():
                return number
        number = self.number("constant", data)
        known.append((bits, number))
        return number

    def text(self, pieces: Pieces) -> str:
        """Describe pieces in one line."""
        parts: list[str] = []
        for piece in pieces:
            kind, *rest = self.keys[piece.value]
            name = {"argument": "argument {}", "constant": "a constant", "undefined": "undefined"}.get(kind, "{}")
            parts.append(
                name.format(*rest[:1]) if kind in ("argument", "constant", "undefined") else f"{kind}({rest[0]})"
            )
        return ", ".join(parts) if len(parts) == 1 else f"[{', '.join(parts)}]"

    def difference(self, first: Pieces, second: Pieces) -> tuple[Pieces, Pieces]:
        """Return the first operands below two values that differ, with nothing below that differs."""
        while len(first) == len(second) == 1 and first[0] != second[0]:
            one, other = self.keys[first[0].value], self.keys[second[0].value]
            if one[:-1] != other[:-1] or one[0] not in ("call", "operator") or len(one[-1]) != len(other[-1]):
                break
            below = next(((a, b) for a, b in zip(one[-1], other[-1], strict=True) if a != b), None)
            if below is None:
                break
            first, second = below
        return first, second


def has_calls(function: func.FuncOp) -> bool:
    """Return whether a function calls others."""
    return any(isinstance(op, func.CallOp) for op in operations(function))


def operators_of(function: func.FuncOp) -> list[str]:
    """Return the names of the operators that a function applies and that do more than change a shape, each once."""
    applied = (op for op in operations(function) if isinstance(op, graph.GraphOp) and not graph.is_alias(op))
    return list(dict.fromkeys(op.name for op in applied if not isinstance(op, graph.ConstantOp)))


def compare_callers(before: func.FuncOp, after: func.FuncOp, budget: Budget, deadline: float) -> Verdict:
    """Decide whether two functions give equal operands to functions and operators of equal names, for their results.

    Where one side has operators, callees that contain operators are inlined on both sides. Operands that differ here
    may still have equal values, so that there is no refutation. A callee whose copies are not found within the budget,
    or before `deadline` of `time.monotonic`, is compared by its name.
    """
    values = CallerValues()
    inlines = bool(operators_of(before) or operators_of(after))
    outputs: list[list[Pieces]] = []
    for function in (before, after):
        try:
            outputs.append(_Reader(function, values, inlines, budget.operations, deadline).outputs())
        except _Refused as error:
            return Unknown(error.reason, error.op)
    if len(outputs[0]) != len(outputs[1]):
        return Unknown("the functions have different results", after)
    for position, (one, other) in enumerate(zip(*outputs, strict=True)):
        if one != other:
            first, second = values.difference(one, other)
            what = f"{values.text(first)} before and {values.text(second)} after"
            return Unknown(f"in output {position} it passes {what}", after)
    return Proved(assumptions=(KERNELS,) if has_calls(before) or has_calls(after) else ())


@dataclass
class _Memory:
    """The bytes of a buffer that is no view, as pieces in order."""

    size: int | None
    pieces: Pieces

    def read(self, start: int, end: int | None, op: Operation) -> Pieces:
        """Return the content of a range."""
        if end is None or self.size is None:
            if start or (end is None) != (self.size is None):
                _refuse("a view has a symbolic size", op)
            return self.pieces
        return _cut(self.pieces, start, end)

    def write(self, start: int, end: int | None, new: Pieces, op: Operation) -> None:
        """Let a range hold pieces."""
        if end is None or self.size is None:
            self.read(start, end, op)
            self.pieces = new
        else:
            self.pieces = _joined((*_cut(self.pieces, 0, start), *new, *_cut(self.pieces, end, self.size)))


@dataclass(frozen=True)
class _View:
    """A buffer as bytes of the memory behind it."""

    memory: _Memory
    start: int
    end: int | None

    def overlaps(self, other: _View) -> bool:
        if self.memory is not other.memory:
            return False
        if self.end is None or other.end is None:
            return True
        return self.start < other.end and other.start < self.end


@dataclass
class _Reader:
    """Reads one function in the order of its text."""

    function: func.FuncOp
    values: CallerValues
    inlines: bool
    operations: int
    """isl operations for the copies of each callee."""
    deadline: float
    tensors: dict[SSAValue, Pieces] = field(default_factory=dict[SSAValue, Pieces])
    buffers: dict[SSAValue, _View] = field(default_factory=dict[SSAValue, _View])
    scalars: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    _depth: int = 0
    """The number of regions around the operation that is read."""

    def outputs(self) -> list[Pieces]:
        """Return the content of each result, or of each output buffer at the end."""
        if len(self.function.body.blocks) != 1:
            _refuse("the function has no body of one block", self.function)
        for position, argument in enumerate(self.function.body.block.args):
            number = self.values.number("argument", position)
            if isinstance(argument.type, TensorType):
                self.tensors[argument] = (Piece(number, 0, _bytes_of(argument.type)),)
            elif isinstance(argument.type, MemRefType):
                is_empty = is_output(self.function, position) or is_workspace(self.function, position)
                self._allocate(argument, UNDEFINED if is_empty else number)
            else:
                self.scalars[argument] = number
        returned = self._block(self.function.body.block)
        arguments = enumerate(self.function.body.block.args)
        written = [self.buffers[a] for position, a in arguments if is_output(self.function, position)]
        return [*returned, *(v.memory.read(v.start, v.end, self.function) for v in written)]

    def _block(self, block: Block) -> list[Pieces]:
        """Read the operations of a block; the tensors that it passes on."""
        for op in block.ops:
            match op:
                case func.ReturnOp() | graph.YieldOp() | te.YieldOp():
                    return [self._tensor(v, op) for v in op.operands]
                case graph.ConstantOp() | te.ConstantOp():
                    number = self.values.constant(op.value)
                    self.tensors[op.results[0]] = (Piece(number, 0, _bytes_of(op.results[0].type)),)
                case te.ReshapeOp():
                    self.tensors[op.res] = self._tensor(op.tensor, op)
                case graph.FusedOp():
                    self._bind(op.results, self._inlined(op.body.block, op.operands, op))
                case graph.IfOp() | graph.LoopOp() | te.IfOp() | te.LoopOp():
                    self._regions(op)
                case graph.GraphOp():
                    self._operator(op)
                case func.CallOp():
                    self._call(op)
                case loop.ConstantOp():
                    self._allocate(op.res, self.values.constant(op.value))
                case loop.AllocOp():
                    self._allocate(op.res, UNDEFINED)
                case loop.ViewOp():
                    self._view(op)
                case loop.BindOp() | loop.DimOp() | loop.ApplyOp() | te.DimOp() | te.BindOp() | te.ApplyOp():
                    pass
                case _ if op.dialect_name() == "arith" and op.has_trait(Pure):
                    pass  # sizes of views, which refuse to be symbolic
                case _:
                    _refuse(f"operation {op.name} of a caller is not modelled", op)
        return []

    # Tensors

    def _tensor(self, value: SSAValue, op: Operation) -> Pieces:
        if value not in self.tensors:
            _refuse("a value is no tensor of the function", op)
        return self.tensors[value]

    def _bind(self, values: Sequence[SSAValue], contents: Sequence[Pieces]) -> None:
        self.tensors |= dict(zip(values, contents, strict=True))

    def _inlined(self, block: Block, operands: Sequence[SSAValue], op: Operation) -> list[Pieces]:
        """Return the tensors that a block passes on for operands."""
        self._bind(block.args, [self._tensor(v, op) for v in operands])
        return self._block(block)

    def _operator(self, op: graph.GraphOp) -> None:
        """Record the result of an operator: its operand, where the operator changes only the shape, or a value of the
        operator's name and operands."""
        operands = tuple(self._tensor(v, op) for v in op.operands)
        sizes = [_bytes_of(v.type) for v in (*op.operands, *op.results)]
        is_copy = op.name == IDENTITY or (graph.is_alias(op) and None not in sizes)
        if is_copy and len(operands) == 1:
            self.tensors[op.results[0]] = operands[0]
        else:
            self._applied(op, op.name, (), operands)

    def _regions(self, op: Operation) -> None:
        """Record the results of a branch or a loop: values of its name, its operands and the tensors that its regions
        pass on."""
        self._depth += 1
        passed: list[tuple[Pieces, ...]] = []
        for number, region in enumerate(op.regions):
            for k, argument in enumerate(region.block.args):
                bound = self.values.number("bound", self._depth, number, k, argument.type)
                if isinstance(argument.type, TensorType):
                    self.tensors[argument] = (Piece(bound, 0, _bytes_of(argument.type)),)
                else:
                    self.scalars[argument] = bound
            passed.append(tuple(self._block(region.block)))
        self._depth -= 1
        operands = tuple(self._tensor(v, op) for v in op.operands)
        name = op.name.partition(".")[2]
        self._applied(op, name, tuple(passed), operands)

    def _applied(
        self, op: Operation, name: str, passed: tuple[tuple[Pieces, ...], ...], operands: tuple[Pieces, ...]
    ) -> None:
        """Define the results of an operation as an uninterpreted function, its name, of its operands."""
        properties = tuple(sorted(op.properties.items()))
        types = tuple(v.type for v in (*op.operands, *op.results))
        for k, result in enumerate(op.results):
            number = self.values.number("operator", name, k, properties, types, passed, operands)
            self.tensors[result] = (Piece(number, 0, _bytes_of(result.type)),)

    # Calls

    def _call(self, op: func.CallOp) -> None:
        callee = self._callee(op)
        if callee is not None and any(each.name in EFFECTS for each in operations(callee)):
            _refuse(f"@{op.callee.string_value()} does more than give results", op)
        if self.inlines and callee is not None and operators_of(callee):
            self._bind(op.results, self._inlined(callee.body.block, op.operands, op))
        elif op.results or any(isinstance(v.type, TensorType) for v in op.operands):
            operands = tuple(self._tensor(v, op) for v in op.operands)
            made = self._made(op, callee, operands, [_bytes_of(v.type) for v in op.results])
            self._bind(op.results, made)
        else:
            self._call_on_buffers(op, callee)

    def _call_on_buffers(self, op: func.CallOp, callee: func.FuncOp | None) -> None:
        """Record the outputs that a call on buffers writes. Every other operand lies elsewhere."""
        if callee is None:
            _refuse("a call is of no function of the module", op)
        read: list[_View] = []
        written: list[_View] = []
        operands: list[Pieces] = []
        targets: list[_View] = []
        for position, value in enumerate(op.operands):
            if value in self.scalars:
                operands.append((Piece(self.scalars[value], 0, None),))
                continue
            if value not in self.buffers:
                _refuse("an operand of a call is no buffer of the function", op)
            view = self.buffers[value]
            if is_workspace(callee, position):
                written.append(view)
            elif is_output(callee, position):
                targets.append(view)
            else:
                read.append(view)
                operands.append(view.memory.read(view.start, view.end, op))
        written += targets
        others = [*read, *written]
        if any(w.overlaps(other) for w in written for other in others if other is not w):
            _refuse(f"a call of @{op.callee.string_value()} writes what it reads", op)
        sizes = [None if t.end is None else t.end - t.start for t in targets]
        for view in written:
            if view not in targets and view.end is not None:
                view.memory.write(view.start, view.end, (Piece(UNDEFINED, 0, view.end - view.start),), op)
        for view, pieces in zip(targets, self._made(op, callee, tuple(operands), sizes), strict=True):
            view.memory.write(view.start, view.end, pieces, op)

    def _made(
        self, op: func.CallOp, callee: func.FuncOp | None, operands: tuple[Pieces, ...], sizes: Sequence[int | None]
    ) -> list[Pieces]:
        """Return the results of a call: pieces of its operands, where it copies, or values of its name."""
        left = self.deadline - time.monotonic()
        copied = None if callee is None or left <= 0 else copied_by(callee, self.operations, left)
        if copied is not None and None not in sizes:
            return [_assembled(parts, operands) for parts in copied]
        name = op.callee.string_value()
        return [(Piece(self.values.number("call", name, k, operands), 0, size),) for k, size in enumerate(sizes)]

    @staticmethod
    def _callee(op: func.CallOp) -> func.FuncOp | None:
        module = op
        while module is not None and not isinstance(module, ModuleOp):
            module = module.parent_op()
        name = op.callee.string_value()
        found = (f for f in module.ops if isinstance(f, func.FuncOp)) if module is not None else ()
        return next((f for f in found if f.sym_name.data == name and f.body.blocks), None)

    # Buffers

    def _allocate(self, buffer: SSAValue, value: int) -> None:
        size = _bytes_of(buffer.type)
        self.buffers[buffer] = _View(_Memory(size, (Piece(value, 0, size),)), 0, size)

    def _view(self, op: loop.ViewOp) -> None:
        if op.buffer not in self.buffers:
            _refuse("a view is of no buffer of the function", op)
        base, size = self.buffers[op.buffer], _bytes_of(op.res.type)
        if not op.byte_offset.is_constant:
            _refuse("a view begins at a symbolic offset", op)
        start = base.start + op.byte_offset.constant
        if size is None and base.end is not None:
            _refuse("a view has a symbolic size", op)
        end = None if base.end is None or size is None else start + size
        if base.end is not None and (start < base.start or (end is not None and end > base.end)):
            _refuse("a view leaves its buffer", op)
        self.buffers[op.res] = _View(base.memory, start, end)


def _bytes_of(type: Attribute) -> int | None:
    """Return the size of a tensor or a buffer in bytes; None where it is symbolic."""
    if isinstance(type, TensorType):
        type = MemRefType(type.element_type, type.get_shape())
    return loop.byte_size(type)


def _cut(pieces: Pieces, start: int, end: int) -> Pieces:
    """Return the bytes from `start` to `end` of pieces, one after the other."""
    found: list[Piece] = []
    at = 0
    for piece in pieces:
        assert piece.end is not None
        size = piece.end - piece.start
        low, high = max(start, at), min(end, at + size)
        if low < high:
            found.append(Piece(piece.value, piece.start + low - at, piece.start + high - at))
        at += size
    return _joined(found)


def _joined(pieces: Sequence[Piece]) -> Pieces:
    """Return the same bytes in as few pieces as possible. Bytes that nobody has written have no order."""
    found: list[Piece] = []
    for piece in pieces:
        last = found[-1] if found else None
        if last is not None and last.end is not None and piece.end is not None and last.value == piece.value:
            if piece.value == UNDEFINED:
                piece = Piece(UNDEFINED, last.end, last.end + piece.end - piece.start)
            if last.end == piece.start:
                found[-1] = Piece(last.value, last.start, piece.end)
                continue
        found.append(piece)
    return tuple(Piece(0, 0, p.end - p.start) if p.value == UNDEFINED and p.end is not None else p for p in found)


def _assembled(parts: Sequence[Copied], operands: Sequence[Pieces]) -> Pieces:
    """Return the parts of operands that a result consists of."""
    cut = [_cut(operands[part.argument], part.start, part.end) for part in parts]
    return _joined([piece for pieces in cut for piece in pieces])
