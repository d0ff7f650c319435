// A batch of products in f64.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<3x5x7xf64>, %arg1: memref<3x7x6xf64>, %out: memref<3x5x6xf64> {tw.output})
// CHECK: loop.for %i0 = 0 to 3
// CHECK: loop.for %i1 = 0 to 5
// CHECK: loop.for %i2 = 0 to 6
// CHECK: loop.for %i3 = 0 to 7
// CHECK: loop.if (%i3 < 1)
// CHECK: loop.store %0, %out[%i0, %i1, %i2] : memref<3x5x6xf64>
// CHECK: loop.store %5, %out[%i0, %i1, %i2] : memref<3x5x6xf64>

module {
  func.func @main(%arg0: tensor<3x5x7xf64>, %arg1: tensor<3x7x6xf64>) -> tensor<3x5x6xf64> {
    %cst = arith.constant 0.000000e+00 : f64
    %0 = tensor.empty() : tensor<3x5x6xf64>
    %1 = linalg.fill ins(%cst : f64) outs(%0 : tensor<3x5x6xf64>) -> tensor<3x5x6xf64>
    %2 = linalg.batch_matmul ins(%arg0, %arg1 : tensor<3x5x7xf64>, tensor<3x7x6xf64>) outs(%1 : tensor<3x5x6xf64>) -> tensor<3x5x6xf64>
    return %2 : tensor<3x5x6xf64>
  }
}
