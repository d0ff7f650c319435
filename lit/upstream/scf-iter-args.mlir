// Two values carried through a loop to a symbolic size; numbers as results.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<?xf32>, %out: memref<f32> {tw.name = "out0", tw.output}, %out_1: memref<f32> {tw.name = "out1", tw.output})
// CHECK: loop.bind %arg0 shape [%arg0_dim0] strides [1] : memref<?xf32>
// CHECK: %0, %1 = loop.for %arg1 = 0 to %arg0_dim0 iter_args(%arg2 = %cst, %arg3 = %cst_1) -> (f32, f32)
// CHECK: loop.store %0, %out[] : memref<f32>
// CHECK: loop.store %1, %out_1[] : memref<f32>

module {
  func.func @main(%arg0: memref<?xf32>) -> (f32, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0:2 = scf.for %arg1 = %c0 to %dim step %c1 iter_args(%arg2 = %cst, %arg3 = %cst_0) -> (f32, f32) {
      %1 = memref.load %arg0[%arg1] : memref<?xf32>
      %2 = arith.addf %arg2, %1 : f32
      %3 = arith.mulf %arg3, %1 : f32
      scf.yield %2, %3 : f32, f32
    }
    return %0#0, %0#1 : f32, f32
  }
}
