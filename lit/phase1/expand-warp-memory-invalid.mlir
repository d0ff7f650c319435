// RUN: opt-tool --split-input-file --pass expand-warp-memory --verify-diagnostics %s

// CASE errs: what one lane allocates, its warp does not share.
func.func @of_a_lane(%C: memref<32xf32> {tw.output}, %x: f32) {
  loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{TW0665: expected %c, memory of a warp, to be allocated outside of the loop over threadIdx.x, whose threads share it}}
    %c = loop.alloc : memref<16x8xf32, "warp.mma_c">
    loop.store %x, %c[%lane floordiv 4, (%lane mod 4) * 2] : memref<16x8xf32, "warp.mma_c">
    loop.store %x, %C[%lane] : memref<32xf32>
  }
  func.return
}

// -----

// CASE errs: there are as many registers as the program says.
func.func @of_any_size(%C: memref<32xf32> {tw.output}, %x: f32, %n: index) {
  loop.for %w = 0 to 2 kind thread<"threadIdx.y"> {
    // expected-error @+1 {{TW0665: expected %c, memory of a warp, to be of constant size, for a constant number of warps}}
    %c = loop.alloc (%n) : memref<?x8xf32, "warp.mma_c">
    loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
      loop.store %x, %c[%lane floordiv 4, (%lane mod 4) * 2] : memref<?x8xf32, "warp.mma_c">
      loop.store %x, %C[%lane] : memref<32xf32>
    }
  }
  func.return
}
