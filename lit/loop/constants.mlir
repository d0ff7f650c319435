// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool | filecheck %s

// Infinities and NaNs are written as their bits and read back as such.
// CHECK: loop.constant dense<[0x7f800000, 0xff800000, 1.500000e+00]> : memref<3xf32>
// CHECK: loop.constant dense<[0x7ff8000000000000, 0x7ff0000000000000]> : memref<2xf64>
// CHECK: arith.constant 0xff800000 : f32
func.func @constants() {
  %a = loop.constant dense<[0x7f800000, 0xff800000, 1.5]> : memref<3xf32>
  %b = loop.constant dense<[0x7ff8000000000000, 0x7ff0000000000000]> : memref<2xf64>
  %c = arith.constant 0xff800000 : f32
  func.return
}
