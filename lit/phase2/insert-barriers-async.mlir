// RUN: opt-tool --pass insert-barriers %s | filecheck %s

// CASE fires: what a thread waited for others see past a barrier, and it is the only one of a step.
// CHECK-LABEL: func.func @steps(
// CHECK:      loop.store %{{.*}}, %s[0, %t] attributes {tw.async}
// CHECK-NEXT: loop.async_commit
// CHECK-NEXT: loop.for %i = 1 to 8 {
// CHECK-NEXT:   loop.async_wait <0>
// CHECK-NEXT:   loop.barrier <"shared">
// CHECK-NEXT:   loop.load
// CHECK-NEXT:   loop.store %{{.*}}, %s[(%i mod 2), %t] attributes {tw.async}
// CHECK-NEXT:   loop.async_commit
// CHECK-NEXT:   loop.load %s[((%i + 1) mod 2), -%t + 31]
// CHECK-NOT:    loop.barrier
func.func @steps(%A: memref<8x32xf32>, %C: memref<8x32xf32> {tw.output}) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<2x32xf32, "shared">
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %x = loop.load %A[0, %t] : memref<8x32xf32>
      loop.store %x, %s[0, %t] attributes {tw.async} : memref<2x32xf32, "shared">
      loop.async_commit
    }
    loop.for %i = 1 to 8 {
      loop.for %u = 0 to 32 kind thread<"threadIdx.x"> {
        loop.async_wait <0>
        %y = loop.load %A[%i, %u] : memref<8x32xf32>
        loop.store %y, %s[%i mod 2, %u] attributes {tw.async} : memref<2x32xf32, "shared">
        loop.async_commit
      }
      loop.for %v = 0 to 32 kind thread<"threadIdx.x"> {
        %z = loop.load %s[(%i + 1) mod 2, 31 - %v] : memref<2x32xf32, "shared">
        loop.store %z, %C[%i - 1, %v] : memref<8x32xf32>
      }
    }
  }
  func.return
}
