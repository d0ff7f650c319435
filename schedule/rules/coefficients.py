"""Coefficients that were fitted to measured times of kernels, a section for each family of rules.

They correct what a rule predicts from the facts of the machine, which the target states: shares of a bandwidth or a
cache that are left, cycles of short pieces of code, gains that a detour must promise. Every other number of a rule is a
limit of its space.
"""

from __future__ import annotations

# Register tiles

TILE_SUSTAINED_LOADS = 0.85
"""The part of the loads a cycle that is left where every load waits for its turn in a first cache that is being
filled."""

TILE_NOT_STREAMED = 0.4
"""The part of the second cache's bandwidth that is left where no stream is read."""

TILE_DELAY = 1
"""Cycles that get in the way of a chain of multiply-adds, beside their latency."""

TILE_NOT_HIDDEN = 0.4
"""The part of the loads that does not hide behind the arithmetic: a port that loads is one that a neighbour on the same
core, or an address, waits for."""

TILE_TAIL = 1.02
"""The factor on the cost of a tile for each axis with a tail, which is separate code."""

TILE_LOAD_SHARE = 0.05
"""The part of the cycles of hidden loads that counts: of two tiles the one with fewer loads is better."""

TIE = 0.999
"""The part of the best cost so far that a tile must stay below: of two about the same, the first one counts."""

# Panels

PANEL_LOAD_COST = 0.25
"""Cycles that a load takes from the multiply-adds beside it, ports being shared."""

PANEL_STREAM_COST = 2.0
"""Cycles for a vector from the second cache, where panels come from."""

PANEL_PACKING_COST = 1.0
"""Cycles for an element that is packed in runs of a tile's rows."""

PANEL_NEAR_COPYING_COST, PANEL_COPYING_COST = 0.2, 0.3
"""The same in runs of whole panels, from the second cache and from beyond it. Fetching it from there does not count:
that is due where it is used in place too."""

PANEL_FAR_COST, PANEL_FARTHER_COST = 2.0, 10.0
"""Cycles for a term of a panel that is read in place and not in the first cache: within a page, and page by page."""

PANEL_GAIN = 1.3
"""How many times over packing must pay."""

PANEL_RIGHT_PART = 0.375
"""The panels of a block, in sizes of the second cache: each tile of rows reads all of them from there. While they are
packed as much of the operand passes through it."""

PANEL_LEFT_PART = 0.5
"""The rows of a block, in sizes of the second cache, where they are found again for each of all panels."""

PANEL_WORTHWHILE_SHARE = 0.9
"""How evenly blocks must be shared out among threads: the mean over the most that one has to do."""

PANEL_SMALL_BLOCK = 0.3
"""What a block of one costs, as a part of the work: a block of n costs an n-th of it."""

# Packed rows

ROW_SPILL_LOADS = 4
"""The cost of a register that a tile lacks, in loads: a load, a store, and copies between registers."""

ROW_BORDER = 1.002
"""What smaller tiles at the end of rows multiply the cost by, beyond their own cycles: code of their own."""

ROW_RESULT_CYCLES = 2
"""Cycles to load and store a vector of results, where the reduction goes on in another chunk."""

ROW_CACHE_PART = 0.5
"""The part of the second cache that pixels can count on."""

# Chunks of sums

CHUNK_FIRST_LEVEL = 0.5
"""The part of the first cache that a chunk's weights take, or the pixels of a tile where weights are a stream."""

CHUNK_MOST_OF_FIRST_LEVEL = 0.8
"""The part of the first cache that the weights for one iteration of the outermost reduce axis may take."""

CHUNK_SECOND_LEVEL = 0.25
"""The part of the second cache for the results of a block, and as much for the pixels that a chunk reads."""

CHUNK_STREAM = 0.2
"""The part of the second cache that the weights of a tile may take which come from there: the next ones arrive beside
them, and pixels pass by."""

CHUNK_ROWS_IN_A_SET = 0.5
"""The part of a set of the first cache that rows of pixels may take where weights stream past: all rows are in one set
where they lie a number of pages apart."""

CHUNK_SHORTEST = 4
"""Chunks that are this many times shorter than what there is room for do not pay."""

CHUNK_FULL, CHUNK_NEARLY_FULL = 1.1, 1.25
"""Elements that tiles may compute for each that there is: at best, and where no part fills its tiles so well."""

# Tasks of transformed products

TASK_FIRST_LEVEL = 0.5
"""The part of the first cache that the weights of a tile may take and count as near."""

TASK_NEAR_PART, TASK_FAR_PART = 0.6, 0.7
"""The parts of the bandwidths of the second and the third cache that are left: weights come in beside arithmetic, what
is written and read between two steps that wait for one another does not."""

