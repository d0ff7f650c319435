// RUN: not opt-tool --pass check-bounds %s 2>&1 | filecheck %s

// CHECK: access-outside.mlir:11:{{[0-9]+}}: error[TW0560]: expected an index within [8], but A[8] is read
// CHECK: help: guard it, as te.if_then_else(i < n, A[i], 0) does
func.func @shifted(%A: memref<8xf32>, %C: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 16 {
    %g = loop.load %A[%i - 2] where (%i >= 2, %i < 10) else %zero : memref<8xf32>
    loop.store %g, %C[%i] : memref<16xf32>
    loop.if (%i < 5) {
      %a = loop.load %A[%i + 4] : memref<8xf32>
      loop.store %a, %C[%i] : memref<16xf32>
    }
  }
  func.return
}
