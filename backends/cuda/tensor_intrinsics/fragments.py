"""The fragments of `mma.sync` (PTX ISA, "Matrix Fragments for mma.m16n8k16", "... for mma.m16n8k8").

Buffers of scope `warp.mma_a` have rows along m and columns along k, those of `warp.mma_b` rows along k and columns
along n; with `_t` the other way round. The accumulators of all shapes are `warp.mma_c`, rows along m, columns along n.
"""

from __future__ import annotations

from ..fragments import Fragment

HALF = ("f16", "bf16")

A = Fragment("mma_a", (16, 16), HALF, lambda i, j: i % 8 * 4 + j % 8 // 2, lambda i, j: j // 8 * 4 + i // 8 * 2 + j % 2)
B = Fragment("mma_b", (16, 8), HALF, lambda i, j: j * 4 + i % 8 // 2, lambda i, j: i // 8 * 2 + i % 2)
C = Fragment("mma_c", (16, 8), ("f32",), lambda i, j: i % 8 * 4 + j // 2, lambda i, j: i // 8 * 2 + j % 2)
A_TF32 = Fragment("mma_a_tf32", (16, 8), ("tf32",), lambda i, j: i % 8 * 4 + j % 4, lambda i, j: j // 4 * 2 + i // 8)
B_TF32 = Fragment("mma_b_tf32", (8, 8), ("tf32",), lambda i, j: j * 4 + i % 4, lambda i, j: i // 4)

FRAGMENTS = (A, A.transposed, B, B.transposed, C, A_TF32, A_TF32.transposed, B_TF32, B_TF32.transposed)