TASK_EXPOSED = 0.2
"""The part of the time in which weights come in that does not hide behind arithmetic."""

# Products by kernels

PRODUCT_LEAST_USEFUL = 0.4
"""The part of a padded product that must be asked for."""

PRODUCT_FIRST_LEVEL, PRODUCT_SECOND_LEVEL = 0.85, 0.5
"""The parts of the caches that both operands' parts of a tile, and the left operand's block, may take."""

PRODUCT_NOT_OVERLAPPED = 0.25
"""The part of the shorter of computing and moving that does not hide behind the longer."""

PRODUCT_COPY = 0.05
"""What copying the operands for padding takes, of the time for their product."""

# Orders of loops

PLACEMENT_BYTE_COSTS = (0.2, 0.5, 1.0, 3.0)
"""Relative cost of a byte from the first, second and third cache level, and from memory."""

PLACEMENT_FILL = 0.7
"""The part of a cache that one operand can count on."""

# Blocks of results

BLOCK_TURNING_CYCLES = 3
"""For a vector of results that is taken out of its block: a load and two stores, beside a shuffle for each bit of a
lane's number."""

BLOCK_PACKING_COST = 1.0
"""Cycles for each weight that is copied."""

BLOCK_GAIN = 1.02
"""The speedup from which results are computed in blocks."""

# Turned results

TURNED_MOST_WASTE = 1.2
"""How much larger a part of the vectors of a run than of those of whole rows may be empty."""

# Threads

PARALLEL_GAIN = 1.5
"""The least that threads have to save, in costs of a fork and a join: data of another core comes from its
caches."""

# Reading ahead

AHEAD_ROW_PART = 0.25
"""The part of the second cache that a row may take, so that it and the one that arrives meanwhile stay there."""

# Stores past the caches

STORE_SHARE = 8
"""How much larger than its second-level cache a core's share of the third one is at most.

The third level belongs to all cores of a socket, of which a process may see few. Processors give each core between one
and eight times its second level.
"""

# Tiles of products on GPUs

GPU_TILE_BUSY_SUMS = 6144
"""Sums of all threads of a multiprocessor that keep its arithmetic busy."""

GPU_TILE_LOAD_COST = 2.0
"""Cycles of an instruction that loads from shared memory, in those of one that multiplies and adds."""

GPU_TILE_STEP_COST = 16.0
"""What a step of a tile costs beside its arithmetic, in instructions of a thread: barriers, and addresses."""

GPU_TILE_LANES_A_CYCLE = 128
"""Threads whose instructions a multiprocessor starts in a cycle."""

GPU_TILE_BYTES_A_CYCLE = 32
"""What a multiprocessor gets of the second cache in a cycle, in bytes."""

GPU_TILE_LATENCY = 500
"""Cycles until what is fetched is there, in which other blocks may work."""

GPU_TILE_HIDDEN = 0.25
"""The part of fetching that shows though arithmetic takes longer."""

GPU_TILE_LAUNCH_CYCLES = 5000
"""The cost of one more kernel launch."""

GPU_TILE_GAIN = 1.4
"""How much faster parts have to be."""

GPU_TILE_PLAIN, GPU_TILE_GATHERED = 1.0, 25.0
"""Those where elements lie in order, and where each has an address and conditions of its own."""

# Tiles of tensor cores

GPU_TENSOR_PRODUCTS_A_CYCLE, GPU_TENSOR_GROUP_PRODUCTS_A_CYCLE = 1024, 2048
"""Multiply-adds of halves that a multiprocessor does in a cycle by instructions of a warp, and of four together."""

GPU_TENSOR_BUSY_WARPS, GPU_TENSOR_BUSY_GROUP_WARPS = 8, 4
"""Warps that keep a multiprocessor's tensor cores busy by these."""

GPU_TENSOR_LOAD_CYCLES = 4
"""What loading four matrices from shared memory takes of a multiprocessor."""

GPU_TENSOR_STEP_CYCLES, GPU_TENSOR_GROUP_STEP_CYCLES = 60, 500
"""What a step costs beside its products: barriers and addresses; of four warps, which wait for them, the first of these
products as well."""

# Transformed convolutions

WINOGRAD_BUSY = 0.9
"""The part of the multiply-adds a cycle that a product reaches: tiles have borders, and wait for operands at times."""

WINOGRAD_TRANSFORM_CYCLES = 60
"""To transform a tile for one vector of channels: 16 loads, 16 stores, half of them or more beyond the first cache, and
32 additions between."""

WINOGRAD_BLOCK_CYCLES = 4
"""To put a vector of pixels into blocks of channels."""

WINOGRAD_GAIN = 1.1
"""How many times faster it has to be expected to be."""
