// What a product of 16 bits reaches by wgmma: 4096 x 4096 x 4096, sums in float32, copies by cp.async, one wait a step.
// docs/benchmarks.md, "Products by wgmma", has what it measured. On a machine with an H100 or H200:
//
//   nvcc -gencode=arch=compute_90a,code=sm_90a -O3 -std=c++17 benchmarks/gpu/wgmma.cu -o wgmma -lcublas && ./wgmma
//
// Layouts and descriptors are those of the PTX ISA, "Asynchronous Warpgroup Level Matrix Shared Memory Layout".

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int ROWS = 128, COLUMNS = 256, TERMS = 64;
constexpr int LEFT_BYTES = ROWS * TERMS * 2, STAGE_BYTES = LEFT_BYTES + COLUMNS * TERMS * 2;

// 64 x 256 sums of four warps; the right operand lies with its columns side by side.
__device__ __forceinline__ void multiply(float (&d)[128], uint64_t left, uint64_t right) {
  asm volatile(
      "wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {"
      "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
      "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
      "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
      "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
      "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
      "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
      "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
      "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
      "}, %128, %129, 1, 1, 1, 0, 1;"
      :
        "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
        "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
        "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
        "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
        "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
        "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
        "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
        "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
        "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
        "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
        "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
        "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
        "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
        "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
        "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
        "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
      : "l"(left), "l"(right));
}

__device__ __forceinline__ uint64_t descriptor(uint32_t address, uint32_t leading, uint32_t stride, uint64_t layout) {
  return (address & 0x3FFFF) >> 4 | uint64_t(leading >> 4) << 16 | uint64_t(stride >> 4) << 32 | layout << 62;
}

// SWIZZLED: rows of 128 bytes whose pieces of 16 are permuted by the row; otherwise 8 x 16 bytes behind one another.
template <int STAGES, bool SWIZZLED>
__global__ void __launch_bounds__(256, 1) product(const half* a, const half* b, half* c, int n) {
  extern __shared__ char memory[];
  const uint32_t base = (uint32_t(__cvta_generic_to_shared(memory)) + 1023) & ~1023u;
  const int thread = threadIdx.x, group = thread / 128, row0 = blockIdx.y * ROWS, column0 = blockIdx.x * COLUMNS;
  float sums[128];
#pragma unroll
  for (float& sum : sums) sum = 0;

  auto copy = [&](int step) {
    const uint32_t left = base + step % STAGES * STAGE_BYTES, right = left + LEFT_BYTES;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const int row = thread / 8 + 32 * i, piece = thread % 8;
      const uint32_t to = SWIZZLED ? row * 128 + (piece ^ row % 8) * 16 : piece * ROWS * 16 + row * 16;
      const half* from = a + size_t(row0 + row) * n + step * TERMS + piece * 8;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(left + to), "l"(from));
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
      const int term = thread / 32 + 8 * i, piece = thread % 32;
      const uint32_t to = SWIZZLED ? piece / 8 * 8192 + term * 128 + (piece % 8 ^ term % 8) * 16
                                   : piece * TERMS * 16 + term * 16;
      const half* from = b + size_t(step * TERMS + term) * n + column0 + piece * 8;
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(right + to), "l"(from));
    }
  };

  const int steps = n / TERMS;
  for (int step = 0; step < STAGES - 1; step++) {
    copy(step);
    asm volatile("cp.async.commit_group;");
  }
  for (int step = 0; step < steps; step++) {
    asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    const uint32_t left = base + step % STAGES * STAGE_BYTES, right = left + LEFT_BYTES;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int k = 0; k < TERMS / 16; k++) {
      if (SWIZZLED)
        multiply(sums, descriptor(left + group * 64 * 128 + k * 32, 16, 1024, 1),
                 descriptor(right + k * 2048, 8192, 1024, 1));
      else
        multiply(sums, descriptor(left + group * 64 * 16 + 2 * k * ROWS * 16, ROWS * 16, 128, 0),
                 descriptor(right + k * 256, 128, TERMS * 16, 0));
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    if (step + STAGES - 1 < steps) copy(step + STAGES - 1);
    asm volatile("cp.async.commit_group;");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  }
  const int warp = thread % 128 / 32, lane = thread % 32;
  half* own = c + size_t(row0 + group * 64 + warp * 16 + lane / 4) * n + column0 + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < 32; j++) {
    *reinterpret_cast<half2*>(own + j * 8) = __floats2half2_rn(sums[4 * j], sums[4 * j + 1]);
    *reinterpret_cast<half2*>(own + size_t(8) * n + j * 8) = __floats2half2_rn(sums[4 * j + 2], sums[4 * j + 3]);
  }
}

template <typename Run>
void measure(const char* name, int n, Run run) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  auto microseconds = [&](int calls) {
    cudaEventRecord(begin);
    for (int i = 0; i < calls; i++) run();
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float milliseconds;
    cudaEventElapsedTime(&milliseconds, begin, end);
    return milliseconds / calls * 1e3;
  };
  microseconds(3);
  const double burst = microseconds(10);
  double sustained = 0;
  for (int i = 0; i < 20; i++) sustained = microseconds(100);
  printf("%-24s ten calls: %.0f us, %.0f Tflop/s; after a while: %.0f us, %.0f Tflop/s\n", name, burst,
         2.0 * n * n * n / burst / 1e6, sustained, 2.0 * n * n * n / sustained / 1e6);
}

int main() {
  const int n = 4096;
  std::vector<half> left(size_t(n) * n), right(left.size()), result(left.size());
  for (auto* values : {&left, &right})
    for (half& value : *values) value = __float2half((rand() / float(RAND_MAX) - 0.5f) * 3.4f);
  half *a, *b, *c;
  for (half** memory : {&a, &b, &c}) cudaMalloc(memory, left.size() * sizeof(half));
  cudaMemcpy(a, left.data(), left.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(b, right.data(), right.size() * sizeof(half), cudaMemcpyHostToDevice);

  auto ours = [&](const char* name, auto kernel, int stages) {
    const int shared = stages * STAGE_BYTES + 1024;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    cudaMemset(c, 0xff, result.size() * sizeof(half));
    auto run = [&] { kernel<<<dim3(n / COLUMNS, n / ROWS), 256, shared>>>(a, b, c, n); };
    run();
    if (cudaError_t status = cudaDeviceSynchronize()) {
      printf("%s: %s\n", name, cudaGetErrorString(status));
      return;
    }
    cudaMemcpy(result.data(), c, result.size() * sizeof(half), cudaMemcpyDeviceToHost);
    double error = 0, largest = 0;
    for (int sample = 0; sample < 200; sample++) {
      const int i = rand() % n, j = rand() % n;
      double sum = 0;
      for (int k = 0; k < n; k++)
        sum += double(__half2float(left[size_t(i) * n + k])) * __half2float(right[size_t(k) * n + j]);
      error = std::max(error, std::abs(sum - __half2float(result[size_t(i) * n + j])));
      largest = std::max(largest, std::abs(sum));
    }
    printf("%s: error %.1e of the largest result\n", name, error / largest);
    measure(name, n, run);
  };
  ours("swizzled, 4 stages", product<4, true>, 4);
  ours("swizzled, 3 stages", product<3, true>, 3);
  ours("not swizzled, 4 stages", product<4, false>, 4);

  cublasHandle_t handle;
  cublasCreate(&handle);
  const float one = 1, zero = 0;
  measure("cuBLAS", n, [&] {
    cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, CUDA_R_16F, n, a, CUDA_R_16F, n, &zero, c,
                 CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  });
}
