// Arithmetic on whole tensors, with constants.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%A: memref<5x4xf32>, %B: memref<5x4xf32>, %out: memref<5x4xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 5
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.store %4, %bc[%i0, %i1] : memref<5x4xf32>
// CHECK: loop.for %i0_1 = 0 to 5
// CHECK: loop.for %i1_1 = 0 to 4
// CHECK: loop.store %7, %1[%i0_1, %i1_1] : memref<5x4xf32>
// CHECK: loop.for %i0_2 = 0 to 5
// CHECK: loop.for %i1_2 = 0 to 4
// CHECK: loop.store %10, %2[%i0_2, %i1_2] : memref<5x4xf32>
// CHECK: loop.for %i0_3 = 0 to 5
// CHECK: loop.for %i1_3 = 0 to 4
// CHECK: loop.store %13, %3[%i0_3, %i1_3] : memref<5x4xf32>
// CHECK: loop.for %i0_4 = 0 to 5
// CHECK: loop.for %i1_4 = 0 to 4
// CHECK: loop.store %15, %out[%i0_4, %i1_4] : memref<5x4xf32>

func.func @main(%A: tensor<5x4xf32>, %B: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %w = arith.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %k = arith.constant dense<0.25> : tensor<5x4xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %row = tensor.collapse_shape %w [[0, 1]] : tensor<1x4xf32> into tensor<4xf32>
  %bc = linalg.broadcast ins(%row : tensor<4xf32>) outs(%e : tensor<5x4xf32>) dimensions = [0]
  %0 = arith.addf %A, %B : tensor<5x4xf32>
  %1 = arith.mulf %0, %k : tensor<5x4xf32>
  %2 = linalg.sub ins(%1, %bc : tensor<5x4xf32>, tensor<5x4xf32>) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = linalg.exp ins(%2 : tensor<5x4xf32>) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>
  return %3 : tensor<5x4xf32>
}
