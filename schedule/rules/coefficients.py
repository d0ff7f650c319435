"""Coefficients that were fitted to measured times of kernels, a section for each family of rules.

They correct the predictions that a rule makes from the facts of the target: available shares of a bandwidth or a cache,
cycles of short pieces of code, and the least gain for which a transformation is applied. Every other number of a rule
is a limit of its search space.
"""

from __future__ import annotations

# Register tiles

TILE_SUSTAINED_LOADS = 0.85
"""The available share of the loads a cycle while the first cache is being filled."""

TILE_NOT_STREAMED = 0.4
"""The available share of the second cache's bandwidth for accesses that are no stream."""

TILE_DELAY = 1
"""Extra cycles of each step in a chain of multiply-adds, beside the latency."""

TILE_NOT_HIDDEN = 0.4
"""The share of the loads that arithmetic does not hide: the other thread of the core, and address computations, wait
for the load ports."""

TILE_TAIL = 1.02
"""The factor on the cost of a tile for each axis with a tail, which is separate code."""

TILE_LOAD_SHARE = 0.05
"""The part of the cycles of hidden loads that counts: of two tiles the one with fewer loads is better."""

TIE = 0.999
"""The part of the best cost so far that a tile must stay below: of two tiles with about the same cost, the first one is
taken."""

# Panels

PANEL_LOAD_COST = 0.25
"""Cycles that a load takes from the multiply-adds beside it, because they share ports."""

PANEL_STREAM_COST = 2.0
"""Cycles for a vector from the second cache, where panels come from."""

PANEL_PACKING_COST = 1.0
"""Cycles for an element that is packed in runs of a tile's rows."""

PANEL_NEAR_COPYING_COST, PANEL_COPYING_COST = 0.2, 0.3
"""The same in runs of whole panels, from the second cache and from beyond it. The fetch itself does not count, because
use in place needs it too."""

PANEL_FAR_COST, PANEL_FARTHER_COST = 2.0, 10.0
"""Cycles for a term of a panel that is read in place and not in the first cache: within a page, and page by page."""

PANEL_GAIN = 1.3
"""The least ratio of saved cycles to the cycles of packing."""

PANEL_RIGHT_PART = 0.375
"""The panels of a block, in sizes of the second cache: each tile of rows reads all of them from there. Packing moves as
many bytes of the operand through that cache."""

PANEL_LEFT_PART = 0.5
"""The rows of a block, in sizes of the second cache, where every panel reads them again."""

PANEL_WORTHWHILE_SHARE = 0.9
"""The least evenness of blocks among threads: the mean work over the most work of a thread."""

PANEL_SMALL_BLOCK = 0.3
"""The overhead of a block of one tile, as a share of its work; the overhead of a block of n tiles is an n-th of it."""

# Packed rows

ROW_SPILL_LOADS = 4
"""The cost of a register that a tile lacks, in loads: a load, a store, and copies between registers."""

ROW_BORDER = 1.002
"""The factor on the cost for smaller tiles at the end of rows, beyond the cycles of these tiles: they are separate
code."""

ROW_RESULT_CYCLES = 2
"""Cycles to load and store a vector of results, where the reduction goes on in another chunk."""

ROW_CACHE_PART = 0.5
"""The part of the second cache that is available to pixels."""

# Chunks of sums

CHUNK_FIRST_LEVEL = 0.5
"""The part of the first cache that a chunk's weights take, or the pixels of a tile where weights are a stream."""

CHUNK_MOST_OF_FIRST_LEVEL = 0.8
"""The part of the first cache that the weights for one iteration of the outermost reduce axis may take."""

CHUNK_SECOND_LEVEL = 0.25
"""The part of the second cache for the results of a block, and as much for the pixels that a chunk reads."""

CHUNK_STREAM = 0.2
"""The part of the second cache that streamed weights of a tile may take; the next weights and the pixels need the
rest."""

CHUNK_ROWS_IN_A_SET = 0.5
"""The part of a set of the first cache that rows of pixels may take where weights are a stream: rows at a distance of
whole pages share one set."""

CHUNK_SHORTEST = 4
"""Chunks that are this many times shorter than the cache allows do not pay."""

CHUNK_FULL, CHUNK_NEARLY_FULL = 1.1, 1.25
"""The most elements that tiles may compute for each existing one: preferred, and where no part fills its tiles so
well."""

# Tasks of transformed products

TASK_FIRST_LEVEL = 0.5
"""The part of the first cache that the weights of a tile may take to be read from there."""

TASK_NEAR_PART, TASK_FAR_PART = 0.6, 0.7
"""The available shares of the bandwidths of the second and the third cache: weights are read during arithmetic,
intermediate results between two dependent steps are not."""

