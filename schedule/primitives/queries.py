"""Queries: blocks and loops by name, position and data flow."""

from __future__ import annotations

from xdsl.ir import BlockArgument, SSAValue

from ...analysis.access import accesses_in, blocks_in, consumers, producers
from ...analysis.access import writes as writes_of
from ...analysis.domain import loops_around
from ...diagnostics import fail
from ...diagnostics.locations import written_name
from ...diagnostics.text import did_you_mean
from ...dialects import loop
from ...traversal import operations
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitive_declaration import LOOKING, register_primitive
from ..refusal import NOT_FOUND, loop_names


@register_primitive(LOOKING, is_query=True)
def get_block(sch: Engine, name: str, func_name: str | None = None) -> BlockRV:
    """Return the block of that label. Raises TilewrightError TW0407 where no block or several have it.

    A block inside another one is found where no other block has the label, and the copy that `cache_read` or
    `cache_write` made by the name of its cache too, such as "A_local". "root" is the whole function, for
    `get_child_blocks` and `get_output_blocks`.

    `func_name` may state the name of the scheduled function; other functions have separate schedules.
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
    found = [b for b in blocks if b.label == name] or _found_otherwise(sch, name)
    if name == "root" and not found:
        return sch.handle_of_function()
    if len(found) != 1:
        labels = [b.label for b in blocks]
        fail(
            NOT_FOUND,
            f"expected one block {name!r}, but got {len(found)}; the blocks are {', '.join(map(repr, labels))}"
            + did_you_mean(name, labels),
            op=sch.func,
        )
    return sch.handle_of(found[0])


def _found_otherwise(sch: Engine, name: str) -> list[loop.BlockOp]:
    """Return blocks inside others that have the label, or else copies whose cache has that name."""
    everywhere = [op for op in operations(sch.func) if isinstance(op, loop.BlockOp)]
    inner = [op for op in everywhere if op.label == name]
    return inner or [op for op in everywhere if name in _caches(op)]


def _caches(block: loop.BlockOp) -> tuple[str | None, ...]:
    """Return the names of the cache that a block fills, or empties, where `cache_read` or `cache_write` made it."""
    ops = [*block.body.block.ops]
    if len(ops) != 2 or not isinstance(ops[0], loop.LoadOp) or not isinstance(ops[1], loop.StoreOp):
        return ()
    made = [ops[1].buffer] if "_read" in block.label else [ops[0].buffer] if "_write" in block.label else []
    return tuple(buffer.name_hint for buffer in made)


@register_primitive(LOOKING, is_query=True)
def get_loops(sch: Engine, block: BlockRV) -> tuple[LoopRV, ...]:
    """Return the loops around a block, outermost first: those inside the same block."""
    op = sch.block(block)
    scope = next(loop.enclosing(op, loop.BlockOp), None)
    return sch.handles_of(each for each in loops_around(op) if scope is None or scope.is_ancestor(each))


@register_primitive(LOOKING, is_query=True)
def get_loop(sch: Engine, variable: str) -> LoopRV:
    """Return the loop whose variable has that name. Raises TilewrightError TW0407 where no loop or several have it."""
    loops = [op for op in operations(sch.func) if isinstance(op, loop.ForOp)]
    found = [op for op in loops if variable in (op.induction_variable.name_hint, written_name(op.induction_variable))]
    if len(found) != 1:
        names = loop_names(loops)
        fail(NOT_FOUND, f"expected one loop %{variable}, but got {len(found)}; the loops are {names}", op=sch.func)
    return sch.handle_of(found[0])


@register_primitive(LOOKING, is_query=True)
def get_child_loops(sch: Engine, parent: LoopRV | None = None) -> tuple[LoopRV, ...]:
    """Return the outermost loops of the function, or of the body of a loop, in program order."""
    body = sch.func.body.block if parent is None else sch.loop(parent).body.block
    return sch.handles_of(op for op in body.ops if isinstance(op, loop.ForOp))


@register_primitive(LOOKING, is_query=True)
def get_child_blocks(sch: Engine, parent: BlockRV | LoopRV | None = None) -> tuple[BlockRV, ...]:
    """Return the blocks of the function, or those inside a block or a loop, in program order.

    Blocks that are nested in one of these are left out.
    """
    if parent is None or sch.is_function(parent):
        return sch.handles_in_order(blocks_in(sch.func))
    op = sch.block(parent) if isinstance(parent, BlockRV) else sch.loop(parent)
    return tuple(sch.handle_of(b) for nested in op.body.block.ops for b in blocks_in(nested))


@register_primitive(LOOKING, is_query=True)
def get_output_blocks(sch: Engine, scope_block: BlockRV | None = None) -> tuple[BlockRV, ...]:
    """Return the blocks that write an argument of the function, in program order.

    With `scope_block` those inside that block; "root" is the whole function.
    """
    if scope_block is None or sch.is_function(scope_block):
        writes = [a for a in accesses_in(sch.func) if a.is_write and _is_argument(a.buffer)]
        return sch.handles_in_order([a.block for a in writes if a.block is not None])
    inside = [b for op in sch.block(scope_block).body.block.ops for b in blocks_in(op)]
    return tuple(sch.handle_of(b) for b in inside if any(map(_is_argument, writes_of(b))))


@register_primitive(LOOKING, is_query=True)
def get_producers(sch: Engine, block: BlockRV) -> tuple[BlockRV, ...]:
    """Return the blocks that write a buffer that the block reads, in program order."""
    return sch.handles_in_order(producers(sch.block(block)))


@register_primitive(LOOKING, is_query=True)
def get_consumers(sch: Engine, block: BlockRV) -> tuple[BlockRV, ...]:
    """Return the blocks that read a buffer that the block writes, in program order."""
    return sch.handles_in_order(consumers(sch.block(block)))


@register_primitive(LOOKING, is_query=True)
def enter_postproc(sch: Engine) -> None:
    """Mark in the trace that the calls behind it finish a schedule; the program stays as it is."""


def _is_argument(buffer: SSAValue) -> bool:
    while isinstance(owner := buffer.owner, loop.ViewOp):
        buffer = owner.buffer
    return isinstance(buffer, BlockArgument)
