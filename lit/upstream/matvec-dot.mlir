// A matrix times a vector, a vector times a matrix, and a dot product.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<8x13xf32>, %arg1: memref<13xf32>, %arg2: memref<8xf32>, %arg3: memref<13xf32>, %arg4: memref<f32>)
// CHECK: loop.for %i0 = 0 to 8
// CHECK: loop.for %i1 = 0 to 13
// CHECK: loop.store %4, %arg2[%i0] : memref<8xf32>
// CHECK: loop.for %i0_1 = 0 to 13
// CHECK: loop.for %i1_1 = 0 to 8
// CHECK: loop.store %9, %arg3[%i0_1] : memref<13xf32>
// CHECK: loop.for %i0_2 = 0 to 13
// CHECK: loop.store %14, %arg4[] : memref<f32>

module {
  func.func @main(%arg0: memref<8x13xf32>, %arg1: memref<13xf32>, %arg2: memref<8xf32>, %arg3: memref<13xf32>, %arg4: memref<f32>) {
    linalg.matvec ins(%arg0, %arg1 : memref<8x13xf32>, memref<13xf32>) outs(%arg2 : memref<8xf32>)
    linalg.vecmat ins(%arg2, %arg0 : memref<8xf32>, memref<8x13xf32>) outs(%arg3 : memref<13xf32>)
    linalg.dot ins(%arg1, %arg3 : memref<13xf32>, memref<13xf32>) outs(%arg4 : memref<f32>)
    return
  }
}
