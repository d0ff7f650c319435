// RUN: opt-tool --pass assign-shared-offsets --target "cuda -shared=232448" %s | filecheck %s
// RUN: opt-tool --pass assign-shared-offsets --target "llvm -mcpu=x86-64-v3" %s | filecheck %s --check-prefix HOST
// HOST-NOT: tw.place

// CASE fires: more than any block has; permuted pieces begin at a multiple of 1024 bytes.
// CHECK-LABEL: func.func @large(
// CHECK-SAME:    tw.shared_bytes = 67584 : i64
// CHECK:         loop.alloc attributes {tw.place = #loop.place<shared 0>} : memref<5xf32, "shared">
// CHECK-NEXT:    loop.alloc attributes {tw.storage_swizzle, tw.swizzle = #loop.swizzle<4 of 32>, tw.place = #loop.place<shared 1024>}
// CHECK-NEXT:    loop.alloc attributes {tw.place = #loop.place<shared 66560>} : memref<256xf32, "shared">
func.func @large(%y: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<5xf32, "shared">
    %t = loop.alloc attributes {tw.storage_swizzle, tw.swizzle = #loop.swizzle<4 of 32>} : memref<64x256xf32, "shared">
    %u = loop.alloc : memref<256xf32, "shared">
  }
  func.return
}

// CASE leaves alone: buffers that fit in 48 KiB, which are separate arrays.
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     tw.place
func.func @small(%y: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<64x128xf32, "shared">
  }
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    %t = loop.alloc : memref<64x128xf32, "shared">
  }
  func.return
}
