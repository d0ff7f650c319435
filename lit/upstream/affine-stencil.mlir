// A stencil in affine loops.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<34xf32>, %arg1: memref<34xf32>)
// CHECK: loop.for %arg2 = 0 to 3
// CHECK: loop.for %arg3 = 1 to 33
// CHECK: loop.store %5, %arg1[%arg3] : memref<34xf32>
// CHECK: loop.for %arg3_1 = 1 to 33
// CHECK: loop.store %6, %arg0[%arg3_1] : memref<34xf32>

module {
  func.func @main(%arg0: memref<34xf32>, %arg1: memref<34xf32>) {
    %cst = arith.constant 0.333333343 : f32
    affine.for %arg2 = 0 to 3 {
      affine.for %arg3 = 1 to 33 {
        %0 = affine.load %arg0[%arg3 - 1] : memref<34xf32>
        %1 = affine.load %arg0[%arg3] : memref<34xf32>
        %2 = affine.load %arg0[%arg3 + 1] : memref<34xf32>
        %3 = arith.addf %0, %1 : f32
        %4 = arith.addf %3, %2 : f32
        %5 = arith.mulf %4, %cst : f32
        affine.store %5, %arg1[%arg3] : memref<34xf32>
      }
      affine.for %arg3 = 1 to 33 {
        %0 = affine.load %arg1[%arg3] : memref<34xf32>
        affine.store %0, %arg0[%arg3] : memref<34xf32>
      }
    }
    return
  }
}
