"""Finding blocks and loops."""

from __future__ import annotations

from xdsl.ir import BlockArgument, SSAValue

from ...analysis.access import accesses_in, blocks_in, consumers, producers
from ...analysis.domain import loops_around
from ...diagnostics import fail
from ...diagnostics.suggestions import did_you_mean
from ...dialects import loop
from ...traversal import operations
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..recording import recorded
from ..refusal import NOT_FOUND


class QueryMethods(Engine):
    """Blocks and loops by name and by what they depend on."""

    @recorded
    def get_block(self, name: str) -> BlockRV:
        """The block of that name. Raises TilewrightError TW0407 where there is none or several."""
        known = self._block_known_as(name)
        if known is not None:
            return self._handle(known)
        blocks = blocks_in(self.func)
        found = [b for b in blocks if b.label == name]
        if len(found) != 1:
            labels = [b.label for b in blocks]
            fail(
                NOT_FOUND,
                f"expected one block {name!r}, but got {len(found)}; the blocks are {', '.join(map(repr, labels))}"
                + did_you_mean(name, labels),
                op=self.func,
                help="get_child_blocks() gives the blocks of the whole function" if name == "root" else None,
            )
        return self._handle(found[0])

    @recorded
    def get_loops(self, block: BlockRV) -> tuple[LoopRV, ...]:
        """The loops around a block, outermost first."""
        return tuple(self._loop_handle(op) for op in loops_around(self.block(block)))

    @recorded
    def get_loop(self, variable: str) -> LoopRV:
        """The loop whose variable has that name. Raises TilewrightError TW0407 where there is none or several."""
        loops = [op for op in operations(self.func) if isinstance(op, loop.ForOp)]
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
    def get_child_blocks(self, parent: BlockRV | LoopRV | None = None) -> tuple[BlockRV, ...]:
        """The blocks in a block, in a loop, or in the function, in program order; not those within them."""
        if parent is None:
            return self._in_order(blocks_in(self.func))
        op = self.block(parent) if isinstance(parent, BlockRV) else self.loop(parent)
        return tuple(self._handle(b) for nested in op.body.block.ops for b in blocks_in(nested))

    @recorded
    def get_output_blocks(self) -> tuple[BlockRV, ...]:
        """The blocks that write what the caller sees, in program order."""
        blocks = [
            a.block for a in accesses_in(self.func) if a.is_write and a.block is not None and _is_argument(a.buffer)
        ]
        return self._in_order(blocks)

    @recorded
    def get_producers(self, block: BlockRV) -> tuple[BlockRV, ...]:
        """The blocks that write what a block reads, in program order."""
        return self._in_order(producers(self.block(block)))

    @recorded
    def get_consumers(self, block: BlockRV) -> tuple[BlockRV, ...]:
        """The blocks that read what a block writes, in program order."""
        return self._in_order(consumers(self.block(block)))


def _is_argument(buffer: SSAValue) -> bool:
    while isinstance(owner := buffer.owner, loop.ViewOp):
        buffer = owner.buffer
    return isinstance(buffer, BlockArgument)
