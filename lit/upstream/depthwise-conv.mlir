// A depthwise convolution.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<1x8x8x5xf32>, %arg1: memref<3x3x5xf32>, %out: memref<1x6x6x5xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 1
// CHECK: loop.for %i1 = 0 to 6
// CHECK: loop.for %i2 = 0 to 6
// CHECK: loop.for %i3 = 0 to 5
// CHECK: loop.for %i4 = 0 to 3
// CHECK: loop.for %i5 = 0 to 3
// CHECK: loop.if (%i4 < 1, %i5 < 1)
// CHECK: loop.store %0, %out[0, %i1, %i2, %i3] : memref<1x6x6x5xf32>
// CHECK: loop.store %5, %out[0, %i1, %i2, %i3] : memref<1x6x6x5xf32>

module {
  func.func @main(%arg0: tensor<1x8x8x5xf32>, %arg1: tensor<3x3x5xf32>) -> tensor<1x6x6x5xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x6x6x5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>
    %2 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : tensor<1x8x8x5xf32>, tensor<3x3x5xf32>) outs(%1 : tensor<1x6x6x5xf32>) -> tensor<1x6x6x5xf32>
    return %2 : tensor<1x6x6x5xf32>
  }
}
