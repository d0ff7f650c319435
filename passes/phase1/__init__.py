"""Phase 1: storage. Replaces blocks by loops, and fixes sizes, memory and layouts of buffers.

`lower-blocks` replaces blocks by plain statements, whose order is then fixed. The following passes give iterations,
threads and warps separate buffers, and shrink buffers to the accessed region (`sink-allocations`). `flatten-buffers`
turns dimensions into address arithmetic, and `plan-arena` assigns offsets in one allocation. Begin with `lower_blocks`,
`sink_allocations` and `flatten_buffers`.
"""
