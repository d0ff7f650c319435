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

// CASE remarks: tiles of an image of any height are not counted while compiling; those of any number of images are.
// CHECK: remark[TW0765]: graph.blocked_conv2d does not multiply transformed tiles: its height or width is open
func.func @open_height(%x: tensor<1x4x?x13x8xf32, #graph.dims<_, _, h, _, _>>) -> tensor<1x4x?x13x8xf32, #graph.dims<_, _, h, _, _>> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x4x?x13x8xf32, #graph.dims<_, _, h, _, _>>
  func.return %c : tensor<1x4x?x13x8xf32, #graph.dims<_, _, h, _, _>>
}
// CHECK: remark[TW0764]: graph.blocked_conv2d multiplies transformed tiles: expected {{1.[0-9]+}} times as fast
func.func @open_batch(%x: tensor<?x4x13x13x8xf32, #graph.dims<n, _, _, _, _>>) -> tensor<?x4x13x13x8xf32, #graph.dims<n, _, _, _, _>> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w padding [1, 1, 1, 1] : tensor<?x4x13x13x8xf32, #graph.dims<n, _, _, _, _>>
  func.return %c : tensor<?x4x13x13x8xf32, #graph.dims<n, _, _, _, _>>
}

}
