"""`Schedule`: the interactive face of the engine.

Blocks and loops are named by handles. Each primitive checks its legality and rewrites the function at
once, and enters the trace. The primitives themselves work on operations and live in `primitives/`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from xdsl.dialects.builtin import MemRefType, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from ..analysis.access import blocks_in, consumers, producers
from ..analysis.domain import loops_around
from ..diagnostics import fail
from ..dialects import loop
from .handles import BlockRV, LoopRV
from .primitives.cache import cache_read, cache_write
from .primitives.compute_at import compute_at
from .primitives.decompose import decompose_reduction
from .primitives.fuse import fuse
from .primitives.inline import compute_inline
from .primitives.kinds import set_kind
from .primitives.merge import merge
from .primitives.reorder import reorder
from .primitives.scope import set_scope
from .primitives.split import split
from .recording import recorded
from .refusal import BAD_ARGUMENT, NOT_FOUND, STALE
from .trace import Trace

T = TypeVar("T", bound=Operation)


class Schedule:
    """Transforms one function of loop IR in place, legally, one primitive at a time."""

    func: FuncOp
    trace: Trace
    reassociates: bool
    """Whether a primitive changed the order in which a reduction combines its terms: floats may round differently."""

    def __init__(self, root: FuncOp | ModuleOp, function: str | None = None) -> None:
        self.func = _function(root, function)
        self.trace = Trace()
        self.reassociates = False
        self._ops: dict[BlockRV | LoopRV, Operation] = {}
        self._retired: dict[BlockRV | LoopRV, str] = {}
        self._counts = {"b": 0, "l": 0}
        _name_buffers_apart(self.func)

    # Queries

    @recorded
    def get_block(self, label: str) -> BlockRV:
        """The block of that name. Raises TilewrightError TW0407 where there is none or several."""
        blocks = blocks_in(self.func)
        found = [b for b in blocks if b.label == label]
        if len(found) != 1:
            names = ", ".join(repr(b.label) for b in blocks)
            fail(NOT_FOUND, f"expected one block {label!r}, but got {len(found)}; the blocks are {names}", op=self.func)
        return self._handle(found[0])

    @recorded
    def get_loops(self, block: BlockRV) -> tuple[LoopRV, ...]:
        """The loops around a block, outermost first."""
        return tuple(self._loop_handle(op) for op in loops_around(self.block(block)))

    @recorded
    def get_loop(self, variable: str) -> LoopRV:
        """The loop whose variable has that name. Raises TilewrightError TW0407 where there is none or several."""
        loops = [op for op in self.func.walk() if isinstance(op, loop.ForOp)]
        found = [op for op in loops if op.induction_variable.name_hint == variable]
        if len(found) != 1:
            names = ", ".join(f"%{op.induction_variable.name_hint}" for op in loops)
            fail(NOT_FOUND, f"expected one loop %{variable}, but got {len(found)}; the loops are {names}", op=self.func)
        return self._loop_handle(found[0])

    @recorded
    def get_child_loops(self, parent: LoopRV | None = None) -> tuple[LoopRV, ...]:
        """The outermost loops of the function, or of the body of a loop, in program order."""
        body = self.func.body.block if parent is None else self.loop(parent).body.block
        return tuple(self._loop_handle(op) for op in body.ops if isinstance(op, loop.ForOp))

    @recorded
    def get_producers(self, block: BlockRV) -> tuple[BlockRV, ...]:
        """The blocks that write what a block reads, in program order."""
        return self._in_order(producers(self.block(block)))

    @recorded
    def get_consumers(self, block: BlockRV) -> tuple[BlockRV, ...]:
        """The blocks that read what a block writes, in program order."""
        return self._in_order(consumers(self.block(block)))

    def block(self, handle: BlockRV) -> loop.BlockOp:
        """The operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self._operation(handle, loop.BlockOp)

    def loop(self, handle: LoopRV) -> loop.ForOp:
        """The operation behind a handle. Raises TilewrightError TW0404 where a primitive has replaced it."""
        return self._operation(handle, loop.ForOp)

    def buffer(self, name: str) -> SSAValue:
        """The buffer of that name. Raises TilewrightError TW0407 where there is none."""
        buffers = _buffers(self.func)
        found = next((b for b in buffers if b.name_hint == name), None)
        if found is None:
            names = ", ".join(f"%{b.name_hint}" for b in buffers)
            fail(NOT_FOUND, f"expected a buffer %{name}, but the buffers are {names}", op=self.func)
        return found

    # Loops

    @recorded
    def split(
        self,
        loop: LoopRV,
        factors: Sequence[int | None] | None = None,
        *,
        factor: int | None = None,
        nparts: int | None = None,
    ) -> tuple[LoopRV, ...]:
        """Split a loop by `factors` (outermost first, at most one None), an inner `factor`, or `nparts` outer parts."""
        op = self.loop(loop)
        given = [x for x in (factors, factor, nparts) if x is not None]
        if len(given) != 1:
            fail(BAD_ARGUMENT, f"split: expected one of factors, factor and nparts, but got {len(given)}", op=op)
        parts = split(op, factors or ([None, factor] if factor is not None else [nparts, None]))
        self._retire(op, "split")
        return tuple(self._loop_handle(part) for part in parts)

    @recorded
    def fuse(self, *loops: LoopRV) -> LoopRV:
        """Fuse nested loops, outermost first, into one."""
        ops = [self.loop(handle) for handle in loops]
        fused = fuse(ops)
        for op in ops:
            self._retire(op, "fused")
        return self._loop_handle(fused)

    @recorded
    def merge(self, first: LoopRV, second: LoopRV, *, assert_legal: bool = False) -> LoopRV:
        """Merge two loops, one after the other, into one that runs the iterations of both."""
        ops = self.loop(first), self.loop(second)
        merged = merge(*ops, assert_legal=assert_legal)
        for op in ops:
            self._retire(op, "merged")
        return self._loop_handle(merged)

    @recorded
    def reorder(self, *loops: LoopRV, assert_legal: bool = False) -> None:
        """Permute nested loops into the order given."""
        self.reassociates |= reorder([self.loop(handle) for handle in loops], assert_legal=assert_legal)

    @recorded
    def set_kind(self, loop: LoopRV, kind: str, *, tag: str = "", assert_legal: bool = False) -> None:
        """Set how iterations run: serial, parallel, vectorized, unrolled, vthread, or thread with a tag."""
        set_kind(self.loop(loop), _kind(kind, tag), assert_legal=assert_legal)

    def parallel(self, loop: LoopRV) -> None:
        """Run the iterations of a loop in parallel."""
        self.set_kind(loop, "parallel")

    def vectorize(self, loop: LoopRV) -> None:
        """Run the iterations of a loop as the lanes of a vector."""
        self.set_kind(loop, "vectorized")

    def unroll(self, loop: LoopRV) -> None:
        """Unroll a loop."""
        self.set_kind(loop, "unrolled")

    # Blocks

    @recorded
    def compute_at(self, block: BlockRV, loop: LoopRV, *, assert_legal: bool = False) -> None:
        """Compute what a block writes in the body of a loop, as much as the consumers there read."""
        compute_at(self.block(block), self.loop(loop), assert_legal=assert_legal)

    @recorded
    def compute_inline(self, block: BlockRV, *, assert_legal: bool = False) -> None:
        """Compute what a block writes at each place that reads it; the block and its buffer go."""
        compute_inline(self.block(block), assert_legal=assert_legal)

    @recorded
    def cache_write(self, block: BlockRV, buffer: str | SSAValue, scope: str) -> BlockRV:
        """Let a block write a new buffer, copied to the old one afterwards; returns the copying block."""
        return self._handle(cache_write(self.block(block), self._buffer(buffer), scope))

    @recorded
    def cache_read(self, block: BlockRV, buffer: str | SSAValue, scope: str, *, assert_legal: bool = False) -> BlockRV:
        """Copy what a block reads of a buffer to a new one before; returns the copying block."""
        op = cache_read(self.block(block), self._buffer(buffer), scope, assert_legal=assert_legal)
        return self._handle(op)

    @recorded
    def decompose_reduction(self, block: BlockRV, loop: LoopRV) -> BlockRV:
        """Put the init of a reduction before a loop around it; returns the block of the init."""
        return self._handle(decompose_reduction(self.block(block), self.loop(loop)))

    @recorded
    def set_scope(self, buffer: str | SSAValue, scope: str) -> None:
        """Put an allocated buffer into another scope."""
        set_scope(self._buffer(buffer), scope)

    # Handles

    def _buffer(self, buffer: str | SSAValue) -> SSAValue:
        return self.buffer(buffer) if isinstance(buffer, str) else buffer

    def _handle(self, op: loop.BlockOp) -> BlockRV:
        handle = BlockRV(self._fresh("b"), op.label)
        self._ops[handle] = op
        return handle

    def _loop_handle(self, op: loop.ForOp) -> LoopRV:
        handle = LoopRV(self._fresh("l"), op.induction_variable.name_hint or "?")
        self._ops[handle] = op
        return handle

    def _fresh(self, prefix: str) -> str:
        self._counts[prefix] += 1
        return f"{prefix}{self._counts[prefix] - 1}"

    def _in_order(self, blocks: Sequence[loop.BlockOp]) -> tuple[BlockRV, ...]:
        return tuple(self._handle(b) for b in blocks_in(self.func) if b in blocks)

    def _retire(self, op: Operation, how: str) -> None:
        """Handles of `op` stand for nothing that is left, whether or not the operation was reused."""
        for handle in [h for h, target in self._ops.items() if target is op]:
            del self._ops[handle]
            self._retired[handle] = how

    def _operation(self, handle: BlockRV | LoopRV, kind: type[T]) -> T:
        op = self._ops.get(handle)
        if isinstance(op, kind) and self.func.is_ancestor(op):
            return op
        if op is not None and not isinstance(op, kind):
            fail(BAD_ARGUMENT, f"expected a handle of a {kind.name}, but got {handle}", op=self.func)
        if op is None and handle not in self._retired:
            fail(NOT_FOUND, f"expected a handle of this schedule, but got {handle}", op=self.func)
        how = self._retired.get(handle, "removed")
        fail(STALE, f"{handle} is gone: it was {how} by an earlier primitive", op=self.func)


