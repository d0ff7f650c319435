// A product of dynamic memrefs: sizes that it demands to be equal are one value.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>)
// CHECK: loop.bind %arg0 shape [%arg0_dim0, %arg0_dim1] strides [%arg0_dim1, 1] : memref<?x?xf32>
// CHECK: loop.bind %arg1 shape [%arg0_dim1, %arg1_dim1] strides [%arg1_dim1, 1] : memref<?x?xf32>
// CHECK: loop.bind %arg2 shape [%arg0_dim0, %arg1_dim1] strides [%arg1_dim1, 1] : memref<?x?xf32>
// CHECK: loop.for %i0 = 0 to %arg0_dim0
// CHECK: loop.for %i1 = 0 to %arg1_dim1
// CHECK: loop.for %i2 = 0 to %arg0_dim1
// CHECK: loop.store %4, %arg2[%i0, %i1] : memref<?x?xf32>

module {
  func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    linalg.matmul ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    return
  }
}
