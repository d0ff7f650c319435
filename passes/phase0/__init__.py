"""Phase 0: lowers graph and upstream MLIR to te, te to loops with blocks, and schedules the loops.

The passes work on four levels. Graph: `infer-types` to `outline`, among them `integer-products`, `fold-constant`,
`pack-weights` and `fuse`. Te: `fuse` and `collapse-dimensions`. Blocks: `partition-blocks`, `auto-schedule`, and on
request `apply-schedule`, `tile`, `reorder`, `parallelize`, `probe`. Upstream MLIR: `bufferize` and `convert-*`.
The conversions between these levels are `lower-graph` and `lower-te`. Begin with `fuse` and `lower_te`.
"""
