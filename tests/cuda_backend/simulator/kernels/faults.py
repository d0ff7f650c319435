"""Kernels with one fault each; the thread that does wrong is found at the line marked `fault`."""

# ruff: noqa: F821  (annotations of parameters say whose elements they are)

from numba import cuda, float32, int32, uint32
from tilewright.backends.cuda import operations as device


def missing_barrier(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    tile[i] = A[i]
    C[i] = tile[63 - i]  # fault


def missing_barrier_after_reading(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    tile[i] = A[i]
    cuda.syncthreads()
    C[i] = tile[(i + 1) % 64]
    tile[i] = float32(0.0)  # fault


def two_writers(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    tile[i // 2] = A[0]  # fault
    cuda.syncthreads()
    C[i] = tile[i // 2]


def warps_without_barrier(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    tile[i] = A[i]
    cuda.syncwarp()
    C[i] = tile[(i + 32) % 64]  # fault


def blocks_write_the_same(A, C):
    i = uint32(cuda.threadIdx.x)
    C[i] = A[i]  # fault


def block_reads_another(A, C):
    i = uint32(cuda.threadIdx.x)
    b = uint32(cuda.blockIdx.x)
    C[b * 64 + i] = A[i]
    cuda.syncthreads()
    if b == 1:
        C[64 + i] = C[i]  # fault


def block_overwrites_what_another_read(A, C):
    i = uint32(cuda.threadIdx.x)
    b = uint32(cuda.blockIdx.x)
    if b == 0:
        C[i] = C[64 + i]
    if b == 1:
        C[64 + i] = A[i]  # fault


def atomic_and_plain(A, C):
    i = uint32(cuda.threadIdx.x)
    cuda.atomic.add(C, 0, A[i])  # fault
    C[1 + i] = C[0]


def divergent_barrier(A, C):
    i = uint32(cuda.threadIdx.x)
    if i < 40:
        cuda.syncthreads()  # fault
    C[i] = A[i]


def different_barriers(A, C):
    i = uint32(cuda.threadIdx.x)
    if i < 40:
        cuda.syncthreads()  # fault
    else:
        cuda.syncthreads()
    C[i] = A[i]


def early_return(A, C):
    i = uint32(cuda.threadIdx.x)
    if i >= 40:
        return
    cuda.syncthreads()  # fault
    C[i] = A[i]


def beyond_the_end(A, C):
    i = uint32(cuda.threadIdx.x) + uint32(cuda.blockIdx.x) * uint32(64)
    C[i] = A[i]  # fault


def below_zero(A, C):
    i = int32(cuda.threadIdx.x)
    C[i] = A[i - 1]  # fault


def beyond_shared(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(32, float32)
    tile[i] = A[i]  # fault


def beyond_local(A, C):
    i = uint32(cuda.threadIdx.x)
    acc = cuda.local.array(4, float32)
    acc[i] = A[i]  # fault


def race_in_a_product_with_zero(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, int32)
    tile[i] = int32(i)
    C[i] = float32(int32(tile[63 - i] * int32(0)))  # fault


def uninitialised_shared(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    if i > 0:
        tile[i] = A[i]
    cuda.syncthreads()
    C[i] = tile[i]  # fault


def uninitialised_local(A, C):
    i = uint32(cuda.threadIdx.x)
    acc = cuda.local.array(4, float32)
    acc[0] = A[i]
    C[i] = acc[0] + acc[1]  # fault


def stored_uninitialised_local(A, C):
    i = uint32(cuda.threadIdx.x)
    acc = cuda.local.array(4, float32)
    C[i] = acc[i % 4]  # fault


def decides_by_nothing(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(64, float32)
    C[i] = A[i]
    if tile[i] * float32(2.0) > float32(0.0):  # fault
        C[i] = float32(0.0)


def misaligned_global(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store4(C, 4 * (i % 16), device.load4(A, i + 1))  # fault


def misaligned_shared(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(256, float32)
    device.store4(tile, i * 4, (A[i], A[i], A[i], A[i]))  # fault


def absent_lane(A, C):
    i = uint32(cuda.threadIdx.x)
    value = A[i]
    if i < 40:
        value = value + cuda.shfl_down_sync(0xFFFFFFFF, value, 1)  # fault
    C[i] = value


def absent_in_another_branch(A, C):
    i = uint32(cuda.threadIdx.x)
    if i % 2 == 0:
        C[i] = cuda.shfl_xor_sync(0xFFFFFFFF, A[i], 1)  # fault
    else:
        cuda.syncthreads()


def unnamed_lane(A, C):
    i = uint32(cuda.threadIdx.x)
    C[i] = cuda.shfl_sync(0x0000FFFF, A[i], 0)  # fault


def copy_not_waited_for(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(256, float32, alignment=16)
    device.cp_async16(tile, i * 4, A, 0)
    device.cp_async_commit()
    cuda.syncthreads()
    C[i] = tile[i * 4]  # fault


def copy_without_barrier(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(256, float32, alignment=16)
    device.cp_async16(tile, i * 4, A, 0)
    device.cp_async_commit()
    device.cp_async_wait(0)
    C[i] = tile[(i * 4 + 4) % 256]  # fault


def divides_by_zero(A, C):
    i = uint32(cuda.threadIdx.x)
    C[i] = float32(64 // (i - 3))  # fault


def shifts_too_far(A, C):
    i = uint32(cuda.threadIdx.x)
    C[i] = float32(1 << (i + 62))  # fault


def row_of_another_thread(A, C, T: "thread"):
    i = uint32(cuda.threadIdx.x)
    T[i] = A[i]
    cuda.syncthreads()
    C[i] = T[(i + 1) % 64]  # fault


def rows_taken_in_turns(A, C, T: "thread"):
    i = uint32(cuda.threadIdx.x)
    for k in range(2):
        cuda.syncthreads()
        T[(i + k) % 64] = A[i]  # fault
    cuda.syncthreads()
    C[i] = T[(i + 1) % 64]


def row_of_another_lane(A, C, T: "thread"):
    i = uint32(cuda.threadIdx.x)
    T[i] = A[i]
    cuda.syncwarp()
    C[i] = T[i ^ 1]  # fault


def row_that_nobody_wrote(A, C, T: "thread"):
    i = uint32(cuda.threadIdx.x)
    if i > 0:
        T[i] = A[i]
    C[i] = T[i]  # fault


def row_of_another_block(A, C, T: "block"):
    i = uint32(cuda.threadIdx.x)
    T[i] = A[i]  # fault
    cuda.syncthreads()
    C[uint32(cuda.blockIdx.x) * 64 + i] = T[(i + 1) % 64]


def row_of_a_block_that_nobody_wrote(A, C, T: "block"):
    i = uint32(cuda.threadIdx.x)
    b = uint32(cuda.blockIdx.x)
    C[b * 64 + i] = T[b * 64 + i]  # fault


def unassigned(A, C):
    i = uint32(cuda.threadIdx.x)
    for k in range(i):
        last = A[k]
    C[i] = last  # fault
