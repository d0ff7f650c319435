// RUN: opt-tool --pass winograd %s | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE fires: an image in blocks, and a bias.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<4x4x4x4x8x8xf32>
// CHECK-NEXT: graph.winograd_conv2d %x, %[[W]], %b padding [1, 1, 1, 1] : tensor<1x4x13x13x8xf32>
func.func @blocks(%x: tensor<1x4x13x13x8xf32>, %b: tensor<4x8xf32>) -> tensor<1x4x13x13x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w, %b padding [1, 1, 1, 1] : tensor<1x4x13x13x8xf32>
  func.return %c : tensor<1x4x13x13x8xf32>
}

// CASE fires: an image that is in no blocks is put into some.
// CHECK-LABEL: func.func @plain_image(
// CHECK: %[[X:.*]] = graph.block_channels %x size 8 : tensor<1x4x13x13x8xf32>
// CHECK-NEXT: graph.winograd_conv2d %[[X]], {{.*}} : tensor<1x4x11x11x8xf32>
func.func @plain_image(%x: tensor<1x32x13x13xf32>) -> tensor<1x4x11x11x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x32x3x3x8xf32>
  %c = graph.blocked_conv2d %x, %w : tensor<1x4x11x11x8xf32>
  func.return %c : tensor<1x4x11x11x8xf32>
}

// CASE leaves alone: a few pixels, for which larger weights would be read.
// CHECK-LABEL: func.func @few_pixels(
// CHECK: graph.blocked_conv2d
func.func @few_pixels(%x: tensor<1x4x3x3x8xf32>) -> tensor<1x4x3x3x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x3x3x8xf32>
  func.return %c : tensor<1x4x3x3x8xf32>
}

// CASE leaves alone: other windows, steps, groups and channels alone.
// CHECK-LABEL: func.func @other_forms(
// CHECK-COUNT-5: graph.blocked_conv2d
// CHECK-NOT: graph.winograd_conv2d
// CHECK: func.return
func.func @other_forms(%x: tensor<1x4x13x13x8xf32>) {
  %w1 = graph.constant dense<1.0> : tensor<4x4x1x3x8x8xf32>
  %w2 = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %w3 = graph.constant dense<1.0> : tensor<4x2x3x3x8x8xf32>
  %w4 = graph.constant dense<1.0> : tensor<4x3x3x8xf32>
  %0 = graph.blocked_conv2d %x, %w1 : tensor<1x4x13x11x8xf32>
  %1 = graph.blocked_conv2d %x, %w2 strides [2, 1] : tensor<1x4x6x11x8xf32>
  %2 = graph.blocked_conv2d %x, %w2 dilations [1, 2] : tensor<1x4x11x9x8xf32>
  %3 = graph.blocked_conv2d %x, %w3 groups 2 : tensor<1x4x11x11x8xf32>
  %4 = graph.blocked_conv2d %x, %w4 : tensor<1x4x11x11x8xf32>
  func.return
}

// CASE leaves alone: weights that are not known, and element types without bits to spare.
// CHECK-LABEL: func.func @other_operands(
// CHECK-COUNT-2: graph.blocked_conv2d
// CHECK-NOT: graph.winograd_conv2d
// CHECK: func.return
func.func @other_operands(%x: tensor<1x4x13x13x8xf32>, %w: tensor<4x4x3x3x8x8xf32>, %h: tensor<1x4x13x13x8xf16>) {
  %v = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf16>
  %0 = graph.blocked_conv2d %x, %w : tensor<1x4x11x11x8xf32>
  %1 = graph.blocked_conv2d %h, %v : tensor<1x4x11x11x8xf16>
  func.return
}

}
