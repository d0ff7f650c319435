// Views with strides, and views that a loop moves.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<4x5xf32>)
// CHECK: loop.for %i0 = 0 to 4
// CHECK: loop.for %i1 = 0 to 5
// CHECK: loop.store %0, %arg1[%i0, %i1] : memref<4x5xf32>
// CHECK: loop.for %arg2 = 0 to 3
// CHECK: loop.for %i0_1 = 0 to 4
// CHECK: loop.for %i1_1 = 0 to 4
// CHECK: loop.store %cst, %arg0[%arg2 * 4 + %i0_1, %arg2 * 4 + %i1_1] : memref<16x16xf32>
// CHECK: loop.store %1, %arg0[15, 0] : memref<16x16xf32>

module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<4x5xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c12 = arith.constant 12 : index
    %cst = arith.constant 1.000000e+00 : f32
    %subview = memref.subview %arg0[2, 3] [4, 5] [2, 1] : memref<16x16xf32> to memref<4x5xf32, strided<[32, 1], offset: 35>>
    memref.copy %subview, %arg1 : memref<4x5xf32, strided<[32, 1], offset: 35>> to memref<4x5xf32>
    scf.for %arg2 = %c0 to %c12 step %c4 {
      %subview_1 = memref.subview %arg0[%arg2, %arg2] [4, 4] [1, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 1], offset: ?>>
      linalg.fill ins(%cst : f32) outs(%subview_1 : memref<4x4xf32, strided<[16, 1], offset: ?>>)
    }
    %subview_0 = memref.subview %arg0[15, 0] [1, 16] [1, 1] : memref<16x16xf32> to memref<16xf32, strided<[1], offset: 240>>
    %0 = memref.load %subview_0[%c4] : memref<16xf32, strided<[1], offset: 240>>
    memref.store %0, %subview_0[%c0] : memref<16xf32, strided<[1], offset: 240>>
    return
  }
}
