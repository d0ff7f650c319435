// A value carried through an affine loop with a step.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<4x9xf64>, %arg1: memref<4xf64>)
// CHECK: loop.for %arg2 = 0 to 4
// CHECK: %0 = loop.for %arg3 = 0 to 5 iter_args(%arg4 = %cst) -> (f64)
// CHECK: loop.store %0, %arg1[%arg2] : memref<4xf64>

module {
  func.func @main(%arg0: memref<4x9xf64>, %arg1: memref<4xf64>) {
    %cst = arith.constant 0.000000e+00 : f64
    affine.for %arg2 = 0 to 4 {
      %0 = affine.for %arg3 = 0 to 9 step 2 iter_args(%arg4 = %cst) -> (f64) {
        %1 = affine.load %arg0[%arg2, %arg3] : memref<4x9xf64>
        %2 = arith.addf %arg4, %1 : f64
        affine.yield %2 : f64
      }
      affine.store %0, %arg1[%arg2] : memref<4xf64>
    }
    return
  }
}
