"""reorder_block_iter_var: the order in which a block lists its iteration variables."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, IndexType

from ...diagnostics import fail
from ...dialects import loop
from ...ir import editor as edit
from ..engine import Engine
from ..handles import BlockRV
from ..primitive_declaration import LOOPS, register_primitive
from ..refusal import BAD_ARGUMENT


@register_primitive(LOOPS)
def reorder_block_iter_var(sch: Engine, block: BlockRV, new_order: Sequence[int]) -> None:
    """Permute the iteration variables of a block. `new_order` lists their old positions.

    The program computes the same. The order matters to patterns that match variables by position, such as those of
    tensor intrinsics.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) { … }
      }
    }
    ```
    after `reorder_block_iter_var(B, [1, 0])`:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vj = spatial(%j) in 4, %vi = spatial(%i) in 8) { … }
      }
    }
    ```
    """
    _reorder_block_iter_var(sch.block(block), new_order)


def _reorder_block_iter_var(block: loop.BlockOp, new_order: Sequence[int]) -> None:
    old = block.variables
    if sorted(new_order) != list(range(len(old))):
        fail(
            BAD_ARGUMENT,
            f"reorder_block_iter_var: expected the positions 0 to {len(old) - 1} of the variables of block "
            f"{block.label!r}, each once, but got {list(new_order)}",
            op=block,
        )
    lists = block.index_lists()
    body = block.body.block
    for position in new_order:
        fresh = edit.insert_argument(body, IndexType(), len(body.args))
        edit.rename(fresh, old[position].name_hint)
        edit.replace_uses(old[position], fresh)
    for variable in old:
        edit.erase_argument(variable)
    kinds = block.iteration_kinds.data
    edit.change(block).iteration_kinds = ArrayAttr(kinds[p] for p in new_order)
    block.set_index_lists(**{name: [lists[name][p] for p in new_order] for name in ("bindings", "extents")})
