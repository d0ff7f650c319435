// RUN: opt-tool --pass expand-warp-memory %s | filecheck %s

// CASE fires: each warp has a separate part; loads, stores and calls name it.
// CHECK-LABEL: func.func @warps(
// CHECK:      %c = loop.alloc : memref<4x16x8xf32, "warp.mma_c">
// CHECK-NEXT: loop.for %w = 0 to 4 kind thread<"threadIdx.y"> {
// CHECK-NEXT:   loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
// CHECK-NEXT:     loop.store %x, %c[%w, (%lane floordiv 4), (%lane mod 4) * 2]
// CHECK-NEXT:     loop.call_extern "f"(update %c[%w, (%lane floordiv 4), 0] box [1, 2 by 8, 8]
func.func @warps(%C: memref<4x32xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %w = 0 to 4 kind thread<"threadIdx.y"> {
      %c = loop.alloc : memref<16x8xf32, "warp.mma_c">
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
        loop.store %x, %c[%lane floordiv 4, (%lane mod 4) * 2] : memref<16x8xf32, "warp.mma_c">
        loop.call_extern "f"(update %c[%lane floordiv 4, 0] box [2 by 8, 8] : memref<16x8xf32, "warp.mma_c">)
        %y = loop.load %c[%lane floordiv 4, (%lane mod 4) * 2] : memref<16x8xf32, "warp.mma_c">
        loop.store %y, %C[%w, %lane] : memref<4x32xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: memory that stands outside of the threads already, and memory that a block shares.
// CHECK-LABEL: func.func @outside(
// CHECK:      loop.alloc : memref<16x8xf32, "warp.mma_c">
// CHECK-NEXT: loop.for %w
// CHECK-NEXT:   loop.alloc : memref<16xf32, "shared">
func.func @outside(%C: memref<4x32xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %c = loop.alloc : memref<16x8xf32, "warp.mma_c">
    loop.for %w = 0 to 4 kind thread<"threadIdx.y"> {
      %s = loop.alloc : memref<16xf32, "shared">
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
        loop.store %x, %c[%lane floordiv 4, (%lane mod 4) * 2] : memref<16x8xf32, "warp.mma_c">
        loop.store %x, %s[%w] : memref<16xf32, "shared">
        loop.store %x, %C[%w, %lane] : memref<4x32xf32>
      }
    }
  }
  func.return
}
