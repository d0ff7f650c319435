// RUN: opt-tool --pass partition-loops %s | filecheck %s

// CASE fires: a condition in the other branch of one that holds in the main part goes with that branch; the rest keeps
// both.
// CHECK-LABEL: func.func private @branches(
// CHECK:           loop.for %i = 0 to 64 kind parallel {
// CHECK-NEXT:        loop.if (%i < 60) {
// CHECK-NEXT:          %a = loop.load %A[%i] : memref<64xf32>
// CHECK-NEXT:          loop.store %a, %B[%i] : memref<64xf32>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          loop.if (%i < 60) {
// CHECK:                 loop.load %A[%i] where (%i < 62) else %zero : memref<64xf32>
func.func private @branches(%A: memref<64xf32>, %B: memref<64xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 64 kind parallel {
    loop.if (%i < 60) {
      %a = loop.load %A[%i] : memref<64xf32>
      loop.store %a, %B[%i] : memref<64xf32>
    } else {
      %b = loop.load %A[%i] where (%i < 62) else %zero : memref<64xf32>
      loop.store %b, %B[%i] : memref<64xf32>
    }
  }
  func.return
}
