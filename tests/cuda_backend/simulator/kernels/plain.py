"""Kernels in the form that the compiler emits."""

import math

from numba import cuda, float32, int32, int64, uint8, uint32
from tilewright.backends.cuda import operations as device


def vector_add(A, B, C, n):
    block_x = uint32(cuda.blockIdx.x)
    thread_x = uint32(cuda.threadIdx.x)
    i = uint32(block_x * uint32(64) + thread_x)
    if i < n:
        C[i] = A[i] + B[i]


def tiled_matmul(A, B, C, n):
    """Compute C = A B in tiles of 16 x 16, one element a thread."""
    block_x = uint32(cuda.blockIdx.x)
    block_y = uint32(cuda.blockIdx.y)
    thread_x = uint32(cuda.threadIdx.x)
    thread_y = uint32(cuda.threadIdx.y)
    A_shared = cuda.shared.array(256, float32)
    B_shared = cuda.shared.array(256, float32)
    row = block_y * uint32(16) + thread_y
    column = block_x * uint32(16) + thread_x
    total = float32(0.0)
    for outer in range(uint32(n) // uint32(16)):
        A_shared[uint32(thread_y * 16 + thread_x)] = A[uint32(row * n + outer * 16 + thread_x)]
        B_shared[uint32(thread_y * 16 + thread_x)] = B[uint32((outer * 16 + thread_y) * n + column)]
        cuda.syncthreads()
        for k in range(16):
            total = total + A_shared[uint32(thread_y * 16 + k)] * B_shared[uint32(k * 16 + thread_x)]
        cuda.syncthreads()
    C[uint32(row * n + column)] = total


def register_matmul(A, B, C):
    """Compute C = A B of 64 x 64: one block of 64 threads, 8 x 8 elements a thread, fetched four at a time."""
    thread_x = uint32(cuda.threadIdx.x)
    A_shared = cuda.shared.array(512, float32, alignment=16)
    B_shared = cuda.shared.array(512, float32, alignment=16)
    acc = cuda.local.array(64, float32)
    row = thread_x // uint32(8)
    column = thread_x % uint32(8)
    for i in range(64):
        acc[i] = float32(0.0)
    for outer in range(8):
        for part in range(2):
            position = uint32((thread_x + part * 64) * 4)
            device.store4(A_shared, position, device.load4(A, uint32(position // 8 * 64 + outer * 8 + position % 8)))
            device.store4(B_shared, position, device.load4(B, uint32(outer * 512 + position)))
        cuda.syncthreads()
        for k in range(8):
            for i in range(8):
                for j in range(8):
                    acc[i * 8 + j] += (
                        A_shared[uint32((row * 8 + i) * 8 + k)] * B_shared[uint32(k * 64 + column * 8 + j)]
                    )
        cuda.syncthreads()
    for i in range(8):
        for j in range(8):
            C[uint32((row * 8 + i) * 64 + column * 8 + j)] = acc[i * 8 + j]


def warp_sum(A, C):
    """Sum rows of 32, one warp a row."""
    lane = uint32(cuda.threadIdx.x)
    value = A[uint32(cuda.blockIdx.x * 32 + lane)]
    for step in range(5):
        value = value + cuda.shfl_down_sync(0xFFFFFFFF, value, 16 >> step)
    if lane == 0:
        C[uint32(cuda.blockIdx.x)] = value


def block_sum(A, C, n):
    """Sum by a tree in shared memory, with an atomic addition a block."""
    thread = uint32(cuda.threadIdx.x)
    partial = cuda.shared.array(64, float32)
    i = uint32(cuda.blockIdx.x) * uint32(64) + thread
    partial[thread] = A[i] if i < n else float32(0.0)
    cuda.syncthreads()
    half = uint32(32)
    while half > 0:
        if thread < half:
            partial[thread] = partial[thread] + partial[thread + half]
        cuda.syncthreads()
        half = half // uint32(2)
    if thread == 0:
        cuda.atomic.add(C, 0, partial[0])


def histogram(A, C):
    i = uint32(cuda.grid(1))
    cuda.atomic.add(C, A[i], int32(1))


def softmax_row(A, C, n):
    row = uint32(cuda.threadIdx.x)
    largest = float32(-math.inf)
    for j in range(uint32(n)):
        largest = max(largest, A[uint32(row * n + j)])
    total = float32(0.0)
    for j in range(uint32(n)):
        total += math.exp(A[uint32(row * n + j)] - largest)
    for j in range(uint32(n)):
        C[uint32(row * n + j)] = math.exp(A[uint32(row * n + j)] - largest) / total


def integers(A, B, C):
    """Compute wrapping sums and products, quotients and shifts."""
    i = uint32(cuda.threadIdx.x)
    a = A[i]
    b = B[i]
    C[i * uint32(8)] = int64(uint32(a - b))
    C[i * uint32(8) + uint32(1)] = int64(int32(a * b))
    C[i * uint32(8) + uint32(2)] = a // b
    C[i * uint32(8) + uint32(3)] = a % b
    C[i * uint32(8) + uint32(4)] = int64(uint8(a)) + (a >> 3)
    C[i * uint32(8) + uint32(5)] = int64(uint32(3) - uint32(5) < uint32(7))
    C[i * uint32(8) + uint32(6)] = a * b * a * b * a * b * a
    C[i * uint32(8) + uint32(7)] = int64(float32(a) / float32(b) * 1e9)


def undefined_where_nothing_is_stored(A, B, C, D):
    """Compute on undefined values in threads beyond the data, and store nothing there."""
    thread_x = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(32, float32)
    private = cuda.local.array(2, float32)
    if thread_x < 20:
        tile[thread_x] = A[thread_x]
    private[1] = device.fma(tile[thread_x], float32(2.0), float32(1.0))
    one, other = private[1], tile[thread_x]
    largest = one if one > other or one != one else other
    index = int32(other)
    better = largest > float32(0.0) and index >= 0
    private[0] = math.sqrt(largest) if better else float32(0.0)
    if thread_x < 20:
        B[thread_x] = private[0]
        C[thread_x] = index + 1
        D[thread_x] = not better
