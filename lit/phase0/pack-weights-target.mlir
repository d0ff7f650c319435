// RUN: opt-tool --pass pack-weights --target none %s | filecheck %s

// CASE leaves alone: without a target nothing is known of vectors.
// CHECK-LABEL: func.func @main(
// CHECK: graph.matmul
func.func @main(%a: tensor<4x3xf32>) -> tensor<4x32xf32> {
  %w = graph.constant dense<1.0> : tensor<3x32xf32>
  %y = graph.matmul %a, %w : tensor<4x32xf32>
  func.return %y : tensor<4x32xf32>
}
