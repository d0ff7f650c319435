"""Emission of one function of the loop IR, or of the body of a parallel loop, as an LLVM function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from xdsl.dialects import func
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, MemRefType
from xdsl.ir import Block, Operation, SSAValue

from ....diagnostics import fail
from ....diagnostics.locations import name_of
from ....dialects.index_expr import Index
from ....dialects.loop import ForOp
from ....dialects.loop.memory_spaces import OF_THREAD, THREAD_BYTES, bytes_of, memory_space_of
from ....passes.shared.register_file import RegisterBuffer
from ....runtime.buffers import ALIGNMENT
from ....traversal import operations
from ...legality import refuse
from .buffers import Buffer, known_strides
from .code import Code
from .heap import Heap
from .index import IndexWriter, Operand
from .module_text import ModuleText
from .registers import Registers
from .types import value_type

Step = Callable[["FunctionEmitter"], None]


@dataclass(frozen=True)
class Scratch:
    """The offsets of one function's buffers in the memory of a thread, as planned by `assign-memory-spaces`.

    Behind the buffers of fixed offsets, the arena has one piece for each member of a team. A kernel takes the pointer
    to the first piece; the function states the distance between pieces.
    """

    offsets: Mapping[Operation, int]
    """Offsets in bytes: of allocations, and of the part that a call passes to its callee."""
    size: int
    """Bytes that a member needs, for the function and its callees; a multiple of ALIGNMENT."""


def scratch_of(function: func.FuncOp) -> Scratch:
    """Return the offsets and the size of the thread memory that attributes of a function state."""
    memories = {op: memory_space_of(op) for op in operations(function)}
    offsets = {op: memory.start for op, memory in memories.items() if memory is not None and memory.kind == OF_THREAD}
    return Scratch(offsets, bytes_of(function, THREAD_BYTES))


@dataclass(frozen=True)
class Layout:
    """The positions of the data that the caller of a function passes in addition to its arguments."""

    constants: dict[Operation, int]
    """The position of each `loop.constant` in the function's table of pointers."""
    callees: dict[str, int]
    """The position in that table where the table of each called function starts."""
    checks: Mapping[Operation, int]
    """The numbers of the program's assertions."""
    record: int | None
    """The position, in the table, of the pointer to the record of failed assertions; None where the function has
    none."""
    overlapping: frozenset[SSAValue]
    """The arguments of the function that may share memory with another one."""
    scratch: Scratch
    """The offsets of its parallel loops' buffers in the memory of a thread."""
    callee_scratch: Mapping[str, int]
    """The bytes of that memory that each called function needs."""
    arena_size: int
    """The bytes of the entry's arena in front of those pieces."""
    is_entry: bool
    """True if the function is the entry, which gets the arena."""


