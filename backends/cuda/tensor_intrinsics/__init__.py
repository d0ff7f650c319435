"""Tensor cores of CUDA as tensor intrinsics, each declared as a user declares one.

A fragment is memory of a warp: a buffer of a scope such as "warp.mma_a" (`cuda/fragments.py`), whose tiles lie in the
registers of the 32 lanes. Every operation on it stands in a loop over the lanes, and says what each of them does: a
lane writes its own elements and reads those that it needs, of a product whole rows and columns. So the IR has the
meaning that any loop has, the interpreter runs it lane by lane, the race analysis sees who reads what others wrote and
puts a barrier of the scope "warp" between, and the emitter writes instructions that all lanes execute together.

A rule uses it so: `core = tensor_core("float16", target)` of `schedule/tensor_cores.py`; `sch.cache_write(block, 0,
core.result_scope)` and, behind the operands' copies in shared memory, `sch.cache_read(block, n, core.scope("left"))`
and `core.scope("right")`, with `transposed=True` where the operand lies as [term, row] or [column, term]. Let each warp
(`threadIdx.y`, `threadIdx.z`) have a box of results; innermost, the loops over a tile of `core.rows` x `core.columns` x
`core.terms` elements become `sch.tensorize(rows, core.product(left_transposed, right_transposed))`, then
`sch.decompose_reduction(block, loop over all terms)`. Compute the copies at the loop over steps of `core.terms` and
tensorize their tiles by `core.load(side, transposed, tiles)`; where that is None (tf32), or the rows of shared memory
do not lie at multiples of 16 bytes, by `share_among_lanes(sch, rows, columns, core.lane_elements(side, transposed))`.
The consumer of the results, whatever it computes and however it is guarded, is tiled by `core.rows` x `core.columns`
and its innermost two loops given to `share_among_lanes(…, core.lane_elements("result"))`. Rows in shared memory of 64
or 32 halves and 8 more (`storage_align`) keep `ldmatrix` free of bank conflicts. Operands have to be whole tiles: pad
where they are staged.

`tensor_core` gives what single warps run. Those of four warps (`warpgroup_cores`, sm_90a) read operands in shared
memory, with no copies in fragments: `warpgroup.py`.

A user's own, likewise: `register_fragment`, `register_extern` for the meaning, `register_device_call` for the code, and
`te.decl_tensor_intrin` over IR with a loop over the lanes. `examples/tensor_core_matmul.py` is a whole schedule.
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
