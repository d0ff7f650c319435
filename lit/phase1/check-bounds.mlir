// RUN: opt-tool --pass check-bounds %s | filecheck %s

// CASE fires: the index was loaded; the store is known to be inside, and an equal check serves the second load.
// CHECK-LABEL: func.func @gather(
// CHECK:           %k = arith.index_cast
// CHECK-NEXT:      loop.assert (%k >= 0, %k < 8), "expected an index within [8, 4], but A[{}, {}] is read" (%k, %i)
// CHECK-NEXT:      %a = loop.load %A[%k, %i] : memref<8x4xf32>
// CHECK-NEXT:      %b = loop.load %A[%k, %i] : memref<8x4xf32>
// CHECK-NEXT:      %s = arith.addf
// CHECK-NEXT:      loop.store %s, %C[%i] : memref<4xf32>
func.func @gather(%A: memref<8x4xf32>, %I: memref<4xi32>, %C: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    %0 = loop.load %I[%i] : memref<4xi32>
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k, %i] : memref<8x4xf32>
    %b = loop.load %A[%k, %i] : memref<8x4xf32>
    %s = arith.addf %a, %b : f32
    loop.store %s, %C[%i] : memref<4xf32>
  }
  func.return
}

// CASE fires: what a guard leaves open is checked under it; an extent without a name gets one.
// CHECK-LABEL: func.func @guarded(
// CHECK-NEXT:    %[[N:.*]] = loop.dim %A, 0 : memref<?xf32>
// CHECK:           loop.if (%i >= 2) {
// CHECK-NEXT:        loop.assert (%i < %[[N]] + 2), "expected an index within [{}], but A[{}] is read" (%[[N]], %i - 2)
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.load %A[%i - 2] where (%i >= 2)
func.func @guarded(%A: memref<?xf32>, %C: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i - 2] where (%i >= 2) else %zero : memref<?xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: of lanes in a row the first and the last are checked, of masked ones each.
// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT:    loop.assert (%n >= 0, %n < 16), "expected an index within [16], but A[{}] is written" (%n)
// CHECK-NEXT:    loop.assert (%n >= -3, %n < 13), "expected an index within [16], but A[{}] is written" (%n + 3)
// CHECK-NEXT:    loop.store %v, %A[%n + lane]
// CHECK-NEXT:    loop.if (%n < 4) {
// CHECK-NEXT:      loop.assert (%n >= 0), "expected an index within [16], but A[{}] is written" (%n)
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.if (%n < 3) {
// CHECK-NEXT:      loop.assert (%n >= -1), "expected an index within [16], but A[{}] is written" (%n + 1)
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.store %w, %A[%n + lane] where (%n + lane < 4)
func.func @lanes(%n: index, %v: vector<4xf32>, %w: vector<2xf32>, %A: memref<16xf32>) {
  loop.store %v, %A[%n + lane] : vector<4xf32>, memref<16xf32>
  loop.store %w, %A[%n + lane] where (%n + lane < 4) : vector<2xf32>, memref<16xf32>
  func.return
}

// CASE leaves alone: loops, guards and sizes say that all accesses are inside.
// CHECK-LABEL: func.func @proved(
func.func @proved(%A: memref<?x8xf32>, %C: memref<8xf32>) {
  %n = loop.dim %A, 0 : memref<?x8xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to %n {
    loop.for %j = 0 to 9 {
      %a = loop.load %A[%i, %j - 1] where (%j >= 1) else %zero : memref<?x8xf32>
      loop.if (%j < 8) { loop.store %a, %C[%j] : memref<8xf32> }
    }
  }
  func.return
}
