"""A kernel for each operation, or for a few that are alike; the simulator and NVVM both take them."""

from numba import cuda, float32, float64, uint16, uint32, uint64
from tilewright.backends.cuda import operations as device


def vectors_f32(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store4(C, i * 4, device.load4(A, i * 4))


def vectors_f64(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store2(C, i * 2, device.load2(A, i * 2))


def vectors_f16(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store8(C, i * 8, device.load8(A, i * 8))


def vectors_u8(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store16(C, i * 16, device.load16(A, i * 16))


def vectors_bool(A, C):
    i = uint32(cuda.threadIdx.x)
    x = device.load4(A, i * 4)
    device.store4(C, i * 4, (x[3], x[2], x[1], x[0]))


def vectors_i64(A, C):
    i = uint32(cuda.threadIdx.x)
    a, b = device.load2(A, i * 2)
    device.store2(C, i * 2, (b, a))


def vectors_shared(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(128, float32, alignment=16)
    device.store4(tile, i * 4, device.load4(A, i * 4))
    cuda.syncthreads()
    device.store4(C, i * 4, device.load4(tile, uint32((31 - i) * 4)))


def registers(A, C):
    i = uint32(cuda.threadIdx.x)
    private = cuda.local.array(30, float32)
    x = device.load4(A, i * 4)
    device.put2(private, 28, (x[3], x[2]))
    device.put4(private, 24, x)
    device.put8(private, 16, (x[0], x[0], x[1], x[1], x[2], x[2], x[3], x[3]))
    device.put16(
        private, 0, (x[3], x[2], x[1], x[0], x[3], x[2], x[1], x[0], x[3], x[2], x[1], x[0], x[3], x[2], x[1], x[0])
    )
    for k in range(30):
        C[i * 30 + k] = private[k]


def narrow_f16(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store_f16(C, i, device.load_f16(A, i) * float32(3.0))


def narrow_bf16(A, C):
    i = uint32(cuda.threadIdx.x)
    device.store_bf16(C, i, device.load_bf16(A, i) * float32(3.0))


def single_f32(A, C):
    i = uint32(cuda.threadIdx.x)
    x = A[i]
    y = A[31 - i]
    device.store4(C, i * 16, (device.rsqrt(x), device.exp2(x), device.cbrt(x), device.rint(x)))
    device.store4(
        C, i * 16 + 4, (device.round_away(x), device.fma(x, y, x), device.minimum(x, y), device.maximum(x, y))
    )
    device.store4(C, i * 16 + 8, (device.minimum_number(x, y), device.maximum_number(x, y), x, y))
    device.store4(C, i * 16 + 12, (x, x, x, x))


def single_f64(A, C):
    i = uint32(cuda.threadIdx.x)
    x = A[i]
    y = A[31 - i]
    C[i * 8] = device.rsqrt(x)
    C[i * 8 + 1] = device.exp2(x)
    C[i * 8 + 2] = device.cbrt(x)
    C[i * 8 + 3] = device.rint(x)
    C[i * 8 + 4] = device.round_away(x)
    C[i * 8 + 5] = device.fma(x, y, float64(0.5))
    C[i * 8 + 6] = device.minimum(x, y)
    C[i * 8 + 7] = device.maximum_number(x, y) + device.maximum(x, y)


def fast(A, C):
    i = uint32(cuda.threadIdx.x)
    x = A[i]
    device.store4(C, i * 12, (device.fast_exp(x), device.fast_exp2(x), device.fast_log(x), device.fast_log2(x)))
    device.store4(C, i * 12 + 4, (device.fast_sin(x), device.fast_cos(x), device.fast_tanh(x), device.fast_sqrt(x)))
    C[i * 12 + 8] = device.fast_rsqrt(x)
    C[i * 12 + 9] = device.fast_reciprocal(x)
    C[i * 12 + 10] = device.fast_divide(x, float32(3.0))
    C[i * 12 + 11] = device.fast_power(x, float32(1.5))


def bits(A, C):
    i = uint32(cuda.threadIdx.x)
    x = A[i]
    C[i * 8] = device.float_as_uint(x)
    C[i * 8 + 1] = device.float_as_uint(device.uint_as_float(device.float_as_uint(x)))
    C[i * 8 + 2] = uint32(device.f16_bits(x)) + uint32(device.bf16_bits(x))
    C[i * 8 + 3] = device.tf32_bits(x)
    C[i * 8 + 4] = device.pack_f16(x, float32(2.0))
    C[i * 8 + 5] = device.pack_bf16(x, float32(2.0))
    low, high = device.unpack_f16(device.pack_f16(x, float32(2.0)))
    first, second = device.unpack_bf16(device.pack_bf16(low, high))
    C[i * 8 + 6] = device.float_as_uint(first + second)
    C[i * 8 + 7] = device.pack_u16(uint16(i), uint16(7))


def bits_f64(A, C):
    i = uint32(cuda.threadIdx.x)
    C[i] = device.double_as_ulong(device.ulong_as_double(device.double_as_ulong(A[i]) + uint64(1)))


def matrices(A, C):
    lane = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(256, uint16, alignment=16)
    device.store8(tile, lane * 8, device.load8(A, lane * 8))
    cuda.syncthreads()
    a = device.ldmatrix_x4(tile, lane * 8)
    b = device.ldmatrix_x2(tile, lane % 16 * 8)
    t = device.ldmatrix_x4_trans(tile, lane * 8)
    u = device.ldmatrix_x2_trans(tile, lane % 16 * 8)
    v = device.ldmatrix_x1(tile, lane % 8 * 8)
    w = device.ldmatrix_x1_trans(tile, lane % 8 * 8)
    device.store4(C, lane * 16, a)
    device.store4(C, lane * 16 + 4, t)
    device.store2(C, lane * 16 + 8, b)
    device.store2(C, lane * 16 + 10, u)
    device.store4(C, lane * 16 + 12, (v, w, v, w))


def products(A, B, C):
    lane = uint32(cuda.threadIdx.x)
    c = (float32(0.0), float32(1.0), float32(2.0), float32(3.0))
    c = device.mma_m16n8k16_f16(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    c = device.mma_m16n8k16_bf16(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    c = device.mma_m16n8k8_tf32(device.load4(A, lane * 4), device.load2(B, lane * 2), c)
    device.store4(C, lane * 4, c)


def copies(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(256, float32, alignment=16)
    device.cp_async16(tile, i * 4, A, i * 4)
    device.cp_async4_or_zero(tile, 128 + i * 4, A, i, i < 8)
    device.cp_async_commit()
    device.cp_async8(tile, 128 + i * 4 + 2, A, i * 2)
    device.cp_async4(tile, 128 + i * 4 + 1, A, i)
    device.cp_async_commit()
    device.cp_async_wait(1)
    cuda.syncthreads()
    C[i] = tile[i] + tile[128 + i * 4]
    device.cp_async_wait_all()
    cuda.syncthreads()
    C[32 + i] = tile[128 + i * 4 + 1] + tile[128 + i * 4 + 2]


def zeros(A, C):
    i = uint32(cuda.threadIdx.x)
    tile = cuda.shared.array(128, float32, alignment=16)
    device.cp_async16_or_zero(tile, i * 4, A, i * 4, i < 10)
    device.cp_async_wait_all()
    device.cp_async8_or_zero(tile, i * 4, A, i * 2, i < 20)
    device.cp_async_wait_all()
    cuda.syncthreads()
    device.store4(C, i * 4, device.load4(tile, i * 4))
