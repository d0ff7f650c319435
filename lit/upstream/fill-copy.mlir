// A fill and copies of memrefs.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<6x7xf32>, %arg1: memref<6x7xf32>, %arg2: memref<6x7xf32>)
// CHECK: loop.for %i0 = 0 to 6
// CHECK: loop.for %i1 = 0 to 7
// CHECK: loop.store %cst, %arg1[%i0, %i1] : memref<6x7xf32>
// CHECK: loop.for %i0_1 = 0 to 6
// CHECK: loop.for %i1_1 = 0 to 7
// CHECK: loop.store %0, %arg2[%i0_1, %i1_1] : memref<6x7xf32>
// CHECK: loop.for %i0_2 = 0 to 6
// CHECK: loop.for %i1_2 = 0 to 7
// CHECK: loop.store %1, %arg0[%i0_2, %i1_2] : memref<6x7xf32>

module {
  func.func @main(%arg0: memref<6x7xf32>, %arg1: memref<6x7xf32>, %arg2: memref<6x7xf32>) {
    %cst = arith.constant 2.500000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg1 : memref<6x7xf32>)
    memref.copy %arg0, %arg2 : memref<6x7xf32> to memref<6x7xf32>
    linalg.copy ins(%arg1 : memref<6x7xf32>) outs(%arg0 : memref<6x7xf32>)
    return
  }
}
