// RUN: opt-tool --pass winograd --remarks %s 2>&1 | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE remarks: how much faster the model expects it to be.
// CHECK: remark[TW0764]: graph.blocked_conv2d multiplies transformed tiles: expected {{1.[0-9]+}} times as fast
func.func @many_pixels(%x: tensor<1x4x13x13x8xf32>) -> tensor<1x4x13x13x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x13x13x8xf32>
  func.return %c : tensor<1x4x13x13x8xf32>
}

// CASE remarks: for a few pixels larger weights would be read.
// CHECK: remark[TW0765]: graph.blocked_conv2d does not multiply transformed tiles: expected {{[01].[0-9]+}} times as fast
func.func @few_pixels(%x: tensor<1x4x3x3x8xf32>) -> tensor<1x4x3x3x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x3x3x8xf32>
  func.return %c : tensor<1x4x3x3x8xf32>
}

}
