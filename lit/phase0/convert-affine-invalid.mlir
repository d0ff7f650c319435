// RUN: opt-tool --pass convert-affine --split-input-file --verify-diagnostics %s

// CASE errs: nothing is divided by 0.
func.func @quotient(%A: memref<64xf32>) {
  affine.for %i = 0 to 8 {
    // expected-error@+1 {{TW0571: expected a division by a positive number, but got 0}}
    %j = affine.apply affine_map<(d0) -> (d0 mod 0)>(%i)
    %a = memref.load %A[%j] : memref<64xf32>
    memref.store %a, %A[%j] : memref<64xf32>
  }
  return
}

// -----

func.func @numbered(%A: memref<6xf32>, %R: memref<f32>) {
  // expected-error@+1 {{TW0571: expected a reduction of numbers, but got 'assign' of f32}}
  %0 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<1xi32>, lowerBoundsMap = affine_map<() -> (0)>, reductions = [3], steps = [1], upperBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (6)>}> ({
  ^bb0(%i: index):
    %1 = "affine.load"(%A, %i) <{map = affine_map<(d0) -> (d0)>}> : (memref<6xf32>, index) -> f32
    "affine.yield"(%1) : (f32) -> ()
  }) : () -> f32
  affine.store %0, %R[] : memref<f32>
  return
}

// -----

func.func @end(%A: memref<6xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error@+1 {{TW0571: expected a region of 'affine.for' to end in a yield of 0 values}}
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = affine_map<() -> (6)>}> ({
  ^bb0(%i: index):
    "affine.store"(%zero, %A, %i) <{map = affine_map<(d0) -> (d0)>}> : (f32, memref<6xf32>, index) -> ()
    "affine.yield"(%zero) : (f32) -> ()
  }) : () -> ()
  return
}
