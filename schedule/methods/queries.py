"""Finding blocks and loops."""

from __future__ import annotations

from ...analysis.access import blocks_in, consumers, producers
from ...analysis.domain import loops_around
from ...diagnostics import fail
from ...dialects import loop
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..recording import recorded
from ..refusal import NOT_FOUND


class QueryMethods(Engine):
    """Blocks and loops by name and by what they depend on."""

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
