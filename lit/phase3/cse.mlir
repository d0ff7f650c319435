// RUN: opt-tool --pass cse %s | filecheck %s

// CASE fires: equal loads and sums are one, in branches below the first too.
// CHECK-LABEL: func.func private @equal(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %a = loop.load %A[%i] : memref<8xf32>
// CHECK-NEXT:      %s = arith.addf %a, %a : f32
// CHECK-NEXT:      loop.if (%i < 4) {
// CHECK-NEXT:        loop.store %s, %C[%i] : memref<8xf32>
func.func private @equal(%A: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    %b = loop.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    loop.if (%i < 4) {
      %t = arith.addf %a, %a : f32
      loop.store %t, %C[%i] : memref<8xf32>
    }
  }
  func.return
}

// CASE leaves alone: a store to the buffer lies between, in a later iteration too; a branch does not dominate the
// other; the types differ.
// CHECK-LABEL: func.func private @different(
// CHECK-COUNT-6: loop.load
// CHECK:         func.return
func.func private @different(%A: memref<8xf32>, %C: memref<8xf32>) {
  %before = loop.load %A[0] : memref<8xf32>
  loop.for %i = 0 to 4 {
    %a = loop.load %A[0] : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
    %s = arith.addf %a, %before : f32
    loop.store %s, %A[0] : memref<8xf32>
    %b = loop.load %A[0] : memref<8xf32>
    loop.store %b, %C[%i + 4] : memref<8xf32>
  }
  loop.for %i = 0 to 4 {
    loop.if (%i < 2) {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %C[0] : memref<8xf32>
    } else {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %C[1] : memref<8xf32>
    }
    %v = loop.load %A[%i + lane] : memref<8xf32>, vector<4xf32>
    loop.store %v, %C[lane] : vector<4xf32>, memref<8xf32>
  }
  func.return
}
