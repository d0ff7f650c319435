"""Tensor cores of CUDA as tensor intrinsics, declared by the same interfaces as those of users.

A fragment is a buffer of a scope such as "warp.mma_a" (`cuda/fragments.py`), whose tiles are distributed over the
registers of a warp's 32 lanes. Every operation on a fragment is in a loop over the lanes, whose body describes one
lane: the lane writes the elements that it holds, and reads the elements that it needs, for a product whole rows and
columns. So the IR has the semantics of ordinary loops. The interpreter runs it lane by lane. The race analysis finds
reads of elements that other lanes wrote, and barriers of the scope "warp" are inserted between. The emitter writes
instructions that all lanes execute together.

A rule uses it so: `core = tensor_core("float16", target)` of `schedule/tensor_cores.py`; `sch.cache_write(block, 0,
core.result_scope)` and, behind the operands' copies in shared memory, `sch.cache_read(block, n, core.scope("left"))`
and `core.scope("right")`, with `transposed=True` where the operand lies as [term, row] or [column, term]. Let each warp
(`threadIdx.y`, `threadIdx.z`) have a box of results; innermost, the loops over a tile of `core.rows` x `core.columns` x
`core.terms` elements become `sch.tensorize(rows, core.product(left_transposed, right_transposed))`, then
`sch.decompose_reduction(block, loop over all terms)`. Compute the copies at the loop over steps of `core.terms` and
tensorize their tiles by `core.load(side, transposed, tiles)`; where that is None (tf32), or the rows of shared memory
do not lie at multiples of 16 bytes, by `share_among_lanes(sch, rows, columns, core.lane_elements(side, transposed))`.
Every consumer of the results, also a guarded one, is tiled by `core.rows` x `core.columns`, and its innermost two loops
are passed to `share_among_lanes(…, core.lane_elements("result"))`. Rows in shared memory of 64 or 32 halves and 8 more
(`storage_align`) keep `ldmatrix` free of bank conflicts. Operands have to be whole tiles: pad them in their shared
copies.

`tensor_core` returns the intrinsics of single warps. Products of four warps (`warpgroup_cores`, sm_90a) read operands
from shared memory, without copies in fragments: `warpgroup.py`.

Users declare tensor cores in the same way: `register_fragment`, `register_extern` for the semantics,
`register_device_call` for the code, and `te.decl_tensor_intrin` over IR with a loop over the lanes.
`examples/tensor_core_matmul.py` is a whole schedule.
"""

from __future__ import annotations

from ....schedule.tensor_cores import TensorCore
from .declarations import load, product
from .warpgroup import WARPGROUP_CORES

_HALF = ("warp.mma_a", "warp.mma_b", "warp.mma_c")

TENSOR_CORES: tuple[TensorCore, ...] = (
    TensorCore("mma_m16n8k16_f16", "float16", "float32", 16, 8, 16, (8, 0), _HALF, False, product, load),
    TensorCore("mma_m16n8k16_bf16", "bfloat16", "float32", 16, 8, 16, (8, 0), _HALF, False, product, load),
    TensorCore(
        "mma_m16n8k8_tf32",
        "float32",
        "float32",
        16,
        8,
        8,
        (8, 0),
        ("warp.mma_a_tf32", "warp.mma_b_tf32", "warp.mma_c"),
        True,
        product,
    ),
    *WARPGROUP_CORES,
)
"""The compiler's, for `schedule.tensor_cores`."""
