// A transposition and a broadcast.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<4x6xf32>, %arg1: memref<6xf32>, %transposed: memref<6x4xf32> {tw.output}, %broadcasted: memref<5x6xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 6
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.store %0, %transposed[%i0, %i1] : memref<6x4xf32>
// CHECK: loop.for %i0_1 = 0 to 5
// CHECK: loop.for %i1_1 = 0 to 6
// CHECK: loop.store %1, %broadcasted[%i0_1, %i1_1] : memref<5x6xf32>

module {
  func.func @main(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>) -> (tensor<6x4xf32>, tensor<5x6xf32>) {
    %0 = tensor.empty() : tensor<6x4xf32>
    %transposed = linalg.transpose ins(%arg0 : tensor<4x6xf32>) outs(%0 : tensor<6x4xf32>) permutation = [1, 0] 
    %1 = tensor.empty() : tensor<5x6xf32>
    %broadcasted = linalg.broadcast ins(%arg1 : tensor<6xf32>) outs(%1 : tensor<5x6xf32>) dimensions = [0] 
    return %transposed, %broadcasted : tensor<6x4xf32>, tensor<5x6xf32>
  }
}
