// RUN: opt-tool --pass block-channels --remarks %s 2>&1 | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE remarks: why a convolution stays as it is.
// CHECK: remark[TW0759]: graph.conv2d is not computed on blocks of channels: its weights are not known
func.func @unknown_weights(%x: tensor<1x8x4x4xf32>, %w: tensor<8x8x1x1xf32>) {
  %0 = graph.conv2d %x, %w : tensor<1x8x4x4xf32>
  func.return
}

// CASE remarks: three channels make no vector, nor half of one.
// CHECK: remark[TW0759]: graph.conv2d is not computed on blocks of channels: its 3 output channels do not come out even in blocks
func.func @uneven(%x: tensor<1x8x4x4xf32>) {
  %w = graph.constant dense<1.0> : tensor<3x8x1x1xf32>
  %0 = graph.conv2d %x, %w : tensor<1x3x4x4xf32>
  func.return
}

// CASE remarks: where images are copied from one layout to the other.
// CHECK: remark[TW0760]: an image is put into blocks of 8 channels here
// CHECK: remark[TW0758]: graph.conv2d is computed on blocks of 8 channels
// CHECK: remark[TW0760]: an image is taken out of blocks of channels here
func.func @edges(%x: tensor<1x16x4x4xf32>) -> tensor<1x16x4x4xf32> {
  %w = graph.constant dense<1.0> : tensor<16x8x1x1xf32>
  %0 = graph.conv2d %x, %w groups 2 : tensor<1x16x4x4xf32>
  func.return %0 : tensor<1x16x4x4xf32>
}

// CASE remarks: nothing is gained by blocks.
// CHECK: remark[TW0759]: graph.conv2d is not computed on blocks of channels: it sums over no channels, and the image that it reads is not in blocks
func.func @channels_alone(%x: tensor<1x16x6x6xf32>) -> tensor<1x16x4x4xf32> {
  %w = graph.constant dense<1.0> : tensor<16x1x3x3xf32>
  %0 = graph.conv2d %x, %w groups 16 : tensor<1x16x4x4xf32>
  func.return %0 : tensor<1x16x4x4xf32>
}

}