TASK_EXPOSED = 0.2
"""The share of the time for reading weights that arithmetic does not hide."""

# Products by kernels

PRODUCT_LEAST_USEFUL = 0.4
"""The least share of a padded product that is useful."""

PRODUCT_FIRST_LEVEL, PRODUCT_SECOND_LEVEL = 0.85, 0.5
"""The part of the first cache for both operands of a tile, and of the second one for the left operand's block."""

PRODUCT_NOT_OVERLAPPED = 0.25
"""The share of the shorter of computing and moving that the longer one does not hide."""

PRODUCT_COPY = 0.05
"""The cost of copying operands for padding, as a share of the time of the product."""

# Orders of loops

PLACEMENT_BYTE_COSTS = (0.2, 0.5, 1.0, 3.0)
"""Relative cost of a byte from the first, second and third cache level, and from memory."""

PLACEMENT_FILL = 0.7
"""The part of a cache that is available to one operand."""

# Blocks of results

BLOCK_TURNING_CYCLES = 3
"""Cycles to take a vector of results out of its block: a load and two stores, beside a shuffle for each bit of a lane's
number."""

BLOCK_PACKING_COST = 1.0
"""Cycles for each weight that is copied."""

BLOCK_GAIN = 1.02
"""The speedup from which results are computed in blocks."""

# Turned results

TURNED_MOST_WASTE = 1.2
"""The largest ratio of the vector elements a run needs per element to those that whole rows need."""

# Threads

PARALLEL_GAIN = 1.5
"""The least that threads have to save, in costs of a fork and a join: data of another core comes from its
caches."""

# Reading ahead

AHEAD_ROW_PART = 0.25
"""The part of the second cache that a row may take, so that this row and the next one both stay there."""

# Stores past the caches

STORE_SHARE = 8
"""The largest ratio of a core's share of the third-level cache to its second-level cache.

The third level belongs to all cores of a socket, of which a process may see few. Processors give each core between one
and eight times its second level.
"""

# Tiles of products on GPUs

GPU_TILE_BUSY_SUMS = 6144
"""The number of sums, over all threads of a multiprocessor, that keeps its arithmetic busy."""

GPU_TILE_LOAD_COST = 2.0
"""Cycles of a load from shared memory, relative to those of a multiply-add."""

GPU_TILE_STEP_COST = 16.0
"""The cost of a step of a tile beside its arithmetic, in instructions of a thread: barriers, and addresses."""

GPU_TILE_LANES_A_CYCLE = 128
"""Threads whose instructions a multiprocessor starts in a cycle."""

GPU_TILE_BYTES_A_CYCLE = 32
"""The bytes a cycle that a multiprocessor reads from the second cache."""

GPU_TILE_LATENCY = 500
"""Cycles of latency of a fetch, in which other blocks may work."""

GPU_TILE_HIDDEN = 0.25
"""The share of fetching that arithmetic does not hide even where it takes longer."""

GPU_TILE_LAUNCH_CYCLES = 5000
"""The cost of one more kernel launch."""

GPU_TILE_GAIN = 1.4
"""The least speedup for which terms are cut into parts."""

GPU_TILE_PLAIN, GPU_TILE_GATHERED = 1.0, 25.0
"""Instructions to fetch an element: of contiguous elements, and of elements with an address and conditions each."""

# Tiles of tensor cores

GPU_TENSOR_PRODUCTS_A_CYCLE, GPU_TENSOR_GROUP_PRODUCTS_A_CYCLE = 1024, 2048
"""Multiply-adds of float16 that a multiprocessor does in a cycle by instructions of one warp, and of four warps
together."""

GPU_TENSOR_BUSY_WARPS, GPU_TENSOR_BUSY_GROUP_WARPS = 8, 4
"""Warps that keep a multiprocessor's tensor cores busy by these instructions."""

GPU_TENSOR_LOAD_CYCLES = 4
"""Cycles of a multiprocessor to load four matrices from shared memory."""

GPU_TENSOR_STEP_CYCLES, GPU_TENSOR_GROUP_STEP_CYCLES = 60, 500
"""The cost of a step beside its products: barriers and addresses; for four warps, which wait for their products, the
first products as well."""

# Transformed convolutions

WINOGRAD_BUSY = 0.9
"""The part of the multiply-adds a cycle that a product reaches: tiles have borders, and sometimes wait for operands."""

WINOGRAD_TRANSFORM_CYCLES = 60
"""Cycles to transform a tile for one vector of channels: 16 loads, 16 stores, half of them or more beyond the first
cache, and 32 additions between."""

WINOGRAD_BLOCK_CYCLES = 4
"""Cycles to put a vector of pixels into blocks of channels."""

WINOGRAD_GAIN = 1.1
"""The least expected speedup for which it is applied."""
