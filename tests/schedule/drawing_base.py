"""Queries of drawn primitives on a schedule: its blocks, loops and buffers by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tilewright.dialects import loop
from tilewright.schedule import BlockRV, LoopRV, Schedule
from xdsl.ir import SSAValue

from .choices import Choices, pick

T = TypeVar("T")


class Draws:
    """A schedule and the source of choices."""

    attempted = ""

    def __init__(self, schedule: Schedule, choices: Choices) -> None:
        self.schedule = schedule
        self.choices = choices

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the items, drawn as a number: hypothesis would print operations whole."""
        return pick(self.choices, choices)

    def flag(self) -> bool:
        return bool(self.choices.between(0, 1))

    def seldom(self) -> bool:
        return self.choices.between(0, 4) == 0

    def blocks(self) -> list[loop.BlockOp]:
        """Return the statements; blocks over tiles stand for what is in them."""
        return [
            op
            for op in self.schedule.func.walk()
            if isinstance(op, loop.BlockOp) and not any(loop.enclosing(op, loop.BlockOp))
        ]

    def block(self) -> BlockRV:
        return self.handle(self.pick(self.blocks()))

    def handle(self, block: loop.BlockOp) -> BlockRV:
        return self.schedule.get_block(block.label)

    def reductions(self) -> list[loop.BlockOp]:
        return [op for op in self.blocks() if "reduce" in op.kinds and op.init is not None]

    def loops(self, kinds: Sequence[str] = ("serial",)) -> list[LoopRV]:
        """Return the loops of those kinds around one block, outermost first."""
        return [h for h in self.schedule.get_loops(self.block()) if self.schedule.loop(h).kind.kind.data in kinds]

    def loops_of(self, block: loop.BlockOp) -> list[LoopRV]:
        """Return the serial loops around a block."""
        loops = self.schedule.get_loops(self.handle(block))
        return [h for h in loops if self.schedule.loop(h).kind == loop.SERIAL]

    def is_counted(self, handle: LoopRV) -> bool:
        return self.schedule.loop(handle).constant_trip_count is not None

    def is_reducing(self, handle: LoopRV) -> bool:
        """Return whether some block sums over the loop."""
        op = self.schedule.loop(handle)
        blocks = [b for b in self.blocks() if op.is_ancestor(b)]
        bindings = [(kind, binding) for b in blocks for _, kind, binding, _ in b.iteration()]
        return any(kind == "reduce" and op.induction_variable in binding.variables for kind, binding in bindings)

    def stores(self, block: BlockRV) -> list[loop.StoreOp]:
        return [op for op in self.schedule.block(block).walk() if isinstance(op, loop.StoreOp)]

    def loads(self, block: BlockRV) -> list[loop.LoadOp]:
        return [op for op in self.schedule.block(block).walk() if isinstance(op, loop.LoadOp)]

    def private(self, block: BlockRV) -> bool:
        """Return whether the block writes buffers of the function's own."""
        return all(isinstance(op.buffer.owner, loop.AllocOp) for op in self.stores(block))

    def private_store(self) -> tuple[BlockRV, loop.StoreOp] | None:
        """Return a block that writes a buffer of the function's own, and how."""
        private = [h for b in self.blocks() if self.private(h := self.handle(b))]
        if not private:
            return None
        block = self.pick(private)
        return block, self.stores(block)[0]

    def refilled(self) -> tuple[BlockRV, SSAValue] | None:
        """Return a block that fills a buffer which lives in a loop."""
        found = [
            (b, op.buffer)
            for b in self.blocks()
            for op in self.stores(self.handle(b))
            if isinstance(op.buffer.owner, loop.AllocOp) and any(loop.enclosing(op.buffer.owner, loop.ForOp))
        ]
        if not found:
            return None
        block, buffer = self.pick(found)
        return self.handle(block), buffer
