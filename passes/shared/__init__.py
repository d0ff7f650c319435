"""Rewriting that several passes use.

- Blocks and loops: `scheduling` (primitives in passes), `loops`, `guards`.
- Buffers: `buffer_versions`, `thread_rows`, `arena_offsets`, `register_file`.
- Graph and te: `axes`, `nests` (used by `lower-te`), `channel_scaling`.
- Kernels: `barriers`, `pipeline_stages`.
"""
