// A convolution with dilations that adds to its output.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<2x3x9x9xf32>, %arg1: memref<4x3x3x3xf32>, %arg2: memref<2x4x5x5xf32>)
// CHECK: loop.for %i0 = 0 to 2
// CHECK: loop.for %i1 = 0 to 4
// CHECK: loop.for %i2 = 0 to 5
// CHECK: loop.for %i3 = 0 to 5
// CHECK: loop.for %i4 = 0 to 3
// CHECK: loop.for %i5 = 0 to 3
// CHECK: loop.for %i6 = 0 to 3
// CHECK: loop.store %4, %arg2[%i0, %i1, %i2, %i3] : memref<2x4x5x5xf32>

module {
  func.func @main(%arg0: memref<2x3x9x9xf32>, %arg1: memref<4x3x3x3xf32>, %arg2: memref<2x4x5x5xf32>) {
    linalg.conv_2d_nchw_fchw {dilations = dense<2> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg1 : memref<2x3x9x9xf32>, memref<4x3x3x3xf32>) outs(%arg2 : memref<2x4x5x5xf32>)
    return
  }
}
