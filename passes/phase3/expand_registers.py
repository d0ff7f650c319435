"""Pass `expand-registers`: expands unrolled loops, and promotes register buffers to values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.arith import SelectOp
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.dialects.func import FuncOp
from xdsl.dialects.vector import BroadcastOp, ExtractOp, InsertOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from ...analysis.domain import resolve
from ...diagnostics import fail
from ...dialects.index_expr import LANE, Index
from ...dialects.loop import UNROLLED, AllocOp, ApplyOp, ForOp, IfOp, LoadOp, StoreOp, TestOp, YieldOp
from ...dialects.loop.memory_spaces import IN_REGISTERS, memory_space_of
from ...dialects.loop.widths import column_width
from ...ir import editor as edit
from ...ir.rewrites import may_rewrite
from ...traversal import operations
from ..framework.base import Level, Pass
from ..shared.loops import expand
from ..shared.register_file import Chunk, RegisterBuffer, RegisterFile


@dataclass(frozen=True)
class ExpandRegistersPass(Pass):
    """Write out unrolled loops, and turn buffers in registers into values that loops carry.

    ```mlir
    %sum = loop.alloc attributes {tw.place = #loop.place<register 8>} : memref<8xf32, "register">
    loop.store %zero, %sum[lane] : vector<8xf32>, memref<8xf32, "register">
    loop.for %k = 0 to %n {
      %old = loop.load %sum[lane] : memref<8xf32, "register">, vector<8xf32>
      %new = arith.addf %old, %x : vector<8xf32>
      loop.store %new, %sum[lane] : vector<8xf32>, memref<8xf32, "register">
    }
    // becomes
    %sum = loop.for %k = 0 to %n iter_args(%old = %zero) -> (vector<8xf32>) {
      %new = arith.addf %old, %x : vector<8xf32>
      loop.yield %new : vector<8xf32>
    }
    ```
    Emitters do the same while they write code, by the same construction (`register_file`); the pass states the result
    in IR, which the interpreter runs. The pass is not part of the pipeline, because a kernel of 25 operations becomes
    one of 300. A conditional that assigns registers becomes a loop that carries them and has one iteration if the guard
    holds, otherwise none; an else branch becomes a second such loop, with the opposite trip count. Elements of
    registers before the first store are loaded from the buffer.

    Needs: `assign-memory-spaces`; a register accessed at an index that varies is an error.
    Grants: no loop of kind unrolled is left, and no store to a buffer in registers.

    This is scalar replacement, or `mem2reg`, for buffers in registers.
    """

    name = "expand-registers"
    phase = 3
    levels = (Level.LOOP,)

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, FuncOp) and function.body.blocks and may_rewrite("expand registers", function):
                _expand_unrolled(function)
                expansion = _Expansion()
                expansion.visit_block(function.body.block)
                expansion.erase_unused_buffers()


def _expand_unrolled(function: FuncOp) -> None:
    marked = [n for n in operations(function) if isinstance(n, ForOp) and n.kind == UNROLLED]
    for nested in reversed(marked):  # the inner ones first
        expand(nested)


class _Expansion:
    """Replaces accesses to registers in one function, in order."""

    def __init__(self) -> None:
        self._file: RegisterFile[SSAValue] = RegisterFile(self)
        self._buffers: dict[SSAValue, RegisterBuffer] = {}
        self._allocations: dict[RegisterBuffer, AllocOp] = {}
        self._undefined: dict[Chunk, SSAValue] = {}
        self._bodies: list[Block | None] = [None]
        """The body of the loop of each open frame of the register file."""
        self._point: InsertPoint

    def visit_block(self, block: Block) -> None:
        for op in list(block.ops):
            self._point = InsertPoint.before(op)
            match op:
                case AllocOp() if (assigned := memory_space_of(op)) is not None and assigned.kind == IN_REGISTERS:
                    buffer = self._buffers[op.res] = RegisterBuffer(op.res.type, assigned.chunk)
                    self._allocations[buffer] = op
                    self._file.allocate(buffer)
                case LoadOp() if op.buffer in self._buffers:
                    self._load(op)
                case StoreOp() if op.buffer in self._buffers:
                    self._store(op)
                case ForOp():
                    self._loop(op)
                case IfOp():
                    self._branch(op)
                case _:
                    pass

    def erase_unused_buffers(self) -> None:
        for op in self._allocations.values():
            if op.res.first_use is None:
                edit.erase(op)

    # Accesses

    def _load(self, op: LoadOp) -> None:
        value = self._read(op)
        if op.otherwise is not None:
            otherwise = op.otherwise if op.lanes is None else self._spread(op.otherwise, op.lanes)
            value = self._select(op, value, otherwise)
        edit.replace_uses(op.res, value)
        edit.erase(op)

    def _store(self, op: StoreOp) -> None:
        buffer, positions, value = self._buffers[op.buffer], _positions(op), op.value
        if op.conditions:
            value = self._select(op, value, self._read(op))
        if op.lanes is None or _are_neighbours(positions):
            self._file.write(buffer, positions[0], op.lanes, value)
        else:
            self._file.scatter(buffer, positions, value)
        edit.erase(op)

    def _read(self, op: LoadOp | StoreOp) -> SSAValue:
        buffer, positions = self._buffers[op.buffer], _positions(op)
        if op.lanes is None or _are_neighbours(positions):
            return self._file.read(buffer, positions[0], op.lanes)
        if len(set(positions)) == 1:
            return self._spread(self._file.read(buffer, positions[0], None), op.lanes)
        return self._file.column(buffer, positions) if column_width(op) else self._file.gather(buffer, positions)

    def _select(self, op: LoadOp | StoreOp, value: SSAValue, other: SSAValue) -> SSAValue:
        test = self._add(TestOp(op.conditions, op.lanes))
        return self._add(SelectOp(test, value, other))

    def _spread(self, value: SSAValue, lanes: int) -> SSAValue:
        return self._add(BroadcastOp(value, VectorType(value.type, [lanes])))

    def _add(self, op: Operation) -> SSAValue:
        edit.insert(op, self._point)
        return op.results[0]

    # Regions

    def _loop(self, op: ForOp) -> None:
        body = op.body.block
        self._inside("loop", body, body)
        self._point = InsertPoint.before(op)
        carried, outliving = self._file.leave_loop()
        if not carried and not outliving:
            return
        initial, last = {c.chunk: c.before for c in carried}, {c.chunk: c.after for c in carried} | dict(outliving)
        for chunk in last:
            if chunk not in initial:  # written before anything reads it
                initial[chunk] = self._file.current(chunk)
                edit.insert_argument(body, _type_of(chunk), len(body.args))
        made = ForOp(op.lowers, op.uppers, None, op.kind, [*op.iter_args, *initial.values()])
        edit.change(made).attributes |= op.attributes
        edit.replace_body(made, op.body)
        _yield_also(body, [last[chunk] for chunk in initial])
        edit.insert(made, InsertPoint.before(op), of=op)
        for old, new in zip(op.res, made.res, strict=False):
            edit.rename(new, old.name_hint)
            edit.replace_uses(old, new)
        results = dict(zip(initial, made.res[len(op.iter_args) :], strict=True))
        edit.erase(op)
        for chunk, _ in outliving:
            self._file.assign(chunk, results[chunk])

    def _branch(self, op: IfOp) -> None:
        self._inside("branch", op.then_body.block, None)
        then = self._file.leave_branch()
        other: dict[Chunk, SSAValue] = {}
        otherwise = op.else_body.blocks.first
        if otherwise is not None:
            self._inside("branch", otherwise, None)
            other = self._file.leave_branch()
        self._point = InsertPoint.before(op)
        chunks = [chunk for chunk, _, _ in self._file.meet(then, other)]
        if not chunks:
            return
        before = [self._file.current(chunk) for chunk in chunks]
        zero = self._add(ApplyOp(0))
        uppers = [Index.of(1), *(condition + 1 for condition in op.conditions)]
        ends = [then.get(chunk, value) for chunk, value in zip(chunks, before, strict=True)]
        taken, *values = self._once(op.then_body.block, uppers, [zero, *before], lambda: [self._add(ApplyOp(1)), *ends])
        if otherwise is not None:
            ends = [other.get(chunk, value) for chunk, value in zip(chunks, before, strict=True)]
            values = self._once(otherwise, [1 - Index.of(taken)], values, lambda: ends)
        edit.erase(op)
        for chunk, value in zip(chunks, values, strict=True):
            self._file.assign(chunk, value)

    def _once(
        self, block: Block, uppers: Sequence[Index], initial: Sequence[SSAValue], ends: Callable[[], list[SSAValue]]
    ) -> list[SSAValue]:
        """Move the operations of `block` into a loop of one iteration, or none; return the values that it carries."""
        made = ForOp(0, uppers, iter_args=initial)
        outside = self._point
        edit.insert(made, outside)
        edit.move(list(block.ops), InsertPoint.at_end(made.body.block))
        self._point = InsertPoint.at_end(made.body.block)
        _yield_also(made.body.block, ends())
        self._point = outside
        return [*made.res]

    def _inside(self, kind: str, block: Block, body: Block | None) -> None:
        """Visit the operations of a loop or of one side of a branch."""
        self._file.enter("loop" if kind == "loop" else "branch")
        self._bodies.append(body)
        self.visit_block(block)
        self._bodies.pop()

    # Values of the register file

    def undefined(self, chunk: Chunk) -> SSAValue:
        """Load a chunk right behind the allocation: nothing was stored there."""
        if chunk not in self._undefined:
            buffer, number = chunk
            allocation = self._allocations[buffer]
            lanes = None if buffer.width == 1 else buffer.width
            flat = Index.of(number * buffer.width) + (Index.of(LANE) if lanes is not None else 0)
            load = LoadOp(allocation.res, _unflatten(flat, buffer), lanes=lanes)
            edit.insert(load, InsertPoint.after(allocation), of=allocation)
            self._undefined[chunk] = load.res
        return self._undefined[chunk]

    def carried(self, chunk: Chunk, depth: int) -> SSAValue:
        body = self._bodies[depth]
        assert body is not None, "only loops carry values"
        return edit.insert_argument(body, _type_of(chunk), len(body.args))

    def extract(self, chunk: Chunk, value: SSAValue, lane: int) -> SSAValue:
        return self._add(ExtractOp(value, [lane], chunk[0].type.element_type))

    def insert(self, chunk: Chunk, value: SSAValue, element: SSAValue, lane: int) -> SSAValue:
        return self._add(InsertOp(element, value, [lane]))

    def append(
        self, buffer: RegisterBuffer, lanes: int, vector: SSAValue | None, element: SSAValue, lane: int
    ) -> SSAValue:
        return self._spread(element, lanes) if vector is None else self._add(InsertOp(element, vector, [lane]))

    def take(self, buffer: RegisterBuffer, lanes: int, vector: SSAValue, lane: int) -> SSAValue:
        return self._add(ExtractOp(vector, [lane], buffer.type.element_type))

    def column(self, buffer: RegisterBuffer, rows: Sequence[SSAValue], position: int) -> SSAValue:
        vector: SSAValue | None = None
        for lane, row in enumerate(rows):
            vector = self.append(buffer, len(rows), vector, self.extract((buffer, lane), row, position), lane)
        assert vector is not None
        return vector


def _type_of(chunk: Chunk) -> Attribute:
    buffer = chunk[0]
    element = buffer.type.element_type
    return element if buffer.width == 1 else VectorType(element, [buffer.width])


def _yield_also(block: Block, values: Sequence[SSAValue]) -> None:
    """Let the body of a loop yield more values, behind those that it yields."""
    last = block.last_op
    if isinstance(last, YieldOp):
        edit.change(last).operands = [*last.operands, *values]
    else:
        edit.append(block, YieldOp(*values))


def _positions(op: LoadOp | StoreOp) -> list[int]:
    """Return the position of each lane within a buffer of rows."""
    flat, stride = Index.of(0), 1
    for index, extent in reversed([*zip(op.index, op.buffer.type.get_shape(), strict=True)]):  # pyright: ignore[reportAttributeAccessIssue]
        flat, stride = flat + resolve(index) * stride, stride * extent
    lanes = [flat] if op.lanes is None else [flat.substitute({LANE: lane}) for lane in range(op.lanes)]
    if not all(position.is_constant for position in lanes):
        fail("TW0728", "expected indices of registers to be constants and variables of unrolled loops", op=op)
    return [position.constant for position in lanes]


def _are_neighbours(positions: Sequence[int]) -> bool:
    return all(position == positions[0] + lane for lane, position in enumerate(positions))


def _unflatten(flat: Index, buffer: RegisterBuffer) -> list[Index]:
    """Return the indices of an element at a position."""
    indices: list[Index] = []
    for extent in reversed(buffer.type.get_shape()):
        indices.append(flat % extent)
        flat = flat // extent
    return indices[::-1]
