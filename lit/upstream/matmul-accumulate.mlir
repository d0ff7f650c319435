// A product on tensors adds to what its output holds.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<9x12xf32>, %arg1: memref<12x10xf32>, %arg2: memref<9x10xf32>, %out: memref<9x10xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 9
// CHECK: loop.for %i1 = 0 to 10
// CHECK: loop.for %i2 = 0 to 12
// CHECK: loop.if (%i2 < 1)
// CHECK: loop.store %0, %out[%i0, %i1] : memref<9x10xf32>
// CHECK: loop.store %5, %out[%i0, %i1] : memref<9x10xf32>

module {
  func.func @main(%arg0: tensor<9x12xf32>, %arg1: tensor<12x10xf32>, %arg2: tensor<9x10xf32>) -> tensor<9x10xf32> {
    %0 = linalg.matmul ins(%arg0, %arg1 : tensor<9x12xf32>, tensor<12x10xf32>) outs(%arg2 : tensor<9x10xf32>) -> tensor<9x10xf32>
    return %0 : tensor<9x10xf32>
  }
}
