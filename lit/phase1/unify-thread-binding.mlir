// RUN: opt-tool --pass unify-thread-binding %s | filecheck %s

// CASE fires: a kernel has one number of threads, so the shorter loop gets a condition.
// CHECK-LABEL: func.func @in_turn(
// CHECK:      loop.for %t = 0 to 16 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   %x = loop.load
// CHECK:      loop.for %[[U:.*]] = 0 to 16 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.if (%[[U]] < 8) {
// CHECK-NEXT:     %{{.*}} = loop.load %s[%[[U]] * 2] : memref<16xf32, "shared">
// CHECK-NEXT:     loop.store %{{.*}}, %C[%b * 8 + %[[U]]] : memref<32xf32>
func.func @in_turn(%A: memref<64xf32>, %C: memref<32xf32> {tw.output}) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<16xf32, "shared">
    loop.for %t = 0 to 16 kind thread<"threadIdx.x"> {
      %x = loop.load %A[%b * 16 + %t] : memref<64xf32>
      loop.store %x, %s[%t] : memref<16xf32, "shared">
    }
    loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
      %y = loop.load %s[%u * 2] : memref<16xf32, "shared">
      loop.store %y, %C[%b * 8 + %u] : memref<32xf32>
    }
  }
  func.return
}

// CASE fires: threads count from 0, and the number that is launched does not depend on the block.
// CHECK-LABEL: func.func @from_zero(
// CHECK:      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.if (%b * 32 + %t < %n) {
// CHECK-NEXT:     loop.store %x, %C[%b * 32 + %t]
// CHECK:      loop.for %[[U:.*]] = 0 to 32 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.if (%[[U]] < 3) {
// CHECK-NEXT:     loop.store %x, %C[%[[U]] + 1]
func.func @from_zero(%C: memref<?xf32>, %x: f32, %n: index) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to min(%n - %b * 32, 32) kind thread<"threadIdx.x"> {
      loop.store %x, %C[%b * 32 + %t] : memref<?xf32>
    }
    loop.for %u = 1 to 4 kind thread<"threadIdx.x"> {
      loop.store %x, %C[%u] : memref<?xf32>
    }
  }
  func.return
}

// CASE leaves alone: kernels have separate extents, and virtual threads are loops of one thread.
// CHECK-LABEL: func.func @apart(
// CHECK: loop.for %{{.*}} = 0 to 4 kind vthread
// CHECK: loop.for %{{.*}} = 0 to 8 kind vthread
// CHECK: loop.for %{{.*}} = 0 to 8 kind thread<"threadIdx.x"> {
func.func @apart(%C: memref<16xf32>, %x: f32) {
  loop.for %t = 0 to 16 kind thread<"threadIdx.x"> {
    loop.for %v = 0 to 4 kind vthread { loop.store %x, %C[%t] : memref<16xf32> }
    loop.for %v = 0 to 8 kind vthread { loop.store %x, %C[%t] : memref<16xf32> }
  }
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.store %x, %C[%t] : memref<16xf32>
  }
  func.return
}
