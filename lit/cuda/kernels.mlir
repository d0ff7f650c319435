// RUN: opt-tool --emit cuda-python %s | filecheck %s
// RUN: opt-tool --target "cuda -arch=sm_80" --phase 3 --print-pipeline %s 2>&1 | filecheck %s --check-prefix=PIPELINE

// Loops over threads are the numbers of blocks and threads; sizes are parameters and the guard stays.
// CHECK:      """Kernels of 'add'."""
// CHECK:      from numba import cuda, float32, int64, uint64
// CHECK:      def add_kernel0(A, B, n):
// CHECK-NEXT:     io = int64(cuda.blockIdx.x)
// CHECK-NEXT:     ii = int64(cuda.threadIdx.x)
// CHECK-NEXT:     if io * 64 + ii < n:
// CHECK-NEXT:         B[uint64(io * 64 + ii)] = A[uint64(io * 64 + ii)] + float32(1.0)

// The passes for threads run, and the module says what it is for.
// PIPELINE: lower-cross-thread-reduction,{{.*}}lower-vthread,{{.*}}unify-thread-binding,{{.*}}double-buffer,{{.*}}insert-barriers,
// PIPELINE: builtin.module attributes {tw.target = #target.cuda<arch "sm_80", max_threads 1024, shared 49152, warp 32>}
func.func @add(%A: memref<?xf32> {tw.name = "A"}, %B: memref<?xf32> {tw.name = "B", tw.output}) attributes {tw.scheduled} {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  %one = arith.constant 1.0 : f32
  loop.for %io = 0 to ((%n + 63) floordiv 64) kind thread<"blockIdx.x"> {
    loop.for %ii = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%io * 64 + %ii < %n) {
        %a = loop.load %A[%io * 64 + %ii] : memref<?xf32>
        %b = arith.addf %a, %one : f32
        loop.store %b, %B[%io * 64 + %ii] : memref<?xf32>
      }
    }
  }
  func.return
}
