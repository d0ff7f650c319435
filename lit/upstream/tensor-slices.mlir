// Slices, insertions, reshapes and padding of tensors.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<6x8xf32>, %arg1: memref<2x3xf32>, %extracted_slice: memref<3x4xf32> {tw.name = "out0", tw.output}, %inserted_slice: memref<6x8xf32> {tw.name = "out1", tw.output}, %out: memref<48xf32> {tw.name = "out2", tw.output}, %padded: memref<8x10xf32> {tw.name = "out3", tw.output})
// CHECK: loop.for %i0 = 0 to 3
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.store %1, %extracted_slice[%i0, %i1] : memref<3x4xf32>
// CHECK: loop.for %i0_1 = 0 to 6
// CHECK: loop.for %i1_1 = 0 to 8
// CHECK: loop.store %3, %inserted_slice[%i0_1, %i1_1] : memref<6x8xf32>
// CHECK: loop.for %i0_2 = 0 to 8
// CHECK: loop.for %i1_2 = 0 to 10
// CHECK: loop.store %4, %padded[%i0_2, %i1_2] : memref<8x10xf32>
// CHECK: loop.for %i0_3 = 0 to 48
// CHECK: loop.store %5, %out[%i0_3] : memref<48xf32>

module {
  func.func @main(%arg0: tensor<6x8xf32>, %arg1: tensor<2x3xf32>) -> (tensor<3x4xf32>, tensor<6x8xf32>, tensor<48xf32>, tensor<8x10xf32>) {
    %cst = arith.constant -1.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[1, 0] [3, 4] [1, 2] : tensor<6x8xf32> to tensor<3x4xf32>
    %inserted_slice = tensor.insert_slice %arg1 into %arg0[2, 4] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<6x8xf32>
    %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<6x8xf32> into tensor<48xf32>
    %padded = tensor.pad %arg0 low[1, 2] high[1, 0] {
    ^bb0(%arg2: index, %arg3: index):
      tensor.yield %cst : f32
    } : tensor<6x8xf32> to tensor<8x10xf32>
    return %extracted_slice, %inserted_slice, %collapsed, %padded : tensor<3x4xf32>, tensor<6x8xf32>, tensor<48xf32>, tensor<8x10xf32>
  }
}