class FunctionEmitter:
    """Writes operations into an LLVM function.

    `parent` is the emitter of the function around a parallel loop. A value of the parent becomes an argument of the
    body at its first use.
    """

    def __init__(
        self, module: ModuleText, layout: Layout, prepared: dict[Operation, Step], name: str, op: Operation
    ) -> None:
        """Begin a function that stands for `op`."""
        self.module = module
        self.layout = layout
        self.name = name
        self.code = Code()
        debug_info = module.debug_info
        self.debug_info = None if debug_info is None else debug_info.function(name, op)
        if self.debug_info is not None:
            self.code.suffix = self.debug_info.at(op)
        self.registers = Registers(self.code)
        self.heap = Heap(self.code, module)
        self.ranges: dict[SSAValue, tuple[int | None, int | None]] = {}
        self.writer = IndexWriter(self.code, self.lookup, self.ranges)
        self.captures: dict[str, tuple[str, str]] = {}
        """For the body of a parallel loop: operand of the parent -> (LLVM type, name here)."""
        self.scratch_slots: dict[Operation, str] = {}
        """For the body of a parallel loop: an operation with scratch memory -> the parameter that points there."""
        self.parent: FunctionEmitter | None = None
        self._stated: ForOp | None = None
        """The parallel loop of which this is the body."""
        self._captured: frozenset[SSAValue] = frozenset()
        """The captures that the loop states."""
        self._pointers: dict[SSAValue, str] = {}
        """The captured buffers -> the parent's pointer."""
        self.streams = False
        """True if vectors that are stored to arguments bypass the caches."""
        self._prepared = prepared
        self._values: dict[SSAValue, Operand | Index] = {}
        self._buffers: dict[SSAValue, Buffer | RegisterBuffer] = {}
        self._stack: dict[Operation, str] = {}

    def nested(self, name: str, op: ForOp) -> FunctionEmitter:
        """Return the emitter of the body of a parallel loop, `op`."""
        inner = FunctionEmitter(self.module, self.layout, self._prepared, name, op)
        inner.parent = self
        inner._stated, inner._captured = op, frozenset(op.captures)
        inner.ranges.update(self.ranges)
        return inner

    # Values

    def define(self, value: SSAValue, operand: Operand | Index) -> None:
        self._values[value] = operand

    def lookup(self, value: SSAValue) -> Operand | Index:
        """Return the LLVM operand or the index expression of an SSA value."""
        found = self._values.get(value)
        if found is None:
            found = self._parent_of(value).lookup(value)
            if isinstance(found, Index):
                found = self._parent_of(value).writer.operand(found)
            if isinstance(found, str):
                found = self.capture(found, value_type(value.type))
            self._values[value] = found
        return found

    def operand(self, value: SSAValue) -> Operand:
        found = self.lookup(value)
        return self.writer.operand(found) if isinstance(found, Index) else found

    def value(self, value: SSAValue) -> str:
        """Return the operand of an SSA value, as text."""
        return str(self.operand(value))

    def capture(self, operand: str, type_: str) -> str:
        """Return the name of a value of the parent in this function."""
        if not operand.startswith("%"):
            return operand
        if operand not in self.captures:
            self.captures[operand] = (type_, f"%c{len(self.captures)}")
        return self.captures[operand][1]

    def noalias_pointers(self) -> set[str]:
        """Return the parent's pointers to captured buffers that are stated to be disjoint."""
        disjoint = () if self._stated is None else self._stated.captured_disjoint
        others = {pointer for value, pointer in self._pointers.items() if value not in disjoint}
        return {self._pointers[value] for value in disjoint if value in self._pointers} - others

    def _parent_of(self, value: SSAValue) -> FunctionEmitter:
        """Return the emitter of the function around, for a value that the body captures. Raises TW0601 for another
        one."""
        assert self.parent is not None and self._stated is not None, f"no value for {value}"
        if value not in self._captured:
            refuse(self._stated, f"expected a parallel loop to capture what it uses, but it uses {name_of(value)}")
        return self.parent

    @property
    def threads(self) -> str:
        """The number of threads that a parallel loop may use, an i32."""
        return "%threads" if self.parent is None else "1"

    def constant_table(self) -> str:
        """Return the function's table of pointers to constants."""
        return "%constants" if self.parent is None else self.capture(self.parent.constant_table(), "ptr")

    def record(self) -> str:
        """Return the pointer to the record of the call, which assertions write."""
        table, position = self.constant_table(), self.layout.record
        assert position is not None
        entry = self.code.pure(f"getelementptr ptr, ptr {table}, i64 {position}", (table,))
        return self.code.pure(f"load ptr, ptr {entry}, align {self.module.pointer_bytes}, !invariant.load !0", (entry,))

    # Buffers

    def buffer(self, value: SSAValue) -> Buffer | RegisterBuffer:
        found = self._buffers.get(value)
        if found is None:
            outer = self._parent_of(value).buffer(value)
            assert isinstance(outer, Buffer), "the verifier keeps register buffers within a parallel loop"
            self._pointers[value] = outer.pointer
            found = self._capture_buffer(outer)
            self._buffers[value] = found
        return found

    def memory(self, value: SSAValue) -> Buffer:
        """Return the buffer in memory that `value` stands for."""
        found = self.buffer(value)
        assert isinstance(found, Buffer)
        return found

    def stack_slot(self, op: Operation, size: int) -> str:
        """Stack memory for an allocation, the same for all expansions of it: their lives do not overlap."""
        slot = self._stack.get(op)
        if slot is None:
            slot = self._stack[op] = self.code.alloca(f"alloca [{size} x i8], align {ALIGNMENT}")
        return slot

    def scratch_base(self) -> str:
        """Return the scratch memory of the function, that of the first member of a team."""
        assert self.parent is None
        if not self.layout.is_entry:
            return "%scratch"
        return self.code.pure(f"getelementptr i8, ptr %arena, i64 {self.layout.arena_size}", ())

    def scratch(self, op: Operation) -> str:
        """Return scratch memory for an allocation, or a call, in a parallel loop; for a call outside of parallel loops
        all that there is."""
        if self.parent is None:
            base, offset = self.scratch_base(), self.layout.scratch.offsets.get(op)
            return base if offset is None else self.code.pure(f"getelementptr i8, ptr {base}, i64 {offset}", (base,))
        return self.scratch_slots.setdefault(op, f"%scratch{len(self.scratch_slots)}")

    def addressable(self, op: Operation, buffer: Buffer) -> Buffer:
        """Return the buffer, after checking that all strides are known."""
        if None in buffer.strides:
            fail(
                "TW0601", "expected the extents of this buffer to be stated by loop.bind before its first access", op=op
            )
        return buffer

    def add_buffer(self, value: SSAValue, buffer: Buffer | RegisterBuffer) -> None:
        self._buffers[value] = buffer

    def new_buffer(self, type_: MemRefType, pointer: str, dynamic: Sequence[Operand], root: SSAValue) -> Buffer:
        """Return a row-major buffer. `dynamic` are its dynamic extents in order; none where they are not known yet."""
        remaining = iter(dynamic)
        extents: list[Operand | None] = [next(remaining, None) if n == DYNAMIC_INDEX else n for n in type_.get_shape()]
        return Buffer(type_, pointer, extents, self.row_major(type_, extents), root)

    def row_major(self, type_: MemRefType, extents: Sequence[Operand | None]) -> list[Operand | None]:
        strides: list[Operand | None] = [*known_strides(type_)]
        for dimension in range(len(strides) - 2, -1, -1):
            inner, extent = strides[dimension + 1], extents[dimension + 1]
            if strides[dimension] is None and inner is not None and extent is not None:
                strides[dimension] = self.product(inner, extent)
        return strides

    def product(self, a: Operand, b: Operand) -> Operand:
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        return self.writer.multiply(str(a), str(b)) if isinstance(a, str) else self.writer.multiply(str(b), a)

    def _capture_buffer(self, outer: Buffer) -> Buffer:
        def inner(operand: Operand | None) -> Operand | None:
            return self.capture(operand, "i64") if isinstance(operand, str) else operand

        return Buffer(
            outer.type,
            self.capture(outer.pointer, "ptr"),
            [inner(e) for e in outer.extents],
            [inner(s) for s in outer.strides],
            outer.root,
        )

    # Operations

    def run_block(self, block: Block) -> None:
        """Write the operations of a region's block."""
        self.heap.enter()
        around = self.code.suffix
        for op in block.ops:
            if self.debug_info is not None:
                self.code.suffix = self.debug_info.at(op)
            self.step(op)(self)
        self.code.suffix = around
        self.heap.leave()

    def step(self, op: Operation) -> Step:
        """Return the function that writes `op`, prepared on first use."""
        step = self._prepared.get(op)
        if step is None:
            from .dispatch import prepare

            step = self._prepared[op] = prepare(op)
        return step

    def finish(self, header: str) -> None:
        """Add the function, whose body is complete, to the module."""
        failure = self.heap.failure() if self.heap.can_fail else []
        attachment = "" if self.debug_info is None else self.debug_info.header
        self.module.add_function([f"{header}{attachment} {{", *self.code.text(), *failure, "}"])

    def loop_range(self, value: SSAValue, lowers: Sequence[Index], uppers: Sequence[Index]) -> None:
        """Record the known bounds of a loop variable."""
        assert isinstance(value.type, IndexType)
        low = [bound for e in lowers if (bound := e.bounds(self.ranges)[0]) is not None]
        high = [bound for e in uppers if (bound := e.bounds(self.ranges)[1]) is not None]
        self.ranges[value] = (max(low) if low else None, min(high) - 1 if high else None)