def _function(root: FuncOp | ModuleOp, name: str | None) -> FuncOp:
    if isinstance(root, FuncOp):
        return root
    functions = [op for op in root.ops if isinstance(op, FuncOp) and not op.is_declaration]
    if name is not None:
        found = [f for f in functions if f.sym_name.data == name]
    else:
        found = functions if len(functions) == 1 else [f for f in functions if blocks_in(f)]
    if len(found) != 1:
        names = ", ".join(f"@{f.sym_name.data}" for f in functions)
        wanted = f"a function @{name}" if name else "one function with blocks"
        fail(NOT_FOUND, f"expected {wanted}, but the functions are {names}", op=root)
    return found[0]


def _kind(kind: str, tag: str) -> loop.LoopKindAttr:
    from xdsl.utils.exceptions import VerifyException

    try:
        return loop.LoopKindAttr.of(kind, tag)
    except VerifyException as error:
        fail(BAD_ARGUMENT, f"set_kind: {error}")


def _buffers(function: FuncOp) -> list[SSAValue]:
    found: list[SSAValue] = list(function.body.block.args)
    found += [result for op in function.walk() for result in op.results]
    return [value for value in found if isinstance(value.type, MemRefType)]


def _name_buffers_apart(function: FuncOp) -> None:
    """Give every buffer a name of its own, so that traces can speak of buffers by name."""
    taken: set[str] = set()
    for buffer in _buffers(function):
        name = buffer.name_hint or "buffer"
        count = 1
        while name in taken:
            count += 1
            name = f"{buffer.name_hint or 'buffer'}{count}"
        taken.add(name)
        if buffer.name_hint != name:
            buffer.name_hint = name
