// RUN: opt-tool --pass swizzle-addresses --target cuda %s | filecheck %s

// CASE fires: pieces have 16 bytes, lines 128, whatever the elements; a view is of the same lines.
// CHECK-LABEL: func.func @pieces(
// CHECK:         loop.alloc attributes {tw.storage_swizzle, tw.swizzle = #loop.swizzle<8 of 64>} : memref<8x64xf16
// CHECK-NEXT:    loop.alloc attributes {tw.storage_swizzle, tw.swizzle = #loop.swizzle<4 of 32>} : memref<64xf32
// CHECK:         loop.load %h[%t, 0] attributes {tw.swizzle = #loop.swizzle<8 of 64>}
// CHECK-NEXT:    loop.load %part[%t] attributes {tw.swizzle = #loop.swizzle<4 of 32>}
func.func @pieces() attributes {tw.scheduled} {
  %h = loop.alloc attributes {tw.storage_swizzle} : memref<8x64xf16, "shared">
  %f = loop.alloc attributes {tw.storage_swizzle} : memref<64xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %part = loop.view %f[32] : memref<64xf32, "shared"> to memref<32xf32, "shared">
    %a = loop.load %h[%t, 0] : memref<8x64xf16, "shared">
    %b = loop.load %part[%t] : memref<32xf32, "shared">
  }
  func.return
}

// CASE leaves alone: no schedule asks for it, or the buffer is not shared by a block.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     tw.swizzle
func.func @others() attributes {tw.scheduled} {
  %s = loop.alloc : memref<64xf32, "shared">
  %l = loop.alloc attributes {tw.storage_swizzle} : memref<64xf32, "local">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %a = loop.load %s[%t] : memref<64xf32, "shared">
    %b = loop.load %l[%t] : memref<64xf32, "local">
  }
  func.return
}
