"""reindex_cache_read and reindex_cache_write: a copy of a buffer that a block reads or writes, in another layout."""

from __future__ import annotations

from typing import Literal

from ...analysis.access import accesses_in
from ...diagnostics import fail
from ...diagnostics.locations import name_of
from ...dialects.index_expr import Symbol
from ..buffer_argument import BufferLike
from ..engine import Engine
from ..forms import unsuitable
from ..handles import BlockRV
from ..index_map import BAD_MAP, IndexMap, MapLike
from ..primitive_declaration import BUFFERS, register_primitive
from .reindex import reindexed
from .set_scope import check_scope
from .transform_layout import transform_layout


@register_primitive(BUFFERS)
def reindex_cache_read(sch: Engine, block: BlockRV, buffer: BufferLike, scope: str, index_map: MapLike) -> BlockRV:
    """Let a block read a copy of a buffer in another scope and layout. Returns the copying block.

    `index_map` maps the iteration variables of the block to the index of the element in the copy. `reindex_cache_read`
    is `reindex` and then `transform_layout`, with the same refusals. TW0418 refuses a map that uses variables which do
    not index the buffer.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    after `reindex_cache_read(B, "A", "local", "(i, j) -> (j, i)")`:
    ```mlir
    %A_local = loop.alloc : memref<4x8xf32, "local">
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "A_local" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %A_local[%vj, %vi] : memref<4x8xf32, "local">
        }
      }
    }
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A_local[%vj, %vi] : memref<4x8xf32, "local">
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    """
    return _reindex_cache(sch, "read", block, buffer, scope, IndexMap.of(index_map))


@register_primitive(BUFFERS)
def reindex_cache_write(sch: Engine, block: BlockRV, buffer: BufferLike, scope: str, index_map: MapLike) -> BlockRV:
    """Let a block write a buffer of another scope and layout, and copy that to the old one. Returns the copying block.

    `index_map` maps the iteration variables of the block to the index of the element in the new buffer.
    `reindex_cache_write` is `reindex` and then `transform_layout`, with the same refusals. TW0418 refuses a map that
    uses variables which do not index the buffer.

    before:
    ```mlir
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    after `reindex_cache_write(B, "B", "local", "(i, j) -> (j, i)")`:
    ```mlir
    %B_local = loop.alloc : memref<4x8xf32, "local">
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
          loop.store %a, %B_local[%vj, %vi] : memref<4x8xf32, "local">
        }
      }
    }
    loop.for %i = 0 to 8 {
      loop.for %j = 0 to 4 {
        loop.block "B_local" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
          %0 = loop.load %B_local[%vj, %vi] : memref<4x8xf32, "local">
          loop.store %0, %B[%vi, %vj] : memref<8x4xf32>
        }
      }
    }
    ```
    """
    return _reindex_cache(sch, "write", block, buffer, scope, IndexMap.of(index_map))


def _reindex_cache(
    sch: Engine, side: Literal["read", "write"], block: BlockRV, buffer: BufferLike, scope: str, index_map: IndexMap
) -> BlockRV:
    primitive = f"reindex_cache_{side}"
    op = sch.block(block)
    found = sch.buffer_of(primitive, op, buffer, side)
    check_scope(primitive, scope, found)
    accesses = [a for a in accesses_in(op) if a.buffer is found]
    if (side == "write") != any(a.is_write for a in accesses):
        unsuitable(primitive, op, f"should {side} {name_of(found)}")
    used = {v for a in accesses for v in a.op.operands}
    kept = [v in used for v in op.variables]
    if len(index_map.names) != len(kept):
        fail(
            BAD_MAP,
            f"{primitive}: expected an index map of {len(kept)} parameters, the iteration variables of block "
            f"{op.label!r}, but got {index_map}",
            op=op,
        )
    names = tuple(name for name, is_kept in zip(index_map.names, kept, strict=True) if is_kept)
    odd = [s for e in index_map.results for s in e.variables if isinstance(s, Symbol) and s.name not in names]
    if odd:
        fail(
            BAD_MAP,
            f"{primitive}: expected a map of the variables that index {name_of(found)} in block {op.label!r}, but "
            f"{index_map} uses {odd[0].name!r}",
            op=op,
        )
    copy, fresh = reindexed(op, found, scope)
    handle = sch.handle_of(copy)
    transform_layout(sch, handle, fresh, IndexMap(names, index_map.results))
    return handle
