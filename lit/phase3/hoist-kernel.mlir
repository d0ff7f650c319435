// RUN: opt-tool --pass hoist %s | filecheck %s

// What is loaded alike by all blocks and threads stays in the kernel: the host has none of its memory. Inside of the
// loop over blocks it may stand before the threads.

// CASE fires: the load goes in front of the threads, not of the blocks; a constant needs no memory.
// CHECK-LABEL: func.func private @scalar(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
// CHECK-NEXT: loop.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
func.func private @scalar(%A: memref<1xf32>, %B: memref<32xf32>) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %one = arith.constant 1.0 : f32
      %a = loop.load %A[0] : memref<1xf32>
      %c = arith.addf %a, %one : f32
      loop.store %c, %B[%b * 8 + %t] : memref<32xf32>
    }
  }
  func.return
}
