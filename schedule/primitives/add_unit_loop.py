"""add_unit_loop: a loop of one iteration around a block or a loop."""

from __future__ import annotations

from xdsl.rewriter import InsertPoint

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import BlockRV, LoopRV
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import UNSUITABLE, loop_name


@register_primitive(LOOPS)
def add_unit_loop(sch: Engine, block_or_loop: BlockRV | LoopRV) -> LoopRV:
    """Put a loop of one iteration around a block or a loop, to bind, to fuse or to compute at. Returns the loop.

    before:
    ```mlir
    loop.block "B" () { … }
    ```
    after `add_unit_loop(B)`:
    ```mlir
    loop.for %u = 0 to 1 {
      loop.block "B" () { … }
    }
    ```
    """
    return sch.handle_of(_add_unit_loop(sch.block_or_loop(block_or_loop)))


def _add_unit_loop(op: loop.BlockOp | loop.ForOp) -> loop.ForOp:
    if isinstance(op, loop.ForOp) and op.iter_args:
        fail(UNSUITABLE, f"add_unit_loop: loop {loop_name(op)} carries values from one iteration to the next", op=op)
    outer = loop.ForOp(0, 1, name_hint="u")
    edit.insert(outer, InsertPoint.before(op), of=op)
    edit.append(outer.body.block, edit.detach(op))
    return outer
