// RUN: opt-tool --emit opencl %s | filecheck %s

// Loops over threads are the numbers of groups and items; sizes are parameters and the guard stays.
// CHECK:      #pragma OPENCL FP_CONTRACT OFF
// CHECK:      __kernel void add_kernel(__global const float *restrict A, __global float *restrict B, long n) {
// CHECK-NEXT:   const long io = get_group_id(0);
// CHECK-NEXT:   const long ii = get_local_id(0);
// CHECK-NEXT:   if (io * 64 + ii < n) {
// CHECK-NEXT:     B[io * 64 + ii] = A[io * 64 + ii] + 1.0f;
// CHECK-NEXT:   }
// CHECK-NEXT: }
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
