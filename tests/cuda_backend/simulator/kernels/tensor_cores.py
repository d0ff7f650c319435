"""Kernels that copy asynchronously and multiply matrices by warps."""

from numba import cuda, float32, uint16, uint32
from numba.types import float16
from tilewright.backends.cuda import operations as device


def matmul_f16(A, B, C, n, k):
    """Compute C (m, n) += A (m, k) B (k, n) in halves, one warp a tile of 16 x 8."""
    lane = uint32(cuda.threadIdx.x)
    row = uint32(cuda.blockIdx.y) * uint32(16)
    column = uint32(cuda.blockIdx.x) * uint32(8)
    A_shared = cuda.shared.array(256, float16, alignment=16)
    B_shared = cuda.shared.array(128, float16, alignment=16)
    acc = cuda.local.array(4, float32)
    for i in range(4):
        acc[i] = float32(0.0)
    for outer in range(uint32(k) // uint32(16)):
        device.store8(A_shared, lane * 8, device.load8(A, uint32((row + lane // 2) * k + outer * 16 + lane % 2 * 8)))
        if lane < 16:
            device.store8(B_shared, lane * 8, device.load8(B, uint32((outer * 16 + lane) * n + column)))
        cuda.syncthreads()
        a = device.ldmatrix_x4(A_shared, uint32((lane % 8 + lane // 8 % 2 * 8) * 16 + lane // 16 * 8))
        b = device.ldmatrix_x2_trans(B_shared, uint32(lane % 16 * 8))
        c = device.mma_m16n8k16_f16(a, b, (acc[0], acc[1], acc[2], acc[3]))
        for i in range(4):
            acc[i] = c[0] if i == 0 else c[1] if i == 1 else c[2] if i == 2 else c[3]
        cuda.syncthreads()
    group = lane // uint32(4)
    pair = lane % uint32(4) * uint32(2)
    device.store2(C, uint32((row + group) * n + column + pair), (acc[0], acc[1]))
    device.store2(C, uint32((row + group + 8) * n + column + pair), (acc[2], acc[3]))


def matmul_bf16(A, B, C, n, k):
    """Compute the same as `matmul_f16` with bfloat16, whose bits are uint16."""
    lane = uint32(cuda.threadIdx.x)
    row = uint32(cuda.blockIdx.y) * uint32(16)
    column = uint32(cuda.blockIdx.x) * uint32(8)
    A_shared = cuda.shared.array(256, uint16, alignment=16)
    B_shared = cuda.shared.array(128, uint16, alignment=16)
    c0 = float32(0.0)
    c1 = float32(0.0)
    c2 = float32(0.0)
    c3 = float32(0.0)
    for outer in range(uint32(k) // uint32(16)):
        device.store8(A_shared, lane * 8, device.load8(A, uint32((row + lane // 2) * k + outer * 16 + lane % 2 * 8)))
        if lane < 16:
            device.store8(B_shared, lane * 8, device.load8(B, uint32((outer * 16 + lane) * n + column)))
        cuda.syncthreads()
        a = device.ldmatrix_x4(A_shared, uint32((lane % 8 + lane // 8 % 2 * 8) * 16 + lane // 16 * 8))
        b = device.ldmatrix_x2_trans(B_shared, uint32(lane % 16 * 8))
        c0, c1, c2, c3 = device.mma_m16n8k16_bf16(a, b, (c0, c1, c2, c3))
        cuda.syncthreads()
    group = lane // uint32(4)
    pair = lane % uint32(4) * uint32(2)
    device.store2(C, uint32((row + group) * n + column + pair), (c0, c1))
    device.store2(C, uint32((row + group + 8) * n + column + pair), (c2, c3))


def matmul_tf32(A, B, C, n, k):
    """Compute the same as `matmul_f16` in float32 rounded to tf32, from global memory."""
    lane = uint32(cuda.threadIdx.x)
    group = lane // uint32(4)
    part = lane % uint32(4)
    row = uint32(cuda.blockIdx.y) * uint32(16) + group
    column = uint32(cuda.blockIdx.x) * uint32(8)
    c = (float32(0.0), float32(0.0), float32(0.0), float32(0.0))
    for outer in range(uint32(k) // uint32(8)):
        left = uint32(row * k + outer * 8 + part)
        right = uint32((outer * 8 + part) * n + column + group)
        a0 = device.tf32_bits(A[left])
        a1 = device.tf32_bits(A[uint32(left + 8 * k)])
        a2 = device.tf32_bits(A[uint32(left + 4)])
        a3 = device.tf32_bits(A[uint32(left + 8 * k + 4)])
        b0 = device.tf32_bits(B[right])
        b1 = device.tf32_bits(B[uint32(right + 4 * n)])
        c = device.mma_m16n8k8_tf32((a0, a1, a2, a3), (b0, b1), c)
    device.store2(C, uint32(row * n + column + part * 2), (c[0], c[1]))
    device.store2(C, uint32((row + 8) * n + column + part * 2), (c[2], c[3]))


def double_buffered(A, B, C, k):
    """Compute C (64, 64) = A (64, k) B (k, 64): 256 threads, the next tiles on their way while these are multiplied."""
    thread = uint32(cuda.threadIdx.x)
    A_shared = cuda.shared.array(2048, float32, alignment=16)
    B_shared = cuda.shared.array(2048, float32, alignment=16)
    acc = cuda.local.array(16, float32)
    for i in range(16):
        acc[i] = float32(0.0)
    tiles = uint32(k) // uint32(16)
    device.cp_async16(A_shared, thread * 4, A, uint32(thread // 4 * k + thread % 4 * 4))
    device.cp_async16(B_shared, thread * 4, B, uint32(thread * 4))
    device.cp_async_commit()
    for outer in range(tiles):
        stage = outer % uint32(2) * uint32(1024)
        later = (outer + uint32(1)) % uint32(2) * uint32(1024)
        more = outer + uint32(1) < tiles
        following = (outer + uint32(1) if more else outer) * uint32(16)
        device.cp_async16_or_zero(
            A_shared, uint32(later + thread * 4), A, uint32(thread // 4 * k + following + thread % 4 * 4), more
        )
        device.cp_async16_or_zero(B_shared, uint32(later + thread * 4), B, uint32(following * 64 + thread * 4), more)
        device.cp_async_commit()
        device.cp_async_wait(1)
        cuda.syncthreads()
        for inner in range(16):
            for i in range(4):
                for j in range(4):
                    acc[i * 4 + j] = device.fma(
                        A_shared[uint32(stage + (thread // 16 * 4 + i) * 16 + inner)],
                        B_shared[uint32(stage + inner * 64 + thread % 16 * 4 + j)],
                        acc[i * 4 + j],
                    )
        cuda.syncthreads()
    device.cp_async_wait_all()
    for i in range(4):
        position = uint32((thread // 16 * 4 + i) * 64 + thread % 16 * 4)
        device.store4(C, position, (acc[i * 4], acc[i * 4 + 1], acc[i * 4 + 2], acc[i * 4 + 3]))


def halves(A, B, C):
    """Compute C = A + B of halves and bfloat16, in float32."""
    i = uint32(cuda.threadIdx.x)
    device.store_f16(C, i, device.load_f16(A, i) + device.load_bf16(B, i))


def dynamic(A, C, n):
    """Use dynamic shared memory as halves and as float32, one part after the other."""
    i = uint32(cuda.threadIdx.x)
    narrow = cuda.shared.array(0, uint16)
    wide = cuda.shared.array(0, float32)
    narrow[i] = device.bf16_bits(A[i])
    wide[uint32(n // 2 + i)] = A[i]
    cuda.syncthreads()
    j = uint32(n - 1 - i)
    C[i] = device.bf16_value(narrow[j]) + wide[uint32(n // 2 + j)]
