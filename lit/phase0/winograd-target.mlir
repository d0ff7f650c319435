// RUN: opt-tool --pass winograd --target none %s | filecheck %s

// CASE leaves alone: without a target nothing is known of what is faster.
// CHECK-LABEL: func.func @main(
// CHECK: graph.blocked_conv2d
func.func @main(%x: tensor<1x4x28x28x8xf32>) -> tensor<1x4x26x26x8xf32> {
  %w = graph.constant dense<1.0> : tensor<4x4x3x3x8x8xf32>
  %c = graph.blocked_conv2d %x, %w : tensor<1x4x26x26x8xf32>
  func.return %c : tensor<1x4x26x26x8xf32>
}
