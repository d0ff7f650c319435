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
from ..primitive_declaration import LOOKING, register_primitive
from ..refusal import NOT_FOUND


@register_primitive(LOOKING, is_query=True)
def get_block(sch: Engine, name: str, func_name: str | None = None) -> BlockRV:
    """Returns the block of that label. Raises TilewrightError TW0407 where no block or several have it.

    `func_name` may state the name of the scheduled function; other functions have schedules of their own.
    """
    if func_name is not None and func_name != sch.func.sym_name.data:
        fail(
            NOT_FOUND,
            f"expected a block of @{sch.func.sym_name.data}, which is scheduled, but got @{func_name}",
            op=sch.func,
            help=f"Schedule(module, function={func_name!r}) transforms that function",
        )
    known = sch.block_known_as(name)
    if known is not None:
        return sch.handle_of(known)
    blocks = blocks_in(sch.func)
    found = [b for b in blocks if b.label == name]
    if len(found) != 1:
        labels = [b.label for b in blocks]
        fail(
            NOT_FOUND,
            f"expected one block {name!r}, but got {len(found)}; the blocks are {', '.join(map(repr, labels))}"
            + did_you_mean(name, labels),
            op=sch.func,
            help="get_child_blocks() gives the blocks of the whole function" if name == "root" else None,
        )
    return sch.handle_of(found[0])


@register_primitive(LOOKING, is_query=True)
def get_loops(sch: Engine, block: BlockRV) -> tuple[LoopRV, ...]:
    """Returns the loops around a block, outermost first."""
    return sch.handles_of(loops_around(sch.block(block)))


@register_primitive(LOOKING, is_query=True)
def get_loop(sch: Engine, variable: str) -> LoopRV:
    """Returns the loop whose variable has that name. Raises TilewrightError TW0407 where no loop or several have it."""
    loops = [op for op in operations(sch.func) if isinstance(op, loop.ForOp)]
    found = [op for op in loops if op.induction_variable.name_hint == variable]
    if len(found) != 1:
        names = ", ".join(f"%{op.induction_variable.name_hint}" for op in loops)
        fail(NOT_FOUND, f"expected one loop %{variable}, but got {len(found)}; the loops are {names}", op=sch.func)
    return sch.handle_of(found[0])


@register_primitive(LOOKING, is_query=True)
def get_child_loops(sch: Engine, parent: LoopRV | None = None) -> tuple[LoopRV, ...]:
    """Returns the outermost loops of the function, or of the body of a loop, in program order."""
    body = sch.func.body.block if parent is None else sch.loop(parent).body.block
    return sch.handles_of(op for op in body.ops if isinstance(op, loop.ForOp))


@register_primitive(LOOKING, is_query=True)
def get_child_blocks(sch: Engine, parent: BlockRV | LoopRV | None = None) -> tuple[BlockRV, ...]:
    """Returns the blocks of the function, or those inside a block or a loop, in program order.

    Blocks that are nested in one of these are left out.
    """
    if parent is None:
        return sch.handles_in_order(blocks_in(sch.func))
    op = sch.block(parent) if isinstance(parent, BlockRV) else sch.loop(parent)
    return tuple(sch.handle_of(b) for nested in op.body.block.ops for b in blocks_in(nested))


@register_primitive(LOOKING, is_query=True)
def get_output_blocks(sch: Engine) -> tuple[BlockRV, ...]:
    """Returns the blocks that write an argument of the function, in program order."""
    blocks = [a.block for a in accesses_in(sch.func) if a.is_write and a.block is not None and _is_argument(a.buffer)]
    return sch.handles_in_order(blocks)


@register_primitive(LOOKING, is_query=True)
def get_producers(sch: Engine, block: BlockRV) -> tuple[BlockRV, ...]:
    """Returns the blocks that write a buffer that the block reads, in program order."""
    return sch.handles_in_order(producers(sch.block(block)))


@register_primitive(LOOKING, is_query=True)
def get_consumers(sch: Engine, block: BlockRV) -> tuple[BlockRV, ...]:
    """Returns the blocks that read a buffer that the block writes, in program order."""
    return sch.handles_in_order(consumers(sch.block(block)))


@register_primitive(LOOKING, is_query=True)
def enter_postproc(sch: Engine) -> None:
    """Mark in the trace that the calls behind it finish a schedule; the program stays as it is."""


def _is_argument(buffer: SSAValue) -> bool:
    while isinstance(owner := buffer.owner, loop.ViewOp):
        buffer = owner.buffer
    return isinstance(buffer, BlockArgument)
