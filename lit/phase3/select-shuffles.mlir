// RUN: opt-tool --pass select-shuffles --target cuda %s | filecheck %s
// RUN: opt-tool --pass select-shuffles --target "llvm -mcpu=x86-64-v3" %s | filecheck %s --check-prefix HOST
// HOST-NOT: tw.shuffle

// CASE fires: the element of the executing lane, that of a neighbour, and that of any lane.
// CHECK-LABEL: func.func @lanes(
// CHECK:         loop.store %v, %w[%t] attributes {tw.shuffle = #loop.shuffle<own>}
// CHECK:         loop.load %w[%t] attributes {tw.shuffle = #loop.shuffle<own>}
// CHECK-NEXT:    loop.load %w[-%t + 31] attributes {tw.shuffle = #loop.shuffle<xor 31>}
// CHECK-NEXT:    loop.load %w[((%t * 5 + 3) mod 32)] attributes {tw.shuffle = #loop.shuffle<index>}
// CHECK-NEXT:    loop.load %w[7] attributes {tw.shuffle = #loop.shuffle<index>}
func.func @lanes(%x: memref<32xf32>) attributes {tw.scheduled} {
  %w = loop.alloc : memref<32xf32, "warp">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<32xf32>
    loop.store %v, %w[%t] : memref<32xf32, "warp">
    loop.barrier <"warp">
    %a = loop.load %w[%t] : memref<32xf32, "warp">
    %b = loop.load %w[31 - %t] : memref<32xf32, "warp">
    %c = loop.load %w[(%t * 5 + 3) mod 32] : memref<32xf32, "warp">
    %d = loop.load %w[7] : memref<32xf32, "warp">
  }
  func.return
}

// CASE fires: rows of eight threads have separate lanes, and warps of a long row separate parts.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.load %w[%r, -%t + 7] attributes {tw.shuffle = #loop.shuffle<xor 7>}
// CHECK-LABEL: func.func @warps(
// CHECK:         loop.load %w[(%t floordiv 32), -(%t mod 32) + 31] attributes {tw.shuffle = #loop.shuffle<xor 31>}
func.func @rows() attributes {tw.scheduled} {
  %w = loop.alloc : memref<4x8xf32, "warp">
  loop.for %r = 0 to 4 kind thread<"threadIdx.y"> {
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %b = loop.load %w[%r, 7 - %t] : memref<4x8xf32, "warp">
    }
  }
  func.return
}
func.func @warps() attributes {tw.scheduled} {
  %w = loop.alloc : memref<2x32xf32, "warp">
  loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
    %b = loop.load %w[%t floordiv 32, 31 - %t mod 32] : memref<2x32xf32, "warp">
  }
  func.return
}

// CASE leaves alone: other memory, and tiles with a special layout in registers.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     tw.shuffle
func.func @others() attributes {tw.scheduled} {
  %s = loop.alloc : memref<32xf32, "shared">
  %c = loop.alloc : memref<16x8xf32, "warp.mma_c">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %a = loop.load %s[31 - %t] : memref<32xf32, "shared">
    %b = loop.load %c[%t floordiv 4, %t mod 4 * 2] : memref<16x8xf32, "warp.mma_c">
  }
  func.return
}
