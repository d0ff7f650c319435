// The maximum and the sum of windows, whose sizes come from an operand.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<1x8x8x3xf32>, %out: memref<1x4x4x3xf32> {tw.name = "out0", tw.output}, %out_1: memref<1x6x6x3xf32> {tw.name = "out1", tw.output})
// CHECK: loop.for %i0 = 0 to 1
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.for %i2 = 0 to 4
// CHECK: loop.for %i3 = 0 to 3
// CHECK: loop.for %i4 = 0 to 2
// CHECK: loop.for %i5 = 0 to 2
// CHECK: loop.if (%i4 < 1, %i5 < 1)
// CHECK: loop.store %0, %out[0, %i1, %i2, %i3] : memref<1x4x4x3xf32>
// CHECK: loop.store %3, %out[0, %i1, %i2, %i3] : memref<1x4x4x3xf32>
// CHECK: loop.for %i0_1 = 0 to 1
// CHECK: loop.for %i1_1 = 0 to 6
// CHECK: loop.for %i2_1 = 0 to 6
// CHECK: loop.for %i3_1 = 0 to 3
// CHECK: loop.for %i4_1 = 0 to 3
// CHECK: loop.for %i5_1 = 0 to 3
// CHECK: loop.if (%i4_1 < 1, %i5_1 < 1)
// CHECK: loop.store %4, %out_1[0, %i1_1, %i2_1, %i3_1] : memref<1x6x6x3xf32>
// CHECK: loop.store %7, %out_1[0, %i1_1, %i2_1, %i3_1] : memref<1x6x6x3xf32>

module {
  func.func @main(%arg0: tensor<1x8x8x3xf32>) -> (tensor<1x4x4x3xf32>, tensor<1x6x6x3xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x2xf32>
    %1 = tensor.empty() : tensor<3x3xf32>
    %2 = tensor.empty() : tensor<1x4x4x3xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %4 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%arg0, %0 : tensor<1x8x8x3xf32>, tensor<2x2xf32>) outs(%3 : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %5 = tensor.empty() : tensor<1x6x6x3xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
    %7 = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %1 : tensor<1x8x8x3xf32>, tensor<3x3xf32>) outs(%6 : tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
    return %4, %7 : tensor<1x4x4x3xf32>, tensor<1x6x6x3xf32>
  }
}
