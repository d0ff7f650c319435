// Constant globals.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<4xf32>, %arg1: memref<3xf32>, %arg2: memref<4xi32>)
// CHECK: loop.for %i0 = 0 to 3
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.store %6, %arg1[%i0] : memref<3xf32>
// CHECK: loop.for %i0_1 = 0 to 4
// CHECK: loop.store %7, %arg2[%i0_1] : memref<4xi32>

module {
  memref.global "private" constant @weights : memref<3x4xf32> = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [-1.000000e+00, -2.000000e+00, -3.000000e+00, -4.000000e+00]]>
  memref.global "private" constant @ones : memref<4xi32> = dense<1>
  func.func @main(%arg0: memref<4xf32>, %arg1: memref<3xf32>, %arg2: memref<4xi32>) {
    %0 = memref.get_global @weights : memref<3x4xf32>
    %1 = memref.get_global @ones : memref<4xi32>
    linalg.matvec ins(%0, %arg0 : memref<3x4xf32>, memref<4xf32>) outs(%arg1 : memref<3xf32>)
    memref.copy %1, %arg2 : memref<4xi32> to memref<4xi32>
    return
  }
}
