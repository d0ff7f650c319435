// RUN: opt-tool --pass convert-affine --split-input-file %s | filecheck %s

// CASE fires: a step becomes a count from 0, a set a guard, and accesses take the maps as indices.
// CHECK-LABEL: func.func @steps(
// CHECK-NEXT:    loop.for %[[I:.*]] = 0 to 16 {
// CHECK-NEXT:      %[[V:.*]] = loop.apply (%[[I]] * 4) : index
// CHECK-NEXT:      loop.if (%[[I]] * 4 >= 8) {
// CHECK-NEXT:        %[[A:.*]] = loop.load %A[%[[I]] * 4 + 1] : memref<72xf32>
// CHECK-NEXT:        loop.store %[[A]], %B[%[[I]] * 4] : memref<64xf32>
// CHECK-NEXT:      }
func.func @steps(%A: memref<72xf32>, %B: memref<64xf32>) {
  affine.for %i = 0 to 64 step 4 {
    affine.if affine_set<(d0) : (d0 - 8 >= 0)>(%i) {
      %a = affine.load %A[%i + 1] : memref<72xf32>
      affine.store %a, %B[%i] : memref<64xf32>
    }
  }
  return
}

// -----

// CASE fires: the outermost of parallel loops is parallel; the one within it carries what it reduces.
// CHECK-LABEL: func.func @parallel(
// CHECK:         loop.for %{{.*}} = 0 to 6 kind parallel {
// CHECK:           %[[NONE:.*]] = arith.constant 0xff800000 : f32
// CHECK:           %[[S:.*]] = loop.for %{{.*}} = 0 to 10 iter_args(%[[ACC:.*]] = %[[NONE]]) -> (f32) {
// CHECK:             %[[A:.*]] = loop.load
// CHECK-NEXT:        %[[M:.*]] = arith.maximumf %[[ACC]], %[[A]] : f32
// CHECK-NEXT:        loop.yield %[[M]] : f32
func.func @parallel(%A: memref<6x20xf32>, %R: memref<6xf32>) {
  affine.parallel (%i) = (0) to (6) {
    %s = affine.parallel (%j) = (0) to (20) step (2) reduce ("maximumf") -> f32 {
      %a = affine.load %A[%i, %j] : memref<6x20xf32>
      affine.yield %a : f32
    }
    affine.store %s, %R[%i] : memref<6xf32>
  }
  return
}

// -----

// CASE leaves alone: what is of another dialect.
// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %{{.*}} = memref.load %A[%c0] : memref<4xf32>
func.func @other(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %A[%c0] : memref<4xf32>
  memref.store %a, %A[%c0] : memref<4xf32>
  return
}
