// Allocations, reshaped views, a cast to a dynamic type, and a returned memref.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<4x6xf32>, %arg1: memref<24xf32>, %arg2: memref<2x2x6xf32>, %alloc: memref<6xf32> {tw.output})
// CHECK: loop.for %arg3 = 0 to 4
// CHECK: loop.for %arg4 = 0 to 6
// CHECK: loop.store %1, %alloca[%arg3, %arg4] : memref<4x6xf32>
// CHECK: loop.for %i0 = 0 to 24
// CHECK: loop.store %2, %arg1[%i0] : memref<24xf32>
// CHECK: loop.for %i0_1 = 0 to 2
// CHECK: loop.for %i1 = 0 to 2
// CHECK: loop.for %i2 = 0 to 6
// CHECK: loop.store %3, %arg2[%i0_1, %i1, %i2] : memref<2x2x6xf32>
// CHECK: loop.for %arg3_1 = 0 to 6
// CHECK: loop.store %4, %alloc[%arg3_1] : memref<6xf32>

module {
  func.func @main(%arg0: memref<4x6xf32>, %arg1: memref<24xf32>, %arg2: memref<2x2x6xf32>) -> memref<6xf32> {
    %cst = arith.constant 2.000000e+00 : f32
    %alloca = memref.alloca() : memref<4x6xf32>
    affine.for %arg3 = 0 to 4 {
      affine.for %arg4 = 0 to 6 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<4x6xf32>
        %1 = arith.mulf %0, %cst : f32
        affine.store %1, %alloca[%arg3, %arg4] : memref<4x6xf32>
      }
    }
    %collapse_shape = memref.collapse_shape %alloca [[0, 1]] : memref<4x6xf32> into memref<24xf32>
    memref.copy %collapse_shape, %arg1 : memref<24xf32> to memref<24xf32>
    %expand_shape = memref.expand_shape %alloca [[0, 1], [2]] output_shape [2, 2, 6] : memref<4x6xf32> into memref<2x2x6xf32>
    memref.copy %expand_shape, %arg2 : memref<2x2x6xf32> to memref<2x2x6xf32>
    %cast = memref.cast %alloca : memref<4x6xf32> to memref<?x6xf32>
    %alloc = memref.alloc() : memref<6xf32>
    %c3 = arith.constant 3 : index
    affine.for %arg3 = 0 to 6 {
      %0 = memref.load %cast[%c3, %arg3] : memref<?x6xf32>
      affine.store %0, %alloc[%arg3] : memref<6xf32>
    }
    return %alloc : memref<6xf32>
  }
}
