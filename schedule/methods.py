"""The built-in primitives as methods; their declarations stand in `primitives/`, and are imported when they are used.

Written by `python -m tilewright.tools.schedule_methods`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deferred_methods import deferred
from .views import ViewMethods

PRIMITIVES: dict[str, str] = {
    "add_unit_loop": "primitives.add_unit_loop:add_unit_loop",
    "annotate": "primitives.annotations:annotate",
    "bind": "primitives.bind:bind",
    "blockize": "primitives.blockize:blockize",
    "cache_index": "primitives.cache_index:cache_index",
    "cache_inplace": "primitives.cache_inplace:cache_inplace",
    "cache_read": "primitives.cache_read_write:cache_read",
    "cache_write": "primitives.cache_read_write:cache_write",
    "compute_at": "primitives.compute_at:compute_at",
    "compute_inline": "primitives.compute_inline:compute_inline",
    "compute_root": "primitives.compute_root:compute_root",
    "decide": "primitives.decide:decide",
    "decompose_padding": "primitives.decompose_padding:decompose_padding",
    "decompose_reduction": "primitives.decompose_reduction:decompose_reduction",
    "double_buffer": "primitives.double_buffer:double_buffer",
    "enter_postproc": "primitives.queries:enter_postproc",
    "fuse": "primitives.fuse:fuse",
    "get_block": "primitives.queries:get_block",
    "get_child_blocks": "primitives.queries:get_child_blocks",
    "get_child_loops": "primitives.queries:get_child_loops",
    "get_consumers": "primitives.queries:get_consumers",
    "get_loop": "primitives.queries:get_loop",
    "get_loops": "primitives.queries:get_loops",
    "get_output_blocks": "primitives.queries:get_output_blocks",
    "get_producers": "primitives.queries:get_producers",
    "import_foreign": "primitives.import_foreign:import_foreign",
    "loop_partition": "primitives.loop_partition:loop_partition",
    "make_unsigned": "primitives.make_unsigned:make_unsigned",
    "merge": "primitives.merge:merge",
    "pad_einsum": "primitives.pad_einsum:pad_einsum",
    "parallel": "primitives.set_kind:parallel",
    "pragma": "primitives.annotations:pragma",
    "prefetch": "primitives.prefetch:prefetch",
    "probe": "primitives.probe:probe",
    "read_at": "primitives.cache_at:read_at",
    "reindex": "primitives.reindex:reindex",
    "reindex_cache_read": "primitives.reindex_cache:reindex_cache_read",
    "reindex_cache_write": "primitives.reindex_cache:reindex_cache_write",
    "remove_unit_loops": "primitives.remove_unit_loops:remove_unit_loops",
    "rename_block": "primitives.rename_block:rename_block",
    "reorder": "primitives.reorder:reorder",
    "reorder_block_iter_var": "primitives.reorder_block_iter_var:reorder_block_iter_var",
    "reverse_compute_at": "primitives.reverse_compute_at:reverse_compute_at",
    "reverse_compute_inline": "primitives.reverse_compute_inline:reverse_compute_inline",
    "rfactor": "primitives.rfactor:rfactor",
    "rolling_buffer": "primitives.rolling_buffer:rolling_buffer",
    "sample_categorical": "primitives.sample:sample_categorical",
    "sample_compute_location": "primitives.sample:sample_compute_location",
    "sample_perfect_tile": "primitives.sample:sample_perfect_tile",
    "set_axis_separator": "primitives.set_axis_separator:set_axis_separator",
    "set_kind": "primitives.set_kind:set_kind",
    "set_scope": "primitives.set_scope:set_scope",
    "split": "primitives.split:split",
    "storage_align": "primitives.storage_layout:storage_align",
    "storage_swizzle": "primitives.storage_layout:storage_swizzle",
    "tensorize": "primitives.tensorize:tensorize",
    "tile": "primitives.tile:tile",
    "transform_block_layout": "primitives.transform_block_layout:transform_block_layout",
    "transform_layout": "primitives.transform_layout:transform_layout",
    "unannotate": "primitives.annotations:unannotate",
    "unroll": "primitives.set_kind:unroll",
    "unsafe_set_dtype": "primitives.unsafe_set_dtype:unsafe_set_dtype",
    "vectorize": "primitives.set_kind:vectorize",
    "widen": "primitives.widen:widen",
    "write_at": "primitives.cache_at:write_at",
}
"""The modules of the built-in primitives, relative to this folder, by name."""

if TYPE_CHECKING:
    from .primitives.add_unit_loop import add_unit_loop
    from .primitives.annotations import annotate, pragma, unannotate
    from .primitives.bind import bind
    from .primitives.blockize import blockize
    from .primitives.cache_at import read_at, write_at
    from .primitives.cache_index import cache_index
    from .primitives.cache_inplace import cache_inplace
    from .primitives.cache_read_write import cache_read, cache_write
    from .primitives.compute_at import compute_at
    from .primitives.compute_inline import compute_inline
    from .primitives.compute_root import compute_root
    from .primitives.decide import decide
    from .primitives.decompose_padding import decompose_padding
    from .primitives.decompose_reduction import decompose_reduction
    from .primitives.double_buffer import double_buffer
    from .primitives.fuse import fuse
    from .primitives.import_foreign import import_foreign
    from .primitives.loop_partition import loop_partition
    from .primitives.make_unsigned import make_unsigned
    from .primitives.merge import merge
    from .primitives.pad_einsum import pad_einsum
    from .primitives.prefetch import prefetch
    from .primitives.probe import probe
    from .primitives.queries import (
        enter_postproc,
        get_block,
        get_child_blocks,
        get_child_loops,
        get_consumers,
        get_loop,
        get_loops,
        get_output_blocks,
        get_producers,
    )
    from .primitives.reindex import reindex
    from .primitives.reindex_cache import reindex_cache_read, reindex_cache_write
    from .primitives.remove_unit_loops import remove_unit_loops
    from .primitives.rename_block import rename_block
    from .primitives.reorder import reorder
    from .primitives.reorder_block_iter_var import reorder_block_iter_var
    from .primitives.reverse_compute_at import reverse_compute_at
    from .primitives.reverse_compute_inline import reverse_compute_inline
    from .primitives.rfactor import rfactor
    from .primitives.rolling_buffer import rolling_buffer
    from .primitives.sample import sample_categorical, sample_compute_location, sample_perfect_tile
    from .primitives.set_axis_separator import set_axis_separator
    from .primitives.set_kind import parallel, set_kind, unroll, vectorize
    from .primitives.set_scope import set_scope
    from .primitives.split import split
    from .primitives.storage_layout import storage_align, storage_swizzle
    from .primitives.tensorize import tensorize
    from .primitives.tile import tile
    from .primitives.transform_block_layout import transform_block_layout
    from .primitives.transform_layout import transform_layout
    from .primitives.unsafe_set_dtype import unsafe_set_dtype
    from .primitives.widen import widen

    class DeclaredMethods(ViewMethods):
        """The built-in primitives of every schedule."""

        # Finding blocks and loops
        enter_postproc = enter_postproc
        get_block = get_block
        get_child_blocks = get_child_blocks
        get_child_loops = get_child_loops
        get_consumers = get_consumers
        get_loop = get_loop
        get_loops = get_loops
        get_output_blocks = get_output_blocks
        get_producers = get_producers

        # Transforming loops
        add_unit_loop = add_unit_loop
        bind = bind
        fuse = fuse
        loop_partition = loop_partition
        merge = merge
        parallel = parallel
        prefetch = prefetch
        remove_unit_loops = remove_unit_loops
        reorder = reorder
        reorder_block_iter_var = reorder_block_iter_var
        sample_perfect_tile = sample_perfect_tile
        set_kind = set_kind
        split = split
        tile = tile
        transform_block_layout = transform_block_layout
        unroll = unroll
        vectorize = vectorize

        # Moving blocks
        compute_at = compute_at
        compute_inline = compute_inline
        compute_root = compute_root
        reverse_compute_at = reverse_compute_at
        reverse_compute_inline = reverse_compute_inline
        sample_compute_location = sample_compute_location

        # Buffers and layouts
        cache_index = cache_index
        cache_inplace = cache_inplace
        cache_read = cache_read
        cache_write = cache_write
        decompose_padding = decompose_padding
        double_buffer = double_buffer
        make_unsigned = make_unsigned
        pad_einsum = pad_einsum
        read_at = read_at
        reindex = reindex
        reindex_cache_read = reindex_cache_read
        reindex_cache_write = reindex_cache_write
        rolling_buffer = rolling_buffer
        set_axis_separator = set_axis_separator
        set_scope = set_scope
        storage_align = storage_align
        storage_swizzle = storage_swizzle
        transform_layout = transform_layout
        unsafe_set_dtype = unsafe_set_dtype
        widen = widen
        write_at = write_at

        # Reductions
        decompose_reduction = decompose_reduction
        rfactor = rfactor

        # Tensor intrinsics and foreign code
        blockize = blockize
        import_foreign = import_foreign
        tensorize = tensorize

        # Names and annotations
        annotate = annotate
        decide = decide
        pragma = pragma
        probe = probe
        rename_block = rename_block
        sample_categorical = sample_categorical
        unannotate = unannotate
else:
    DeclaredMethods = deferred(ViewMethods, PRIMITIVES, __name__, __package__)
