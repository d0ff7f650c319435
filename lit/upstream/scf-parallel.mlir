// Parallel loops with steps, and with a reduction that starts from a value.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<10x6xf32>, %arg1: memref<10x6xf32>, %arg2: memref<f32>)
// CHECK: loop.for %i = 0 to 10 kind parallel
// CHECK: loop.for %i_1 = 0 to 3
// CHECK: loop.store %1, %arg1[%i, %i_1 * 2] : memref<10x6xf32>
// CHECK: %2 = loop.for %i_2 = 0 to 10 iter_args(%arg4 = %cst) -> (f32)
// CHECK: loop.store %2, %arg2[] : memref<f32>

module {
  func.func @main(%arg0: memref<10x6xf32>, %arg1: memref<10x6xf32>, %arg2: memref<f32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c10 = arith.constant 10 : index
    %c6 = arith.constant 6 : index
    %cst = arith.constant 3.000000e+00 : f32
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c10, %c6) step (%c1, %c2) {
      %1 = memref.load %arg0[%arg3, %arg4] : memref<10x6xf32>
      %2 = arith.negf %1 : f32
      memref.store %2, %arg1[%arg3, %arg4] : memref<10x6xf32>
      scf.reduce 
    }
    %0 = scf.parallel (%arg3) = (%c0) to (%c10) step (%c1) init (%cst) -> f32 {
      %1 = memref.load %arg0[%arg3, %c2] : memref<10x6xf32>
      scf.reduce(%1 : f32) {
      ^bb0(%arg4: f32, %arg5: f32):
        %2 = arith.addf %arg4, %arg5 : f32
        scf.reduce.return %2 : f32
      }
    }
    memref.store %0, %arg2[] : memref<f32>
    return
  }
}
