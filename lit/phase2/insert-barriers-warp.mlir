// RUN: opt-tool --split-input-file --pass insert-barriers --verify-diagnostics %s | filecheck %s

// CASE fires: lanes read what others wrote to memory of the warp: they wait, and nobody else does.
// CHECK-LABEL: func.func @lanes(
// CHECK:      loop.store %x, %c[%w, %lane, 0]
// CHECK-NEXT: loop.barrier <"warp">
// CHECK-NEXT: %y = loop.load %c[%w, -%lane + 31, 0]
func.func @lanes(%C: memref<64xf32> {tw.output}, %x: f32) {
  %c = loop.alloc : memref<2x32x1xf32, "warp">
  loop.for %w = 0 to 2 kind thread<"threadIdx.y"> {
    loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
      loop.store %x, %c[%w, %lane, 0] : memref<2x32x1xf32, "warp">
    }
    loop.for %l = 0 to 32 kind thread<"threadIdx.x"> {
      %y = loop.load %c[%w, 31 - %l, 0] : memref<2x32x1xf32, "warp">
      loop.store %y, %C[%w * 32 + %l] : memref<64xf32>
    }
  }
  func.return
}

// -----

// CASE errs: no barrier of a warp orders what another warp does.
func.func @warps(%C: memref<64xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %c = loop.alloc : memref<2x32x1xf32, "warp">
    loop.for %w = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %lane = 0 to 32 kind thread<"threadIdx.x"> {
        loop.store %x, %c[%w, %lane, 0] : memref<2x32x1xf32, "warp">
      }
    }
    loop.for %v = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %l = 0 to 32 kind thread<"threadIdx.x"> {
        // expected-error @+1 {{TW0665: expected different warps to access disjoint parts of %c, but another warp accesses this part}}
        %y = loop.load %c[1 - %v, %l, 0] : memref<2x32x1xf32, "warp">
        loop.store %y, %C[%v * 32 + %l] : memref<64xf32>
      }
    }
  }
  func.return
}
