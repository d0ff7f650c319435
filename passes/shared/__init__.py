"""Rewriting that several passes use.

- Blocks and loops: `scheduling` (primitives in passes), `loops`, `guards`, `unused`.
- Buffers: `buffer_versions`, `thread_rows`, `arena_offsets`, `register_file`, `replaced_scopes`, `zeros`.
- Graph and te: `axes`, `nests` (used by `lower-te`), `channel_scaling`, `unfused_blocks`, `operator_key`.
- Kernels: `barriers`, `pipeline_stages`.
"""
